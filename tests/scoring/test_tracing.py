"""Which sentence of the context a sentence of the answer is traced to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provenance_core.scoring.tracing import trace_sentences
from provenance_core.scoring.words import with_words
from provenance_core.types import Evidence, SentenceLabel
from tests.conftest import hand_evidence

# The last sentence shares most words with the answer.
_LIBRARY = (
    "The library stands on the square. It opened in 1908. "
    "A cafe opened in the library in the spring."
)


def _evidence(answer: str, context: str, against: float) -> Evidence:
    """Of one sentence over one chunk, no sentence of which a model scored."""
    made = hand_evidence([1.0], [[0.05]], [[against]])
    (item,), (chunk,), (sentence,) = made.context, made.chunks, made.sentences
    return replace(
        made,
        answer=answer,
        context=(replace(item, text=context),),
        chunks=(replace(chunk, end=len(context), text=context),),
        sentences=(replace(sentence, end=len(answer), text=answer),),
        evidence_sentences=(),
    )


@pytest.mark.parametrize("against", [0.1, 0.9])
@pytest.mark.parametrize(
    ("answer", "context", "lit"),
    [
        ("The library opened in 1912.", _LIBRARY, "It opened in 1908."),
        (
            "The library did not open.",
            "The library is of the same age as the square. The library opened.",
            "The library opened.",
        ),
    ],
)
def test_the_evidence_is_the_sentence_with_the_other_value(answer, context, lit, against):
    evidence = _evidence(answer, context, against)
    (traced,) = trace_sentences(with_words(evidence), [0], 0.5)
    assert traced.label is not SentenceLabel.SUPPORTED
    assert context[traced.evidence_start : traced.evidence_end] == lit


def test_the_evidence_of_a_supported_sentence_is_what_supports_it():
    evidence = _evidence("The library opened in 1912.", _LIBRARY, 0.0)
    (traced,) = trace_sentences(evidence, [0], 0.01)
    assert traced.label is SentenceLabel.SUPPORTED
    lit = _LIBRARY[traced.evidence_start : traced.evidence_end]
    assert lit == "A cafe opened in the library in the spring."
