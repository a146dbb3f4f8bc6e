"""Who may come in, and what they may do: OpenID Connect, three roles, checked on the server.

Without ``[auth]`` in the secrets there is no sign-in: the app answers this machine alone, and who
reaches it may do everything. With it, Streamlit signs people in, and ``[access]`` in the secrets
says who has which role.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import streamlit as st

from provenance_core.environment import Setting
from storage.actions import record_action

P = ParamSpec("P")
R = TypeVar("R")
_LOG = logging.getLogger(__name__)
OPEN_TO_NETWORK = Setting(
    "PROVENANCE_OPEN_TO_NETWORK",
    "1 to answer other machines without sign-in: whoever reaches the port then reads and deletes "
    "everything",
    "0",
)
_HOURS = 12.0
_AUTH, _ACCESS = "auth", "access"


class Role(IntEnum):
    """What a person may do; each may what those before may.

    A viewer reads and exports; a reviewer audits, runs batches and judges; an admin deletes,
    imports, saves presets and chooses models.
    """

    VIEWER = 1
    REVIEWER = 2
    ADMIN = 3

    @property
    def title(self) -> str:
        """Its name in the settings and on the pages."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks at the app. ``name``: from the token, "" where nobody signs in. ``role`` is None
    for a person who has none, and ``refused`` says why."""

    name: str
    role: Role | None
    refused: str = ""


def visitor() -> Visitor:
    """Who looks at the app, as the token and the secrets say now."""
    if _damaged_secrets():
        return Visitor("", None, "The secrets cannot be read, so nobody can sign in.")
    if not signs_in():
        return Visitor("", Role.ADMIN)
    return visitor_of(_claims(), _section(_ACCESS), time.time())


def signs_in() -> bool:
    """Whether ``[auth]`` in the secrets turns on sign-in."""
    return bool(_section(_AUTH))


def visitor_of(claims: Mapping[str, Any], access: Mapping[str, Any], now: float) -> Visitor:
    """Who ``claims`` of a token are, and what ``access`` lets them do.

    Parameters
    ----------
    claims
        Those of the ID token, with ``is_logged_in``.
    access
        The section ``[access]`` of the secrets: ``admins``, ``reviewers`` and ``viewers`` (e-mail
        addresses), ``role_claim`` (the name of a claim with a role or a list of them),
        ``default_role`` and ``session_hours``.
    now
        Seconds since 1970.

    Returns
    -------
    Visitor
        With the highest role that table or claim gives. Nobody has one before signing in, after
        ``session_hours``, or without a verified address.
    """
    if not claims.get("is_logged_in"):
        return Visitor("", None, "Sign in to use Provenance.")
    email = str(claims.get("email") or "").strip().casefold()
    name = str(claims.get("email") or claims.get("name") or claims.get("sub") or "").strip()
    if not name:
        return Visitor("", None, "Your token has no e-mail address and no name.")
    issued = claims.get("iat")
    hours = float(access.get("session_hours", _HOURS))
    if not isinstance(issued, int | float) or now - issued > 3600 * hours:
        return Visitor(name, None, "You signed in too long ago. Sign in again.")
    # An address that the provider has not verified may be anybody's.
    trusted = email if claims.get("email_verified", True) is True else ""
    found = [role for role in Role if trusted and trusted in _addresses(access, role)]
    claim = access.get("role_claim")
    if claim:
        found += _roles(claims.get(str(claim)))
    found += _roles(access.get("default_role"))
    if not found:
        return Visitor(name, None, "Your account has no role here. Ask an admin for one.")
    return Visitor(name, max(found))


def _addresses(access: Mapping[str, Any], role: Role) -> Sequence[str]:
    given = access.get(f"{role.title}s", ())
    return [str(each).strip().casefold() for each in given] if not isinstance(given, str) else ()


def _roles(value: object) -> list[Role]:
    """The roles that a claim names; what is no role of ours says nothing."""
    names = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []
    known = {role.title: role for role in Role}
    return [known[each] for each in names if isinstance(each, str) and each in known]


def _claims() -> Mapping[str, Any]:
    return st.user.to_dict()


def _section(name: str) -> Mapping[str, Any]:
    if not st.secrets.load_if_toml_exists():
        return {}
    found = st.secrets.get(name, {})
    return found if isinstance(found, Mapping) else {}


def _damaged_secrets() -> bool:
    """Whether there is a file of secrets that cannot be read."""
    files = st.get_option("secrets.files") or []
    return not st.secrets.load_if_toml_exists() and any(Path(each).exists() for each in files)


def admit() -> None:
    """Let the page be drawn, or say why not: damaged secrets, an open address, nobody signed in,
    or no role."""
    if _damaged_secrets():
        # Without this, sign-in would be off.
        _LOG.error("event=damaged_secrets_refused")
        st.error("The secrets cannot be read, so nobody can sign in. Mend .streamlit/secrets.toml.")
        st.stop()
    if problem := open_address(st.get_option("server.address"), signs_in()):
        _LOG.error("event=open_address_refused")
        st.error("Provenance is not open to other machines.")
        st.text(problem)
        st.stop()
    if not signs_in():
        return
    found = visitor()
    if found.role is None:
        st.title("Provenance")
        st.text(found.refused)
        if found.name:
            st.text(f"Signed in as {found.name}.")
            st.button("Sign out", on_click=st.logout)
        if not found.name or "again" in found.refused:
            st.button("Sign in", type="primary", on_click=st.login)
        st.stop()
    with st.sidebar:
        st.caption(f"{found.name} ({found.role.title})")
        st.button("Sign out", on_click=st.logout, key="sign_out")


def open_address(address: str | None, signs_in: bool) -> str:
    """Why the app may not answer at ``address`` (None or "": every address); "" if it may."""
    if signs_in or OPEN_TO_NETWORK.value(os.environ) == "1" or is_loopback(address):
        return ""
    return (
        f"It answers at {address or 'every address of this machine'} without sign-in. Start it "
        "with --server.address 127.0.0.1, turn on sign-in by [auth] in .streamlit/secrets.toml, or "
        f"set {OPEN_TO_NETWORK.variable}=1 where a proxy signs people in."
    )


def is_loopback(address: str | None) -> bool:
    """Whether only this machine reaches ``address``."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address or "").is_loopback
    except ValueError:
        return False


def require(role: Role) -> Visitor:
    """Who looks at the app, if they have ``role``; else the page says so and ends here."""
    found = visitor()
    if found.role is None or found.role < role:
        _LOG.warning("event=refused role=%s", role.title)
        st.error(f"This needs the role {role.title}.")
        st.text(
            f"You are signed in as {found.name}, a {found.role.title}. Ask an admin."
            if found.role
            else found.refused
        )
        st.stop()
    return found


def allowed(role: Role, action: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function that changes something run for those with ``role`` alone, and record who did
    it. ``action``: what it does, in words."""

    def wrap(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def checked(*arguments: P.args, **named: P.kwargs) -> R:
            found = require(role)
            numbers = [each for each in arguments if isinstance(each, int)]
            record_action(found.name, found.role.title if found.role else "", action, numbers)
            return function(*arguments, **named)

        checked.needs_role = role  # type: ignore[attr-defined]
        return checked

    return wrap
