"""The REST interface as an ASGI program, alone or beside the pages."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI

import provenance_core
from api import audits, presets, reviews, runs
from api.body_limit import BodyLimit
from api.guard import Guard
from api.problems import handle_problems
from api.scoring import ScoringQueue
from api.settings import api_limits
from storage.retention import keep_to_retention

PREFIX = "/api/v1"
# What the program around it says of itself, by which addresses would be looked up there.
_OF_THE_MOUNT = ("router", "app_root_path")
Asgi = Callable[[Any, Any, Any], Awaitable[None]]


def create_app(guard: Guard) -> FastAPI:
    """Make the interface, with its addresses under ``/api/v1``. As a program of its own, it deletes
    what is too old, as the pages do. Raises InputError where a limit in the environment is no whole
    number above 0."""
    limits = api_limits()
    app = FastAPI(
        title="Provenance",
        version=provenance_core.__version__,
        description="Checks whether an answer is supported by its context.",
        openapi_url=f"{PREFIX}/openapi.json",
        # Pages that fetch their scripts from another host.
        docs_url=None,
        redoc_url=None,
        separate_input_output_schemas=False,
        lifespan=_deleting_by_age,
    )
    app.add_middleware(BodyLimit, most=limits.body)
    app.state.guard = guard
    app.state.limits = limits
    app.state.queue = ScoringQueue(limits.waiting)
    every = APIRouter(prefix=PREFIX)
    for part in (audits, runs, reviews, presets):
        every.include_router(part.router)
    app.include_router(every)
    handle_problems(app)
    return app


@asynccontextmanager
async def _deleting_by_age(_app: FastAPI) -> AsyncIterator[None]:
    ended = threading.Event()
    keep_to_retention(ended=ended)
    try:
        yield
    finally:
        ended.set()


def under_its_own_prefix(app: Asgi) -> Asgi:
    """Let a program that is mounted at a part of its own addresses see them whole."""

    async def whole(scope: Any, receive: Any, send: Any) -> None:
        own = {name: value for name, value in scope.items() if name not in _OF_THE_MOUNT}
        await app({**own, "root_path": ""}, receive, send)

    return whole
