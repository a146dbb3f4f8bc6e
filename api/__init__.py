"""The REST interface: the same audits, runs, reviews and presets from any program."""
