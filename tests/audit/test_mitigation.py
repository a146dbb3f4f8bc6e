"""Suggestions that the evidence supports, and answers corrected by them."""

from dataclasses import replace

import pytest

from provenance_core import Parameters, Provenance, default_parameters
from provenance_core.audit.assembly import assemble
from provenance_core.audit.mitigation import (
    Suggestion,
    SuggestionKind,
    corrected,
    removals,
    suggest,
)
from provenance_core.progress import Progress
from provenance_core.types import Verdict
from tests.conftest import hand_evidence

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


@pytest.mark.parametrize("detector", ["spans", "two-stage"])
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


@pytest.mark.parametrize("detector", ["two-stage", "spans"])
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
        # No score reaches 1, so that a correction is sought.
        parameters=replace(default_parameters(detector=detector), threshold=1.0),
    )
    assert audit.verdict is Verdict.HALLUCINATED
    assert suggest(audit, provenance) == ()


def whole(found):
    return [each for each in found if each.kind is SuggestionKind.SENTENCE]


@pytest.mark.parametrize(
    "wrong", ["The ferries leave every ten minutes.", "It was painted red by a friend of Picasso."]
)
def test_a_sentence_about_something_else_is_no_replacement(provenance, wrong):
    context = ["The tower is 330 metres tall.", "Entry costs 12 euros. The lift opens at noon."]
    audit = provenance.audit(answer=f"The tower is 330 metres tall. {wrong}", context=context)
    assert [traced.label for traced in audit.sentences] == ["supported", "not_found"]
    assert suggest(audit, provenance) == ()


@pytest.mark.parametrize(
    ("wrong", "says", "offered"),
    [
        ("The guarantee was signed by the king.", "The guarantee covers the lamp.", False),
        ("The museum burned down twice.", "The museum keeps 4,200 objects.", False),
        ("The museum is in Oslo.", "The museum stands in Bergen.", True),
        ("The old tower is red.", "In 1990 the old tower was painted green.", True),
    ],
)
def test_the_subject_alone_makes_no_replacement(provenance, wrong, says, offered):
    right = "Tea is served at noon in the hall."
    audit = provenance.audit(answer=f"{right} {wrong}", context=[f"{right} {says}"])
    assert audit.sentences[1].label in ("not_found", "contradicted")
    assert [each.replacement for each in whole(suggest(audit, provenance))] == [says] * offered


def test_what_the_answer_says_already_is_no_replacement(provenance):
    context = ["Facebook bought Instagram in 2012.", "Ferries cross the strait."]
    answer = "Facebook bought Instagram in 2012. Facebook was started by two bakers."
    audit = provenance.audit(answer=answer, context=context)
    assert audit.sentences[1].label == "not_found"
    assert whole(suggest(audit, provenance)) == []


def test_one_sentence_of_the_evidence_replaces_one_sentence_alone(provenance):
    """With both in its place it stood in the answer twice."""
    context = ["Harrow Mill Library opened in 1954 with 3,000 books."]
    answer = (
        "Harrow Mill Library lends bicycles. Harrow Mill Library opened in 1964 with 9,000 books."
    )
    audit = provenance.audit(answer=answer, context=context)
    assert audit.flagged == 2
    (found,) = whole(suggest(audit, provenance))
    assert found.sentence == 1


def test_every_unsupported_sentence_can_be_left_out(provenance):
    context = ["The tower is 330 metres tall."]
    answer = "Penguins juggle lemons. The tower is 330 metres tall.\n\nWhales sing at noon. "
    audit = provenance.audit(answer=answer, context=context)
    first, last = removals(audit)
    assert (first.sentence, last.sentence) == (0, 2)
    right = "The tower is 330 metres tall."
    assert corrected(answer, [first, last]) == right
    assert corrected(answer, [first]) == answer.removeprefix("Penguins juggle lemons. ")
    assert corrected(answer, [last]) == f"Penguins juggle lemons. {right}"
    after = provenance.audit(answer=corrected(answer, [first, last]), context=context)
    assert after.verdict is Verdict.SUPPORTED


def test_the_only_sentence_is_not_left_out(provenance):
    audit = provenance.audit(answer="Penguins juggle lemons.", context=["The tower is tall."])
    assert audit.flagged == 1 and removals(audit) == ()
    both = provenance.audit(answer="The tower is tall. It is tall.", context=["The tower is tall."])
    assert removals(both) == (), "nothing is wrong"


def test_what_a_dropped_source_supports_is_not_left_out():
    evidence = hand_evidence([2.0, -3.0], [[0.9, 0.1], [0.1, 0.9]])
    audit = assemble(evidence, Parameters(top_k=1))
    assert audit.sentences[1].selection_miss
    assert removals(audit) == ()


def test_a_number_beside_the_same_word_is_the_one_that_is_offered(provenance):
    context = ["Entry costs 9 euros for adults and is free for children under 12."]
    audit = provenance.audit(
        answer="The museum is large. Entry is free for children under 16.",
        context=["The museum is large.", *context],
    )
    assert [each.replacement for each in details(suggest(audit, provenance))] == ["12"]


def test_of_two_prices_in_one_sentence_that_of_the_claim_is_offered(provenance):
    audit = provenance.audit(
        query="What does an extra bag cost?",
        answer="An extra bag costs 95 euros on intercontinental routes.",
        context=[
            "An extra bag costs 45 euros per bag on European routes and 90 euros on "
            "intercontinental routes."
        ],
    )
    assert [each.replacement for each in details(suggest(audit, provenance))] == ["90"]


def test_the_number_of_another_thing_is_not_offered(provenance):
    climb = "The cable car climbs 1,498 metres of altitude from the valley station to the summit."
    audit = provenance.audit(
        answer="The cable car is old. The valley station lies at 1540 metres.",
        context=["The cable car is old.", climb],
    )
    assert audit.sentences[1].label == "not_found"
    assert suggest(audit, provenance) == ()


def test_what_stands_in_the_context_word_for_word_is_offered_whatever_the_model_says(provenance):
    right = "In a study of 214 pregnant women, 9 reported side effects."
    context = [f"Zelotrin is not recommended. {right} Zelotrin may be taken while breastfeeding."]
    audit = provenance.audit(answer=right.replace("214", "241"), context=context)
    (found,) = details(suggest(audit, provenance))
    assert corrected(audit.evidence.answer, [found]) == right


def test_suggesting_says_how_far_it_is_and_can_be_given_up(provenance):
    audit = audited(provenance, f"{WRONG} It was started in Oslo by two bakers.")
    told = []
    suggest(audit, provenance, Progress(lambda stage, share: told.append((stage, share))))
    assert [stage for stage, _ in told][:2] == ["Looking in the evidence"] * audit.flagged
    assert told[-1] == ("Entailment", 1.0)

    def give_up(stage, share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        suggest(audit, provenance, Progress(give_up))
