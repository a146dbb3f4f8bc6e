"""Every detector that reads the context is right on the built-in examples."""

from __future__ import annotations

import pytest

from dashboard.audit.examples import CONTRADICTED, EXAMPLES, SUPPORTED, UNSUPPORTED
from dashboard.audit.methods import MethodResult, passing_text
from provenance_core import DETECTORS, SentenceLabel, Verdict, default_parameters
from provenance_core.detectors import CONTEXT
from provenance_core.types import VerdictState

RIGHT = {SUPPORTED: (True, True, True), CONTRADICTED: (True, False, False)}
RIGHT[UNSUPPORTED] = RIGHT[CONTRADICTED]
# The 22M model sees an entailment of 0.63 and a contradiction of 0.33 in the same passage.
TOO_STRICT = {("nli-matrix", UNSUPPORTED): (False, False, False)}
NAMES = [
    str(name)
    for name, each in DETECTORS.items()
    if each.traits.context == CONTEXT and not each.traits.sends_texts
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("example", EXAMPLES, ids=[each.name for each in EXAMPLES])
def test_every_sentence_is_judged_right(cascade, example, name):
    audit = cascade.audit(
        query=example.query,
        answer=example.answer,
        context=example.context,
        parameters=default_parameters("cascade", name),
    )
    labels = tuple(traced.label is SentenceLabel.SUPPORTED for traced in audit.sentences)
    assert labels == TOO_STRICT.get((name, example), RIGHT[example])
    assert (audit.verdict is Verdict.SUPPORTED) is all(labels)
    assert (audit.state is VerdictState.SUPPORTED) is all(labels)


def test_a_score_that_passes_flagged_sentences_is_explained():
    flagged = MethodResult(1, "nli-matrix", 0.7, 0.5, VerdictState.FLAGGED, ())
    found = MethodResult(2, "summac", 0.1, 0.7, VerdictState.HALLUCINATED, ())
    (line,) = passing_text([flagged, found])
    assert line.startswith("NLI matrix flags sentences, but its score reaches its threshold.")
    assert line.endswith("and less where a chunk about it contradicts it.")
