"""An answer that the model cannot read gets no score, and a sentence of it a notice."""

from __future__ import annotations

import pytest

from provenance_core import InputError
from provenance_core.text.input_checks import check_answer

CONTEXT = ["The Eiffel Tower is in Paris."]


@pytest.mark.parametrize("answer", ["---", "...", "🐱🐱🐱", "👍"])
def test_an_answer_without_a_letter_or_digit_is_refused(answer):
    with pytest.raises(InputError, match="no letter and no digit"):
        check_answer(answer)


@pytest.mark.parametrize("answer", ["x" * 150, "หอไอเฟลอยู่ในกรุงปารีสประเทศฝรั่งเศส" * 4])
def test_words_that_the_model_does_not_know_get_no_score(provenance, answer):
    with pytest.raises(InputError, match="does not know the words"):
        provenance.audit(query="", answer=answer, context=CONTEXT)


def test_one_such_sentence_is_named_and_the_others_are_scored(provenance):
    audit = provenance.audit(
        query="", answer=f"The Eiffel Tower is in Paris. {'x' * 150}.", context=CONTEXT
    )
    (notice,) = [each for each in audit.evidence.notices if each.code == "unread_sentence"]
    assert "most of the words of S2:" in notice.message
    plain = provenance.audit(query="", answer="The Eiffel Tower is in Paris.", context=CONTEXT)
    assert "unread_sentence" not in {each.code for each in plain.evidence.notices}
