"""An audit as the JSON object that ``audit --json`` prints: a stable, documented shape.

The whole record, with every pair's probabilities, is
:func:`provenance_core.audit.serialization.audit_to_json`; this one is what a script wants to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from provenance_core.audit.mitigation import Suggestion
from provenance_core.audit.serialization import to_plain
from provenance_core.types import Audit, Source, TracedSentence


def audit_object(audit: Audit, suggestions: Sequence[Suggestion] = ()) -> dict[str, Any]:
    """JSON-able; offsets are characters, of the item for sources, of the answer for sentences,
    spans and ``suggestions``."""
    return {
        "verdict": str(audit.verdict),
        "state": str(audit.state),
        "flagged": audit.flagged,
        "checked": audit.checked,
        "score": audit.score,
        "threshold": audit.parameters.threshold,
        "margin": audit.margin,
        "sources": [_source(audit, source) for source in audit.sources],
        "sentences": [_sentence(audit, sentence) for sentence in audit.sentences],
        "spans": [
            {**to_plain(span), "text": audit.evidence.answer[span.start : span.end]}
            for span in audit.spans
        ],
        "set_aside": [to_plain(found) for found in audit.evidence.set_aside],
        "suggestions": [to_plain(suggestion) for suggestion in suggestions],
        "claims": [
            {
                "text": result.claim.text,
                "form": str(result.claim.form),
                "start": result.claim.start,
                "end": result.claim.end,
                "score": result.score,
                "decided_by": result.decided_by,
            }
            for result in audit.claims
        ],
        "parameters": to_plain(audit.parameters),
        "profile": audit.evidence.profile,
        "models": {
            "relevance": to_plain(audit.evidence.relevance_model),
            "nli": to_plain(audit.evidence.nli_model),
        },
        "span_model": to_plain(audit.evidence.span_model),
        "second": to_plain(audit.evidence.second),
        "judge": to_plain(audit.evidence.judge),
        "notices": [to_plain(notice) for notice in audit.evidence.notices],
        "tokens": to_plain(audit.evidence.tokens),
        "pair_tokens": to_plain(audit.evidence.pair_tokens),
        "cuts": [to_plain(cut) for cut in audit.evidence.cuts],
        "timings": to_plain(audit.evidence.timings),
        "created_at": audit.created_at,
    }


def _source(audit: Audit, source: Source) -> dict[str, Any]:
    chunk = source.chunk
    return {
        "item": chunk.item,
        "name": audit.evidence.context[chunk.item].name,
        "chunk": chunk.index,
        "start": chunk.start,
        "end": chunk.end,
        "text": chunk.text,
        "relevance": source.relevance,
        "probability": source.probability,
        "selected": source.selected,
        "weight": source.weight,
        "factuality": source.factuality,
        "contribution": source.contribution,
        "contradicts": list(audit.contradicts[chunk.index]),
    }


def _sentence(audit: Audit, traced: TracedSentence) -> dict[str, Any]:
    chunk = audit.evidence.chunks[traced.evidence_chunk]
    item = audit.evidence.context[chunk.item]
    start, end = traced.evidence_start, traced.evidence_end
    return {
        "start": traced.sentence.start,
        "end": traced.sentence.end,
        "text": traced.sentence.text,
        "label": str(traced.label),
        "support": traced.support,
        "contradiction": traced.contradiction
        if audit.evidence.nli_model.tells_contradiction
        else None,
        "evidence": {
            "item": chunk.item,
            "chunk": chunk.index,
            "start": start,
            "end": end,
            "text": item.text[start:end],
        },
        "selection_miss": traced.selection_miss,
        "missing_details": [to_plain(detail) for detail in traced.missing_details],
    }
