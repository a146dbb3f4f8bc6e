"""What the context has, but says of another thing, is not called missing."""

from __future__ import annotations

import pytest

from provenance_core import Parameters
from provenance_core.audit.assembly import assemble
from provenance_core.explain.verdict import verdict_sentence
from provenance_core.explain.wrong_words import missing_text
from provenance_core.findings.answers import has_the_words
from provenance_core.scoring.tracing import missing_in
from reports.markup import badges
from reports.wording import status
from tests.conftest import hand_evidence

_SCHOOL = "The school has 38 teachers and 412 pupils. It was built in 1970."


@pytest.mark.parametrize(
    ("words", "held"),
    [
        ("412", True),
        ("412  pupils", True),
        ("12", False),
        ("970", False),
        ("1970", True),
        ("412 teachers", False),
        ("", False),
    ],
)
def test_words_are_found_whole_in_the_context(words, held):
    assert has_the_words(words, [_SCHOOL]) is held
    assert not has_the_words(words, ["4,412.5 X412 19705"])


def test_the_verdict_names_no_number_that_the_context_has_of_something_else(provenance):
    audit = provenance.audit(
        query="How many teachers?", answer="The school has 412 teachers.", context=[_SCHOOL]
    )
    said = verdict_sentence(audit)
    assert "not in the context" not in said and "something else" not in said


def test_a_badge_says_that_the_context_has_the_number_of_something_else(provenance):
    answer = "The school has 412 teachers and 413 parrots."
    audit = provenance.audit(answer=answer, context=[_SCHOOL])
    shown = badges(audit, audit.sentences[0])
    assert "number said of something else in the context: 412" in shown
    assert "number not in the context: 413" in shown


def test_the_status_says_in_words_that_only_a_dropped_chunk_supports_a_sentence():
    evidence = hand_evidence([2.0, -3.0], [[0.9, 0.1], [0.1, 0.9]], [[0.0, 0.0], [0.8, 0.0]])
    audit = assemble(evidence, Parameters(top_k=1))
    said = status(audit.sentences[1])
    assert said.endswith("supported only by a chunk that was not selected")
    assert "miss" not in said


def test_a_badge_names_what_a_chunk_has_in_the_place_of_a_number(provenance):
    answer = "The revenue of the mill fell by 12 percent in 2023."
    context = ["The revenue of the mill rose by 12 percent in 2023."]
    audit = provenance.audit(answer=answer, context=context)
    (detail,) = missing_in(audit.evidence, audit.sentences[0].sentence)
    assert detail.text == "fell by 12 percent"
    said = missing_text(audit, audit.sentences[0], detail)
    assert said == (
        "number not in the context: fell by 12 percent; C1 has \u201crose by 12 percent\u201d"
    )
