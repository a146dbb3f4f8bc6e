"""Audits with their labels, tasks and reviews.

The pages for review, thresholds and comparison list them, and the exports write them.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Engine,
    Float,
    Select,
    case,
    cast,
    func,
    literal_column,
    select,
    union_all,
)
from sqlalchemy.orm import Session, aliased

from provenance_core import Parameters, Verdict
from provenance_core.detectors import parameters_read
from provenance_core.explain.language import unread_language
from provenance_core.review.majority import gold_decides, people_label
from provenance_core.review.types import JudgedVerdict
from provenance_core.types import DEFAULT_DETECTOR, ModelInfo
from storage.database import DatabaseAccess
from storage.documents import from_document
from storage.errors import UNREADABLE, damaged_audit
from storage.filters import AuditFilter, filtered, page_of_keys
from storage.gold_conditions import gold_in_force, is_settled
from storage.models import (
    AuditRecord,
    ContextItemRecord,
    ReviewShareRecord,
    RunRecord,
    RunRowRecord,
)
from storage.opinions import (
    Opinion,
    audits_of_judged_answers,
    given_here,
    judged_anywhere,
    judged_in,
    opinions_by_audit,
    opinions_held,
    opinions_of_audits,
)

_READ_AT_ONCE = 500
# What tells the language of a context: so many items, and so many characters of each.
_FIRST_ITEMS, _TELLING = 10, 2_000
# A multiplicative hash gives the same order for the same seed in every database.
_HASH, _MODULUS = 1_103_515_245, 2_147_483_647


class Reviewed(StrEnum):
    """What people have said of an item's answer, in whichever audits of it. DISPUTED: two reviewers
    gave different verdicts. UNSETTLED: they did, and no gold label settles it. SETTLED: one does.
    OVERRULED: a reviewer gave another verdict than the machine."""

    ANY = "any"
    UNREVIEWED = "unreviewed"
    REVIEWED = "reviewed"
    DISPUTED = "disputed"
    UNSETTLED = "unsettled"
    SETTLED = "settled"
    OVERRULED = "overruled"


# The probability of support of which a label tells most. No parameter: an index is of it.
_EVEN_ODDS: ColumnElement[float] = literal_column("0.5", Float(53))


class ItemOrder(StrEnum):
    """CLOSEST: nearest to its threshold first. UNCERTAIN: nearest to even odds first, by the map
    that the audit was measured with: its label tells a fit most. RANDOM: by the filter's seed.
    DISPUTED: those that reviewers disagree about first. MISTAKES: the misses first, which are
    labelled hallucinated and called supported, the highest score before the others, then the false
    alarms, the lowest score before the others, then what is called hallucinated and not labelled
    supported, the lowest score before the others, then the others as in the file. CAUGHT: the third
    of these before the first two."""

    NEWEST = "newest"
    FILE = "file"
    LOWEST_SCORE = "lowest_score"
    HIGHEST_SCORE = "highest_score"
    CLOSEST = "closest"
    UNCERTAIN = "uncertain"
    RANDOM = "random"
    DISPUTED = "disputed"
    MISTAKES = "mistakes"
    CAUGHT = "caught"


class ItemColumn(StrEnum):
    """A column that items can be split by."""

    RUN = "run"
    SUBSET = "subset"
    TASK = "task"
    SOURCE_MODEL = "source_model"
    PROFILE = "profile"
    DETECTOR = "detector"


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which items; empty, None and '' do not filter. ``runs``: by number; a run's row is an item,
    and without runs an audit is. ``label``: of the data set. ``labelled_or_judged``: only audits
    with a row that has a label, or whose answer is judged, in them or in another audit.
    ``score_from`` and ``score_to``: both ends included. ``share_of``: only audits in the share of
    this reviewer, in the ``runs`` or in any. ``seed``: of a random order."""

    runs: tuple[int, ...] = ()
    audits: AuditFilter = field(default_factory=AuditFilter)
    label: int | None = None
    labelled: bool = False
    labelled_or_judged: bool = False
    subset: str = ""
    task: str = ""
    source_model: str = ""
    score_from: float | None = None
    score_to: float | None = None
    reviewed: Reviewed = Reviewed.ANY
    share_of: str = ""
    seed: int = 0

    @property
    def of_audits(self) -> bool:
        """Whether it asks of audits alone: of no run, row, label or judgement."""
        alone = ItemFilter(audits=self.audits, score_from=self.score_from, score_to=self.score_to)
        return replace(self, seed=0) == alone

    @property
    def passes_all(self) -> bool:
        """Whether every audit passes, and no row of a run is an item."""
        return replace(self, seed=0) == ItemFilter()


