"""The command line: ``audit`` one answer, ``evaluate`` files of labelled rows."""
