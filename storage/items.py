"""Audits with what is known of them beside their score: label, task, reviews.

What the pages for review, thresholds and comparison list, and what the exports write.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Engine, Select, case, cast, func, select
from sqlalchemy.orm import Session, aliased

from provenance_core import Verdict
from provenance_core.review.types import JudgedVerdict

from ._engine import database_url, get_engine
from .errors import database_errors
from .filters import AuditFilter, filtered
from .models import AuditRecord, ReviewRecord, RunRecord, RunRowRecord

_READ_AT_ONCE = 500
# A multiplicative hash: the same order for the same seed, in any database.
_HASH, _MODULUS = 1_103_515_245, 2_147_483_647


class Reviewed(StrEnum):
    """By what people have said of it. DISPUTED: two reviewers gave different verdicts.
    OVERRULED: a reviewer gave another verdict than the machine."""

    ANY = "any"
    UNREVIEWED = "unreviewed"
    REVIEWED = "reviewed"
    DISPUTED = "disputed"
    OVERRULED = "overruled"


class ItemOrder(StrEnum):
    """CLOSEST: nearest to its threshold first. RANDOM: by the filter's seed. DISPUTED: those
    that reviewers disagree about first."""

    NEWEST = "newest"
    FILE = "file"
    LOWEST_SCORE = "lowest_score"
    HIGHEST_SCORE = "highest_score"
    CLOSEST = "closest"
    RANDOM = "random"
    DISPUTED = "disputed"


class ItemColumn(StrEnum):
    """A column that items can be split by."""

    RUN = "run"
    SUBSET = "subset"
    TASK = "task"
    SOURCE_MODEL = "source_model"
    PROFILE = "profile"


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which items; empty, None and '' do not filter.

    ``runs``: by number; a run's row is an item, and without runs an audit is. ``label``: of the
    data set. ``score_from`` and ``score_to``: both ends included. ``seed``: of a random order.
    """

    runs: tuple[int, ...] = ()
    audits: AuditFilter = field(default_factory=AuditFilter)
    label: int | None = None
    labelled: bool = False
    subset: str = ""
    task: str = ""
    source_model: str = ""
    score_from: float | None = None
    score_to: float | None = None
    reviewed: Reviewed = Reviewed.ANY
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """An audit with its row of a run, if it came from one.

    ``label``: 1 = supported, 0 = hallucinated, as its data set says. ``supported`` and
    ``hallucinated``: how many reviewers said so in their last judgement, of ``reviews``.
    ``source``: digest of query and context, which the answers to one source share. ``texts``: of
    query and answer. ``unsupported_sentences``: traced as not supported; None for an audit of
    before that was kept.
    """

    audit_id: int
    created_at: str
    query: str
    answer: str
    score: float
    threshold: float
    verdict: Verdict
    profile: str
    run_id: int | None
    run: str
    line: int | None
    row_id: str
    label: int | None
    subset: str
    task: str
    source_model: str
    group: str
    reviews: int
    supported: int
    hallucinated: int
    source: str = ""
    texts: str = ""
    unsupported_sentences: int | None = None

    @property
    def reviewed_label(self) -> int | None:
        """What most reviewers say: 1 = supported, 0 = hallucinated; None without a majority."""
        if self.supported == self.hallucinated:
            return None
        return int(self.supported > self.hallucinated)


@dataclass(frozen=True, slots=True)
class ItemPage:
    """One page of items and how many pass the filter."""

    items: tuple[Item, ...]
    total: int


