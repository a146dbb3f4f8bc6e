"""A body that is too large is refused before it is read, or as soon as it gets too large; one that
stops halfway is given up."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from fastapi.exceptions import HTTPException
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import Wrong, problem_response
from api.settings import BODY


class BodyLimit:
    """Lets at most ``most`` bytes of a body through, and waits at most ``silence`` seconds for the
    next of them. (FastAPI's own limit answers in plain text, not with a problem.)"""

    def __init__(self, app: ASGIApp, most: int, silence: float = 30.0) -> None:
        self._app = app
        self._most = most
        self._silence = silence

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
        received, whole = 0, False

        async def counted() -> Message:
            nonlocal received, whole
            try:
                # Once the body is whole, the next message is the end of the connection.
                message = await asyncio.wait_for(receive(), None if whole else self._silence)
            except TimeoutError as error:
                raise HTTPException(
                    HTTPStatus.REQUEST_TIMEOUT,
                    f"Nothing more of the body came for {self._silence:g} seconds. Send it again.",
                    {"Connection": "close"},
                ) from error
            whole = not message.get("more_body", False)
            received += len(message.get("body", b""))
            if received > self._most:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, said)
            return message

        await self._app(scope, counted, send)
