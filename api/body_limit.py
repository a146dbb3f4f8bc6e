"""A body that is too large is refused before it is read, or as soon as it gets too large."""

from __future__ import annotations

from http import HTTPStatus

from fastapi.exceptions import HTTPException
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import Wrong, problem_response
from api.settings import BODY


class BodyLimit:
    """Lets at most ``most`` bytes of a body through. (FastAPI's own limit answers in plain
    text, not with a problem.)"""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = (
            f"The body is larger than {self._most:,} bytes, the limit of {BODY.variable}. Send "
            "less at once."
        )
        length = Headers(scope=scope).get("content-length", "")
        if length.isdecimal() and int(length) > self._most:
            status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            response = problem_response(Request(scope), status, [Wrong("body", said)], {})
            await response(scope, receive, send)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._most:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, said)
            return message

        await self._app(scope, counted, send)
