"""Arize Phoenix: span annotations, as the body of ``POST /v1/span_annotations``.

Names of fields after Phoenix's documentation ("Capture feedback on traces") and its client; not
tried against a server. ``span_id`` is the row's id of the file that the run came from: a run made
of Phoenix's spans carries their ids. Other audits are called ``audit-N``, which Phoenix does not
know: replace those ids before sending. The machine is ``CODE``, or ``LLM`` where a language model
judged.
``identifier`` makes a second upload replace the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from provenance_core.detectors import DETECTORS
from provenance_core.review.types import JudgedVerdict
from provenance_core.types import verdict_state
from storage.exports._explanation import GOLD_NAME, SCORE_NAME, explanation
from storage.exports._export_item import ExportItem

HEAD, TAIL = '{"data": [', "]}"
_SCORES = {JudgedVerdict.SUPPORTED: 1.0, JudgedVerdict.HALLUCINATED: 0.0}


@dataclass(frozen=True, slots=True)
class AnnotationResult:
    """``score``: in [0, 1], 1 = supported; None when a reviewer cannot tell."""

    label: str
    score: float | None
    explanation: str


@dataclass(frozen=True, slots=True)
class AnnotationMetadata:
    """Where the annotation came from. ``texts``: digest of query and answer. ``state``: the
    machine's verdict as the pages show it. ``version``, ``blind`` and ``labels``, those of the
    team's own set, are of a review; ``decided_by`` is of a gold label. ``correction_audit`` is of a
    correction: the audit of it. ``corrected_by``: who typed it, or, with ``corrected_from``, the
    answer that this audit corrects another's by."""

    audit_id: int
    run: str
    texts: str
    threshold: float
    state: str | None = None
    version: int | None = None
    blind: bool | None = None
    labels: tuple[str, ...] = ()
    decided_by: str | None = None
    corrected_from: int | None = None
    corrected_by: str | None = None
    correction_audit: int | None = None


@dataclass(frozen=True, slots=True)
class SpanAnnotation:
    """An element of ``data``."""

    span_id: str
    name: str
    annotator_kind: str
    result: AnnotationResult
    metadata: AnnotationMetadata
    identifier: str


def span_annotations(given: ExportItem) -> Iterator[SpanAnnotation]:
    """The machine's annotation of an item, one a reviewer, its gold label and the last correction
    of its answer, whose text is the explanation; each ``identifier`` is the same at each export.
    Raises StorageError where audit or reviews cannot be read."""
    item = given.item
    detector = DETECTORS.get(item.detector)
    yield SpanAnnotation(
        given.name,
        SCORE_NAME,
        "LLM" if detector is not None and detector.traits.sends_texts else "CODE",
        AnnotationResult(str(item.verdict), item.score, explanation(given)),
        AnnotationMetadata(
            item.audit_id,
            item.run,
            item.texts,
            item.threshold,
            str(verdict_state(item.verdict, item.unsupported_sentences)),
            corrected_from=item.corrected_from,
            corrected_by=given.corrected_by() or None,
        ),
        "provenance",
    )
    for review in given.latest_reviews():
        judgement = review.judgement
        yield SpanAnnotation(
            given.name,
            SCORE_NAME,
            "HUMAN",
            AnnotationResult(
                str(judgement.verdict), _SCORES.get(judgement.verdict), judgement.comment
            ),
            AnnotationMetadata(
                item.audit_id,
                item.run,
                item.texts,
                review.machine_threshold,
                version=review.version,
                blind=judgement.blind,
                labels=judgement.labels,
            ),
            f"provenance-{review.reviewer}",
        )
    if (gold := given.gold_label()) is not None:
        yield SpanAnnotation(
            given.name,
            GOLD_NAME,
            "HUMAN",
            AnnotationResult(str(gold.verdict), _SCORES.get(gold.verdict), gold.comment),
            AnnotationMetadata(
                item.audit_id, item.run, item.texts, item.threshold, decided_by=gold.decided_by
            ),
            "provenance-gold",
        )
    if (correction := given.correction()) is not None:
        yield SpanAnnotation(
            given.name,
            "correction",
            "HUMAN",
            AnnotationResult("corrected", None, correction.answer),
            AnnotationMetadata(
                item.audit_id, item.run, item.texts, item.threshold,
                corrected_by=correction.author or None, correction_audit=correction.audit_id,
            ),
            "provenance-correction",
        )  # fmt: skip
