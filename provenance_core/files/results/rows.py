"""Rows of results from rows of a file and what an audit said of them."""

from __future__ import annotations

import json
from dataclasses import replace

from provenance_core.audit.serialization import audit_to_json, to_plain
from provenance_core.files.results.types import Origin, ResultRow, RowOutcome
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import BatchRow, RejectedRow
from provenance_core.types import Audit


def audited_row(number: int, row: BatchRow, audit: Audit, origin: Origin) -> ResultRow:
    """Describe a row that was audited.

    The row with verdict, score and the whole audit.
    """
    return replace(
        _row(number, row, origin, RowOutcome.AUDITED),
        verdict=str(audit.verdict),
        state=str(audit.state),
        score=audit.score,
        flagged=audit.flagged,
        sentences=audit.checked,
        notices=tuple(notice.message for notice in audit.evidence.notices),
        models=tuple(f"{model.model_id}@{model.sha256}" for model in audit.evidence.models),
        audit=audit_to_json(audit),
    )


def failed_row(number: int, row: BatchRow, reason: str, origin: Origin) -> ResultRow:
    """Describe a row that an audit refused.

    The row with its reason.
    """
    return replace(_row(number, row, origin, RowOutcome.FAILED), reason=reason)


def rejected_row(rejected: RejectedRow, origin: Origin) -> ResultRow:
    """Describe a row of the file that could not be used.

    The row with its reason and text.
    """
    empty = BatchRow(rejected.line, "", (), "")
    return replace(
        _row(None, empty, origin, RowOutcome.REJECTED), reason=rejected.reason, raw=rejected.raw
    )


def _row(
    number: int | None,
    row: BatchRow,
    origin: Origin,
    outcome: RowOutcome,
) -> ResultRow:
    """What results say of every row, without what only its outcome tells."""
    parameters = origin.parameters
    return ResultRow(
        row=number,
        line=row.line,
        id=row.id,
        outcome=outcome,
        verdict=None,
        state=None,
        score=None,
        threshold=parameters.threshold,
        flagged=None,
        sentences=None,
        label=row.label,
        passed=row.passed,
        reason="",
        raw="",
        query=row.query,
        answer=row.answer,
        # As a run keeps it: answers over one context are not independent.
        group=row.group or (text_group(*row.texts) if row.context else ""),
        subset=row.subset,
        task=row.task,
        source_model=row.source_model,
        profile=origin.profile,
        detector=parameters.detector,
        notices=(),
        models=(),
        parameters=json.dumps(to_plain(parameters), ensure_ascii=False),
        audit=None,
    )
