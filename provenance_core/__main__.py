"""``python -m provenance_core``: see :mod:`provenance_core.cli`."""

from __future__ import annotations

from provenance_core.cli.main import run

if __name__ == "__main__":
    run()
