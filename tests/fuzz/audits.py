"""What must hold of an audit by any detector, and of the corrections that it proposes."""

from __future__ import annotations

import functools

import pytest

from provenance_core import DETECTORS, InputError, Provenance, default_parameters
from provenance_core.audit.mitigation import corrected, suggest
from tests.fuzz.texts import tiles

# Detectors that ask a server are left out.
LOCAL = [name for name, each in DETECTORS.items() if not each.traits.sends_texts]


@functools.cache
def _models() -> Provenance:
    return Provenance.load("embedded")


def audit_by(detector: str, answer: str, context: list[str], query: str) -> None:
    models = _models()
    try:
        audit = models.audit(
            answer=answer,
            context=context,
            query=query,
            parameters=default_parameters(detector=detector),
        )
    except InputError as error:
        assert str(error)
        return
    evidence = audit.evidence
    assert 0 <= audit.score <= 1
    assert sum(source.weight for source in audit.sources if source.selected) == pytest.approx(1)
    tiles([(s.start, s.end) for s in evidence.sentences], evidence.answer)
    for chunk in evidence.chunks:
        assert evidence.context[chunk.item].text[chunk.start : chunk.end] == chunk.text
    for span in audit.spans:
        assert 0 <= span.start < span.end <= len(evidence.answer)
    for traced in audit.sentences:
        item = evidence.chunks[traced.evidence_chunk].item
        assert 0 <= traced.evidence_start <= traced.evidence_end <= len(evidence.context[item].text)
    for suggestion in suggest(audit, models):
        assert corrected(evidence.answer, [suggestion]) != evidence.answer
