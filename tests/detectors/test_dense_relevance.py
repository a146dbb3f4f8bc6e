"""Dense retrieval as the relevance of the paper's method (its appendix A), vectors by hand."""

from __future__ import annotations

from dataclasses import astuple, replace

import numpy as np
import pytest

from provenance_core import InputError, Parameters, Provenance, default_parameters, recompute
from provenance_core.audit.digest import evidence_digest, measurement_digest
from provenance_core.audit.serialization import (
    audit_from_json,
    audit_from_plain,
    audit_to_json,
    audit_to_plain,
)
from provenance_core.detectors import _dense
from provenance_core.evaluation.scorers import DenseScorer
from provenance_core.evaluation.types import DENSE_EXPERIMENTS
from provenance_core.files.types import LabelledRow
from provenance_core.models.dense_encoder import (
    DenseEncoder,
    encoder_info,
    load_encoder,
    similarities,
)
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


def words(texts):
    return [len(text.split()) for text in texts]


def by_vectors(vectors, max_length=256):
    """An encoder of vectors chosen by hand, which counts words."""
    info = ModelInfo("relevance", "by hand", "1", "00", max_length=max_length)
    return DenseEncoder(info, lambda texts: np.array([vectors[text] for text in texts]), words)


@pytest.fixture
def by_hand(monkeypatch):
    monkeypatch.setattr(_dense, "load_encoder", lambda: by_vectors(VECTORS))


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
        PairScores(np.array([[astuple(joined.scores)]])),
        [ANSWER],
        [premise],
        audit.evidence.nli_model,
    )
    assert audit.score == pytest.approx(support[0, 0])
    assert [s.selected for s in audit.sources] == [index in chosen for index in range(3)]
    assert sum(source.weight for source in audit.sources) == pytest.approx(1)


def test_another_selection_needs_the_models_and_a_threshold_does_not(provenance, by_hand):
    audit = audited(provenance, "cosine")
    with pytest.raises(ValueError, match="top_p cannot be changed: with dense retrieval"):
        recompute(audit, top_p=0.5)
    assert recompute(audit, top_p=audit.parameters.top_p, threshold=1.0).score == audit.score


def test_a_text_over_the_window_counts_by_its_most_similar_part():
    encoder = by_vectors(
        {"claim": (1.0, 0.0), "Long one. ": (0.0, 2.0), "Other two.": (3.0, 4.0), "c": (1.0, 1.0)},
        max_length=4,
    )
    chunks = ["Long one. Other two.", "c"]
    assert similarities(encoder, ["claim"], chunks, cosine=False).tolist() == [[3.0, 1.0]]
    cosines = similarities(encoder, ["claim"], chunks, cosine=True)
    assert cosines == pytest.approx(np.array([[0.6, 0.5**0.5]]))


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


@pytest.mark.parametrize("profile", ["embedded", "cascade"])
def test_a_batch_knows_it_before_the_encoder_is_loaded(profile):
    provenance = Provenance.load(profile)
    audit = audited(provenance, "cosine")

    def digest(**changed):
        parameters = replace(audit.parameters, **changed)
        models = provenance.models_of(parameters)
        return measurement_digest("", ANSWER, CONTEXT, parameters, models)

    own = digest()
    assert own == evidence_digest(audit.evidence, audit.parameters)
    others = [
        digest(top_p=0.5), digest(relevance_method="cosine_temporal"),
        digest(relevance_method=RelevanceMethod.CROSS_ENCODER),
    ]  # fmt: skip
    assert len({own, *others}) == 4


def test_the_shipped_encoder_finds_the_sentence(provenance):
    audit = audited(provenance, "cosine_temporal", selection="top_k", top_k=1)
    assert [s.chunk.text for s in audit.sources if s.selected] == [THIRD]
    assert audit.evidence.relevance_model == encoder_info()
    vectors = load_encoder().embed([FIRST, SECOND])
    assert np.ptp(np.linalg.norm(vectors, axis=1)) < 1e-3


def test_an_audit_of_an_encoder_by_name_opens(provenance, by_hand):
    raw = audit_to_plain(audited(provenance, "cosine"))
    raw["parameters"]["encoder"] = "owner/name"
    assert audit_from_plain(raw).evidence.relevance_model.model_id == "by hand"


def test_the_experiments_of_the_appendix_are_columns_of_scores(provenance):
    scorer = DenseScorer(provenance)
    row = LabelledRow(1, "When was it opened?", tuple(CONTEXT), "In 1932.", 1)
    found = scorer.score(row)
    assert [column.name for column in scorer.columns] == list(DENSE_EXPERIMENTS.values())
    assert len(found.scores) == 3 and min(found.scores) > 0.5
    assert found.spans is None
    with pytest.raises(InputError, match="the context is empty"):
        scorer.score(LabelledRow(1, "", (" ",), "In 1932.", 1))
