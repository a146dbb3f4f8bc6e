"""Langfuse: scores, JSONL; a line is the body of ``POST /api/public/scores``.

Names of fields after ``CreateScoreRequest`` of the repository langfuse/langfuse-python; not tried
against a server. Langfuse itself sets a score's ``source`` when it arrives (``API``) and takes
none, so that ``metadata.source`` says who scored: ``machine`` or ``reviewer``. ``traceId`` is the
row's id of the file that the run came from; other audits are called ``audit-N``, which Langfuse
does not know: replace those ids before sending. ``id`` makes a second upload replace the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from storage.exports._explanation import SCORE_NAME, explanation
from storage.exports._export_item import ExportItem


@dataclass(frozen=True, slots=True)
class ScoreMetadata:
    """``reviewer``: '' when the machine scored. ``texts``: digest of query and answer."""

    source: str
    reviewer: str
    audit_id: int
    run: str
    texts: str
    threshold: float


@dataclass(frozen=True, slots=True)
class LangfuseScore:
    """A line of the file. ``value``: a number of a NUMERIC score, a name of a CATEGORICAL one."""

    id: str
    traceId: str
    name: str
    value: float | str
    dataType: str
    comment: str
    metadata: ScoreMetadata


def langfuse_scores(given: ExportItem) -> Iterator[LangfuseScore]:
    """The machine's score and verdict of an item, and the verdict of each reviewer. A score; its
    ``id`` is the same at each export. Raises StorageError where audit or reviews cannot be read."""
    item = given.item
    machine = ScoreMetadata("machine", "", item.audit_id, item.run, item.texts, item.threshold)
    told = explanation(given)
    yield LangfuseScore(
        f"{given.name}-factuality", given.name, SCORE_NAME, item.score, "NUMERIC", told, machine
    )
    yield LangfuseScore(
        f"{given.name}-verdict",
        given.name,
        "verdict",
        str(item.verdict),
        "CATEGORICAL",
        told,
        machine,
    )
    for review in given.latest_reviews():
        judgement = review.judgement
        yield LangfuseScore(
            f"{given.name}-verdict-{review.reviewer}",
            given.name,
            "reviewed_verdict",
            str(judgement.verdict),
            "CATEGORICAL",
            judgement.comment,
            ScoreMetadata(
                "reviewer",
                review.reviewer,
                item.audit_id,
                item.run,
                item.texts,
                review.machine_threshold,
            ),
        )
