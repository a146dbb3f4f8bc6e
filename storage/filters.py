"""Which audits to list, as SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import Engine, Select, func
from sqlalchemy.orm import Session

from provenance_core import Verdict
from storage.database import time_text
from storage.errors import StorageError
from storage.models import AuditRecord
from storage.text_search import holds_text

# Characters of a searched text: well within what databases take as a pattern.
SEARCH_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which audits to list; None and '' do not filter. Dates are UTC, both ends included.

    ``text``, of at most ``SEARCH_LIMIT`` characters, is searched in query, answer and context
    whatever its case. ``detector``: what scored the answer. ``flagged``: whether at least one
    sentence is not supported; older audits, which did not count them, have none.
    """

    text: str = ""
    verdict: Verdict | None = None
    since: date | None = None
    until: date | None = None
    detector: str | None = None
    flagged: bool | None = None


def filtered(
    statement: Select[Any], chosen: AuditFilter, engine: Engine, *, alone: bool = False
) -> Select[Any]:
    """``statement``, which reads audits, with the conditions of ``chosen``; ``alone``: which has no
    other.

    StorageError when the searched text is too long.
    """
    check_search(chosen.text)
    if chosen.verdict is not None:
        statement = statement.where(AuditRecord.verdict == str(chosen.verdict))
    if chosen.detector is not None:
        statement = statement.where(AuditRecord.detector == str(chosen.detector))
    if chosen.flagged is not None:
        # Of older audits the number is not known, which counts as none.
        some = func.coalesce(AuditRecord.unsupported_sentences, 0) > 0
        statement = statement.where(some if chosen.flagged else ~some)
    if chosen.since is not None:
        statement = statement.where(AuditRecord.created_at >= _midnight(chosen.since))
    # No day follows the last, so that it ends nothing.
    if chosen.until is not None and chosen.until < date.max:
        end = _midnight(chosen.until + timedelta(days=1))
        statement = statement.where(AuditRecord.created_at < end)
    wanted = chosen.text.strip()
    if wanted:
        only = alone and chosen == AuditFilter(chosen.text)
        statement = statement.where(holds_text(wanted, engine, alone=only))
    return statement


def check_search(text: str) -> None:
    """StorageError when ``text`` is too long to be looked for."""
    if len(text) > SEARCH_LIMIT:
        raise StorageError(
            f"The text to look for has {len(text):,} characters; the most is "
            f"{SEARCH_LIMIT:,}. Shorten it."
        )


def page_of_keys(
    session: Session,
    keys: Select[Any],
    count: Select[Any],
    chosen: AuditFilter,
    offset: int,
    limit: int,
) -> tuple[Sequence[int], int]:
    """Keys ``offset`` to ``offset + limit`` of the ordered statement ``keys``, and how many there
    are, which ``count`` counts."""
    if chosen.text.strip():
        # Every text is searched once, not for the number of them again.
        found = session.scalars(keys).all()
        return found[offset : offset + limit], len(found)
    return session.scalars(keys.offset(offset).limit(limit)).all(), session.scalar(count) or 0


def _midnight(day: date) -> str:
    # Comparable as text with created_at, which is ISO 8601 in UTC.
    return time_text(datetime.combine(day, time.min, UTC))
