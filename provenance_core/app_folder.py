"""Where the app is: app.py and pages/, with the packages they share with the commands."""

from __future__ import annotations

import sys
from pathlib import Path

_PACKAGE = Path(__file__).parent
# The wheel has the app here (setup.py); a checkout has it at its top.
_INSTALLED = _PACKAGE / "_app"


def is_installed() -> bool:
    """Whether the app is inside the package, not at the top of a checkout."""
    return _INSTALLED.is_dir()


def app_folder() -> Path:
    """The folder of app.py, api/, dashboard/, reports/ and storage/."""
    return _INSTALLED if is_installed() else _PACKAGE.parent


def search_app_first() -> None:
    """Let this process import api, reports and storage from the app, whatever else has the name.
    For a process that runs a command alone: in a library these names belong to the caller."""
    folder = str(app_folder())
    if sys.path[:1] != [folder]:
        sys.path.insert(0, folder)
