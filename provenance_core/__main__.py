"""``python -m provenance_core``, which is also the command ``provenance``."""

from __future__ import annotations

import sys
from typing import NoReturn

from provenance_core.app_folder import search_app_first


def run() -> NoReturn:
    """Run the command that the arguments of this process name."""
    search_app_first()
    from provenance_core.cli.main import main  # It imports the storage, which is found now.

    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
