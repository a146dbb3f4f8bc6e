"""A bare "yes" or "no" is held against the other word: at most one of both is supported."""

from __future__ import annotations

import numpy as np
import pytest

from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.scoring.features import against_opposite, measured_support
from provenance_core.types import SentenceLabel
from reports.score_steps import sentence_steps, sentence_text
from storage import AuditStore

QUERY = "Is Tolvidine used to treat hay fever?"
CONTEXT = [
    "Tolvidine tablets are used to treat hay fever. Adults take one 10 mg tablet once a day.",
    "Tolvidine was approved in Canada on 9 May 2012. It was discovered by Naomi Adeyemi.",
]


@pytest.fixture(scope="module")
def denied(cascade):
    return cascade.audit(query=QUERY, answer="No.", context=CONTEXT)


def test_the_log_odds_of_the_opposite_are_taken_away():
    odds = np.log(0.8 / 0.2) - np.log(0.9 / 0.1)
    expected = 1 / (1 + np.exp(-odds))
    assert against_opposite(np.array([0.8]), 0.9)[0] == pytest.approx(expected)
    assert against_opposite(np.array([0.8]), 0.8)[0] == pytest.approx(0.5)


def test_a_no_is_unsupported_where_the_yes_has_more_support(cascade, denied):
    agreed = cascade.audit(query=QUERY, answer="Yes.", context=CONTEXT)
    assert agreed.verdict == "supported" and denied.verdict == "hallucinated"
    assert denied.evidence.opposite.statement == agreed.evidence.claims[0].text
    # Each is the other's opposite, with the support that it has before that counts.
    yes, no = (
        denied.evidence.opposite.support.values.max(),
        agreed.evidence.opposite.support.values.max(),
    )
    assert denied.score == pytest.approx(float(against_opposite(np.array([no]), yes)[0]))


def test_a_bare_no_that_the_context_contradicts_is_not_supported(denied):
    # Revision 4 of the large model called it contradicted; to revision 5 it is not found.
    assert denied.sentences[0].label is not SentenceLabel.SUPPORTED


def test_an_answer_in_words_has_no_opposite(cascade):
    answer = "No, it is used to treat hay fever in adults alone."
    assert cascade.audit(query=QUERY, answer=answer, context=CONTEXT).evidence.opposite is None


def test_the_page_says_the_opposite_and_the_steps_add_up(denied):
    steps = sentence_steps(denied, 0)
    points = {step.name: step.points for step in steps.steps}
    assert points["support of the opposite"] < 0
    assert 1 / (1 + np.exp(-sum(points.values()))) == pytest.approx(steps.support, abs=1e-6)
    said = sentence_text(denied, steps)
    assert "The opposite, “Tolvidine is used to treat hay fever”, has a support of" in said


def test_it_comes_back_from_json_and_database_as_it_was(denied, url):
    assert audit_from_json(audit_to_json(denied)) == denied
    store = AuditStore.open(url)
    assert store.load(store.save(denied)).audit.evidence == denied.evidence
    assert measured_support(denied.evidence) == denied.evidence.support
