"""Reads runs and candidate answers for comparison: figures at once, texts only on demand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Engine, Select, distinct, func, select
from sqlalchemy.orm import Session

from provenance_core import Verdict
from provenance_core.review.majority import people_label
from provenance_core.statistics.candidates import Candidate, CandidateSource, ranked
from provenance_core.statistics.comparison import ComparedRow, RunRows
from storage.audits import AuditStore
from storage.database import DatabaseAccess
from storage.filters import several_answers
from storage.items import Item, ItemFilter, ItemOrder, ItemQuery, item_of
from storage.models import AuditRecord, CandidateSourceRecord
from storage.runs import Run

_READ_AT_ONCE = 500
# What reviewers say of an answer, as the fields of an item.
_OPINION = ("supported", "hallucinated", "judged_in", "gold")
# Of a row that is compared, but for its label and who gave it.
_ROW_FIELDS = (
    "audit_id",
    "line",
    "row_id",
    "texts",
    "source",
    "group",
    "label",
    "score",
    "threshold",
    "verdict",
)
_CANDIDATE_FIELDS = (
    "audit_id",
    "source",
    "texts",
    "group",
    "label",
    "score",
    "unsupported_sentences",
    "detector",
    *_OPINION,
)


@dataclass(frozen=True, slots=True)
class CandidateGroup:
    """The answers to one query and context that one detector scored, ranked. ``items`` has the
    order of the source's candidates."""

    source: CandidateSource
    items: tuple[Item, ...]

    @property
    def detector(self) -> str:
        """What scored the answers."""
        return self.items[0].detector


@dataclass(frozen=True, slots=True)
class CandidatePage:
    """One page of groups, one for each source and detector with several answers, ``total`` in
    number. ``sources``: how many different sources these are of."""

    groups: tuple[CandidateGroup, ...]
    total: int
    sources: int


class ComparisonStore(DatabaseAccess):
    """Comparisons in one database. Cheap to create; safe to use from several threads."""

    def rows(self, run: Run, chosen: ItemFilter) -> RunRows:
        """List the audited rows of a run that pass, in the order of its file. ``chosen``: which
        rows count; its own runs are ignored."""
        query = ItemQuery(replace(chosen, runs=(run.id,)), self._engine, of_many=True)
        listed = query.select(*_ROW_FIELDS, *_OPINION, order=ItemOrder.FILE)
        with self._reading("The run cannot be read") as session:
            found = session.execute(listed.execution_options(yield_per=_READ_AT_ONCE))
            rows = tuple(map(_compared_row, found))
        return RunRows(run.id, run.name, rows)

    def candidates(self, chosen: ItemFilter, offset: int = 0, limit: int = 20) -> CandidatePage:
        """List the sources with several answers, the answers ranked by factuality score. The source
        that was audited last comes first. An answer that was audited several times counts once, by
        its last audit. Scores of different detectors are not ranked together: each detector that
        scored several answers makes a group."""
        with self._reading("The answers cannot be read") as session:
            sources, total, different = _page_of_several(
                session, chosen, self._engine, offset, limit
            )
            wanted = ItemQuery(chosen, self._engine).select(*Item.__slots__)
            wanted = wanted.where(AuditRecord.source_digest.in_({source for source, _ in sources}))
            items = [item_of(row) for row in session.execute(wanted)]
        answers: dict[tuple[str, str], list[_Answer]] = {source: [] for source in sources}
        for answer in _answers(items):
            # Another detector's answers to the same source may be on another page, or too few.
            answers.get((answer.item.source, answer.item.detector), []).append(answer)
        return CandidatePage(tuple(map(self._group, answers.values())), total, different)

    def labelled_candidates(self, chosen: ItemFilter) -> tuple[CandidateSource, ...]:
        """List the sources with several answers by one detector, one of them with a label. Returns
        each source without texts, once for each such detector."""
        known = replace(chosen, labelled_or_judged=True)
        labelled = ItemQuery(known, self._engine).select("source")
        wanted = ItemQuery(chosen, self._engine, of_many=True).select(*_CANDIDATE_FIELDS)
        wanted = wanted.where(AuditRecord.source_digest.in_(labelled))
        with self._reading("The answers cannot be read") as session:
            answers = _answers(session.execute(wanted))
        sources: dict[tuple[str, str], list[_Answer]] = {}
        for answer in answers:
            sources.setdefault((answer.item.source, answer.item.detector), []).append(answer)
        return tuple(
            self._source(group)
            for group in sources.values()
            if len(group) > 1 and any(answer.label is not None for answer in group)
        )

    def _group(self, answers: Sequence[_Answer]) -> CandidateGroup:
        source = self._source(answers)
        items = {answer.item.audit_id: answer.item for answer in answers}
        return CandidateGroup(source, tuple(items[c.audit_id] for c in source.candidates))

    def _source(self, answers: Sequence[_Answer]) -> CandidateSource:
        candidates = [
            Candidate(answer.item.audit_id, answer.item.score, self._spans(answer), answer.label)
            for answer in answers
        ]
        first = answers[0].item
        group = next((answer.item.group for answer in answers if answer.item.group), "")
        return CandidateSource(first.source, group, ranked(candidates))

    def _spans(self, answer: _Answer) -> int:
        kept: int | None = answer.item.unsupported_sentences
        if kept is not None:
            return kept
        # An older audit has no number: its stored scores are traced again.
        return AuditStore(self._engine).load(answer.item.audit_id).audit.flagged


