"""Langfuse: scores, JSONL; a line is the body of ``POST /api/public/scores``.

Names of fields after ``CreateScoreRequest`` of the repository langfuse/langfuse-python; not tried
against a server. Langfuse itself sets a score's ``source`` when it arrives (``API``) and takes
none, so that ``metadata.source`` says who scored: ``machine``, ``reviewer``, ``gold`` or
``correction``. The last correction of an answer is Langfuse's "Corrected Output", which a trace has
one of: a score ``output`` of the type ``CORRECTION`` whose value is the text.
``traceId`` is the row's id of the file that the run came from; other audits are called
``audit-N``, which Langfuse does not know: replace those ids before sending. ``id`` makes a second
upload replace the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from provenance_core.types import verdict_state
from storage.exports._explanation import GOLD_NAME, SCORE_NAME, explanation
from storage.exports._export_item import ExportItem


@dataclass(frozen=True, slots=True)
class ScoreMetadata:
    """``reviewer``: '' when the machine scored. ``texts``: digest of query and answer. ``state``:
    the machine's verdict as the pages show it. ``corrected_from`` and ``corrected_by``: the audit
    whose answer is corrected in this one, and by whom; ``correction_audit``: that of a
    correction."""

    source: str
    reviewer: str
    audit_id: int
    run: str
    texts: str
    threshold: float
    state: str
    corrected_from: int | None
    corrected_by: str
    correction_audit: int | None = None


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
    """The machine's score and verdict of an item, verdict and own labels of each reviewer, the gold
    label and the last correction of the answer; each ``id`` is the same at each export. Raises
    StorageError where audit or reviews cannot be read."""
    item = given.item
    state = str(verdict_state(item.verdict, item.unsupported_sentences))

    origin = item.corrected_from, given.corrected_by()

    def by(source: str, who: str = "", threshold: float = item.threshold) -> ScoreMetadata:
        where = item.audit_id, item.run, item.texts
        return ScoreMetadata(source, who, *where, threshold, state, *origin)

    def said(
        id: str, name: str, value: str, comment: str, metadata: ScoreMetadata
    ) -> LangfuseScore:
        of = f"{given.name}-{id}"
        return LangfuseScore(of, given.name, name, value, "CATEGORICAL", comment, metadata)

    told = explanation(given)
    yield LangfuseScore(
        f"{given.name}-factuality",
        given.name,
        SCORE_NAME,
        item.score,
        "NUMERIC",
        told,
        by("machine"),
    )
    yield said("verdict", "verdict", str(item.verdict), told, by("machine"))
    for review in given.latest_reviews():
        judgement, name = review.judgement, review.reviewer
        whose = by("reviewer", name, review.machine_threshold)
        verdict = str(judgement.verdict)
        yield said(f"verdict-{name}", "reviewed_verdict", verdict, judgement.comment, whose)
        for label in judgement.labels:
            yield said(f"label-{name}-{label}", "label", label, "", whose)
    if (gold := given.gold_label()) is not None:
        whose = by("gold", gold.decided_by)
        yield said("gold", GOLD_NAME, str(gold.verdict), gold.comment, whose)
    if (correction := given.correction()) is not None:
        whose = replace(by("correction", correction.author), correction_audit=correction.audit_id)
        found = said("correction", "output", correction.answer, "", whose)
        yield replace(found, dataType="CORRECTION")
