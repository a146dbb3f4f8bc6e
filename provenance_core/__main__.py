"""``python -m provenance_core``: see :mod:`provenance_core.cli`."""

from __future__ import annotations

import sys

from provenance_core.cli.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
