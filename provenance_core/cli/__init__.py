"""The command line, ``python -m provenance_core``: a module for each command."""
