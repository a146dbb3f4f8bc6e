"""``app`` and ``serve``: the dashboard and the REST interface."""

from __future__ import annotations

import socket
from importlib.util import find_spec

import click

from api.access.addresses import open_address
from api.access.roles import access_fault
from api.access.secrets import default_files, read_secrets
from api.settings import API_SETTINGS
from provenance_core.app_folder import app_folder
from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.options import address, option
from provenance_core.cli.output import complain, say
from provenance_core.environment import settings_help
from provenance_core.errors import InputError, ModelError

# Streams of runs end by themselves only when the run does.
_SECONDS_TO_END = 5


@click.command(cls=Command)
@address(8501)
@option("--rest", "serve the REST interface too, under /api")
@option("--headless", "open no browser")
def app(host: str, port: int, rest: bool, headless: bool) -> ExitCode:
    """Serves the dashboard until it is ended, and opens it in a browser.

    Exit status: 0 ended; 1 the extra app is not installed; 2 bad arguments."""
    _require("app", "streamlit")
    if rest:
        _require("api", "fastapi", "joserfc")
    from streamlit.web.cli import main

    script = app_folder() / ("server.py" if rest else "app.py")
    flags = ["--server.address", host, "--server.port", str(port)]
    if headless:
        flags += ["--server.headless", "true"]
    main(["run", str(script), *flags], standalone_mode=False)
    return ExitCode.SUCCESS


@click.command(cls=Command, epilog=settings_help(API_SETTINGS, "serve"))
@address(8600)
def serve(host: str, port: int) -> ExitCode:
    """Serves the REST interface under /api/v1 until it is ended, without the dashboard (app --rest
    serves both). Without [auth] in .streamlit/secrets.toml it answers this machine alone.

    Exit status: 0 ended; 1 the extra api is not installed; 2 bad arguments, or an address that
    cannot be used."""
    _require("api", "fastapi", "uvicorn", "joserfc")
    import uvicorn

    from api.app import PREFIX, create_app
    from api.guard import Guard

    secrets = read_secrets(default_files())
    signs_in = bool(secrets.auth)
    if problem := open_address(host, signs_in, "--host"):
        raise InputError(problem)
    if signs_in and (fault := access_fault(secrets.access, default_files())):
        complain(fault)
    config = uvicorn.Config(
        create_app(Guard(lambda: host)),
        log_level="warning",
        timeout_graceful_shutdown=_SECONDS_TO_END,
    )
    ipv6 = ":" in host
    try:
        listening = socket.create_server(
            (host, port), family=socket.AF_INET6 if ipv6 else socket.AF_INET
        )
    except OSError as error:
        raise InputError(
            f"Port {port} of {host} cannot be used: {error}. Choose another by --port."
        ) from error
    with listening:
        shown = f"[{host}]" if ipv6 else host
        say(f"http://{shown}:{listening.getsockname()[1]}{PREFIX}/openapi.json", flush=True)
        uvicorn.Server(config).run(sockets=[listening])
    return ExitCode.SUCCESS


def _require(extra: str, *modules: str) -> None:
    """Raise ModelError with the install command, if a module of the extra is missing."""
    if missing := [module for module in modules if find_spec(module) is None]:
        raise ModelError(
            f"{', '.join(missing)} is not installed. Install it: "
            f"pip install 'provenance-check[{extra}]'"
        )
