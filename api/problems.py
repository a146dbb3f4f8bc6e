"""What is answered when something is wrong: ``application/problem+json`` (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from provenance_core.errors import InputError, ModelError, ProvenanceError
from provenance_core.files.not_text import kind_of
from storage.errors import AuditNotFound, PresetNameTaken, PresetNotFound, RunNotFound
from storage.request_keys import RequestBusy

_LOG = logging.getLogger(__name__)
MEDIA_TYPE = "application/problem+json"
HALF_CHARACTER = "The text holds half of a character. Delete it."
# What the checks of types say, with what fixes it; others say it themselves.
_HINTS = {
    "missing": "It is missing. Add it.",
    "extra_forbidden": "There is no such field. Leave it out, or fix its name.",
    "json_invalid": "The body is not JSON: {error}. Fix it.",
    "string_unicode": HALF_CHARACTER,
    "boolean_number": "A number was expected, not true or false. Change it.",
}
_NOT_FOUND = (AuditNotFound, RunNotFound, PresetNotFound)


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that is wrong. ``where``: the place in the request, as ``body.answer``, "" for the
    whole. ``message``: what is wrong and how to fix it."""

    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a request was not done (RFC 9457). ``detail`` says what is wrong and how to fix it, in
    sentences; ``errors`` says it of each place."""

    title: str
    status: int
    detail: str
    instance: str
    errors: tuple[Wrong, ...] = ()
    type: str = "about:blank"


class Refused(Exception):
    """A request that cannot be done, with its status. ``retry_after``: seconds, where it may be
    sent again as it is."""

    def __init__(
        self,
        status: HTTPStatus,
        errors: Sequence[Wrong],
        *,
        challenge: str = "",
        retry_after: int = 0,
    ) -> None:
        super().__init__(" ".join(each.message for each in errors))
        self.status = status
        self.errors = tuple(errors)
        self.headers = {
            **({"WWW-Authenticate": challenge} if challenge else {}),
            **({"Retry-After": str(retry_after)} if retry_after else {}),
        }


@contextmanager
def at(where: str) -> Iterator[None]:
    """Blame this place of the request: Refused (422) instead of an InputError or ModelError inside
    the block."""
    try:
        yield
    except (InputError, ModelError) as error:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, [Wrong(where, str(error))]) from error


def problem_response(
    request: Request, status: HTTPStatus, errors: Sequence[Wrong], headers: dict[str, str]
) -> JSONResponse:
    """The answer to a request that was not done."""
    found = Problem(
        title=status.phrase,
        status=status.value,
        detail=" ".join(f"{e.where}: {e.message}" if e.where else e.message for e in errors),
        instance=request.url.path,
        errors=tuple(errors),
    )
    return JSONResponse(asdict(found), status.value, headers, media_type=MEDIA_TYPE)


def handle_problems(app: FastAPI) -> None:
    """Let every error be answered as a problem; what was not foreseen shows nothing of itself."""

    @app.exception_handler(Refused)
    def refused(request: Request, error: Refused) -> JSONResponse:
        return problem_response(request, error.status, error.errors, error.headers)

    @app.exception_handler(RequestValidationError)
    def unfit(request: Request, error: RequestValidationError) -> JSONResponse:
        wrong = [_wrong(each) for each in error.errors()]
        return problem_response(request, HTTPStatus.UNPROCESSABLE_ENTITY, wrong, {})

    @app.exception_handler(ProvenanceError)
    def known(request: Request, error: Exception) -> JSONResponse:
        headers = {"Retry-After": "1"} if isinstance(error, RequestBusy) else {}
        return problem_response(request, status_of(error), [Wrong("", str(error))], headers)

    @app.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> JSONResponse:
        status = HTTPStatus(error.status_code)
        if status is HTTPStatus.BAD_REQUEST:  # FastAPI's own of a body that it cannot read
            if isinstance(error.__cause__, Refused):
                return refused(request, error.__cause__)
            wrong = [Wrong("body", f"{_no_text(error)}. Send JSON in UTF-8.")]
            return problem_response(request, HTTPStatus.UNPROCESSABLE_ENTITY, wrong, {})
        said = f"{(error.detail or status.phrase).rstrip('.')}. {_HTTP_HINTS.get(status, '')}"
        headers = dict(error.headers or {})
        return problem_response(request, status, [Wrong("", said.strip())], headers)

    @app.exception_handler(Exception)
    def unforeseen(request: Request, error: Exception) -> JSONResponse:
        _LOG.error("event=request_failed error=%s", type(error).__name__)
        wrong = [Wrong("", "Something unexpected went wrong. The log names the kind of error.")]
        return problem_response(request, HTTPStatus.INTERNAL_SERVER_ERROR, wrong, {})


def _no_text(error: HTTPException) -> str:
    """What the body is in the place of a text, as the decoder that refused it had it."""
    cause = error.__cause__
    kind = kind_of(cause.object) if isinstance(cause, UnicodeDecodeError) else None
    return f"The body is {kind}, not a text" if kind else "The body is no text in UTF-8"


_HTTP_HINTS = {
    HTTPStatus.NOT_FOUND: "Look at /api/v1/openapi.json for the addresses that there are.",
    HTTPStatus.METHOD_NOT_ALLOWED: "Look at /api/v1/openapi.json for what this address takes.",
}


def status_of(error: Exception) -> HTTPStatus:
    """404 for what is not there, 409 for a request that is still being done and for a name that
    another preset has, 422 for bad input, else 503."""
    if isinstance(error, _NOT_FOUND):
        return HTTPStatus.NOT_FOUND
    if isinstance(error, (RequestBusy, PresetNameTaken)):
        return HTTPStatus.CONFLICT
    if isinstance(error, InputError):
        return HTTPStatus.UNPROCESSABLE_ENTITY
    return HTTPStatus.SERVICE_UNAVAILABLE


def _wrong(error: Any) -> Wrong:
    where = ".".join(str(part) for part in error["loc"])
    hint = _HINTS.get(error["type"])
    if hint is None:
        return Wrong(where, f"{error['msg'].rstrip('.')}. Change it.")
    return Wrong(where, hint.format(error=(error.get("ctx") or {}).get("error", "")))
