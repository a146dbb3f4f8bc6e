"""A pair of sentence and chunk that an audit of a long context left out, read when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from provenance_core.errors import ModelError
from provenance_core.models.protocol import PairScorer
from provenance_core.scoring.features import hypotheses
from provenance_core.types import Audit, Entailment, LaterReading


class _Models(Protocol):
    """The NLI model of a profile (:class:`provenance_core.Provenance`)."""

    nli: PairScorer

    def entailment(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Three probabilities for each premise and hypothesis."""


def read_later(audit: Audit, sentence: int, chunk: int, models: _Models) -> LaterReading:
    """Read one pair that the audit left out. Raises ModelError if ``models`` are not those that
    measured the audit."""
    evidence, info = audit.evidence, models.nli.info
    measured = evidence.nli_model
    if (info.model_id, info.sha256) != (measured.model_id, measured.sha256):
        raise ModelError(
            f"The audit was measured with {measured.model_id}, and its profile now has other "
            "weights. Audit the answer again to read other chunks."
        )
    (scores,) = models.entailment([(evidence.chunks[chunk].text, hypotheses(evidence)[sentence])])
    return LaterReading(sentence, chunk, scores)


def with_later(audit: Audit, reading: LaterReading) -> Audit:
    """Add a reading to an audit, whose score, labels and verdict stay; nothing changes where it
    read the pair."""
    evidence = audit.evidence
    if evidence.later(reading.sentence, reading.chunk) is not None:
        return audit
    return replace(audit, evidence=replace(evidence, read_later=(*evidence.read_later, reading)))
