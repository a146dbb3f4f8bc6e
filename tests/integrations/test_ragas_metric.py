"""The real Ragas scores with audits, and sends nothing."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("ragas", reason="the extra ragas is not installed")

from ragas import EvaluationDataset, evaluate
from ragas._analytics import do_not_track
from ragas.dataset_schema import SingleTurnSample

from provenance_core import InputError, default_parameters
from provenance_core.integrations.ragas_metric import Factuality, SingleTurnFactuality
from tests.integrations.conftest import FACT, OTHER, QUESTION, RIGHT, WRONG


def row(answer: str) -> dict[str, object]:
    return {"user_input": QUESTION, "response": answer, "retrieved_contexts": [OTHER, FACT]}


def test_a_metric_of_collections_scores_with_its_reason(no_network):
    metric = Factuality()
    good, bad = asyncio.run(metric.abatch_score([row(RIGHT), row(WRONG)]))
    assert good.value > default_parameters().threshold > bad.value
    assert "“1923” is not in the context" in bad.reason
    assert metric.score(**row(RIGHT)).value == good.value
    assert metric.validate_result_value(bad.value) is None
    assert no_network == []


def test_evaluate_makes_a_column_of_it_and_sends_nothing(no_network):
    data = EvaluationDataset.from_list([row(RIGHT), row(WRONG)])
    with pytest.warns(DeprecationWarning):
        found = evaluate(data, [SingleTurnFactuality()], show_progress=False)
    good, bad = found.to_pandas()["factuality"]
    assert good > default_parameters().threshold > bad
    assert do_not_track() and no_network == []


def test_both_forms_give_the_same_score_and_the_question_is_read():
    sample = SingleTurnSample(**row(RIGHT))
    score = SingleTurnFactuality().single_turn_score(sample)
    assert score == Factuality().score(**row(RIGHT)).value
    assert "user_input" in SingleTurnFactuality().get_required_columns(True)["SINGLE_TURN"]


def test_what_cannot_be_audited_is_said():
    with pytest.raises(InputError, match="no letter and no digit"):
        Factuality().score(**row("…"))
