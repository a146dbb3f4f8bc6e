"""The scorer for Inspect, in an evaluation that the real library runs."""

from __future__ import annotations

import pytest

pytest.importorskip("inspect_ai", reason="the extra inspect is not installed")

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver

from provenance_core.integrations.inspect_scorer import factuality

CONTEXT = ["The Sydney Harbour Bridge was opened on 19 March 1932."]
QUERY = "When was the bridge opened?"
WRONG = "It was opened in 1932. It was opened in the year 1890."


@solver
def writes() -> Solver:
    """Answers as the sample's metadata say, without a model: those count tokens by a download."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = ModelOutput.from_content("mockllm/model", state.metadata["output"])
        return state

    return solve


def evaluated(folder, outputs, metadata, scorer) -> EvalLog:
    samples = [
        Sample(input=QUERY, metadata={**each, "output": output})
        for output, each in zip(outputs, metadata, strict=True)
    ]
    (log,) = eval(
        Task(dataset=samples, solver=writes(), scorer=scorer),
        model="mockllm/model",
        display="none",
        log_dir=str(folder),
    )
    return log


def test_each_sample_has_score_reason_and_places(tmp_path):
    log = evaluated(
        tmp_path,
        ["It was opened in 1932.", WRONG],
        [{"context": CONTEXT}, {"context": CONTEXT[0]}],
        factuality("embedded"),
    )
    assert log.status == "success", log.error
    right, wrong = (sample.scores["factuality"] for sample in log.samples)
    assert right.value > right.metadata["threshold"] > wrong.value >= 0
    assert right.metadata["verdict"] == "supported"
    assert wrong.metadata["verdict"] == "hallucinated"
    assert "1890" in wrong.explanation and wrong.answer == WRONG
    flagged = wrong.metadata["sentences"][1]
    assert WRONG[flagged["start"] : flagged["end"]] == flagged["text"]
    assert flagged["label"] == "contradicted"
    (metrics,) = log.results.scores
    assert metrics.metrics["mean"].value == pytest.approx((right.value + wrong.value) / 2)


def test_the_spans_of_a_detector_of_spans_are_in_the_metadata(tmp_path):
    log = evaluated(
        tmp_path, [WRONG], [{"texts": CONTEXT}],
        factuality("embedded", context="texts", detector="spans"),
    )  # fmt: skip
    assert log.status == "success", log.error
    found = log.samples[0].scores["factuality"].metadata["spans"]
    assert found and all(WRONG[each["start"] : each["end"]] == each["text"] for each in found)


def test_a_sample_without_context_says_what_to_do(tmp_path):
    log = evaluated(tmp_path, ["It was."], [{}], factuality("embedded"))
    assert log.status == "error"
    assert "no 'context' in its metadata" in log.error.message
