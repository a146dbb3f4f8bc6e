"""The real DeepEval measures with audits, and sends nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("deepeval", reason="the extra deepeval is not installed")

from deepeval import assert_test, evaluate
from deepeval.errors import MissingTestCaseParamsError
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.telemetry.client import telemetry_opt_out
from deepeval.test_case import LLMTestCase, RetrievedContextData

from provenance_core import InputError, default_parameters
from provenance_core.integrations.deepeval_metric import FactualityMetric
from tests.integrations.conftest import FACT, OTHER, QUESTION, RIGHT, WRONG


def case(answer: str, context=(OTHER, FACT)) -> LLMTestCase:
    return LLMTestCase(input=QUESTION, actual_output=answer, retrieval_context=list(context))


def test_score_reason_and_success_are_those_of_the_audit():
    metric = FactualityMetric()
    assert metric.measure(case(RIGHT)) == metric.score == metric.audit.score
    assert metric.is_successful() and metric.threshold == default_parameters().threshold
    assert metric.audit.evidence.query == QUESTION
    metric.measure(case(WRONG))
    assert not metric.is_successful()
    assert "“1923” is not in the context" in metric.reason


def test_a_threshold_of_its_own_decides():
    score = FactualityMetric().measure(case(RIGHT))
    metric = FactualityMetric(threshold=min(1.0, score + 1e-6))
    assert metric.measure(case(RIGHT)) == score
    assert not metric.is_successful()
    parameters = replace(default_parameters(), threshold=0.25)
    assert FactualityMetric(parameters=parameters).threshold == 0.25


@pytest.mark.parametrize("run_async", [True, False])
def test_deepeval_runs_it_with_many_cases_and_sends_nothing(no_network, run_async):
    found = evaluate(
        [case(RIGHT), case(WRONG)],
        [FactualityMetric()],
        async_config=AsyncConfig(run_async=run_async),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        cache_config=CacheConfig(write_cache=False),
    )
    said = {each.input + each.actual_output: each for each in found.test_results}
    assert said[QUESTION + RIGHT].success and not said[QUESTION + WRONG].success
    (data,) = said[QUESTION + WRONG].metrics_data
    assert (data.name, data.error) == ("Factuality", None)
    assert data.score < data.threshold and "“1923” is not in the context" in data.reason
    assert telemetry_opt_out() and no_network == []


def test_a_test_of_deepeval_fails_on_a_wrong_answer():
    assert_test(case(RIGHT), [FactualityMetric()])
    with pytest.raises(AssertionError, match="Factuality"):
        assert_test(case(WRONG), [FactualityMetric()])


def test_names_of_sources_are_kept():
    metric = FactualityMetric()
    metric.measure(case(RIGHT, [RetrievedContextData(context=FACT, source="bridge.txt")]))
    assert metric.audit.evidence.context[0].name == "bridge.txt"
    assert metric.audit.evidence.context[0].text == FACT


def test_what_is_missing_or_cannot_be_audited_is_said():
    metric = FactualityMetric()
    metric.measure(case(RIGHT))
    with pytest.raises(MissingTestCaseParamsError, match="retrieval_context"):
        metric.measure(LLMTestCase(input=QUESTION, actual_output=RIGHT))
    assert metric.score is None and not metric.is_successful()
    with pytest.raises(InputError, match="no letter and no digit"):
        metric.measure(case("…"))
    assert "no letter" in metric.error and not metric.is_successful()
