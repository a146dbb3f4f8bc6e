"""Scores that are kept for later audits: the models are asked for new pairs alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import text

from provenance_core import default_parameters
from provenance_core.files.types import BatchRow
from provenance_core.models.pair_memory import PairMemory
from provenance_core.types import Aggregation, ModelInfo
from storage import AuditStore, NewRun, PairScoreStore, StorageError
from storage.engine import get_engine
from storage.pair_scores import kept_days
from storage.worker.process import this_worker
from storage.worker.rows import Outcome, Stores, work

NLI = ModelInfo("nli", "hand", "1", "0" * 64, 256, device="cpu, onnxruntime")
RELEVANCE = replace(NLI, task="relevance")
PAIRS = [("a chunk", "a claim"), ("another", "a claim"), ("a chunk", "2nd")]
LOGITS = {pair: np.array([i + 0.25, -1.5, 0.1]) for i, pair in enumerate(PAIRS)}


@pytest.fixture
def kept(url) -> PairScoreStore:
    return PairScoreStore.open(url)


@pytest.fixture
def asked(provenance, monkeypatch):
    """Every pair that a model is asked for."""
    pairs = []
    for model in (provenance.nli, provenance.relevance):

        def spy(given, progress=None, predict=model.predict):
            pairs.extend(given)
            return predict(given, progress)

        monkeypatch.setattr(model, "predict", spy)
    return pairs


@pytest.mark.parametrize("model", [NLI, RELEVANCE])
def test_scores_come_back_exactly_and_for_their_model_and_engine_alone(kept, model):
    kept.keep(model, LOGITS)
    found = kept.known(model, [*PAIRS, ("a claim", "a chunk")])
    assert set(found) == set(PAIRS)
    for pair, logits in LOGITS.items():
        assert found[pair].tolist() == logits.tolist()
    others = (
        replace(model, sha256="1" * 64),
        replace(model, device="cpu, openvino"),
        replace(model, precision="bfloat16"),
    )
    for other in others:
        assert kept.known(other, PAIRS) == {}


def test_scores_are_added_to_those_of_the_same_claim(kept):
    kept.keep(NLI, {PAIRS[0]: LOGITS[PAIRS[0]]})
    kept.keep(NLI, {PAIRS[1]: np.array([1.0, 2.0, 3.0])})
    assert set(kept.known(NLI, PAIRS)) == set(PAIRS[:2])
    assert kept.count() == 2


def test_no_text_is_kept(kept, url):
    kept.keep(NLI, LOGITS)
    with get_engine(url).connect() as connection:
        rows = connection.execute(text("SELECT asked, model, pairs FROM pair_logits")).all()
    held = b"".join(part for row in rows for part in row)
    assert rows and b"chunk" not in held and b"claim" not in held


def test_old_scores_are_forgotten_and_0_days_keeps_none(kept, url, monkeypatch):
    kept.keep(NLI, {PAIRS[0]: LOGITS[PAIRS[0]]})
    with get_engine(url).begin() as connection:
        connection.execute(text("UPDATE pair_logits SET day = '2020-01-01'"))
    kept.keep(NLI, {PAIRS[2]: LOGITS[PAIRS[2]]})
    assert set(kept.known(NLI, PAIRS)) == {PAIRS[2]}
    monkeypatch.setenv("PROVENANCE_PAIR_SCORE_DAYS", "0")
    assert kept.known(NLI, PAIRS) == {}
    kept.keep(NLI, LOGITS)
    assert kept.count() == 1
    kept.clear()
    assert kept.count() == 0


def test_days_that_are_no_number_are_named():
    with pytest.raises(StorageError, match="PROVENANCE_PAIR_SCORE_DAYS is 'a week'"):
        kept_days({"PROVENANCE_PAIR_SCORE_DAYS": "a week"})


def test_a_table_that_is_gone_stops_no_audit(kept, url, provenance):
    with get_engine(url).begin() as connection:
        connection.execute(text("DROP TABLE pair_logits"))
    memory = PairMemory(kept)
    audit = provenance.audit(answer="It is red.", context=["It is red."], memory=memory)
    memory.hand_over()
    assert audit.score > 0.5


def run_of(url: str, name: str, rows: list[BatchRow], provenance, **changed) -> None:
    stores = Stores.open(url)
    parameters = replace(default_parameters("embedded"), **changed)
    new = NewRun(name, "f.jsonl", "rows", (), "embedded", parameters)
    run = stores.runs.create(new, rows, [])
    assert work(stores, run, this_worker(), load=lambda _: provenance) is Outcome.DONE


def row(line: int, answer: str) -> BatchRow:
    return BatchRow(line, "", ("It opened in 1932. It is long.", "It is red."), answer)


def test_a_file_under_other_settings_costs_no_call_and_an_overlap_its_new_pairs(
    url, provenance, asked
):
    first = [row(1, "It opened in 1932."), row(2, "The bridge is long and narrow.")]
    run_of(url, "first", first, provenance)
    assert asked
    del asked[:]
    run_of(url, "other threshold", first, provenance, threshold=0.9, aggregation=Aggregation.MAX)
    # Measured anew, but these texts are cut into the same chunks.
    run_of(url, "other chunks", first, provenance, chunk_tokens=120)
    assert asked == []
    overlap = [*first, row(3, "The bridge is long and narrow. Roses are red.")]
    run_of(url, "overlap", overlap, provenance)
    assert asked and all("Roses are red." in pair for pair in asked)


def test_a_deleted_audit_takes_its_scores_along(url, provenance, kept):
    run_of(
        url,
        "first",
        [row(1, "It opened in 1932."), row(2, "The bridge is long and narrow.")],
        provenance,
    )
    audits = AuditStore.open(url)
    before = kept.count()
    audits.delete(1)
    assert 0 < kept.count() < before
    audits.delete(2)
    left = kept.known(provenance.nli.info, [("It is red.", "It is long.")])
    assert left == {} and kept.count() == 0
