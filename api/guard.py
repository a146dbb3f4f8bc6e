"""Who calls, and what they may do: the pages' own roles, by a bearer token or on loopback."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from api.access.addresses import is_loopback, is_open, open_address
from api.access.roles import Role, Visitor, visitor_of
from api.access.secrets import default_files, read_secrets
from api.access.tokens import ProviderUnreachable, TokenChecker, TokenRefused
from api.problems import MEDIA_TYPE, Problem, Refused, Wrong
from provenance_core.errors import InputError
from storage.actions import record_action

_CHALLENGE = 'Bearer realm="provenance"'
_bearer = HTTPBearer(
    auto_error=False,
    description="A token of the OpenID Connect provider that the pages sign in with. Without "
    "sign-in, the interface answers this machine alone and needs none.",
)


class Guard:
    """Checks callers of one program. ``address``: where it answers (None or "": everywhere).
    ``files``: of the secrets. Both are asked for at each request."""

    def __init__(
        self,
        address: Callable[[], str | None],
        files: Callable[[], Iterable[Path]] = default_files,
        tokens: TokenChecker | None = None,
    ) -> None:
        self._address = address
        self._files = files
        self._tokens = tokens or TokenChecker()

    def visitor(self, request: Request, token: str | None) -> Visitor:
        """Who calls, with a role or the reason for none. Raises Refused where nobody may come in
        that way: 401 for no token or a bad one, 403 for an address or a host that is not allowed,
        503 where secrets or provider cannot be read."""
        try:
            secrets = read_secrets(self._files())
        except InputError as error:
            # Without this, sign-in would be off.
            raise _refused(HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error
        signs_in = bool(secrets.auth)
        if problem := open_address(self._address(), signs_in):
            raise _refused(HTTPStatus.FORBIDDEN, problem)
        if not signs_in:
            _check_own_machine(request)
            return Visitor("", Role.ADMIN)
        if token is None:
            raise _refused(
                HTTPStatus.UNAUTHORIZED,
                "Nobody is signed in. Send the header Authorization: Bearer TOKEN, with a token "
                "of your sign-in provider.",
                challenge=_CHALLENGE,
            )
        try:
            claims = self._tokens.claims(token, secrets.auth)
        except TokenRefused as error:
            challenge = f'{_CHALLENGE}, error="invalid_token"'
            raise _refused(HTTPStatus.UNAUTHORIZED, str(error), challenge=challenge) from error
        except ProviderUnreachable as error:
            raise _refused(HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error
        return visitor_of(claims, secrets.access, time.time(), self._files())


def _check_own_machine(request: Request) -> None:
    """Without sign-in, a page of another site must not reach the interface through the browser of
    a person on this machine: by a name that leads here, or by a form of its own."""
    if is_open():
        return
    host = _host_of(str(request.url))
    if not is_loopback(host):
        raise _refused(
            HTTPStatus.FORBIDDEN,
            f"Without sign-in the interface answers only 127.0.0.1 and localhost, not {host}. Use "
            "one of these, or turn on sign-in.",
        )
    origin = request.headers.get("origin")
    if origin is not None and not is_loopback(_host_of(origin)):
        raise _refused(
            HTTPStatus.FORBIDDEN,
            "A page of another site sent this. Without sign-in the interface answers only programs "
            "on this machine; turn on sign-in to answer others.",
        )


def _host_of(address: str) -> str | None:
    """The host of a web address; None where there is none to be read."""
    try:
        return urlsplit(address).hostname
    except ValueError:  # a bracket that is not closed
        return None


def _refused(status: HTTPStatus, message: str, challenge: str = "") -> Refused:
    return Refused(status, [Wrong("", message)], challenge=challenge)


def _needs(role: Role) -> Callable[..., Visitor]:
    def checked(
        request: Request,
        credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    ) -> Visitor:
        guard: Guard = request.app.state.guard
        found = guard.visitor(request, credentials.credentials if credentials else None)
        if found.role is None:
            raise _refused(HTTPStatus.FORBIDDEN, found.refused)
        if found.role < role:
            raise _refused(
                HTTPStatus.FORBIDDEN,
                f"This needs the role {role.title}. You are signed in as {found.name}, a "
                f"{found.role.title}. Ask an admin.",
            )
        return found

    return checked


Viewer = Annotated[Visitor, Depends(_needs(Role.VIEWER))]
Reviewer = Annotated[Visitor, Depends(_needs(Role.REVIEWER))]
Admin = Annotated[Visitor, Depends(_needs(Role.ADMIN))]


def record(visitor: Visitor, action: str, numbers: Iterable[int] = ()) -> None:
    """Record that a program did something for ``visitor``."""
    role = visitor.role.title if visitor.role else ""
    record_action(visitor.name, role, action, [*numbers], visitor.id)


def refusals(*more: HTTPStatus) -> dict[int | str, dict[str, Any]]:
    """What an address may answer besides a result, by status, for the description of the
    interface."""
    found = (
        HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.UNPROCESSABLE_ENTITY,
        HTTPStatus.SERVICE_UNAVAILABLE, *more,
    )  # fmt: skip
    return {
        status.value: {"description": status.phrase, "model": Problem, "content": {MEDIA_TYPE: {}}}
        for status in sorted(found)
    }
