"""The assertion that tests of answers use."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provenance_core import ClaimAggregation, ContextItem, InputError, default_parameters
from provenance_core.audit.shared_models import shared_models
from provenance_core.testing import assert_supported

CONTEXT = ["The Sydney Harbour Bridge was opened on 19 March 1932."]


@pytest.fixture(autouse=True)
def models(loaded_once):
    shared_models.cache_clear()


def test_a_supported_answer_passes_and_gives_its_audit():
    audit = assert_supported("It was opened in 1932.", CONTEXT, "When was the bridge opened?")
    assert audit.flagged == 0
    assert audit.evidence.query == "When was the bridge opened?"
    assert shared_models().names == ("embedded",)


def test_the_message_names_the_sentence_its_evidence_and_what_is_nowhere():
    answer = "The Sydney Harbour Bridge was opened in 1932. It was opened on 19 March 1923."
    context = [ContextItem(0, CONTEXT[0], "bridge.txt")]
    with pytest.raises(AssertionError) as failed:
        assert_supported(answer, context)
    first, figures, sentence, why, evidence = str(failed.value).splitlines()
    assert "1 of 2 sentences is not supported: “19 March 1923” is not in the context" in first
    assert figures.endswith("profile embedded · detector two-stage")
    assert sentence == "  sentence 2, contradicted: It was opened on 19 March 1923."
    assert why == "    “19 March 1923” is not in the context; C1 has “19 March 1932”"
    assert evidence == f"    context item 1 (bridge.txt): {CONTEXT[0]}"


def test_flagged_sentences_may_be_allowed_and_the_threshold_counts():
    mean = replace(default_parameters("embedded"), claim_aggregation=ClaimAggregation.MEAN)
    answer = f"{CONTEXT[0]} {CONTEXT[0]} It was opened on 19 March 1923."
    with pytest.raises(AssertionError, match=r"The score reaches the threshold, but 1 of 3"):
        assert_supported(answer, CONTEXT, parameters=mean)
    assert assert_supported(answer, CONTEXT, parameters=mean, allow_flagged=True).flagged == 1
    high = replace(mean, threshold=1.0)
    with pytest.raises(AssertionError, match=r"threshold 1\.000 · margin -"):
        assert_supported(answer, CONTEXT, parameters=high, allow_flagged=True)


def test_an_answer_that_cannot_be_audited_is_no_failed_assertion():
    with pytest.raises(InputError, match="The answer is empty"):
        assert_supported("", CONTEXT)
