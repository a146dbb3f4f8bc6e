"""``python -m provenance_core serve``: the REST interface, without the dashboard."""

from __future__ import annotations

import argparse

from access.addresses import open_address
from access.secrets import default_files, read_secrets
from command_line.exit_codes import ExitCode
from provenance_core.errors import InputError, ModelError

# Streams of runs end by themselves only when the run does.
_SECONDS_TO_END = 5


def run_serve(options: argparse.Namespace) -> ExitCode:
    """Serve until the process is ended. InputError for an address that may not be answered at, or
    a port that is taken; ModelError where FastAPI is not installed."""
    try:
        import uvicorn

        from api.app import PREFIX, create_app
        from api.guard import Guard
    except ImportError as error:
        raise ModelError(
            f"{error.name} is not installed. Install it: pip install 'provenance[api]'"
        ) from None
    signs_in = bool(read_secrets(default_files()).auth)
    if problem := open_address(options.host, signs_in, "--host"):
        raise InputError(problem)
    app = create_app(Guard(lambda: options.host))
    config = uvicorn.Config(
        app,
        host=options.host,
        port=options.port,
        log_level="warning",
        timeout_graceful_shutdown=_SECONDS_TO_END,
    )
    try:
        socket = config.bind_socket()
    except SystemExit as error:  # uvicorn's own way to say that the port is taken
        raise InputError(
            f"Port {options.port} of {options.host} cannot be used. Choose another by --port."
        ) from error
    port = socket.getsockname()[1]
    print(f"http://{_shown(options.host)}:{port}{PREFIX}/openapi.json", flush=True)
    uvicorn.Server(config).run(sockets=[socket])
    return ExitCode.SUCCESS


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
