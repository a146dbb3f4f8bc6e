"""RAGTruth: rows as in its ``response.jsonl`` and ``source_info.jsonl``.

The names of the fields are those of the README of the repository ParticleMedia/RAGTruth.
``temperature``, ``split``, ``quality`` and ``prompt`` are not known here and left out;
``implicit_true`` and ``due_to_null`` are always false, because nobody was asked.

``labels_from``, a field of ours, names who marked the spans. ``machine``: the spans that the
detector found, with RAGTruth's types; of a detector that finds none, the sentences that are not
supported, as ``Conflict`` (contradicted) or ``Baseless Info`` (not found), without saying whether
it is evident or subtle; one that only a dropped chunk supports is not found. ``reviewers``: what
the latest review of each reviewer marks, with RAGTruth's types, and ``Hallucination`` without a
type; abstentions and sentences that need no check are no hallucinations and not written. A review
that the same reviewer replaced in another audit of the answer is none. Audits without a review that
counts are left out, because no label would say that their answers are supported.

``source_id``: the group of the row, if any, and a digest of query and context, so that answers to
the same source share it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from provenance_core import Audit, SentenceLabel
from provenance_core.audit.digest import source_digest
from provenance_core.review.types import JudgedVerdict
from provenance_core.text.structured_context import given_context
from provenance_core.types import Evidence, FindingType
from storage.exports._export_item import ExportItem, NotExported
from storage.exports._marked_spans import UNTYPED, MarkedSpan, machine_spans, reviewer_spans


class SpansFrom(StrEnum):
    """Whose spans are written."""

    MACHINE = "machine"
    REVIEWERS = "reviewers"


LABEL_TYPES: dict[str, str] = {
    SentenceLabel.CONTRADICTED: "Conflict",
    SentenceLabel.NOT_FOUND: "Baseless Info",
    FindingType.EVIDENT_CONFLICT: "Evident Conflict",
    FindingType.SUBTLE_CONFLICT: "Subtle Conflict",
    FindingType.EVIDENT_BASELESS: "Evident Baseless Info",
    FindingType.SUBTLE_BASELESS: "Subtle Baseless Info",
    UNTYPED: "Hallucination",
}


@dataclass(frozen=True, slots=True)
class RagTruthLabel:
    """``response[start:end] == text``; ``meta``: the annotator's comment."""

    start: int
    end: int
    text: str
    meta: str
    label_type: str
    implicit_true: bool = False
    due_to_null: bool = False


@dataclass(frozen=True, slots=True)
class RagTruthResponse:
    """A line of ``response.jsonl``."""

    id: str
    source_id: str
    model: str
    labels: tuple[RagTruthLabel, ...]
    response: str
    labels_from: SpansFrom


@dataclass(frozen=True, slots=True)
class RagTruthQuestion:
    """The source of a question; ``passages``: ``passage 1:…``, with a blank line between."""

    question: str
    passages: str


@dataclass(frozen=True, slots=True)
class RagTruthSource:
    """A line of ``source_info.jsonl``. ``source``: the run."""

    source_id: str
    task_type: str
    source: str
    source_info: RagTruthQuestion | str


def responses(spans_from: SpansFrom) -> Callable[[ExportItem], Iterator[RagTruthResponse]]:
    """Make what writes the one line of an item. Raises NotExported for an item without a judgement
    where the reviewers' spans are asked for, and StorageError when these cannot be read."""

    def of_item(given: ExportItem) -> Iterator[RagTruthResponse]:
        audit = given.audit()
        if spans_from is SpansFrom.MACHINE:
            marks = tuple(_label(span, "") for span in machine_spans(audit))
        else:
            marks = _reviewers(given, audit)
        yield RagTruthResponse(
            id=given.name,
            source_id=_source_id(given, audit.evidence),
            model=given.item.source_model,
            labels=marks,
            response=audit.evidence.answer,
            labels_from=spans_from,
        )

    return of_item


def sources() -> Callable[[ExportItem], Iterator[RagTruthSource]]:
    """Make what writes the line of an item's source, once a source. A source with a query is of the
    task ``QA``; the context of another is one text. Raises StorageError when the audit cannot be
    read."""
    written: set[str] = set()

    def of_item(given: ExportItem) -> Iterator[RagTruthSource]:
        evidence = given.audit().evidence
        source_id = _source_id(given, evidence)
        if source_id in written:
            return
        written.add(source_id)
        texts = [item.text for item in given_context(evidence)]
        if evidence.query:
            passages = "\n\n".join(f"passage {n}:{text}" for n, text in enumerate(texts, 1))
            info: RagTruthQuestion | str = RagTruthQuestion(evidence.query, passages)
            task = "QA"
        else:
            info, task = "\n\n".join(texts), given.item.task or "Summary"
        yield RagTruthSource(source_id, task, given.item.run, info)

    return of_item


def _reviewers(given: ExportItem, audit: Audit) -> tuple[RagTruthLabel, ...]:
    judged = [
        review
        for review in given.latest_reviews()
        if review.judgement.verdict is not JudgedVerdict.CANNOT_TELL
    ]
    if not judged:
        raise NotExported(
            "no reviewer has called it supported or hallucinated in this audit, and not judged the "
            "answer again in another"
        )
    return tuple(
        _label(span, f"{review.reviewer}: {review.judgement.comment}".removesuffix(": "))
        for review in judged
        for span in reviewer_spans(audit, review)
        if span.kind in LABEL_TYPES
    )


def _label(span: MarkedSpan, meta: str) -> RagTruthLabel:
    return RagTruthLabel(span.start, span.end, span.text, meta, LABEL_TYPES[span.kind])


def _source_id(given: ExportItem, evidence: Evidence) -> str:
    digest = source_digest(evidence.query, [item.text for item in given_context(evidence)])
    return f"{given.item.group}-{digest}" if given.item.group else digest
