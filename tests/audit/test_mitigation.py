"""Suggestions that the evidence supports, and answers corrected by them."""

from dataclasses import replace

import pytest

from provenance_core import Provenance, default_parameters
from provenance_core.audit.mitigation import Suggestion, SuggestionKind, corrected, suggest
from provenance_core.types import Verdict

CONTEXT = [
    "Facebook bought Instagram in 2012. The company had 30 million users at that time, and 13 "
    "employees.",
    "Instagram was founded in 2010 by Kevin Systrom and Mike Krieger in San Francisco.",
]
RIGHT = "Instagram had 30 million users when Facebook bought it in 2012."
WRONG = "Instagram had 69 million users when Facebook bought it in 2012."


def audited(provenance: Provenance, answer, query="", detector="spans"):
    return provenance.audit(
        query=query,
        answer=answer,
        context=CONTEXT,
        parameters=default_parameters(detector=detector),
    )


def details(found):
    return [each for each in found if each.kind is SuggestionKind.DETAIL]


@pytest.mark.parametrize("detector", ["spans", "provenance"])
def test_a_number_is_corrected_and_the_answer_then_supported(provenance, detector):
    audit = audited(provenance, f"{WRONG} {RIGHT}", detector=detector)
    (found,) = [each for each in details(suggest(audit, provenance)) if "30" in each.replacement]
    assert audit.evidence.answer[found.start : found.end] == "69 million"
    assert found.replacement == "30 million"
    assert found.entailment_after > max(0.5, found.entailment_before)
    item = audit.evidence.chunks[found.evidence_chunk].item
    assert "30 million" in CONTEXT[item][found.evidence_start : found.evidence_end]
    answer = corrected(audit.evidence.answer, [found])
    assert answer == f"{RIGHT} {RIGHT}"
    assert audited(provenance, answer, detector=detector).verdict is Verdict.SUPPORTED


def test_a_supported_answer_gets_no_suggestion(provenance):
    assert suggest(audited(provenance, RIGHT), provenance) == ()


def test_an_unsupported_sentence_gets_the_evidence_sentence(provenance):
    audit = audited(provenance, f"{RIGHT} It was started in Oslo by two bakers.")
    (whole,) = [each for each in suggest(audit, provenance) if each.kind is SuggestionKind.SENTENCE]
    assert whole.replacement in CONTEXT[audit.evidence.chunks[whole.evidence_chunk].item]
    assert audit.evidence.answer[whole.start : whole.end].startswith("It was started in Oslo")
    assert corrected(audit.evidence.answer, [whole]) == f"{RIGHT} {whole.replacement}"


def test_a_short_answer_is_corrected_with_its_query(provenance):
    query = "How many users had Instagram when Facebook bought it?"
    audit = audited(provenance, "69 million.", query)
    (found,) = details(suggest(audit, provenance))
    assert corrected("69 million.", [found]) == "30 million."


HAND = Suggestion(SuggestionKind.DETAIL, 0, 4, 6, "30", 0, 0, 5, 0.1, 0.9)


def test_corrected_keeps_everything_else():
    second = replace(HAND, start=14, end=16, replacement="eleven")
    assert corrected("has 69 users, 12 of them.", [second, HAND]) == (
        "has 30 users, eleven of them."
    )
    assert corrected("as it was", []) == "as it was"


def test_suggestions_for_the_same_words_are_refused():
    with pytest.raises(ValueError, match="accept only one"):
        corrected("has 69 users", [HAND, replace(HAND, start=0, end=12)])


def test_suggestions_for_another_answer_are_refused():
    with pytest.raises(ValueError, match="another answer"):
        corrected("has 6", [HAND])


def test_a_value_that_the_context_has_for_something_else_is_not_suggested(provenance):
    context = ["The Harbour Museum keeps 4,200 objects, among them 36 ship models."]
    answer = "The museum has 63 ship models."
    audit = provenance.audit(answer=answer, context=context)
    assert [each.replacement for each in details(suggest(audit, provenance))] == ["36"]


@pytest.mark.parametrize("detector", ["provenance", "spans"])
@pytest.mark.parametrize(
    ("answer", "query"),
    [("Yes.\x00\x00", "1,000.51,000.5"), ("\x00e.g. \x00", "}\\1,000.5")],
)
def test_no_suggestion_puts_a_sentence_in_its_own_place(provenance, detector, answer, query):
    # Found by the generated inputs: the sentence, which is read with its query, is in the context.
    audit = provenance.audit(
        answer=answer,
        context=[answer],
        query=query,
        parameters=default_parameters(detector=detector),
    )
    assert audit.verdict is Verdict.HALLUCINATED
    assert suggest(audit, provenance) == ()