def _opinion_of(row: Any) -> int | None:
    """What people say, of a row with the fields of an item."""
    return people_label(row.gold, row.supported, row.hallucinated)


def _compared_row(row: Any) -> ComparedRow:
    """The row of a statement. Its label is that of the data set, else what reviewers say."""
    fields = {name: getattr(row, name) for name in _ROW_FIELDS}
    fields["verdict"] = Verdict(row.verdict)
    said = _opinion_of(row)
    if row.label is not None:
        differs = row.gold is not None and said not in (None, row.label)
        return ComparedRow(**fields, gold_differs=differs)
    if said is not None:
        judged_in = row.audit_id if row.judged_in is None else row.judged_in
        return ComparedRow(**{**fields, "label": said, "judged_in": judged_in})
    return ComparedRow(**fields)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The last audit of an answer, an item or a row of its fields, and its label: that of its rows,
    else what reviewers say of it; None where these have none or contradict each other."""

    item: Any
    label: int | None


def _page_of_several(
    session: Session, chosen: ItemFilter, engine: Engine, offset: int, limit: int
) -> tuple[list[tuple[str, str]], int, int]:
    """Source and detector of a page of the sources with several different answers by one detector,
    the source that was audited last first; how many such pairs there are, and how many sources."""
    detector = chosen.audits.detector
    if replace(chosen, audits=replace(chosen.audits, detector=None)).passes_all:
        kept = CandidateSourceRecord
        asked = [kept.several] if detector is None else [kept.several, kept.detector == detector]
        both = select(func.count(), func.count(distinct(kept.source_digest))).where(*asked)
        total, different = session.execute(both).one()
        listed = select(kept.source_digest, kept.detector).where(*asked).order_by(kept.last.desc())
        page = session.execute(listed.offset(offset).limit(limit))
        return [(row.source_digest, row.detector) for row in page], total, different
    # Found once, for their number and for the page.
    several = _several(chosen, engine).cte("several").prefix_with("MATERIALIZED")
    number = select(func.count()).select_from(several).scalar_subquery()
    sources = select(func.count(distinct(several.c.source))).scalar_subquery()
    those = select(
        several.c.source, several.c.detector, number.label("total"), sources.label("different")
    )
    found = session.execute(those.order_by(several.c.last.desc()).offset(offset).limit(limit)).all()
    counted = (found[0].total, found[0].different) if found else (0, 0)
    if offset and not found:  # Past the end no row says it.
        counted = session.execute(select(number, sources)).one()
    return [(row.source, row.detector) for row in found], *counted


def _several(chosen: ItemFilter, engine: Engine) -> Select[Any]:
    """Sources with several different answers by one detector among the items that pass:
    ``source``, ``detector`` and ``last``, the number of the last audit."""
    query = ItemQuery(chosen, engine)
    if chosen.of_audits and not chosen.audits.text.strip():
        return several_answers(chosen.audits, *query.score_conditions())
    digest, detector = AuditRecord.source_digest, AuditRecord.detector
    columns: tuple[Any, ...] = (
        digest.label("source"),
        detector.label("detector"),
        func.max(AuditRecord.id).label("last"),
    )
    return (
        query.select("source")
        .with_only_columns(*columns)
        .where(digest.is_not(None))
        .group_by(digest, detector)
        # Cheaper than to count the different ones.
        .having(func.min(AuditRecord.text_digest) != func.max(AuditRecord.text_digest))
    )


def _answers(rows: Iterable[Any]) -> list[_Answer]:
    """One a different answer and detector, of ``rows`` with the fields of an item."""
    last: dict[tuple[str, str, str], Any] = {}
    labels: dict[tuple[str, str, str], int | None] = {}
    said: dict[tuple[str, str, str], int | None] = {}
    for row in sorted(rows, key=lambda row: (row.audit_id, row.label is not None)):
        answer = (row.source, row.texts, row.detector)
        last[answer] = row
        said[answer] = _opinion_of(row)  # the same for all audits of an answer
        if row.label is not None:
            same = labels.get(answer, row.label) == row.label
            labels[answer] = row.label if same else None
    return [_Answer(row, labels.get(answer, said[answer])) for answer, row in last.items()]