@dataclass(frozen=True, slots=True)
class Item:
    """An audit with its row of a run, if it came from one.

    ``label``: 1 = supported, 0 = hallucinated, as its data set says. ``supported`` and
    ``hallucinated``: how many reviewers say so of the answer, of ``reviewers``, each by the latest
    judgement in any audit of the same query, context and answer. ``judged_in``: the last other
    audit in which one of these was given, None where there is none. ``reviews``: how many
    reviewers judged this audit itself. ``gold``: the verdict of the answer's gold label, a value of
    :class:`JudgedVerdict`; None where there is none.
    ``source``: digest of query and context, which the answers to one source share. ``texts``: of
    query and answer. ``unsupported_sentences``: traced as not supported; None for an audit of
    before that was kept. ``detector``: what scored the answer. ``corrected_from``: the number of
    the audit whose answer this one's is a correction of. ``passed``: what the tool that wrote the
    file said of the answer itself (1 = it passed), to compare with; it is no label."""

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
    detector: str = DEFAULT_DETECTOR
    corrected_from: int | None = None
    judged_in: int | None = None
    reviewers: int = 0
    gold: str | None = None
    passed: int | None = None

    @property
    def opinion(self) -> int | None:
        """What people say of the answer, by the gold label, else by the majority: 1 = supported, 0
        = hallucinated; None without either."""
        return people_label(self.gold, self.supported, self.hallucinated)

    @property
    def by_gold(self) -> bool:
        """Whether a gold label makes the opinion, which the majority does not make."""
        return gold_decides(self.gold, self.supported, self.hallucinated)


@dataclass(frozen=True, slots=True)
class ItemLabels:
    """An item's score, what is known of the truth, and the columns that it can be split by; named
    as in :class:`Item`. ``first_judged``: the first audit in which an opinion of the answer was
    given, which names it: all audits of a judged answer have the same."""

    audit_id: int
    score: float
    label: int | None
    supported: int
    hallucinated: int
    group: str
    run: str
    subset: str
    task: str
    source_model: str
    profile: str
    detector: str
    reviews: int
    judged_in: int | None
    first_judged: int | None
    gold: str | None
    verdict: Verdict

    @property
    def opinion(self) -> int | None:
        """What people say of the answer, by the gold label, else by the majority: 1 = supported, 0
        = hallucinated; None without either."""
        return people_label(self.gold, self.supported, self.hallucinated)

    @property
    def answer(self) -> int:
        """What all items of a judged answer share; an older audit, without digests, has itself."""
        return self.audit_id if self.first_judged is None else self.first_judged

    @property
    def counts_before(self) -> tuple[int, bool, int]:
        """Of the items of an answer the greatest counts: the one that most reviewers judged itself,
        else one by the default detector, else the last."""
        return self.reviews, self.detector == DEFAULT_DETECTOR, self.audit_id

    @property
    def by_gold(self) -> bool:
        """Whether a gold label makes the opinion, which the majority does not make."""
        return gold_decides(self.gold, self.supported, self.hallucinated)


@dataclass(frozen=True, slots=True)
class ItemPage:
    """One page of items and how many pass the filter."""

    items: tuple[Item, ...]
    total: int


