"""Where a sentence exchanges what the context states, told by chunk."""

from __future__ import annotations

from dataclasses import replace

from provenance_core.scoring.exchanges import bare_statement, exchanges_by_chunk
from provenance_core.types import Chunk, ContextItem
from tests.conftest import hand_evidence

FIRST = "In item 1 (Brix), mayor is Lena Holt.\n"
SECOND = "In item 2 (Tarn), mayor is Otto Reys.\n"


def test_the_rows_of_a_table_may_stand_in_several_chunks():
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
    (found,) = exchanges_by_chunk(evidence, "Lena Holt runs Tarn.", "")
    assert found.premise == 2
    assert SECOND[found.other_start : found.other_end] == "Otto Reys"
    assert not exchanges_by_chunk(evidence, "Lena Holt runs Brix.", "")
    # What a chunk ends within is left out.
    cut = replace(evidence.chunks[2], end=len(text) - 8, text=SECOND[:-8])
    without = replace(evidence, chunks=(*evidence.chunks[:2], cut))
    assert not exchanges_by_chunk(without, "Lena Holt runs Tarn.", "")


def test_a_bare_answer_states_what_the_query_asks():
    asked = replace(hand_evidence([0.0], [[0.5]]), query="Is the Eiffel Tower in Paris?")
    (sentence,) = asked.sentences
    bare = replace(asked, answer="No.", sentences=(replace(sentence, text="No.", end=3),))
    assert bare_statement(bare) == "The Eiffel Tower is not in Paris."
    assert bare_statement(asked) is None
    assert bare_statement(replace(bare, query="")) is None
    assert bare_statement(hand_evidence([0.0], [[0.5], [0.5]])) is None