class ItemStore:
    """Items in one database. Cheap to create; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def open(cls, url: str | None = None) -> ItemStore:
        """The store at ``url`` (default: :func:`storage.database_url`), migrated.

        StorageError when the database cannot be opened.
        """
        return cls(get_engine(url or database_url()))

    def page(
        self,
        chosen: ItemFilter,
        order: ItemOrder = ItemOrder.NEWEST,
        offset: int = 0,
        limit: int = 20,
    ) -> ItemPage:
        """Items ``offset`` to ``offset + limit`` in ``order``. StorageError when unreadable."""
        with database_errors("The audits cannot be listed"), Session(self._engine) as session:
            counted = select_items(chosen, self._engine).with_only_columns(
                func.count(), maintain_column_froms=True
            )
            total = session.scalar(counted) or 0
            listed = _ordered(select_items(chosen, self._engine), chosen, order, self._engine)
            found = session.execute(listed.offset(offset).limit(limit))
            return ItemPage(tuple(item_of(row) for row in found), total)

    def each(self, chosen: ItemFilter, order: ItemOrder = ItemOrder.FILE) -> Iterator[Item]:
        """Every item that passes, read a part at a time."""
        with database_errors("The audits cannot be listed"), Session(self._engine) as session:
            listed = _ordered(select_items(chosen, self._engine), chosen, order, self._engine)
            for row in session.execute(listed.execution_options(yield_per=_READ_AT_ONCE)):
                yield item_of(row)

    def values(self, column: ItemColumn, chosen: ItemFilter) -> tuple[str, ...]:
        """The different values of ``column`` among the items that pass, '' left out, sorted."""
        with database_errors("The audits cannot be listed"), Session(self._engine) as session:
            items = select_items(chosen, self._engine).subquery()
            wanted = items.c[column.value]
            found = session.scalars(select(wanted).where(wanted != "").distinct().order_by(wanted))
            return tuple(found)


def select_items(chosen: ItemFilter, engine: Engine) -> Select[Any]:
    """The items that pass, a column a field of :class:`Item`, in no order."""
    row = aliased(RunRowRecord)
    reviews = (
        select(
            ReviewRecord.audit_id,
            func.count().label("reviews"),
            _count(JudgedVerdict.SUPPORTED).label("supported"),
            _count(JudgedVerdict.HALLUCINATED).label("hallucinated"),
            func.count(ReviewRecord.verdict.distinct()).label("verdicts"),
        )
        .where(ReviewRecord.latest)
        .group_by(ReviewRecord.audit_id)
        .subquery("said")
    )
    said = reviews.c
    columns: list[Any] = [
        AuditRecord.id.label("audit_id"),
        AuditRecord.created_at,
        AuditRecord.query,
        AuditRecord.answer,
        AuditRecord.score,
        AuditRecord.threshold,
        AuditRecord.verdict,
        AuditRecord.profile,
        row.run_id,
        func.coalesce(RunRecord.name, "").label("run"),
        row.line,
        func.coalesce(row.row_id, "").label("row_id"),
        row.label,
        func.coalesce(row.subset, "").label("subset"),
        func.coalesce(row.task, "").label("task"),
        func.coalesce(row.source_model, "").label("source_model"),
        func.coalesce(row.group, "").label("group"),
        func.coalesce(said.reviews, 0).label("reviews"),
        func.coalesce(said.supported, 0).label("supported"),
        func.coalesce(said.hallucinated, 0).label("hallucinated"),
        func.coalesce(AuditRecord.source_digest, "").label("source"),
        func.coalesce(AuditRecord.text_digest, "").label("texts"),
        AuditRecord.unsupported_sentences,
    ]
    statement: Select[Any] = select(*columns)
    if chosen.runs:
        statement = statement.join_from(AuditRecord, row, row.audit_id == AuditRecord.id).where(
            row.run_id.in_(chosen.runs)
        )
    else:
        # One row of those that share the audit: the first.
        other = aliased(RunRowRecord)
        first = (
            select(func.min(other.id))
            .where(other.audit_id == AuditRecord.id)
            .correlate(AuditRecord)
            .scalar_subquery()
        )
        statement = statement.join_from(AuditRecord, row, row.id == first, isouter=True)
    statement = statement.outerjoin(RunRecord, RunRecord.id == row.run_id).outerjoin(
        reviews, said.audit_id == AuditRecord.id
    )
    statement = filtered(statement, chosen.audits, engine)
    for column, wanted in (
        (row.label, chosen.label),
        (row.subset, chosen.subset or None),
        (row.task, chosen.task or None),
        (row.source_model, chosen.source_model or None),
    ):
        if wanted is not None:
            statement = statement.where(column == wanted)
    if chosen.labelled:
        statement = statement.where(row.label.is_not(None))
    if chosen.score_from is not None:
        statement = statement.where(AuditRecord.score >= chosen.score_from)
    if chosen.score_to is not None:
        statement = statement.where(AuditRecord.score <= chosen.score_to)
    match chosen.reviewed:
        case Reviewed.UNREVIEWED:
            statement = statement.where(said.reviews.is_(None))
        case Reviewed.REVIEWED:
            statement = statement.where(said.reviews > 0)
        case Reviewed.DISPUTED:
            statement = statement.where(said.verdicts > 1)
        case Reviewed.OVERRULED:
            against = case(
                (AuditRecord.verdict == str(Verdict.SUPPORTED), said.hallucinated),
                else_=said.supported,
            )
            statement = statement.where(against > 0)
        case Reviewed.ANY:
            pass
    return statement


def _ordered(
    statement: Select[Any], chosen: ItemFilter, order: ItemOrder, engine: Engine
) -> Select[Any]:
    columns = statement.selected_columns
    keys: dict[ItemOrder, tuple[Any, ...]] = {
        ItemOrder.NEWEST: (AuditRecord.created_at.desc(),),
        ItemOrder.FILE: (columns.run_id, columns.line),
        ItemOrder.LOWEST_SCORE: (AuditRecord.score,),
        ItemOrder.HIGHEST_SCORE: (AuditRecord.score.desc(),),
        ItemOrder.CLOSEST: (func.abs(AuditRecord.score - AuditRecord.threshold),),
        ItemOrder.RANDOM: (
            ((cast(AuditRecord.id, BigInteger) + chosen.seed % _MODULUS) * _HASH) % _MODULUS,
        ),
        ItemOrder.DISPUTED: (
            func.least(columns.supported, columns.hallucinated).desc()
            if engine.dialect.name != "sqlite"
            else func.min(columns.supported, columns.hallucinated).desc(),
        ),
    }
    return statement.order_by(*keys[order], AuditRecord.id.desc(), columns.line)


def _count(verdict: JudgedVerdict) -> Any:
    return func.sum(case((ReviewRecord.verdict == str(verdict), 1), else_=0))


def item_of(row: Any) -> Item:
    """The item of a row of :func:`select_items`."""
    return Item(**{**row._asdict(), "verdict": Verdict(row.verdict)})