@dataclass(frozen=True, slots=True)
class ItemDetails:
    """What a list says of an audit beside its :class:`Item`. ``checked``: sentences of the answer
    that state something to check. ``opinions``: what reviewers say of the answer, one for each, the
    oldest first, whether given in this audit or another. ``unread_language``: of the answer, else
    of the context, where the models do not read it; else ""."""

    checked: int
    opinions: tuple[Opinion, ...] = ()
    unread_language: str = ""


@dataclass(frozen=True, slots=True)
class FilterValues:
    """The different values of the audited rows of some runs, '' left out, sorted."""

    subset: tuple[str, ...]
    task: tuple[str, ...]
    source_model: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MadeWith:
    """Models and parameters, and how many ``items`` were audited with them. ``second_model`` reads
    pairs again; None without one."""

    relevance_model: ModelInfo
    nli_model: ModelInfo
    parameters: Parameters
    items: int
    second_model: ModelInfo | None = None


class ItemStore(DatabaseAccess):
    """Items in one database. Cheap to create; safe to use from several threads."""

    def page(
        self,
        chosen: ItemFilter,
        order: ItemOrder = ItemOrder.NEWEST,
        offset: int = 0,
        limit: int = 20,
    ) -> ItemPage:
        """List the items that pass."""
        query = ItemQuery(chosen, self._engine)
        # Sorts and skips numbers alone, and reads texts for the page alone.
        keys = query.keys(order)
        with self._reading("The audits cannot be listed") as session:
            wanted, total = page_of_keys(session, keys, query.count(), chosen.audits, offset, limit)
            # These pass: what is said of all the others is not counted a third time.
            of_page = ItemQuery(replace(chosen, reviewed=Reviewed.ANY), self._engine)
            every = of_page.select(*Item.__slots__, of_page.key)
            found = session.execute(every.where(of_page.columns[of_page.key].in_(wanted)))
            items = {row[-1]: item_of(row) for row in found}
        return ItemPage(tuple(items[key] for key in wanted if key in items), total)

    def each(self, chosen: ItemFilter, order: ItemOrder = ItemOrder.FILE) -> Iterator[Item]:
        """Read every item that passes, a part at a time."""
        listed = ItemQuery(chosen, self._engine).select(*Item.__slots__, order=order)
        with self._reading("The audits cannot be listed") as session:
            for row in session.execute(listed.execution_options(yield_per=_READ_AT_ONCE)):
                yield item_of(row)

    def judged_answers(self, chosen: ItemFilter, offset: int = 0, limit: int = 20) -> ItemPage:
        """List one item of each judged answer of which items pass, the newest audit first: the one
        that counts (:attr:`ItemLabels.counts_before`)."""
        best: dict[int, ItemLabels] = {}
        for each in self.labels(chosen):
            held = best.setdefault(each.answer, each)
            if each.counts_before > held.counts_before:
                best[each.answer] = each
        numbers = sorted((each.audit_id for each in best.values()), reverse=True)
        shown = numbers[offset : offset + limit]
        return ItemPage(self.of_audits(shown, chosen.runs), len(numbers))

    def of_audits(self, audit_ids: Sequence[int], runs: tuple[int, ...] = ()) -> tuple[Item, ...]:
        """List the items of audits, each with its first row of a run, or with one of ``runs``.
        Returns the items of those that exist, in the order given."""
        query = ItemQuery(ItemFilter(runs), self._engine)
        wanted = query.select(*Item.__slots__).where(AuditRecord.id.in_(audit_ids))
        with self._reading("The audits cannot be listed") as session:
            found = {item.audit_id: item for item in map(item_of, session.execute(wanted))}
        return tuple(found[number] for number in audit_ids if number in found)

    def details(self, audit_ids: Collection[int]) -> dict[int, ItemDetails]:
        """Read what a list says of audits beside their items. Returns what there is, by the number
        of the audit."""
        wanted = select(AuditRecord.id, AuditRecord.checked_sentences).where(
            AuditRecord.id.in_(audit_ids)
        )
        with self._reading("The audits cannot be listed") as session:
            checked = session.execute(wanted).all()
            opinions = opinions_by_audit(session, audit_ids)
            unread = _unread_languages(session, audit_ids)
        return {
            number: ItemDetails(count, opinions.get(number, ()), unread.get(number, ""))
            for number, count in checked
        }

    def unread_languages(self, audit_ids: Collection[int]) -> dict[int, str]:
        """Name the language of each answer, else of its context, where the models do not read it;
        else "". By the number of the audit."""
        with self._reading("The audits cannot be listed") as session:
            return _unread_languages(session, audit_ids)

    def labels(self, chosen: ItemFilter) -> tuple[ItemLabels, ...]:
        """Read score and labels of every item that passes, without its texts. Returns scores and
        labels, in the order of the files."""
        query = ItemQuery(chosen, self._engine, of_many=True)
        listed = query.select(*ItemLabels.__slots__, order=ItemOrder.FILE)
        with self._reading("The audits cannot be listed") as session:
            return tuple(_labels(row) for row in session.execute(listed))

    def filter_values(self, runs: Sequence[int] = ()) -> FilterValues:
        """Find what the audited rows of runs can be filtered by. ``runs``: numbers of runs; none
        means all."""
        row = RunRowRecord
        # One pass over an index with all of these columns; it reads no audit.
        listed = select(row.subset, row.task, row.source_model).where(row.audit_id.is_not(None))
        if runs:
            listed = listed.where(row.run_id.in_(runs))
        with self._reading("The runs' rows cannot be listed") as session:
            found = session.execute(listed.distinct()).all()
        return FilterValues(*(tuple(sorted({each[i] for each in found} - {""})) for i in range(3)))

    def detectors(self, chosen: ItemFilter) -> tuple[str, ...]:
        """Name the detectors that scored the items that pass."""
        with self._reading("The audits cannot be listed") as session:
            if chosen.passes_all:
                return _every_detector(session)
            wanted = (
                ItemQuery(chosen, self._engine)
                .count()
                .with_only_columns(AuditRecord.detector, maintain_column_froms=True)
                .distinct()
            )
            return tuple(sorted(session.scalars(wanted)))

    def made_with(self, chosen: ItemFilter) -> tuple[MadeWith, ...]:
        """List the different models and parameters of the items that pass. Returns each kind, the
        most frequent first."""
        settings = AuditRecord.settings_digest
        last = func.max(AuditRecord.id).label("last")
        wanted = (
            ItemQuery(chosen, self._engine)
            .count()
            .with_only_columns(last, func.count(), maintain_column_froms=True)
            .group_by(settings)
            .order_by(func.count().desc(), settings)
        )
        with self._reading("The audits cannot be listed") as session:
            # One document tells the settings of all audits that were made alike.
            found = [
                _made_with(number, session.get_one(AuditRecord, number).document, items)
                for number, items in session.execute(wanted).all()
            ]
        # Audits of earlier versions say the same in other words.
        counted: dict[MadeWith, int] = defaultdict(int)
        for made in found:
            counted[replace(made, items=0)] += made.items
        same = [replace(made, items=items) for made, items in counted.items()]
        return tuple(sorted(same, key=lambda made: -made.items))


