"""Scores kept for several detectors over the same texts are the models' own."""

from __future__ import annotations

import numpy as np
import pytest

from provenance_core import InputError, default_parameters
from provenance_core.models.nli_classes import nli_probabilities
from provenance_core.models.pair_memory import PairMemory

PAIRS = [("The tower is 330 metres tall.", "It is 330 metres tall."), ("It is red.", "It is blue.")]
REQUEST = {
    "query": "How tall is it?",
    "answer": "It is 330 metres tall. It is blue.",
    "context": [text for text, _ in PAIRS],
}


@pytest.fixture
def asked(provenance, monkeypatch):
    """Every pair that the NLI model is asked for."""
    pairs = []
    predict = provenance.nli.predict

    def spy(given, progress=None):
        pairs.extend(given)
        return predict(given, progress)

    monkeypatch.setattr(provenance.nli, "predict", spy)
    return pairs


def test_a_pair_is_scored_once_and_as_without_the_memory(provenance, asked):
    expected = provenance.nli.predict(PAIRS)
    del asked[:]
    memory = PairMemory()
    first = memory.predict(provenance.nli, [PAIRS[0], PAIRS[0]])
    both = memory.predict(provenance.nli, PAIRS)
    assert asked == PAIRS
    np.testing.assert_array_equal(first, both[[0, 0]])
    # Engines round the activations of another batch in other groups.
    np.testing.assert_allclose(
        nli_probabilities(both, provenance.nli.labels)[:, 0],
        nli_probabilities(expected, provenance.nli.labels)[:, 0],
        atol=0.02,
    )


def test_no_pair_and_progress_without_a_call(provenance):
    memory, shares = PairMemory(), []
    assert memory.predict(provenance.nli, []).shape == (0, 3)
    memory.predict(provenance.nli, PAIRS)
    memory.predict(provenance.nli, PAIRS[::-1], shares.append)
    assert shares == [1.0]


def test_a_pair_over_the_window_is_still_refused(provenance):
    with pytest.raises(InputError):
        PairMemory().predict(provenance.nli, [("word " * 600, "claim")])


def test_two_detectors_share_the_matrix(provenance, asked):
    memory = PairMemory()
    paper = provenance.audit(**REQUEST, parameters=default_parameters(), memory=memory)
    scored = set(asked)
    del asked[:]
    matrix = provenance.audit(
        **REQUEST, parameters=default_parameters(detector="nli-matrix"), memory=memory
    )
    assert not scored & set(asked)
    np.testing.assert_allclose(
        matrix.evidence.sentence_scores.entailment,
        paper.evidence.sentence_scores.entailment,
    )
