"""Who a token is of: issuer and subject, and a name for them that nobody else has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from provenance_core.review.checks import MOST_NAME_CHARACTERS, folded_name

_DIGITS = 10


@dataclass(frozen=True, slots=True)
class Identity:
    """``id``: digest of issuer and subject, which alone tell two people apart. ``name``: the
    verified e-mail address, or a name with the first digits of ``id``, lest it is another's."""

    id: str
    name: str


def identity_of(claims: Mapping[str, Any]) -> Identity | None:
    """The identity that the claims of a checked token name; None if they name no subject."""
    subject = claims.get("sub")
    if not isinstance(subject, str) or not subject.strip():
        return None
    digest = sha256(f"{claims.get('iss') or ''}\0{subject}".encode("utf-8", "surrogatepass"))
    own = digest.hexdigest()
    email = verified_address(claims)
    if email and len(email) <= MOST_NAME_CHARACTERS:
        return Identity(own, email)
    mark = f" ({own[:_DIGITS]})"
    given = next(
        (str(claims[key]).strip() for key in ("name", "email", "sub") if claims.get(key)), subject
    )
    return Identity(own, given[: MOST_NAME_CHARACTERS - len(mark)].strip() + mark)


def verified_address(claims: Mapping[str, Any]) -> str:
    """The e-mail address that the provider says it has verified, folded; else ""."""
    if claims.get("email_verified") is not True:
        return ""
    return folded_name(str(claims.get("email") or ""))
