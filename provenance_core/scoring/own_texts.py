"""The words of each sentence by which it is compared with the context."""

from __future__ import annotations

from provenance_core.scoring.features import hypotheses
from provenance_core.text.references import is_fragment
from provenance_core.types import Evidence


def own_texts(evidence: Evidence) -> list[str]:
    """What a model read of each sentence, S; its own words where the query stands beside them
    there, or would have to."""
    query = evidence.query.strip()
    return [
        sentence.text if is_fragment(sentence.text) or (query and query in text) else text
        for sentence, text in zip(evidence.sentences, hypotheses(evidence), strict=True)
    ]
