"""``python -m provenance_core``: see :mod:`command_line`."""

from __future__ import annotations

from command_line.main import run

if __name__ == "__main__":
    run()
