"""Requests of programs that may come twice: the second try gets what the first one kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Update, delete, update

from provenance_core import Audit, InputError
from storage.audits import insert_audit
from storage.database import DatabaseAccess, now_text, time_text
from storage.engine import REQUEST_LOCK, take_lock
from storage.errors import StorageError
from storage.models import RequestKeyRecord

LONGEST_KEY = 200
# How long a key is remembered, and after how long a try that never ended is taken for dead.
KEPT = timedelta(days=1)
SILENCE = timedelta(minutes=15)


class RequestBusy(StorageError):
    """Another request with the same key is still worked on."""


@dataclass(frozen=True, slots=True)
class RequestKey:
    """Names a request without keeping its text: two digests, SHA-256 in hexadecimal."""

    key: str
    body: str

    @classmethod
    def of(cls, given: str, who: str, action: str, body: str) -> RequestKey:
        """Name a request by the key that came with it. ``who``: identity of the caller, whose keys
        are their own. Raises InputError if the key is empty or too long."""
        if not 0 < len(given.strip()) <= LONGEST_KEY:
            raise InputError(
                f"The key has {len(given.strip()):,} characters; it must have 1 to {LONGEST_KEY}. "
                "Send a random one, for example a UUID."
            )
        return cls(_digest(who, action, given.strip()), _digest(body))


class RequestKeyStore(DatabaseAccess):
    """Keys in one database. Cheap to create; safe to use from several threads."""

    def reserve(self, key: RequestKey) -> tuple[int, ...] | None:
        """Begin with a request, unless it was begun before. Returns None when the request is new
        and now reserved; else the numbers that it made. Raises InputError if the key came with
        another body before, and RequestBusy if the request is still worked on."""
        now = datetime.now(UTC)
        # Of a try that never ended nobody knows what became of it.
        dead = RequestKeyRecord.numbers.is_(None) & (
            RequestKeyRecord.created_at < time_text(now - SILENCE)
        )
        with self._writing("The request was not begun") as session:
            take_lock(session.connection(), REQUEST_LOCK)
            old = RequestKeyRecord.created_at < time_text(now - KEPT)
            session.execute(delete(RequestKeyRecord).where(old | dead))
            found = session.get(RequestKeyRecord, key.key)
            if found is None:
                session.add(RequestKeyRecord(key=key.key, body=key.body, created_at=time_text(now)))
                return None
            if found.body != key.body:
                raise InputError(
                    "This key came with another request before. Use a new key for each request."
                )
            if found.numbers is None:
                free = datetime.fromisoformat(found.created_at) + SILENCE
                raise RequestBusy(
                    "A request with this key is still worked on. Wait and send it again. If the "
                    f"server was stopped meanwhile, the key is free from {free:%H:%M:%S} UTC on "
                    f"({SILENCE.seconds // 60} minutes after the first try), or send it again now "
                    "under a new key."
                )
            return tuple(found.numbers)

    def save_audits(
        self, audits: Sequence[Audit], key: RequestKey | None = None
    ) -> tuple[int, ...]:
        """Keep audits and what the key stands for, all or nothing."""
        with self._writing("The audits were not saved") as session:
            numbers = tuple(insert_audit(session, audit) for audit in audits)
            if key is not None:
                session.execute(_kept(key, numbers))
            return numbers

    def keep(self, key: RequestKey, numbers: Sequence[int]) -> None:
        """Remember what a reserved request has made, for example the number of a run."""
        with self._writing("The request was not kept") as session:
            session.execute(_kept(key, numbers))

    def release(self, key: RequestKey) -> None:
        """Forget a request that failed, so that it may be sent again; not one that has made
        something."""
        with self._writing("The request was not released") as session:
            session.execute(
                delete(RequestKeyRecord).where(
                    RequestKeyRecord.key == key.key, RequestKeyRecord.numbers.is_(None)
                )
            )


def _kept(key: RequestKey, numbers: Sequence[int]) -> Update:
    return (
        update(RequestKeyRecord)
        .where(RequestKeyRecord.key == key.key)
        .values(numbers=[*numbers], created_at=now_text())
    )


def _digest(*texts: str) -> str:
    # Half of a character, which UTF-8 cannot hold, is a text too.
    joined = "\0".join(texts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()
