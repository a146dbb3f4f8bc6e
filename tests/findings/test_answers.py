"""Where the words of an answer and its context differ."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from provenance_core.findings.answers import bare_statement, find_in_answer
from provenance_core.types import (
    Chunk,
    ContextItem,
    Evidence,
    Finding,
    FindingKind,
    PairScores,
    Sentence,
)
from tests.conftest import hand_evidence

NO_PAIRS = PairScores(np.zeros((0, 3, 3)))
FIRST = "The west stand was painted in May.\n"
SECOND = "The west stand was not rebuilt after the fire.\n"


def of_one_sentence(evidence: Evidence, answer: str) -> tuple[Finding, ...]:
    sentences = (Sentence(0, 0, len(answer), answer),)
    return find_in_answer(
        replace(evidence, answer=answer, sentences=sentences, claims=(), claim_scores=NO_PAIRS)
    )


def test_a_mismatch_is_found_in_the_chunk_that_holds_it_whole():
    text = FIRST + SECOND
    evidence = replace(
        hand_evidence([0.0] * 3, [[0.0] * 3]),
        context=(ContextItem(0, "It rained."), ContextItem(1, text)),
        chunks=(
            Chunk(0, 0, 0, 10, "It rained.", 4),
            Chunk(1, 1, 0, len(FIRST), FIRST, 4),
            Chunk(2, 1, len(FIRST), len(text), SECOND, 4),
        ),
    )
    claim = "The west stand was rebuilt after the fire."
    (found,) = of_one_sentence(evidence, claim)
    assert (found.kind, found.words, found.chunk) == (FindingKind.DENIAL, "rebuilt", 2)
    assert found.instead == SECOND[found.chunk_start : found.chunk_end] == SECOND[:-2]
    assert not of_one_sentence(evidence, "The west stand was painted in May.")
    # What a chunk ends within has no place.
    cut = replace(evidence.chunks[2], end=len(text) - 8, text=SECOND[:-8])
    without = replace(evidence, chunks=(*evidence.chunks[:2], cut))
    (found,) = of_one_sentence(without, claim)
    assert found.chunk is None and found.instead == ""


def test_a_bare_answer_states_what_the_query_asks():
    asked = replace(hand_evidence([0.0], [[0.5]]), query="Is the Eiffel Tower in Paris?")
    (sentence,) = asked.sentences
    bare = replace(asked, answer="No.", sentences=(replace(sentence, text="No.", end=3),))
    assert bare_statement(bare) == "The Eiffel Tower is not in Paris."
    assert bare_statement(asked) is None
    assert bare_statement(replace(bare, query="")) is None
    assert bare_statement(hand_evidence([0.0], [[0.5], [0.5]])) is None


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("The bridge is **16 km** long.", "16 km"),
        ("| Name | Length |\n|---|---|\n| Bridge | 16 km |", "16 km"),
        ("According to the context, the bridge is 16 km long.", "16 km"),
        ("1. The bridge, 16 km long and 16 km wide, is open.", "16 km"),
    ],
)
def test_what_is_found_has_its_place_in_answer_and_chunk(provenance, answer, words):
    audit = provenance.audit(answer=answer, context=["It rained. The bridge is 8 km long."])
    found = [each for each in audit.evidence.findings if each.kind is FindingKind.CONFLICT]
    assert found
    for each in found:
        assert each.words == answer[each.start : each.end] == words
        chunk = audit.evidence.chunks[each.chunk]
        assert each.instead == chunk.text[each.chunk_start : each.chunk_end] == "8 km"


def test_what_only_the_query_names_is_marked(provenance):
    audit = provenance.audit(
        query="What is known of 1999?", answer="In 1999 it was open.", context=["It was open."]
    )
    (found,) = audit.evidence.findings
    assert (found.words, found.asked, found.weight) == ("1999", True, 0)
