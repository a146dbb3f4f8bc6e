"""Three roles, and who has which by the claims of a token."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import IntEnum
from pathlib import Path
from typing import Any

from api.access.identity import identity_of, verified_address
from api.access.secrets import place_of
from provenance_core.review.checks import folded_name

_HOURS = 12.0
_NO_ROLE = "Your account has no role here. Ask an admin for one."
# Whoever may enter any address at the provider would else take the role of its owner.
_UNVERIFIED = (
    "Your provider does not say that it has verified your e-mail address (email_verified), so the "
    "address gives no role. The lists of [access] may name your identity instead: "
)


class Role(IntEnum):
    """What a person may do; each may what those before may. A viewer reads and exports; a reviewer
    audits, runs batches and judges; an admin deletes, imports, saves presets and chooses models."""

    VIEWER = 1
    REVIEWER = 2
    ADMIN = 3

    @property
    def title(self) -> str:
        """Its name in the settings and on the pages."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks at the app or calls it. ``name``: from the token, one person's alone, "" where
    nobody signs in. ``role`` is None for a person who has none, and ``refused`` says why. ``id``:
    of the identity (:mod:`api.access.identity`)."""

    name: str
    role: Role | None
    refused: str = ""
    id: str = ""


def visitor_of(
    claims: Mapping[str, Any], access: Mapping[str, Any], now: float, files: Iterable[Path] = ()
) -> Visitor:
    """Who the ``claims`` of a token name, with the highest role that the lists and claims of
    ``access`` give. The lists hold verified addresses and ids of identities. Nobody has a role
    before signing in, after ``session_hours``, or while a value of ``access`` cannot be used:
    ``refused`` says which."""
    if not claims.get("is_logged_in"):
        return Visitor("", None, "Sign in to use Provenance.")
    identity = identity_of(claims)
    if identity is None:
        return Visitor("", None, "Your token names no account: it has no subject (sub).")
    name, own = identity.name, identity.id
    if wrong := access_fault(access, files):
        return Visitor(name, None, wrong, own)
    issued = claims.get("iat")
    hours = float(access.get("session_hours", _HOURS))
    if not isinstance(issued, int | float) or now - issued > 3600 * hours:
        return Visitor(name, None, "Your sign-in has expired. Sign in again.", own)
    address = verified_address(claims)
    found = [role for role in Role if ({own, address} - {""}) & _listed(access, role)]
    claim = access.get("role_claim")
    if claim:
        found += _roles(claims.get(str(claim)))
    found += _roles(access.get("default_role"))
    if not found:
        return Visitor(name, None, _NO_ROLE if address else f"{_NO_ROLE} {_UNVERIFIED}{own}", own)
    return Visitor(name, max(found), id=own)


def access_fault(access: Mapping[str, Any], files: Iterable[Path] = ()) -> str:
    """Which key or value of ``[access]`` cannot be used, where it stands and what to write instead;
    "" where all can be used. No e-mail address is in it."""
    key, wrong = _wrong_setting(access)
    if not wrong:
        return ""
    place = place_of(files, "access", key)
    return (
        f"Nobody has a role, because of {place or 'the secrets'}: [access] has {wrong}. Fix it "
        "and save the file."
    )


def _wrong_setting(access: Mapping[str, Any]) -> tuple[str, str]:
    """The first key that cannot be used, and what it must be; "" where all can."""
    lists = [f"{role.title}s" for role in Role]
    roles = [role.title for role in Role]
    for key, value in access.items():
        if key in lists:
            if not isinstance(value, list | tuple):
                # No address is shown.
                return key, f'{key}, which must be a list of e-mail addresses: {key} = ["a@b.org"]'
        elif key == "session_hours":
            if not isinstance(value, int | float) or not value > 0:
                return key, f"{key} = {value!r}, which must be a number above 0"
        elif key == "default_role":
            if value not in ("", *roles):
                return key, f"{key} = {value!r}, which must be one of {', '.join(roles)}"
        elif key != "role_claim":
            known = [*lists, "role_claim", "default_role", "session_hours"]
            near = get_close_matches(key.casefold(), known, 1)
            instead = f"; write {near[0]} in its place" if near else "; leave it out"
            return key, f"{key}, which is none of {', '.join(known)}{instead}"
    return "", ""


def _listed(access: Mapping[str, Any], role: Role) -> set[str]:
    return {folded_name(str(each)) for each in access.get(f"{role.title}s", ())}


def _roles(value: object) -> list[Role]:
    """The roles that a claim names; what is no role of ours says nothing."""
    names = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []
    known = {role.title: role for role in Role}
    return [known[each] for each in names if isinstance(each, str) and each in known]
