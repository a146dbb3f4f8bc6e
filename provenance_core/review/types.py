"""Every data type of the review, frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from provenance_core.types import (
    ADDED_LATER,
    UNSUPPORTED_LABELS,
    FindingType,
    SentenceLabel,
    Verdict,
)


class JudgedVerdict(StrEnum):
    """What a person says of an answer or of one of its sentences."""

    SUPPORTED = "supported"
    HALLUCINATED = "hallucinated"
    CANNOT_TELL = "cannot_tell"


class ChunkMark(StrEnum):
    """What a person says of a chunk with regard to the answer."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    IRRELEVANT = "irrelevant"


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence of the answer by its index, with the type of what is wrong with it, if any."""

    index: int
    verdict: JudgedVerdict
    type: FindingType | None = None


@dataclass(frozen=True, slots=True)
class JudgedChunk:
    """A chunk by its index."""

    index: int
    mark: ChunkMark


@dataclass(frozen=True, slots=True)
class JudgedSpan:
    """``answer[start:end]``, offsets in characters."""

    start: int
    end: int
    type: FindingType


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a reviewer enters. ``blind``: the machine's view was hidden until then. ``labels``: of
    the whole answer, from the team's own set."""

    verdict: JudgedVerdict
    type: FindingType | None = None
    comment: str = ""
    sentences: tuple[JudgedSentence, ...] = ()
    chunks: tuple[JudgedChunk, ...] = ()
    spans: tuple[JudgedSpan, ...] = ()
    blind: bool = False
    labels: tuple[str, ...] = field(default=(), metadata=ADDED_LATER)


@dataclass(frozen=True, slots=True)
class Review:
    """A judgement as kept, beside what the machine said when it was given. ``version`` counts from
    1 for each reviewer of an audit; the highest is in force, and none is ever changed or deleted
    but with its audit. ``machine_labels``: what tracing makes of each sentence of the answer, in
    its order."""

    id: int
    audit_id: int
    reviewer: str
    version: int
    created_at: str  # ISO 8601, UTC
    judgement: Judgement
    machine_score: float
    machine_threshold: float
    machine_verdict: Verdict
    machine_labels: tuple[SentenceLabel, ...] = ()

    @property
    def machine_flagged(self) -> int | None:
        """Sentences that the machine called not supported; None where its labels were not kept."""
        if not self.machine_labels:
            return None
        return sum(label in UNSUPPORTED_LABELS for label in self.machine_labels)


@dataclass(frozen=True, slots=True)
class OwnLabel:
    """A label of the team's own set, with the key of the Review page that gives it."""

    name: str
    key: str


@dataclass(frozen=True, slots=True)
class SettledVerdict:
    """What a reviewer had said of an answer when it was settled."""

    reviewer: str
    verdict: JudgedVerdict


@dataclass(frozen=True, slots=True)
class GoldLabel:
    """The verdict that settles what reviewers say of an answer, beside their judgements, which
    stay. The newest of an answer is in force; earlier ones are kept."""

    id: int
    audit_id: int
    created_at: str  # ISO 8601, UTC
    decided_by: str
    verdict: JudgedVerdict
    comment: str = ""
    settled: tuple[SettledVerdict, ...] = ()
