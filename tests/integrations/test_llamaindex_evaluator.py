"""The real LlamaIndex evaluates with audits."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")

from llama_index.core.base.response.schema import Response
from llama_index.core.evaluation import BatchEvalRunner
from llama_index.core.schema import NodeWithScore, TextNode

from provenance_core import default_parameters
from provenance_core.integrations.llamaindex_evaluator import FactualityEvaluator
from provenance_core.types import ClaimAggregation
from tests.integrations.conftest import FACT, OTHER, QUESTION, RIGHT, WRONG


def response(text: str) -> Response:
    nodes = [NodeWithScore(node=TextNode(text=each)) for each in (OTHER, FACT)]
    return Response(response=text, source_nodes=nodes)


def test_a_response_is_audited_with_its_source_nodes(no_network):
    evaluator = FactualityEvaluator()
    good = evaluator.evaluate_response(QUESTION, response(RIGHT))
    bad = evaluator.evaluate_response(QUESTION, response(WRONG))
    assert good.passing and not bad.passing
    assert good.score > default_parameters().threshold > bad.score
    assert "“1923” is not in the context" in bad.feedback
    assert [item.text for item in good.audit.evidence.context] == [OTHER, FACT]
    assert good.audit.evidence.query == QUESTION
    assert "audit" not in good.model_dump()
    assert no_network == []


def test_a_flagged_response_passes_where_that_is_allowed():
    parameters = replace(default_parameters(), claim_aggregation=ClaimAggregation.MEAN)
    mixed = f"{FACT} {FACT} {WRONG}"
    strict = FactualityEvaluator(parameters).evaluate_response(QUESTION, response(mixed))
    lenient = FactualityEvaluator(parameters, allow_flagged=True).evaluate_response(
        QUESTION, response(mixed)
    )
    assert strict.score == lenient.score
    assert (strict.passing, lenient.passing) == (False, True)


def test_many_responses_run_side_by_side():
    runner = BatchEvalRunner({"factuality": FactualityEvaluator()}, workers=2)
    found = asyncio.run(
        runner.aevaluate_responses([QUESTION] * 3, [response(t) for t in (RIGHT, WRONG, RIGHT)])
    )
    assert [each.passing for each in found["factuality"]] == [True, False, True]


def test_what_cannot_be_audited_is_invalid_and_what_is_missing_is_said():
    found = FactualityEvaluator().evaluate(QUESTION, "…", [FACT])
    assert found.invalid_result and "no letter and no digit" in found.invalid_reason
    assert found.passing is None and found.score is None
    with pytest.raises(ValueError, match="contexts"):
        FactualityEvaluator().evaluate(QUESTION, RIGHT)
