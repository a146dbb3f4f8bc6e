"""``health``: whether models, database and disk can be used."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from wsgiref.simple_server import WSGIRequestHandler, make_server
from wsgiref.types import StartResponse, WSGIEnvironment

import click
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.options import option
from provenance_core.cli.output import say
from provenance_core.cli.values import positive
from provenance_core.errors import InputError, ModelError
from provenance_core.models.catalogue.profiles import default_profile, get_profile
from provenance_core.models.hub.cache import require_models
from storage.errors import StorageError
from storage.readiness import ReadinessStore, StorageState
from storage.retention import retention_days

_LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Health:
    """What was found. ``problems``: by what cannot be used; none where everything can."""

    problems: tuple[tuple[str, str], ...]
    storage: StorageState | None

    @property
    def ready(self) -> bool:
        """Whether everything can be used."""
        return not self.problems


def find_health() -> Health:
    """What of the default profile's models, the database and the disk cannot be used, and why."""
    problems: list[tuple[str, str]] = []
    state = None
    try:
        require_models(get_profile(default_profile()))
    except ModelError as error:
        problems.append(("models", str(error)))
    try:
        state = ReadinessStore.open().state()
    except (StorageError, OSError) as error:
        problems.append(("database", str(error)))
    try:
        retention_days()
    except StorageError as error:
        problems.append(("retention", str(error)))
    if state is not None and state.problem:
        problems.append(("disk", state.problem))
    return Health(tuple(problems), state)


@click.command(cls=Command)
@option("--serve PORT", "serve at this port", type=positive)
def health(serve: int | None) -> ExitCode:
    """Prints one JSON object, or serves it at /ready (status 503 when something cannot be used)
    beside metrics for Prometheus at /metrics, for this machine alone.

    Exit status: 0 ready; 1 not ready; 2 bad arguments."""
    if serve:
        try:
            server = make_server(_LOOPBACK, serve, respond, handler_class=_Silent)
        except (OSError, OverflowError) as error:
            raise InputError(f"Port {serve} cannot be used: {error}.") from error
        with server:
            say(f"http://{_LOOPBACK}:{server.server_port}/ready", flush=True)
            server.serve_forever()
    found = find_health()
    say(ready_text(found))
    return ExitCode.SUCCESS if found.ready else ExitCode.FAILURE


def ready_text(found: Health) -> str:
    """What was found as one object of JSON: whether all is ready, and each problem."""
    return json.dumps({"ready": found.ready, "problems": dict(found.problems)})


def metrics_text(found: Health, seconds: float) -> bytes:
    """What was found as Prometheus reads it, in UTF-8."""
    registry = CollectorRegistry()

    def gauge(name: str, help_: str, value: float) -> None:
        Gauge(f"provenance_{name}", help_, registry=registry).set(value)

    gauge("ready", "1 when models, database and disk can be used", found.ready)
    gauge("check_seconds", "How long the check took", seconds)
    if (state := found.storage) is not None:
        gauge("audits", "Audits that are kept", state.audits)
        gauge("reviews", "Judgements that are kept", state.reviews)
        gauge("database_bytes", "Size of the database file", state.database_bytes)
        gauge("disk_free_bytes", "Free bytes of its disk", state.free_bytes)
        runs = Gauge("provenance_runs", "Batch runs by status", ["status"], registry=registry)
        for status, count in state.runs:
            runs.labels(status).set(count)
    return generate_latest(registry)


def respond(environment: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
    """Answer ``/ready`` (200, or 503 when something cannot be used) and ``/metrics``."""
    path = environment.get("PATH_INFO", "")
    if path not in ("/ready", "/metrics"):
        start("404 Not Found", [("Content-Type", "text/plain")])
        return [b"/ready or /metrics\n"]
    began = time.perf_counter()
    found = find_health()
    if path == "/metrics":
        start("200 OK", [("Content-Type", CONTENT_TYPE_LATEST)])
        return [metrics_text(found, time.perf_counter() - began)]
    start(
        "200 OK" if found.ready else "503 Service Unavailable",
        [("Content-Type", "application/json")],
    )
    return [f"{ready_text(found)}\n".encode()]


class _Silent(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """No line for a request."""
