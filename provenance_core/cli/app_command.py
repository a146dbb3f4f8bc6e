"""``app``: the dashboard in the browser, from an installed package as from a checkout."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from provenance_core.app_folder import app_folder
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.errors import ModelError


def run_app(options: argparse.Namespace) -> ExitCode:
    """Serve the dashboard until the process is ended. Raises ModelError if an extra is missing."""
    require_extra("app", "streamlit")
    if options.rest:
        require_extra("api", "fastapi", "joserfc")
    from streamlit.web.cli import main

    script = app_folder() / ("server.py" if options.rest else "app.py")
    flags = ["--server.address", options.host, "--server.port", str(options.port)]
    if options.headless:
        flags += ["--server.headless", "true"]
    main(["run", str(script), *flags], standalone_mode=False)
    return ExitCode.SUCCESS


def require_extra(extra: str, *modules: str) -> None:
    """Raise ModelError with the install command, if a module of the extra is missing."""
    if missing := [module for module in modules if find_spec(module) is None]:
        raise ModelError(
            f"{', '.join(missing)} is not installed. Install it: "
            f"pip install 'provenance-check[{extra}]'"
        )
