"""Errors of the storage, with messages fit to be shown."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from sqlalchemy.exc import SQLAlchemyError

from provenance_core.errors import ProvenanceError

_LOG = logging.getLogger(__name__)

DATABASE_URL_VARIABLE = "PROVENANCE_DATABASE_URL"
# By a word of the database's own message.
_HINTS = {
    "locked": "Another program is using the database: try again in a moment.",
    "readonly": "Make the database file and its folder writable, or set "
    f"{DATABASE_URL_VARIABLE} to another database.",
    "unable to open": "Make the database file and its folder readable and writable, or set "
    f"{DATABASE_URL_VARIABLE} to another database.",
    "disk is full": "Free space on the disk; what was saved before is still there.",
    "No space left": "Free space on the disk; what was saved before is still there.",
    "disk I/O error": "The disk refused the write: free space on it, and check the limit on file "
    "sizes and the disk itself. What was saved before is still there.",
    "malformed": "The file is damaged: python -m provenance_core check says where, and "
    "python -m provenance_core restore COPY puts a copy in its place.",
    "not a database": "The file is damaged, or no database: python -m provenance_core restore "
    "COPY puts a copy in its place.",
    "0x00": "The text holds a NUL character, which PostgreSQL cannot keep: delete it.",
    "surrogates": "The text holds half of a character: delete that character and type it again.",
}
# What reading a record raises whose rows or JSON are not those of this version.
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError)
_HINT = f"Check the database named by {DATABASE_URL_VARIABLE}, then try again."


class StorageError(ProvenanceError):
    """The database cannot be opened, read or written; the message says why and how to fix it."""


class AuditNotFound(StorageError):
    """There is no audit of that number (it may have been deleted)."""


class RunNotFound(StorageError):
    """There is no run of that number or name (it may have been deleted)."""


class PresetNotFound(StorageError):
    """There is no preset of that number (it may have been deleted)."""


class PresetNameTaken(StorageError):
    """Another preset has the name."""


class FitNotFound(StorageError):
    """There is no fitted profile of that name (it may have been deleted)."""


def hint_for(why: str) -> str:
    """What to do about a reason."""
    return next((hint for word, hint in _HINTS.items() if word in why), _HINT)


def reason(error: Exception) -> str:
    """Why a database refused, in the driver's words and without a full stop. SQLAlchemy's own
    message adds the statement with its values, which are texts of users."""
    cause = getattr(error, "orig", None) or error
    # pg8000 gives PostgreSQL's fields, of which M is the message.
    fields = cause.args[0] if isinstance(cause.args, tuple) and cause.args else None
    text = fields.get("M", cause) if isinstance(fields, dict) else cause
    said = str(text).strip().rstrip(".")
    return said or type(error).__name__


def damaged_audit(audit_id: int, error: Exception) -> StorageError:
    """Say that the record of an audit cannot be read."""
    return StorageError(
        f"Audit {audit_id} cannot be read: its record is damaged, or another version of Provenance "
        f"wrote it ({reason(error)}). Delete it on the History page and audit the answer again."
    )


@contextmanager
def database_errors(what: str, file: str = "") -> Iterator[None]:
    """Raise StorageError, with a hint, for an error of a database inside the block."""
    try:
        yield
    # The driver's refusals of a value (a number too large, half a character) come unwrapped.
    except (SQLAlchemyError, OverflowError, UnicodeError) as error:
        # The driver's words may quote a value: the log has the kind of error alone.
        _LOG.info("event=database_error error=%s", type(error).__name__)
        why = reason(error)
        raise StorageError(f"{what}: {why}. {hint_for(why)}{_holders(why, file)}") from error


def _holders(why: str, file: str) -> str:
    """The other processes that have a locked SQLite file open, as far as this one may know."""
    if "locked" not in why or not file:
        return ""
    path = str(Path(file).absolute())
    found = []
    for process in psutil.process_iter(["pid", "name"]):
        with suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and any(
                each.path == path for each in process.open_files()
            ):
                found.append(f"{process.info['name']} (process {process.pid})")
    return f" It is open in: {', '.join(found)}." if found else ""
