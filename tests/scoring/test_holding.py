"""A finding labels and explains a sentence only where it holds word for word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from provenance_core import Parameters, SentenceLabel, assemble
from provenance_core.explain import verdict_sentence
from provenance_core.scoring.holding import holding
from provenance_core.scoring.label_rules import HOLDING
from provenance_core.scoring.words import with_words
from provenance_core.types import Chunk, ContextItem, Evidence, PairScores, Sentence, VerdictState
from tests.conftest import hand_evidence


def of(answer: str, *context: str, entailment: float = 0.9, query: str = "") -> Evidence:
    """One sentence, which the last passage entails as given and the others not."""
    values = np.array([[(0.1, 0.9, 0.0)] * (len(context) - 1) + [(entailment, 1 - entailment, 0)]])
    evidence = hand_evidence([0.0] * len(context), [[0.0] * len(context)])
    return with_words(
        replace(
            evidence,
            query=query,
            answer=answer,
            context=tuple(ContextItem(i, text) for i, text in enumerate(context)),
            chunks=tuple(Chunk(i, i, 0, len(text), text, 9) for i, text in enumerate(context)),
            sentences=(Sentence(0, 0, len(answer), answer),),
            claims=(replace(evidence.claims[0], end=len(answer), text=answer),),
            claim_scores=PairScores(values),
            sentence_scores=PairScores(values),
            evidence_sentences=(),
            labelled_by=HOLDING,
        )
    )


@pytest.mark.parametrize(
    ("answer", "context", "words"),
    [
        ("The bridge carries no trains.", ["The bridge carries trains."], ["no trains"]),
        # Another passage entails the sentence.
        ("The bridge carries no trains.", ["The bridge carries trains.", "No train uses it."], []),
        # The very words stand in the context.
        (
            "The case won't lock.",
            ["The case will lock after a push. If it won't lock, open the door."],
            [],
        ),
        ("The fair is in place. Place the lid.", ["Put the lid in place."], []),
        ("It was open on 1 April 2025.", ["It was open on 1 April 2024."], ["1 April 2025"]),
        # A value that no passage has holds, whatever the models say of another passage.
        ("It is 16 km long.", ["It is 8 km long.", "It is long."], ["16 km"]),
    ],
)
def test_what_does_not_hold_is_no_reason(answer, context, words):
    evidence = of(answer, *context)
    assert [each.words for each in holding(evidence)] == words
    assert holding(replace(evidence, labelled_by=1)) == evidence.findings


def test_a_date_that_stands_nowhere_is_flagged_above_the_threshold_too():
    evidence = of("It was open on 1 April 2025.", "It was open on 1 April 2024.")
    audit = assemble(evidence, Parameters())
    (traced,) = audit.sentences
    assert traced.support >= audit.parameters.threshold
    assert audit.state is VerdictState.FLAGGED
    assert traced.label is SentenceLabel.CONTRADICTED and audit.contradicts == ((0,),)
    assert "“1 April 2025” is not in the context; C1 has “1 April 2024”" in (
        verdict_sentence(audit)
    )


def test_a_number_that_the_query_names_or_a_passage_has_is_not_flagged():
    named = of("It has 412 seats.", "The hall is large.", query="Has it 412 seats?")
    held = of("It has 412 seats.", "It has 412 doors and 38 seats.")
    for evidence in (named, held):
        assert assemble(evidence, Parameters()).state is VerdictState.SUPPORTED


def test_older_audits_keep_their_labels():
    evidence = replace(
        of("It was open on 1 April 2025.", "It was open on 1 April 2024."), labelled_by=1
    )
    assert assemble(evidence, Parameters()).state is VerdictState.SUPPORTED


def test_where_nothing_is_certain_the_nearest_passages_are_named(provenance):
    context = ["The tram was green in May.", "The tram was old in June."]
    audit = provenance.audit(answer="The tram was sold to a farmer in June.", context=context)
    assert "no single passage of the context was found to state" in verdict_sentence(audit)
    assert "(nearest: C" in verdict_sentence(audit)
