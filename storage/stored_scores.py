"""The stored scores of many audits at once, and what they make of each under any parameters.

:meth:`AuditStore.load` with :func:`provenance_core.recompute` says the same, an audit at a time.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import BigInteger, cast, delete, func, insert, select
from sqlalchemy.orm import Session

from provenance_core import DETECTORS, Audit, Parameters
from provenance_core.detectors.two_stage import score_sources
from provenance_core.errors import NotReadError
from provenance_core.files.text_groups import text_group
from provenance_core.findings.coverage import claim_coverage
from provenance_core.scoring.selection import relevance_probabilities
from provenance_core.scoring.support import calibrated_support
from provenance_core.scoring.words import joining_claims, with_words
from provenance_core.types import Bools, Evidence, Floats
from storage.database import DatabaseAccess, in_parts
from storage.documents import from_document
from storage.errors import UNREADABLE, AuditNotFound, StorageError, damaged_audit
from storage.models import (
    AuditRecord,
    GoldLabelRecord,
    ReviewRecord,
    RunRecord,
    RunRowRecord,
    SupportRecord,
)

_LOG = logging.getLogger(__name__)
# Audits a query: well within the number of values that databases take in one.
_READ_AT_ONCE = 400
# Numbers of audits that tell the state of the database from one of the same last number.
_NEWEST = 500


@dataclass(frozen=True, slots=True)
class MeasuredAudit:
    """What an audit's score is made from, for M claims and N chunks.

    ``probabilities``: of the relevance, (N,). ``factuality``: calibrated support of each claim by
    each chunk, in [0, 1], (M, N), NaN by a chunk that was not read. ``also``: the chunks that are
    sources of a claim whatever is selected, (M, N). ``context``: a digest of the
    context's texts, which is also the group of a run's row without one of its own. ``score``: as it
    is stored, of an audit by a detector other than the paper's or by dense retrieval, since another
    selection or aggregation cannot enter it; else None."""

    id: int
    context: str
    probabilities: Floats
    factuality: Floats
    also: Bools
    score: float | None = None


class BulkScoreStore(DatabaseAccess):
    """Stored scores of many audits. Cheap to create; safe to use from several threads."""

    def measured(self, audit_ids: Sequence[int]) -> tuple[MeasuredAudit, ...]:
        """Read the stored scores of many audits at once. Raises StorageError if an audit is damaged
        or was deleted."""
        known: dict[int, MeasuredAudit] = {}
        missing: list[MeasuredAudit] = []
        with self._reading("The stored scores cannot be read") as session:
            for part in in_parts(audit_ids, _READ_AT_ONCE):
                found = _kept_supports(session, part)
                left = [number for number in dict.fromkeys(part) if number not in found]
                made = _measured(session, left)
                known.update(found)
                known.update({each.id: each for each in made})
                missing += made
        self._keep(missing)
        return tuple(known[number] for number in audit_ids)

    def _keep(self, made: Sequence[MeasuredAudit]) -> None:
        """Keep the supports of older audits, which lack them: the next time is quicker."""
        for part in in_parts(made, _READ_AT_ONCE):
            try:
                with self._writing("The supports were not kept") as session:
                    numbers = [each.id for each in part]
                    old = SupportRecord.audit_id.in_(numbers)
                    session.execute(delete(SupportRecord).where(old))
                    alive = set(
                        session.scalars(select(AuditRecord.id).where(AuditRecord.id.in_(numbers)))
                    )
                    rows = [_support_row(each) for each in part if each.id in alive]
                    if rows:
                        session.execute(insert(SupportRecord), rows)
            except StorageError as error:
                # A database that cannot be written to can be read.
                _LOG.warning("event=supports_not_kept error=%s", type(error).__name__)
                return

    def state(self) -> str:
        """A text that differs once audits, labels, reviews or gold labels were added or deleted."""
        # A number is given again only once the audits from it on are deleted: then one of the
        # newest is another, whatever the count.
        last = select(func.max(AuditRecord.id)).scalar_subquery()
        millionths = func.sum(cast(AuditRecord.score * 1_000_000, BigInteger))
        counted = [
            select(func.count()).select_from(AuditRecord),
            select(func.max(AuditRecord.id), millionths).where(AuditRecord.id > last - _NEWEST),
            select(func.max(AuditRecord.created_at)),
            select(func.count(RunRowRecord.audit_id), func.max(RunRowRecord.id)),
            # SQLite gives the numbers of deleted rows again.
            select(func.count(), func.max(RunRecord.created_at)),
            select(func.count(), func.max(ReviewRecord.id)),
            select(func.count(), func.max(GoldLabelRecord.id)),
        ]
        with self._reading("The audits cannot be counted") as session:
            return json.dumps([list(session.execute(each).one()) for each in counted], default=int)


def scores_under(measured: Iterable[MeasuredAudit], parameters: Parameters) -> tuple[float, ...]:
    """Score stored audits, each in [0, 1], under the selection and aggregations of ``parameters``.
    What needs the models (detector, claim form, chunking) stays as each was audited. Raises
    NotReadError if audits did not read all chunks that ``parameters`` select."""
    scores, unread = [], []
    for audit in measured:
        try:
            made = audit.score
            if made is None:
                made = score_sources(
                    audit.factuality, audit.probabilities, parameters, also=audit.also
                ).score
            scores.append(made)
        except NotReadError:
            unread.append(audit.id)
    if unread:
        count = len(set(unread))
        named = f"Audit {unread[0]}" if count == 1 else f"{count:,} audits, {unread[0]} the first,"
        raise NotReadError(
            f"{named} read only the chunks that were selected then, and these settings select "
            "others. Choose the selection of those audits, or audit again."
        )
    return tuple(scores)


def keep_supports(session: Session, audits: Iterable[tuple[int, Audit]]) -> None:
    """Keep what the scores of new audits are made from; nothing of one without scores."""
    rows = []
    for number, audit in audits:
        try:
            rows.append(_support_row(_measured_audit(number, audit)))
        except StorageError:
            _LOG.info("event=audit_without_support audit=%d", number)
    if rows:
        session.execute(insert(SupportRecord), rows)


def _support_row(audit: MeasuredAudit) -> dict[str, Any]:
    return {
        "audit_id": audit.id,
        "context": audit.context,
        "by_sources": audit.score is None,
        "probabilities": audit.probabilities.astype("<f8").tobytes(),
        "factuality": np.where(audit.also, -audit.factuality, audit.factuality)
        .astype("<f8")
        .tobytes(),
    }


def _kept_supports(session: Session, numbers: Sequence[int]) -> dict[int, MeasuredAudit]:
    kept = SupportRecord
    columns = (kept.audit_id, kept.context, kept.by_sources, kept.probabilities, kept.factuality)
    wanted = (
        select(*columns, AuditRecord.score)
        .join(AuditRecord, AuditRecord.id == kept.audit_id)
        .where(kept.audit_id.in_(numbers))
    )
    found = {}
    for number, context, by_sources, probabilities, factuality, score in session.execute(wanted):
        of_chunks = np.frombuffer(probabilities, "<f8")
        of_claims = np.frombuffer(factuality, "<f8").reshape(-1, len(of_chunks))
        own = None if by_sources else score
        also = np.signbit(of_claims) & ~np.isnan(of_claims)
        found[number] = MeasuredAudit(number, context, of_chunks, np.abs(of_claims), also, own)
    return found


def _measured(session: Session, numbers: Sequence[int]) -> list[MeasuredAudit]:
    """Of audits without a support. Raises StorageError if one is damaged or not there."""
    wanted = select(AuditRecord.id, AuditRecord.document).where(AuditRecord.id.in_(numbers))
    documents = {row.id: row.document for row in session.execute(wanted)}
    found = []
    for number in numbers:
        if number not in documents:
            raise AuditNotFound(f"There is no audit {number}. It may have been deleted.")
        try:
            audit = from_document(documents[number])
        except UNREADABLE as error:
            raise damaged_audit(number, error) from error
        found.append(_measured_audit(number, audit))
    return found


def _measured_audit(number: int, audit: Audit) -> MeasuredAudit:
    """Raises StorageError for an audit without scores."""
    evidence, parameters = audit.evidence, audit.parameters
    try:
        factuality, also = _factuality(evidence, parameters)
        if not factuality.size:
            raise ValueError("it has no scores")
    except UNREADABLE as error:
        raise damaged_audit(number, error) from error
    probabilities = relevance_probabilities(
        np.array(evidence.relevance, dtype=np.float64), evidence.relevance_model.calibration_slope
    )
    detector = DETECTORS.get(parameters.detector)
    by_sources = detector is not None and detector.scores_sources(parameters)
    own = None if by_sources else audit.score
    context = text_group(*(item.text for item in evidence.context))
    return MeasuredAudit(number, context, probabilities, factuality, also, own)


def _factuality(evidence: Evidence, parameters: Parameters) -> tuple[Floats, Bools]:
    """The support of each claim that counts by each chunk, and which of these are sources whatever
    is selected, (M, N) each."""
    also = joining_claims(with_words(evidence))
    if len(evidence.support) and len(evidence.support) == len(evidence.claims):
        # As it was measured; each sentence is a claim.
        measured = evidence.support.values
        aside = () if parameters.count_set_aside else evidence.set_aside
        left_out = [each.sentence for each in aside]
        if len(left_out) == len(measured):  # as the score of such an answer is made
            return measured, also
        return np.delete(measured, left_out, axis=0), np.delete(also, left_out, axis=0)
    scores = evidence.claim_scores.values
    found = calibrated_support(
        scores[..., 0],
        scores[..., 2],
        claim_coverage(
            [evidence.answer[claim.start : claim.end] for claim in evidence.claims],
            [chunk.text for chunk in evidence.chunks],
        ),
        evidence.nli_model,
    )
    return found, also
