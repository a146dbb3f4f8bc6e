"""Which pairs run together: as many as fit, but none that padding makes dearer than a batch; and
how many batches run at once."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from provenance_core.models.catalogue.profiles import EMBEDDED_NLI, embedded_folder
from provenance_core.models.onnx_models.cross_encoder import _BATCH_COST, CrossEncoder, _batch_size
from provenance_core.models.onnx_models.engines import Batching

TEN = [(f"The bridge number {n} opened in 1932.", "It opened in 1932.") for n in range(10)]


class CountingEngine:
    """An engine that gives the number of a row's tokens as its logits, and counts its batches.
    ``together``: so many batches must be in it at the same time before one ends."""

    name, precision = "counting", ""
    inputs = frozenset({"input_ids", "attention_mask"})
    outputs = frozenset({"logits"})

    def __init__(self, at_once: int, together: int, least: int = 2) -> None:
        self.batching = Batching(at_once, 1024, least)
        self.rows: list[int] = []
        self._meeting = threading.Barrier(together, timeout=30)

    def run(self, output, feed):
        self.rows.append(len(feed["input_ids"]))
        self._meeting.wait()
        return np.repeat(feed["attention_mask"].sum(axis=1, keepdims=True), 3, axis=1).astype(float)


class FailingEngine(CountingEngine):
    """It fails in its second batch."""

    def run(self, output, feed):
        if self.rows:
            raise RuntimeError("no memory")
        return super().run(output, feed)


@pytest.fixture(scope="module")
def model() -> CrossEncoder:
    return CrossEncoder.load(embedded_folder(EMBEDDED_NLI))


def test_few_pairs_are_shared_out_among_batches_that_run_at_once(model):
    engine = CountingEngine(at_once=2, together=2)  # one batch alone would wait for ever
    found = model.on(engine).predict(TEN)
    assert engine.rows == [5, 5]
    np.testing.assert_array_equal(found[:, 0], model.pair_tokens(TEN))


def test_an_engine_that_takes_all_cores_gets_one_batch(model):
    engine = CountingEngine(at_once=1, together=1, least=1)
    model.on(engine).predict(TEN)
    assert engine.rows == [10]


def test_the_batches_are_the_same_with_more_cores(model):
    few, many = CountingEngine(at_once=1, together=1), CountingEngine(at_once=8, together=1)
    for engine in (few, many):
        model.on(engine).predict(TEN)
    assert few.rows == sorted(many.rows, reverse=True)


def test_rows_stay_in_their_order_and_progress_ends_at_one(model):
    pairs = [(first * (1 + n % 7), second) for n, (first, second) in enumerate(TEN)]
    done: list[float] = []
    found = model.on(CountingEngine(at_once=3, together=1)).predict(pairs, done.append)
    np.testing.assert_array_equal(found[:, 0], model.pair_tokens(pairs))
    assert done == sorted(done)
    assert done[-1] == 1.0


def test_a_batch_that_fails_ends_the_call_with_its_error(model):
    with pytest.raises(RuntimeError, match="no memory"):
        model.on(FailingEngine(at_once=1, together=1)).predict(TEN)


def test_a_caller_who_stops_at_the_first_progress_leaves_no_batch_behind(model):
    engine = CountingEngine(at_once=1, together=1)
    long = [(first * 12, f"{second} {n}") for n, (first, second) in enumerate(TEN * 8)]

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.on(engine).predict(long, stop)
    assert sum(engine.rows) < len(long)


def test_the_most_tokens_of_a_batch_can_be_fewer():
    assert _batch_size(np.array([100] * 10), 500) == 5
    assert _batch_size(np.array([100] * 10), 50) == 1, "one pair is never cut"


@pytest.mark.parametrize(
    ("lengths", "together"),
    [
        ([100] * 5, 5),  # no padding
        ([1024 // 4] * 9, 4),  # no more fit
        ([1024 * 2, 10], 1),  # one pair is never cut
        ([150, 150, 30, 30, 30, 30], 2),  # 480 tokens of padding saved
        ([150, 149, 148, 147], 4),  # too little to save
        ([150, 20], 2),  # padding one pair costs less than a batch
    ],
)
def test_pairs_run_together_while_padding_costs_less_than_a_batch(lengths, together):
    assert _BATCH_COST == 192
    assert _batch_size(np.array(lengths), 1024) == together
