"""Where a sentence and the context do not agree in their words, by chunk."""

from __future__ import annotations

from dataclasses import replace

from provenance_core.scoring.mismatches import bare_statement, mismatches_by_chunk
from provenance_core.types import Chunk, ContextItem
from tests.conftest import hand_evidence

FIRST = "The west stand was painted in May.\n"
SECOND = "The west stand was not rebuilt after the fire.\n"


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
    (found,) = mismatches_by_chunk(evidence, claim)
    assert found.premise == 2
    assert SECOND[found.other_start : found.other_end] == SECOND[:-2]
    assert not mismatches_by_chunk(evidence, "The west stand was painted in May.")
    # What a chunk ends within is left out.
    cut = replace(evidence.chunks[2], end=len(text) - 8, text=SECOND[:-8])
    without = replace(evidence, chunks=(*evidence.chunks[:2], cut))
    assert not mismatches_by_chunk(without, claim)


def test_a_bare_answer_states_what_the_query_asks():
    asked = replace(hand_evidence([0.0], [[0.5]]), query="Is the Eiffel Tower in Paris?")
    (sentence,) = asked.sentences
    bare = replace(asked, answer="No.", sentences=(replace(sentence, text="No.", end=3),))
    assert bare_statement(bare) == "The Eiffel Tower is not in Paris."
    assert bare_statement(asked) is None
    assert bare_statement(replace(bare, query="")) is None
    assert bare_statement(hand_evidence([0.0], [[0.5], [0.5]])) is None
