"""Full export, JSONL: everything of an audit and of its reviews; :mod:`storage.imports` reads it.

One line an item: ``id``, ``verdict``, ``state`` (the verdict as the pages show it), ``score`` and
``sentences`` for a reader who wants no more, which the import does not read; ``schema``, ``item``
(run, line, label and the other columns of the file it came from; the import reads ``audit_id`` and
``corrected_from``, the number of the audit whose answer is corrected in this one, to link the two
again), ``audit`` (as :func:`audit_to_plain`: evidence, parameters, models with the SHA-256 of
their weights), ``reviews`` (every version), ``gold`` (every gold label), ``corrected_by`` (who
typed the answer, where it is a typed correction) and ``corrections``: a record as this one for each
correction of the answer, and of these, the oldest first. Corrections are audits of no run, so that
a run's file would lack them; they are no lines of it, so that its lines are its answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from provenance_core import SentenceLabel, Verdict
from provenance_core.audit.serialization import audit_to_plain
from provenance_core.review.types import GoldLabel, Review
from provenance_core.types import VerdictState
from storage.exports._export_item import ExportItem
from storage.items import Item

EXPORT_SCHEMA = "provenance-export/1"


@dataclass(frozen=True, slots=True)
class ExportedSentence:
    """A sentence of the answer, ``answer[start:end] == text``, and what became of it.
    ``contradiction``: None where the NLI model measures none."""

    start: int
    end: int
    text: str
    label: SentenceLabel
    support: float
    contradiction: float | None


@dataclass(frozen=True, slots=True)
class FullRecord:
    """A line of the file. ``id``: of the audit. ``audit``: plain, with a schema of its own."""

    schema: str
    id: int
    verdict: Verdict
    state: VerdictState
    score: float
    sentences: tuple[ExportedSentence, ...]
    item: Item
    audit: dict[str, Any]
    reviews: tuple[Review, ...]
    gold: tuple[GoldLabel, ...]
    corrected_by: str
    corrections: tuple[FullRecord, ...] = ()


def full_records(given: ExportItem) -> Iterator[FullRecord]:
    """The one line of an item, with every version of every review. Raises StorageError where audit
    or reviews cannot be read."""
    below = tuple(map(_record, given.corrections()))
    yield replace(_record(given), corrections=below)


def _record(given: ExportItem) -> FullRecord:
    audit = given.audit()
    return FullRecord(
        EXPORT_SCHEMA,
        given.item.audit_id,
        audit.verdict,
        audit.state,
        audit.score,
        tuple(
            ExportedSentence(
                t.sentence.start,
                t.sentence.end,
                t.sentence.text,
                t.label,
                t.support,
                t.contradiction if audit.evidence.nli_model.tells_contradiction else None,
            )
            for t in audit.sentences
        ),
        given.item,
        audit_to_plain(audit),
        given.reviews(),
        given.gold_labels(),
        given.corrected_by(),
    )
