"""Answers that are audited at once: each as alone, in their order, and each fails alone."""

from __future__ import annotations

import threading
import time
import zlib
from concurrent.futures import CancelledError
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from provenance_core import InputError, ModelError, Parameters, check_texts, default_parameters
from provenance_core.audit.serialization import audit_to_json
from provenance_core.audit.together import attempt, audit_together, in_groups
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder
from provenance_core.models.pair_memory import PairMemory
from provenance_core.progress import Progress
from provenance_core.types import Timings

CONTEXTS = [
    ["The bridge was opened on 19 March 1932. It carries rail and road traffic.", "Ann built it."],
    [
        "The café sells tea at 4 euros. It closes at six.",
        "Tea is served by Ben.",
        "Cake is 5 euros.",
    ],
    ["Paris is the capital of France."],
]
ANSWERS = [
    "It was opened in 1932. It was built by Ben.",
    "Tea costs 4 euros.",
    "No.",
    "It closes at seven, and cake is 5 euros.",
    "Paris.",
]
QUERIES = ["When was it opened?", "", "Is Paris the capital of France?"]


def texts_of(number: int):
    return check_texts(
        answer=ANSWERS[number % len(ANSWERS)],
        context=CONTEXTS[number % len(CONTEXTS)],
        query=QUERIES[number % len(QUERIES)],
    )


def rows_of(count: int):
    return [attempt(partial(texts_of, number)) for number in range(count)]


@pytest.fixture
def read(monkeypatch) -> list[tuple[str, int]]:
    """Scores that the texts of a pair decide alone, and the task and size of each batch."""
    batches: list[tuple[str, int]] = []

    def run(self, engine, output, batch):
        batches.append((self.info.task, len(batch.encodings)))
        size = 8 if output == "vectors" else len(self.labels)
        seeds = [zlib.crc32(bytes(str(encoding.ids), "ascii")) for encoding in batch.encodings]
        return np.stack([np.random.default_rng(seed).normal(0, 3, size) for seed in seeds])

    monkeypatch.setattr(CrossEncoder, "_run", run)
    return batches


@pytest.fixture
def models(provenance):
    """The shipped models, of which one reads again as well."""
    return replace(provenance, second=provenance.nli, second_support=provenance.nli_info.support)


def written(audit) -> str:
    """All of an audit but its time."""
    evidence = replace(audit.evidence, timings=Timings())
    return audit_to_json(replace(audit, evidence=evidence, created_at=""))


@pytest.mark.parametrize(
    "detector", ["two-stage", "summac", "selfcheck", "nli-matrix", "grounded-in-context"]
)
def test_each_audit_is_the_one_that_it_is_alone(models, read, detector):
    rows, parameters = rows_of(16), default_parameters(detector=detector)
    alone = [models.audit_texts(row.result(), parameters) for row in rows]
    read.clear()
    together = audit_together(models, rows, parameters)
    assert [written(each.result()) for each in together] == [written(each) for each in alone]


def test_pairs_of_many_answers_are_read_together_and_relevance_as_alone(models, read):
    rows, parameters = rows_of(16), default_parameters()
    for row in rows:
        models.audit_texts(row.result(), parameters)
    alone = list(read)
    read.clear()
    audit_together(models, rows, parameters)
    of_nli = [size for task, size in read if task == "nli"]
    assert 3 * len(of_nli) < len([task for task, _ in alone if task == "nli"])
    relevance = {size for task, size in read if task == "relevance"}
    assert relevance == {size for task, size in alone if task == "relevance"}


def test_a_memory_knows_the_pairs_of_the_answers_before(models, read):
    memory, parameters = PairMemory(), default_parameters()
    first = audit_together(models, rows_of(4), parameters, memory=memory)
    read.clear()
    again = audit_together(models, rows_of(4), parameters, memory=memory)
    assert read == []
    assert [written(each.result()) for each in again] == [written(each.result()) for each in first]


def test_an_answer_fails_alone_before_and_while_the_models_read(models, read, monkeypatch):
    run = CrossEncoder._run

    def fail(self, engine, output, batch):
        if any("seven" in encoding.tokens for encoding in batch.encodings):
            raise ZeroDivisionError
        return run(self, engine, output, batch)

    monkeypatch.setattr(CrossEncoder, "_run", fail)
    rows = [*rows_of(5), attempt(lambda: check_texts(answer="", context=["a"]))]
    found = audit_together(models, rows, default_parameters())
    errors = [each.exception() for each in found]
    assert [error is None for error in errors] == [True, True, True, False, True, False]
    assert "ZeroDivisionError in test_together.py" in str(errors[3])
    assert "answer is empty" in str(errors[5])
    assert all(isinstance(error, InputError) for error in (errors[3], errors[5]))


def test_a_fault_of_a_model_reaches_whoever_asked(models, monkeypatch):
    def fail(*_):
        raise ModelError("no number")

    monkeypatch.setattr(CrossEncoder, "_run", fail)
    for each in audit_together(models, rows_of(3), default_parameters()):
        with pytest.raises(ModelError, match="no number"):
            each.result()


def test_what_progress_raises_ends_the_work_on_all(models, read):
    def stop(stage, share):
        raise CancelledError

    for each in audit_together(models, rows_of(8), default_parameters(), Progress(stop)):
        with pytest.raises(CancelledError):
            each.result()
    assert len(read) == 1


def test_ctrl_c_stops_the_models_and_leaves_no_thread(models, read, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("provenance_core.audit.together.wait", interrupted)
    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        audit_together(models, rows_of(8), default_parameters())
    assert set(threading.enumerate()) <= before


def test_answers_share_the_seconds_in_which_they_wait(models, read):
    started = time.perf_counter()
    audits = [each.result() for each in audit_together(models, rows_of(8), default_parameters())]
    passed = time.perf_counter() - started
    assert 0 < sum(audit.evidence.timings.total for audit in audits) <= passed


def test_groups_grow_and_long_texts_stand_alone():
    long = attempt(lambda: check_texts(answer="a", context=["word " * 10_000]))
    groups = [len(group) for group in in_groups(rows_of(50), Parameters())]
    assert groups == [1, 2, 4, 8, 16, 16, 3]
    rows = [*rows_of(4), long, *rows_of(9)]
    groups = list(in_groups(rows, Parameters()))
    assert [row for group in groups for row in group] == rows
    assert [long] in groups
    assert list(in_groups([], Parameters())) == []


def test_rows_before_one_that_is_not_there_are_not_lost():
    def rows():
        yield from rows_of(5)
        raise OSError("the disk is gone")

    groups = in_groups(rows(), Parameters())
    assert [len(next(groups)) for _ in range(3)] == [1, 2, 2]
    with pytest.raises(OSError, match="gone"):
        next(groups)


def test_a_slow_source_gives_its_rows_one_by_one(monkeypatch):
    clock = iter(range(1_000))
    monkeypatch.setattr("provenance_core.audit.together.time.monotonic", lambda: next(clock))
    assert [len(group) for group in in_groups(rows_of(5), Parameters())] == [1] * 5


def test_a_judge_is_asked_for_one_row_at_a_time(monkeypatch):
    monkeypatch.setenv("PROVENANCE_JUDGE_URL", "http://localhost:1/v1")
    monkeypatch.setenv("PROVENANCE_JUDGE_MODEL", "small")
    groups = in_groups(rows_of(5), default_parameters(detector="llm-judge"))
    assert [len(group) for group in groups] == [1] * 5