class ItemQuery:
    """Statements that read the items of a filter, each with no more joins than it needs.
    ``columns``: by the field of :class:`Item`, and ``row``, the number of the row; ``of_many``
    items also ``first_judged`` (:class:`ItemLabels`). ``key``: the name of the one that tells an
    item from all others: in runs the row, else the audit."""

    def __init__(self, chosen: ItemFilter, engine: Engine, *, of_many: bool = False) -> None:
        self._chosen, self._engine = chosen, engine
        self._row = row = aliased(RunRowRecord)
        self._reviews = opinions_of_audits()
        said = self._reviews.c
        self._of_row: dict[str, ColumnElement[Any]] = {
            "row": row.id.expression,
            "run_id": row.run_id.expression,
            "line": row.line.expression,
            "row_id": func.coalesce(row.row_id, ""),
            "label": row.label.expression,
            "passed": row.passed.expression,
            "subset": func.coalesce(row.subset, ""),
            "task": func.coalesce(row.task, ""),
            "source_model": func.coalesce(row.source_model, ""),
            "group": func.coalesce(row.group, ""),
        }
        # What is said of each audit is counted beforehand for the filters that ask for it of many;
        # else of those alone that are read.
        self._of_reviews: dict[str, ColumnElement[Any]] = {
            "reviewers": opinions_held(),
            "supported": opinions_held(JudgedVerdict.SUPPORTED),
            "hallucinated": opinions_held(JudgedVerdict.HALLUCINATED),
            "judged_in": judged_in(),
        }
        self._judged = chosen.reviewed not in (Reviewed.ANY, Reviewed.UNREVIEWED)
        self._beforehand = self._judged or of_many
        if self._beforehand:
            for name in ("reviewers", "supported", "hallucinated"):
                self._of_reviews[name] = func.coalesce(said[name], 0)
            self._of_reviews |= {name: said[name] for name in ("judged_in", "first_judged")}
        self.columns: dict[str, ColumnElement[Any]] = {
            "audit_id": AuditRecord.id.expression,
            **{
                name: getattr(AuditRecord, name).expression
                for name in (
                    "created_at", "query", "answer", "score", "threshold", "verdict", "profile",
                    "unsupported_sentences", "detector", "corrected_from",
                )
            },
            "source": func.coalesce(AuditRecord.source_digest, ""),
            "texts": func.coalesce(AuditRecord.text_digest, ""),
            "run": func.coalesce(RunRecord.name, ""),
            "reviews": given_here(),
            "gold": gold_in_force(),
            **self._of_row,
            **self._of_reviews,
        }  # fmt: skip
        self.key = "row" if chosen.runs else "audit_id"

    def select(self, *names: str, order: ItemOrder | None = None) -> Select[Any]:
        """Read fields of the items that pass. A statement with a column for each name."""
        wanted = set(names)
        if order in (ItemOrder.FILE, ItemOrder.MISTAKES, ItemOrder.CAUGHT):
            wanted |= {"run_id", "line", "row"}
        if order is ItemOrder.DISPUTED:
            wanted |= {"said"}
        statement = self._joined(wanted, *(self.columns[name].label(name) for name in names))
        return statement.order_by(*self._order(order)) if order else statement

    def keys(self, order: ItemOrder) -> Select[Any]:
        """Read the keys of the items that pass. A statement with one column, ``key``."""
        statement = self.select(self.key, order=order)
        if order in (ItemOrder.MISTAKES, ItemOrder.CAUGHT) and not self._chosen.runs:
            # True of every score. SQLite would otherwise scan an index without the verdict, and
            # look each audit up in the table: 5 s for a million instead of 0.7.
            return statement.where(AuditRecord.score > -sys.float_info.max)
        return statement

    def count(self) -> Select[Any]:
        """How many items pass. A statement that reads one number."""
        return self._joined(set(), func.count())

    def _joined(self, wanted: set[str], *columns: Any) -> Select[Any]:
        chosen = self._chosen
        statement: Select[Any] = select(*columns).select_from(AuditRecord)
        statement = self._with_rows(statement, wanted)
        if self._judged or "said" in wanted or (self._beforehand and wanted & {*self._of_reviews}):
            said = self._reviews.c.audit_id == AuditRecord.id
            statement = statement.join(self._reviews, said, isouter=not self._judged)
        statement = filtered(statement, chosen.audits, self._engine)
        if chosen.labelled_or_judged:
            # Their numbers are listed once: each audit in turn takes longer.
            labelled = select(RunRowRecord.audit_id).where(
                RunRowRecord.label.is_not(None), RunRowRecord.audit_id.is_not(None)
            )
            known = union_all(labelled, audits_of_judged_answers()).subquery()
            statement = statement.where(AuditRecord.id.in_(select(known.c.audit_id)))
        return statement.where(
            *self._row_conditions(), *self.score_conditions(), *self._review_conditions()
        )

    def _with_rows(self, statement: Select[Any], wanted: set[str]) -> Select[Any]:
        """Joins the rows of runs, and the runs, where the filter or a column needs them."""
        chosen, row = self._chosen, self._row
        rows_alone = bool(self._row_conditions())
        if chosen.runs or rows_alone or "run" in wanted or wanted & self._of_row.keys():
            belongs = row.audit_id == AuditRecord.id
            if chosen.runs:
                statement = statement.where(row.run_id.in_(chosen.runs))
            else:
                # One row of those that share the audit: the first.
                other = aliased(RunRowRecord)
                belongs &= row.id == (
                    select(func.min(other.id))
                    .where(other.audit_id == row.audit_id)
                    .correlate(row)
                    .scalar_subquery()
                )
            statement = statement.join(row, belongs, isouter=not (chosen.runs or rows_alone))
        if "run" in wanted:
            statement = statement.outerjoin(RunRecord, RunRecord.id == row.run_id)
        return statement

    def _row_conditions(self) -> list[ColumnElement[bool]]:
        chosen, row = self._chosen, self._row
        wanted = (
            (row.label, chosen.label),
            (row.subset, chosen.subset or None),
            (row.task, chosen.task or None),
            (row.source_model, chosen.source_model or None),
        )
        found = [column == value for column, value in wanted if value is not None]
        if chosen.labelled:
            found.append(row.label.is_not(None))
        return found

    def score_conditions(self) -> list[ColumnElement[bool]]:
        """What the filter asks of the scores of audits. Conditions on the table of audits."""
        chosen = self._chosen
        found: list[ColumnElement[bool]] = []
        if chosen.score_from is not None:
            found.append(AuditRecord.score >= chosen.score_from)
        if chosen.score_to is not None:
            found.append(AuditRecord.score <= chosen.score_to)
        return found

    def _review_conditions(self) -> list[ColumnElement[bool]]:
        share = ReviewShareRecord
        found: list[ColumnElement[bool]] = []
        if self._chosen.share_of:
            mine = select(share.audit_id).where(share.reviewer == self._chosen.share_of)
            if self._chosen.runs:
                mine = mine.where(share.run_id.in_(self._chosen.runs))
            found.append(AuditRecord.id.in_(mine))
        return [*found, *self._said_conditions()]

    def _said_conditions(self) -> list[ColumnElement[bool]]:
        said = self._reviews.c
        match self._chosen.reviewed:
            case Reviewed.UNREVIEWED:
                return [~judged_anywhere()]
            case Reviewed.REVIEWED:
                return [said.reviewers > 0]
            case Reviewed.DISPUTED:
                return [said.differ]
            case Reviewed.UNSETTLED:
                return [said.differ, ~is_settled()]
            case Reviewed.SETTLED:
                return [is_settled()]
            case Reviewed.OVERRULED:
                against = case(
                    (AuditRecord.verdict == str(Verdict.SUPPORTED), said.hallucinated),
                    (AuditRecord.verdict == str(Verdict.HALLUCINATED), said.supported),
                    else_=0,
                )
                return [against > 0]
            case Reviewed.ANY:
                return []

    def _order(self, order: ItemOrder) -> tuple[Any, ...]:
        columns, seed = self.columns, self._chosen.seed % _MODULUS
        on_sqlite = self._engine.dialect.name == "sqlite"
        said = [func.coalesce(self._reviews.c[each], 0) for each in ("supported", "hallucinated")]
        last_first = AuditRecord.id.desc()
        # Squared, because another seed would otherwise only shift the same order.
        mixed = ((cast(AuditRecord.id, BigInteger) + seed) * _HASH) % _MODULUS
        # Several rows may be of one line.
        as_in_file = (columns["run_id"].nulls_first(), columns["line"], columns["row"], last_first)
        supported = AuditRecord.verdict == str(Verdict.SUPPORTED)
        hallucinated = AuditRecord.verdict == str(Verdict.HALLUCINATED)
        missed = (columns["label"] == 0) & supported
        false_alarm = (columns["label"] == 1) & hallucinated
        # A row without a label is neither: its comparisons are NULL.
        caught = hallucinated & func.coalesce(columns["label"] != 1, True)
        # The surest of the wrong verdicts first.
        worst = ((missed, -AuditRecord.score), (false_alarm, AuditRecord.score))
        keys: dict[ItemOrder, tuple[Any, ...]] = {
            ItemOrder.NEWEST: (AuditRecord.created_at.desc(), last_first),
            ItemOrder.FILE: as_in_file,
            ItemOrder.MISTAKES: (
                case((missed, 0), (false_alarm, 1), (caught, 2), else_=3),
                case(*worst, (caught, AuditRecord.score), else_=0.0),
                *as_in_file,
            ),
            ItemOrder.CAUGHT: (
                case((caught, 0), (missed, 1), (false_alarm, 2), else_=3),
                case((caught, AuditRecord.score), *worst, else_=0.0),
                *as_in_file,
            ),
            ItemOrder.LOWEST_SCORE: (AuditRecord.score, AuditRecord.id),
            ItemOrder.HIGHEST_SCORE: (AuditRecord.score.desc(), last_first),
            ItemOrder.CLOSEST: (func.abs(AuditRecord.score - AuditRecord.threshold), last_first),
            ItemOrder.UNCERTAIN: (func.abs(AuditRecord.score - _EVEN_ODDS), last_first),
            ItemOrder.RANDOM: ((mixed * mixed) % _MODULUS, last_first),
            ItemOrder.DISPUTED: (
                (func.min(*said) if on_sqlite else func.least(*said)).desc(),
                last_first,
            ),
        }
        # Rows of a run may share an audit.
        rows = (columns["row"],) if self._chosen.runs else ()
        return (*keys[order], *rows)


