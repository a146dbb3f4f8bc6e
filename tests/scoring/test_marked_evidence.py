"""The marked evidence is the sentence that is nearest in words and entailment."""

from __future__ import annotations

from dataclasses import replace

from provenance_core import Parameters, assemble
from provenance_core.explain import audit_summary, reason_texts
from provenance_core.types import Entailment, EvidenceSentence, Scores
from reports.side_by_side import side_by_side
from tests.scoring.test_said_alike import read

ONIONS = (
    "Some people cut the onions in a bowl of water. I would use eye drops to dilute the gas.",
    "Onions make people cry.",
)


def shown(evidence, threshold: float = 0.5) -> list[str]:
    (sentence,) = audit_summary(assemble(evidence, Parameters(threshold=threshold))).sentences
    too = [] if sentence.evidence_too is None else [sentence.evidence_too.text]
    return [sentence.evidence.text, *too]


def test_the_nearest_sentence_is_marked_wherever_it_stands():
    evidence = read("Another way is to cut onions in a bowl of water.", *ONIONS)
    assert shown(evidence) == ["Some people cut the onions in a bowl of water."]
    # More support by the other chunk does not make it the nearest.
    more = replace(evidence, support=Scores([[0.6, 0.62]]))
    assert shown(more) == ["Some people cut the onions in a bowl of water."]


def test_what_a_model_entails_counts_beside_the_words():
    evidence = read("Cooks weep over them.", *ONIONS)
    scored = EvidenceSentence(0, 1, 0, len(ONIONS[1]), Entailment(0.9, 0.1, 0.0))
    assert shown(replace(evidence, evidence_sentences=(scored,))) == [ONIONS[1]]


def test_a_second_sentence_is_marked_where_it_has_the_words_that_the_first_lacks():
    evidence = read(
        "The show debuted on CBS in October 1957 and ended on ABC in June 1963.",
        "It debuted on CBS in October 1957. The music was by Smith.",
        "It stayed on ABC until it ended in June 1963.",
    )
    first, second = shown(evidence)
    assert {first, second} == {
        "It debuted on CBS in October 1957.",
        "It stayed on ABC until it ended in June 1963.",
    }
    audit = assemble(evidence, Parameters())
    (traced,) = audit.sentences
    page = side_by_side(audit, ())
    assert first in page and second in page and "and C" in page
    shown_chunks = [traced.evidence_chunk + 1, traced.evidence_too.chunk + 1]
    assert "(nearest: C{} and C{})".format(*shown_chunks) in reason_texts(audit)[0]


def test_a_question_states_nothing():
    evidence = read(
        "Tires of solid rubber are not suitable for cars.",
        "Why aren't tires made of solid rubber? Solid rubber is not good for cars.",
    )
    assert shown(evidence)[0] == "Solid rubber is not good for cars."
