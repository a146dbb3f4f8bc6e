"""Errors of the storage, with messages fit to be shown."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import SQLAlchemyError

_LOG = logging.getLogger(__name__)

DATABASE_URL_VARIABLE = "PROVENANCE_DATABASE_URL"
# By a word of the database's own message.
_CURES = {
    "locked": "Another program is using the database: try again in a moment.",
    "readonly": "Make the database file and its folder writable, or set "
    f"{DATABASE_URL_VARIABLE} to another database.",
    "0x00": "The text holds a NUL character, which PostgreSQL cannot keep: delete it.",
    "surrogates": "The text holds half of a character: delete that character and type it again.",
}
# What reading a record raises whose rows or JSON are not those of this version.
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError)
_CURE = f"Check the database named by {DATABASE_URL_VARIABLE}, then try again."


class StorageError(Exception):
    """The database cannot be opened, read or written; the message says why and the cure."""


class AuditNotFound(StorageError):
    """There is no audit of that number (it may have been deleted)."""


class RunNotFound(StorageError):
    """There is no run of that number or name (it may have been deleted)."""


class PresetNotFound(StorageError):
    """There is no preset of that number (it may have been deleted)."""


def reason(error: Exception) -> str:
    """Why, in the driver's words; SQLAlchemy's own add the statement and all of its values."""
    cause = getattr(error, "orig", None) or error
    # pg8000 gives PostgreSQL's fields, of which M is the message.
    fields = cause.args[0] if isinstance(cause.args, tuple) and cause.args else None
    text = fields.get("M", cause) if isinstance(fields, dict) else cause
    said = str(text).strip().rstrip(".")
    return said or type(error).__name__


def damaged_audit(audit_id: int, error: Exception) -> StorageError:
    """What is said of an audit whose record cannot be read."""
    return StorageError(
        f"Audit {audit_id} cannot be read: its record is damaged, or another version of "
        f"Provenance wrote it ({reason(error)}). Delete it on the History page and audit the "
        "answer again."
    )


@contextmanager
def database_errors(what: str) -> Iterator[None]:
    """Errors of the database and its driver as StorageError: ``what``, the reason, the cure."""
    try:
        yield
    # The driver's refusals of a value (a number too large, half a character) come unwrapped.
    except (SQLAlchemyError, OverflowError, UnicodeError) as error:
        # The driver's words may quote a value: the log has the kind of error alone.
        _LOG.info("event=database_error error=%s", type(error).__name__)
        why = reason(error)
        cure = next((cure for word, cure in _CURES.items() if word in why), _CURE)
        raise StorageError(f"{what}: {why}. {cure}") from error
