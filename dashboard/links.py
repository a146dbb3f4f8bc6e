"""The audit that a link names by ``?audit=NUMBER``."""

from __future__ import annotations

from provenance_core import InputError
from storage import SavedAudit

from .resources import store

# As many as the largest number that a database takes has, and a sign.
_MOST_DIGITS = 20


def linked_audit(wanted: str) -> SavedAudit:
    """The audit that the link names; InputError or StorageError when it cannot be had."""
    cure = "Open the audit from the History page."
    if len(wanted) > _MOST_DIGITS:
        raise InputError(
            f"The link's audit number, {wanted[:_MOST_DIGITS]}…, is too long: it has "
            f"{len(wanted):,} characters. {cure}"
        )
    try:
        number = int(wanted)
    except ValueError:
        raise InputError(f"The link's audit number {wanted!r} is not a number. {cure}") from None
    return store().load(number)
