"""The stored scores of many audits at once, and what they make of each under any parameters.

:meth:`AuditStore.load` with :func:`provenance_core.recompute` says the same, an audit at a time.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import BigInteger, cast, func, select
from sqlalchemy.orm import Session

from provenance_core import DETECTORS, Parameters
from provenance_core.audit.serialization import from_plain
from provenance_core.detectors.two_stage import score_sources
from provenance_core.files.text_groups import text_group
from provenance_core.scoring.selection import relevance_probabilities
from provenance_core.scoring.support import calibrated_support
from provenance_core.text.coverage import claim_coverage
from provenance_core.types import Floats, ModelInfo, RelevanceMethod
from storage.database import DatabaseAccess
from storage.errors import UNREADABLE, AuditNotFound, damaged_audit
from storage.models import (
    AuditRecord,
    ChunkRecord,
    ClaimRecord,
    ContextItemRecord,
    PairScoreRecord,
    ReviewRecord,
    RunRecord,
    RunRowRecord,
)

# Audits a query: well within the number of values that databases take in one.
_READ_AT_ONCE = 400


@dataclass(frozen=True, slots=True)
class MeasuredAudit:
    """What an audit's score is made from, for M claims and N chunks.

    ``probabilities``: of the relevance, (N,). ``factuality``: calibrated support of each claim by
    each chunk, in [0, 1], (M, N). ``context``: a digest of the context's texts, which is also the
    group of a run's row without one of its own. ``score``: as it is stored, of an audit by a
    detector other than the paper's or by dense retrieval, since another selection or aggregation
    cannot enter it; else None.
    """

    id: int
    context: str
    probabilities: Floats
    factuality: Floats
    score: float | None = None


class BulkScoreStore(DatabaseAccess):
    """Stored scores of many audits. Cheap to create; safe to use from several threads."""

    def measured(self, audit_ids: Sequence[int]) -> tuple[MeasuredAudit, ...]:
        """Read the stored scores of many audits at once.

        Parameters
        ----------
        audit_ids : Sequence[int]
            Numbers of audits.

        Returns
        -------
        tuple[MeasuredAudit, ...]
            What is stored of each audit, in the order given.

        Raises
        ------
        StorageError
            An audit is damaged, was deleted, or cannot be read.
        """
        found: list[MeasuredAudit] = []
        with self._reading("The stored scores cannot be read") as session:
            for start in range(0, len(audit_ids), _READ_AT_ONCE):
                found += _measured(session, audit_ids[start : start + _READ_AT_ONCE])
        return tuple(found)

    def state(self) -> str:
        """Name the state of audits, labels and reviews.

        Returns
        -------
        str
            A text that differs once any were added or deleted.

        Raises
        ------
        StorageError
            They cannot be read.
        """
        millionths = cast(AuditRecord.score * 1_000_000, BigInteger)
        counted = [
            # One that is deleted and one that is brought back may share number and count.
            select(func.count(), func.sum(millionths)).select_from(AuditRecord),
            select(func.max(AuditRecord.id)),
            select(func.max(AuditRecord.created_at)),
            select(func.count(RunRowRecord.audit_id), func.max(RunRowRecord.id)),
            # SQLite gives the numbers of deleted rows again.
            select(func.count(), func.max(RunRecord.created_at)),
            select(func.count(), func.max(ReviewRecord.id)),
        ]
        with self._reading("The audits cannot be counted") as session:
            return json.dumps([list(session.execute(each).one()) for each in counted], default=int)


def scores_under(measured: Iterable[MeasuredAudit], parameters: Parameters) -> tuple[float, ...]:
    """Score stored audits under the selection and aggregations of ``parameters``.

    What needs the models (detector, claim form, chunking) stays as each was audited.

    Parameters
    ----------
    measured : Iterable[MeasuredAudit]
        What is stored of each audit.
    parameters : Parameters
        Every setting of an audit.

    Returns
    -------
    tuple[float, ...]
        A score for each audit, in [0, 1].
    """
    return tuple(
        score_sources(audit.factuality, audit.probabilities, parameters).score
        if audit.score is None
        else audit.score
        for audit in measured
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """What the database holds of several audits, by the number of each. ``pairs``: P(entailment)
    and P(contradiction) of each claim by each chunk."""

    audits: Mapping[int, Any]
    items: Mapping[int, list[Any]]
    chunks: Mapping[int, list[Any]]
    claims: Mapping[int, list[Any]]
    pairs: Mapping[int, list[tuple[float, float]]]


def _measured(session: Session, ids: Sequence[int]) -> list[MeasuredAudit]:
    rows = _read_rows(session, ids)
    models: dict[str, ModelInfo] = {}  # few, of many audits
    return [_of_rows(number, rows, models) for number in ids]


def _read_rows(session: Session, ids: Sequence[int]) -> _Rows:
    audits = select(
        AuditRecord.id,
        AuditRecord.answer,
        AuditRecord.nli_model,
        AuditRecord.relevance_model,
        AuditRecord.detector,
        AuditRecord.score,
        AuditRecord.parameters["relevance_method"].as_string().label("relevance_method"),
        AuditRecord.detector_evidence["support"].label("support"),
        AuditRecord.detector_evidence["set_aside"].label("set_aside"),
        AuditRecord.parameters["count_set_aside"].as_boolean().label("count_set_aside"),
    ).where(AuditRecord.id.in_(ids))
    pair = PairScoreRecord
    scores = (
        select(pair.audit_id, pair.entailment, pair.contradiction)
        .where(pair.audit_id.in_(ids), pair.kind == "claim")
        .order_by(pair.audit_id, pair.row, pair.chunk)
    )
    pairs: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for found in session.execute(scores):
        pairs[found.audit_id].append((found.entailment, found.contradiction))
    return _Rows(
        audits={row.id: row for row in session.execute(audits)},
        items=_by_audit(session, ids, ContextItemRecord, "index", "text"),
        chunks=_by_audit(session, ids, ChunkRecord, "index", "item", "start", "end", "relevance"),
        claims=_by_audit(session, ids, ClaimRecord, "index", "start", "end"),
        pairs=pairs,
    )


def _of_rows(number: int, rows: _Rows, models: dict[str, ModelInfo]) -> MeasuredAudit:
    if number not in rows.audits:
        raise AuditNotFound(f"There is no audit {number}. It may have been deleted.")
    audit = rows.audits[number]
    try:
        relevance_model = _model(models, audit.relevance_model)
        factuality = _factuality(number, rows, _model(models, audit.nli_model))
        if not factuality.size:
            raise ValueError("it has no scores")
    except UNREADABLE as error:
        raise damaged_audit(number, error) from error
    probabilities = relevance_probabilities(
        np.array([row.relevance for row in rows.chunks[number]], dtype=np.float64),
        relevance_model.calibration_slope,
    )
    detector = DETECTORS.get(audit.detector)
    # Audits older than the other ways have None.
    method = RelevanceMethod(audit.relevance_method or RelevanceMethod.CROSS_ENCODER)
    by_sources = detector is not None and detector.scores_sources(
        Parameters(detector=audit.detector, relevance_method=method)
    )
    context = text_group(*(row.text for row in rows.items[number]))
    own = None if by_sources else audit.score
    return MeasuredAudit(number, context, probabilities, factuality, own)


def _factuality(number: int, rows: _Rows, model: ModelInfo) -> Floats:
    """The support of each claim that counts by each chunk, (M, N)."""
    audit, claims, chunks = rows.audits[number], rows.claims[number], rows.chunks[number]
    if audit.support and len(audit.support) == len(claims):
        # As it was measured; each sentence is a claim.
        aside = [] if audit.count_set_aside else audit.set_aside or []
        measured = np.array(audit.support, dtype=np.float64)
        return np.delete(measured, [each["sentence"] for each in aside], axis=0)
    texts = [row.text for row in rows.items[number]]
    return calibrated_support(
        *_claim_scores(rows.pairs[number], len(claims), len(chunks)),
        claim_coverage(
            [audit.answer[row.start : row.end] for row in claims],
            [texts[row.item][row.start : row.end] for row in chunks],
        ),
        model,
    )


def _claim_scores(pairs: Sequence[Any], claims: int, chunks: int) -> tuple[Floats, Floats]:
    """P(entailment) and P(contradiction) of each claim by each chunk, each of shape (M, N)."""
    cells = np.array(pairs, dtype=np.float64).reshape(claims, chunks, 2)
    return cells[..., 0], cells[..., 1]


def _model(known: dict[str, ModelInfo], plain: dict[str, Any]) -> ModelInfo:
    name = json.dumps(plain)
    known[name] = known.get(name) or from_plain(ModelInfo, plain)
    return known[name]


def _by_audit(
    session: Session, ids: Sequence[int], table: Any, *names: str
) -> dict[int, list[Any]]:
    """The named columns of the rows of each audit, in the order of the first of them."""
    columns = [getattr(table, name).label(name) for name in names]
    wanted = select(table.audit_id, *columns).where(table.audit_id.in_(ids))
    grouped: dict[int, list[Any]] = defaultdict(list)
    for row in session.execute(wanted.order_by(table.audit_id, columns[0])):
        grouped[row.audit_id].append(row)
    return grouped
