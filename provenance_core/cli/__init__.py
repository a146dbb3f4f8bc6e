"""The command line: ``audit``, ``evaluate``, ``batch``, ``formats``."""
