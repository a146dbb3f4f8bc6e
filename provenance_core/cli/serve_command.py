"""``python -m provenance_core serve``: the REST interface, without the dashboard."""

from __future__ import annotations

import argparse
import socket
import sys

from api.access.addresses import open_address
from api.access.roles import access_fault
from api.access.secrets import default_files, read_secrets
from provenance_core.cli.app_command import require_extra
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.errors import InputError

# Streams of runs end by themselves only when the run does.
_SECONDS_TO_END = 5


def run_serve(options: argparse.Namespace) -> ExitCode:
    """Serve the interface until the process is ended.

    Raises InputError if the address may not be answered at or the port is taken, and ModelError if
    FastAPI is not installed.
    """
    require_extra("api", "fastapi", "uvicorn", "joserfc")
    import uvicorn

    from api.app import PREFIX, create_app
    from api.guard import Guard

    secrets = read_secrets(default_files())
    signs_in = bool(secrets.auth)
    if problem := open_address(options.host, signs_in, "--host"):
        raise InputError(problem)
    if signs_in and (fault := access_fault(secrets.access, default_files())):
        print(fault, file=sys.stderr, flush=True)
    app = create_app(Guard(lambda: options.host))
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=_SECONDS_TO_END)
    ipv6 = ":" in options.host
    family = socket.AF_INET6 if ipv6 else socket.AF_INET
    try:
        listening = socket.create_server((options.host, options.port), family=family)
    except OSError as error:
        raise InputError(
            f"Port {options.port} of {options.host} cannot be used: {error}. Choose another by "
            "--port."
        ) from error
    with listening:
        host = f"[{options.host}]" if ipv6 else options.host
        print(f"http://{host}:{listening.getsockname()[1]}{PREFIX}/openapi.json", flush=True)
        uvicorn.Server(config).run(sockets=[listening])
    return ExitCode.SUCCESS
