"""Who may come in, and what they may do: OpenID Connect, three roles, checked on the server.

Without ``[auth]`` in the secrets there is no sign-in: the app answers this machine alone, and who
reaches it may do everything. With it, Streamlit signs people in, and ``[access]`` in the secrets
says who has which role.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import streamlit as st

from api.access.addresses import open_address
from api.access.roles import Role, Visitor, access_fault, visitor_of
from reports.markup import small_text
from storage.actions import record_action

P = ParamSpec("P")
R = TypeVar("R")
_LOG = logging.getLogger(__name__)
_AUTH, _ACCESS = "auth", "access"


def visitor() -> Visitor:
    """Who looks at the app, as the token and the secrets say now."""
    if _damaged_secrets():
        return Visitor("", None, "The secrets cannot be read, so nobody can sign in.")
    if not signs_in():
        return Visitor("", Role.ADMIN)
    return visitor_of(_claims(), _section(_ACCESS), time.time(), _files())


def signs_in() -> bool:
    """Whether ``[auth]`` in the secrets turns on sign-in."""
    return bool(_section(_AUTH))


def _claims() -> Mapping[str, Any]:
    return st.user.to_dict()


def _section(name: str) -> Mapping[str, Any]:
    if not st.secrets.load_if_toml_exists():
        return {}
    found = st.secrets.get(name, {})
    return found if isinstance(found, Mapping) else {}


def _files() -> list[Path]:
    return [Path(each) for each in st.get_option("secrets.files") or []]


def _damaged_secrets() -> bool:
    """Whether there is a file of secrets that cannot be read."""
    return not st.secrets.load_if_toml_exists() and any(each.exists() for each in _files())


def admit() -> None:
    """Let the page be drawn, or say why not: damaged secrets, an open address, nobody signed in,
    or no role."""
    if _damaged_secrets():
        # Without this, sign-in would be off.
        _LOG.error("event=damaged_secrets_refused")
        st.error("The secrets cannot be read, so nobody can sign in. Fix .streamlit/secrets.toml.")
        st.stop()
    if problem := open_address(st.get_option("server.address"), signs_in()):
        _LOG.error("event=open_address_refused")
        st.error("Provenance is not open to other machines.")
        st.text(problem)
        st.stop()
    if not signs_in():
        return
    fault = access_fault(_section(_ACCESS), _files())
    if fault:
        _say_once(fault)
    found = visitor()
    if found.role is None:
        st.title("Provenance")
        if fault and found.refused == fault:
            # Whoever signs in can do nothing about it here: it is no refusal of this person.
            with st.container(key="below_heading_fault"):
                st.error("Nobody can use Provenance until its secrets are fixed.")
            st.text(f"{fault}\nThen load this page again.")
        else:
            st.text(found.refused)
        if found.name:
            st.text(f"Signed in as {found.name}.")
            st.button("Sign out", on_click=st.logout)
        if not found.name or "again" in found.refused:
            st.button("Sign in", type="primary", on_click=st.login)
        st.stop()
    with st.sidebar:
        # The name is whatever its owner told the provider: no Markdown.
        st.html(small_text(f"{found.name} ({found.role.title})"))
        st.button("Sign out", on_click=st.logout, key="sign_out")


@lru_cache(maxsize=8)
def _say_once(fault: str) -> None:
    """Log what gives nobody a role, once until it changes: no page needs to be read for it."""
    _LOG.error("event=access_refused %s", fault)


def require(role: Role) -> Visitor:
    """Who looks at the app. The page ends here, with a message, for a person without ``role``."""
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
            role_title = found.role.title if found.role else ""
            record_action(found.name, role_title, action, numbers, found.id)
            return function(*arguments, **named)

        checked.needs_role = role  # type: ignore[attr-defined]
        return checked

    return wrap
