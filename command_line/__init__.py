"""The command line: ``audit``, ``evaluate``, ``batch``, ``export``, ``import``,
``formats``, ``models``."""