def _every_detector(session: Session) -> tuple[str, ...]:
    """From each in an index to the next: the audits between them are not read."""
    first = select(func.min(AuditRecord.detector))
    found: list[str] = []
    detector = session.scalar(first)
    while detector is not None:
        found.append(detector)
        detector = session.scalar(first.where(AuditRecord.detector > detector))
    return tuple(sorted(found))


def _unread_languages(session: Session, audit_ids: Collection[int]) -> dict[int, str]:
    context = (
        select(func.aggregate_strings(func.substr(ContextItemRecord.text, 1, _TELLING), "\n"))
        .where(ContextItemRecord.audit_id == AuditRecord.id, ContextItemRecord.index < _FIRST_ITEMS)
        .scalar_subquery()
    )
    wanted = select(
        AuditRecord.id, AuditRecord.answer, context, AuditRecord.detector, AuditRecord.profile
    ).where(AuditRecord.id.in_(audit_ids))
    return {
        number: unread_language(answer, beginning or "", detector, profile)
        for number, answer, beginning, detector, profile in session.execute(wanted)
    }


def _labels(row: Sequence[Any]) -> ItemLabels:
    found: list[Any] = [*row[:-1], Verdict(row[-1])]
    return ItemLabels(*found)


def item_of(row: Any) -> Item:
    """Make the item of a row."""
    fields = {name: getattr(row, name) for name in Item.__slots__}
    return Item(**{**fields, "verdict": Verdict(row.verdict)})


def _made_with(number: int, document: bytes | None, items: int) -> MadeWith:
    try:
        audit = from_document(document)
    except UNREADABLE as error:
        raise damaged_audit(number, error) from error
    evidence, given = audit.evidence, audit.parameters
    # What the detector does not read had another default in earlier versions.
    if "contradiction_rule" not in parameters_read(given):
        given = replace(given, contradiction_rule=Parameters().contradiction_rule)
    second = evidence.second.model if evidence.second is not None else None
    return MadeWith(evidence.relevance_model, evidence.nli_model, given, items, second)
