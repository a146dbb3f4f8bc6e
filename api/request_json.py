"""The JSON of a request, checked for what its fields' types do not see."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from api.problems import HALF_CHARACTER, Refused, Wrong
from provenance_core.files.json_faults import beyond_json

# Far below what any field needs, and what a writer of JSON takes for a circle.
MOST_LEVELS = 100


class JsonRoute(APIRoute):
    """An address whose requests bring checked JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Answer requests as any route does, with their JSON checked."""
        answer = super().get_route_handler()

        async def checked(request: Request) -> Response:
            return await answer(_CheckedRequest(request.scope, request.receive))

        return checked


class _CheckedRequest(Request):
    async def json(self) -> Any:
        """The JSON. Raises Refused where it is nested too deeply, has a key twice or half of a
        character."""
        if not hasattr(self, "_json"):
            try:
                found = json.loads(await self.body(), object_pairs_hook=_once)
            except RecursionError as error:
                raise _too_deep(beyond_json(error)) from error
            _check(found, "body", 0)
            self._json = found
        return self._json


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _refused(
            "body", f"The key {twice[:60]!r} appears twice in one object. Leave one out."
        )
    return found


def _check(value: Any, place: str, level: int) -> None:
    if level > MOST_LEVELS:
        raise _too_deep(f"it has more than {MOST_LEVELS} levels")
    if isinstance(value, str):
        if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
            raise _refused(place, HALF_CHARACTER)
    elif isinstance(value, dict):
        for key, each in value.items():
            _check(key, place, level)
            _check(each, f"{place}.{key}", level + 1)
    elif isinstance(value, list):
        for at, each in enumerate(value):
            _check(each, f"{place}.{at}", level + 1)


def _too_deep(why: str) -> Refused:
    return _refused("body", f"The JSON cannot be read: {why}. Send it with fewer levels.")


def _refused(place: str, message: str) -> Refused:
    return Refused(HTTPStatus.UNPROCESSABLE_ENTITY, [Wrong(place, message)])
