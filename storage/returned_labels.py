"""Labels that people gave in other tools, kept as reviews of the audits that they are of.

The machine's scores are never touched: a review stands beside them, as one that was made here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum, auto
from pathlib import Path

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from provenance_core import Audit, InputError
from provenance_core.audit.digest import text_digest
from provenance_core.files.returned import (
    ReturnedFile,
    ReturnedLabel,
    ReturnedSpan,
    ReturningTool,
    read_returned_file,
)
from provenance_core.files.returned.placing import placed
from provenance_core.files.types import RejectedRow, Unit
from provenance_core.review.checks import check_judgement, reviewer_name
from provenance_core.review.types import (
    FindingType,
    JudgedSentence,
    JudgedSpan,
    JudgedVerdict,
    Judgement,
    Review,
)
from provenance_core.text.splitting import strip_bounds
from provenance_core.types import SentenceLabel
from storage.audits import read_audit
from storage.database import DatabaseAccess, time_text
from storage.engine import REVIEW_LOCK, take_lock
from storage.errors import UNREADABLE, reason
from storage.exports._marked_spans import UNTYPED, reviewer_spans
from storage.models import (
    AuditRecord,
    FormerRunNameRecord,
    ReservationRecord,
    ReviewRecord,
    RunRecord,
    RunRowRecord,
)
from storage.reviewers import known_reviewer
from storage.reviews import insert_review, read_reviews
from storage.runs import RunStore

_NUMBERED = re.compile(r"audit-([1-9]\d{0,17})")
# The machine's words for a sentence, which an annotator may keep, as types of a span.
_TYPES = {
    **{str(kind): kind for kind in FindingType},
    str(SentenceLabel.CONTRADICTED): FindingType.EVIDENT_CONFLICT,
    str(SentenceLabel.NOT_FOUND): FindingType.EVIDENT_BASELESS,
}


@dataclass(frozen=True, slots=True)
class KeptLabels:
    """What became of a returned file. ``reviews``: new here. ``already_there``: the same as the
    reviewer's review in force. ``older``: given before that review, which stays. ``rejected``: what
    could not be used, with line, reason and a hint. ``machine``, ``unlabelled`` and ``others`` as
    in the file."""

    tool: ReturningTool
    reviews: int
    already_there: int
    older: int
    rejected: tuple[RejectedRow, ...]
    machine: int
    unlabelled: int
    others: int
    warnings: tuple[str, ...] = ()


def _rejected(label: ReturnedLabel, unit: Unit, reason: str) -> RejectedRow:
    return RejectedRow(label.line, f"{label.place}: {reason}", label.comment, unit)


class _Outcome(Enum):
    NEW = auto()
    SAME = auto()
    OLDER = auto()


class LabelImporter(DatabaseAccess):
    """Keeps labels in one database. Cheap to create; safe to use from several threads."""

    def keep(self, file: ReturnedFile, run: str = "") -> KeptLabels:
        """Keep each label as its reviewer's newest review, the oldest label first. Nothing is kept
        twice: a label that says what the reviewer's review in force says is there already, and one
        that was given before that review is older. A label whose audit is not known, or whose
        answer is another, is rejected. Raises RunNotFound where there is no such run, and
        StorageError where the database cannot be written; the labels before are kept."""
        number = RunStore(self._engine).named(run).id if run else None
        outcomes: list[_Outcome] = []
        rejected = list(file.rejected)
        start = datetime.min.replace(tzinfo=UTC)
        for label in sorted(file.labels, key=lambda each: each.judged_at or start):
            try:
                outcome, left_out = self._keep(label, number)
            except InputError as error:
                rejected.append(_rejected(label, file.unit, str(error)))
            else:
                outcomes.append(outcome)
                rejected += (_rejected(label, file.unit, said) for said in left_out)
        return KeptLabels(
            file.tool,
            outcomes.count(_Outcome.NEW),
            outcomes.count(_Outcome.SAME),
            outcomes.count(_Outcome.OLDER),
            tuple(sorted(rejected, key=lambda row: row.line)),
            file.machine,
            file.unlabelled,
            file.others,
            file.warnings,
        )

    def _keep(self, label: ReturnedLabel, run: int | None) -> tuple[_Outcome, tuple[str, ...]]:
        """What became of a label, and a sentence for each of its marks that was left out."""
        reviewer_name(label.reviewer)
        with self._writing("The labels were not imported") as session:
            # Two imports of one file at a time would each find nothing there.
            take_lock(session.connection(), REVIEW_LOCK)
            reviewer = known_reviewer(session, label.reviewer)
            number = _audit_number(session, label, run)
            try:
                audit = read_audit(session, number)
            except UNREADABLE as error:
                raise InputError(f"Audit {number} cannot be read ({reason(error)}).") from error
            _check_same_answer(number, audit, label)
            marks = placed(label, audit.evidence.answer)
            label = marks.label
            earlier = [r for r in read_reviews(session, number) if r.reviewer == reviewer]
            latest = max(earlier, key=lambda each: each.version, default=None)
            judgement = _judgement(audit, label, latest)
            check_judgement(judgement, audit.evidence)
            now = datetime.now(UTC)
            review = Review(
                id=0,
                audit_id=number,
                reviewer=reviewer,
                version=latest.version + 1 if latest else 1,
                created_at=time_text(min(label.judged_at or now, now)),
                judgement=judgement,
                machine_score=audit.score,
                machine_threshold=audit.parameters.threshold,
                machine_verdict=audit.verdict,
                machine_labels=tuple(traced.label for traced in audit.sentences),
            )
            if latest is not None:
                if _says(audit, latest, label) == _says(audit, review, label):
                    return _Outcome.SAME, marks.left_out
                if label.judged_at and label.judged_at <= datetime.fromisoformat(latest.created_at):
                    return _Outcome.OLDER, marks.left_out
            _insert(session, review)
            return _Outcome.NEW, marks.left_out


def import_labels(path: Path, url: str | None = None, run: str = "") -> KeptLabels:
    """Keep the labels of a file as reviews, as :meth:`LabelImporter.keep` does. Raises InputError
    where the file cannot be read, and StorageError where the database cannot be used."""
    return LabelImporter.open(url).keep(read_returned_file(path), run)


def _insert(session: Session, review: Review) -> None:
    mine = (ReviewRecord.audit_id == review.audit_id, ReviewRecord.reviewer == review.reviewer)
    session.execute(update(ReviewRecord).where(*mine).values(latest=False))
    insert_review(session, review, latest=True)
    held = session.get(ReservationRecord, (review.audit_id, review.reviewer))
    if held is not None:
        session.delete(held)


def _audit_number(session: Session, label: ReturnedLabel, run: int | None) -> int:
    """The number of the audit that the label is of. InputError where none or several are."""
    number = label.audit_id
    if number is None and (match := _NUMBERED.fullmatch(label.row_id)):
        number = int(match[1])
    if number is not None:
        known = select(AuditRecord.id).where(AuditRecord.id == number)
        if number.bit_length() > 31 or session.scalar(known) is None:
            raise InputError(
                f"there is no audit {number} here: it was deleted, or the file was exported from "
                "another database; import the labels there"
            )
        _check_run(session, number, label)
        return number
    rows = select(RunRowRecord.audit_id).where(
        RunRowRecord.row_id == label.row_id, RunRowRecord.audit_id.is_not(None)
    )
    if run is not None:
        rows = rows.where(RunRowRecord.run_id == run)
    found = [each for each in session.scalars(rows.distinct().limit(2)) if each is not None]
    if not found:
        raise InputError(
            f"no audited row here has the id {label.row_id[:80]!r}; audit the file with that id "
            "first"
        )
    if len(found) > 1:
        raise InputError(
            f"several audits have the id {label.row_id[:80]!r}; name the run that was exported"
        )
    return found[0]


def _check_run(session: Session, number: int, label: ReturnedLabel) -> None:
    """InputError where the file says another run than those that have the audit here."""
    if not label.run:
        return
    runs = (
        select(RunRecord.name)
        .join(RunRowRecord, RunRowRecord.run_id == RunRecord.id)
        .where(RunRowRecord.audit_id == number)
    )
    # Runs may be deleted; an audit that has none any more is known by its answer.
    names = set(session.scalars(runs))
    if names:
        # The file may have been exported before a run was renamed.
        names |= set(
            session.scalars(
                select(FormerRunNameRecord.name)
                .join(RunRowRecord, RunRowRecord.run_id == FormerRunNameRecord.run_id)
                .where(RunRowRecord.audit_id == number)
            )
        )
    if names and label.run not in names:
        raise InputError(
            f"audit {number} is of another run here than {label.run[:80]!r}: the file was exported "
            "from another database; import the labels there"
        )


def _check_same_answer(number: int, audit: Audit, label: ReturnedLabel) -> None:
    evidence = audit.evidence
    other = label.answer is not None and label.answer != evidence.answer
    if label.texts is not None:
        other |= label.texts != text_digest(evidence.query, evidence.answer)
    if other:
        raise InputError(
            f"audit {number} has another answer here: the file was exported from another database, "
            "or its answer was changed; import the labels where they were exported"
        )


def _judgement(audit: Audit, label: ReturnedLabel, latest: Review | None) -> Judgement:
    """What the label says; of the review in force, what the tool cannot say."""
    before = latest.judgement if latest is not None else Judgement(label.verdict)
    if label.spans is None:
        if before.verdict is label.verdict:
            return replace(before, comment=label.comment, blind=False)
        return Judgement(label.verdict, comment=label.comment, labels=before.labels)
    type_, sentences, spans = _marks(audit, label.verdict, label.spans)
    return Judgement(
        label.verdict,
        type_,
        label.comment,
        sentences=sentences,
        chunks=before.chunks,
        spans=spans,
        labels=before.labels,
    )


def _marks(
    audit: Audit, verdict: JudgedVerdict, given: tuple[ReturnedSpan, ...]
) -> tuple[FindingType | None, tuple[JudgedSentence, ...], tuple[JudgedSpan, ...]]:
    """Type of the answer, judged sentences and spans, which the export would write as ``given``."""
    answer, parts = audit.evidence.answer, audit.evidence.sentences
    placed = {(*strip_bounds(answer, span.start, span.end), span.kind) for span in given}
    if verdict is JudgedVerdict.HALLUCINATED and len(placed) == 1:
        start, end, kind = next(iter(placed))
        if (start, end) == strip_bounds(answer, 0, len(answer)):
            return _TYPES.get(kind), (), ()
    spans, wrong = set(), set()
    for start, end, kind in placed:
        if kind in _TYPES:
            spans.add(JudgedSpan(start, end, _TYPES[kind]))
        elif kind == UNTYPED:
            wrong |= {s.index for s in parts if s.start < end and start < s.end}
        else:
            raise InputError(
                f"the label {kind[:60]!r} is not one of {', '.join((*_TYPES, UNTYPED))}; use the "
                "labelling configuration that the export shows"
            )
    return (
        None,
        tuple(JudgedSentence(index, JudgedVerdict.HALLUCINATED) for index in sorted(wrong)),
        tuple(sorted(spans, key=lambda span: (span.start, span.end, span.type))),
    )


def _says(audit: Audit, review: Review, label: ReturnedLabel) -> tuple[object, ...]:
    """What the tool that gave the label can say of a review."""
    judgement = review.judgement
    marks = () if label.spans is None else reviewer_spans(audit, review)
    return judgement.verdict, judgement.comment.strip(), marks
