"""Scores kept for several detectors over the same texts are the models' own."""

from __future__ import annotations

import numpy as np
import pytest

from provenance_core import InputError, default_parameters
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
    remembering = provenance.remembering(PairMemory())
    expected = provenance.entailment(PAIRS)
    del asked[:]
    first = remembering.entailment([PAIRS[0], PAIRS[0]])
    both = remembering.entailment(PAIRS)
    assert asked == PAIRS
    assert first[0] == first[1] == both[0]
    for found, wanted in zip(both, expected, strict=True):
        # Engines round the activations of another batch in other groups.
        assert found.entailment == pytest.approx(wanted.entailment, abs=0.02)


def test_no_pair_and_progress_without_a_call(provenance):
    remembering, shares = provenance.remembering(PairMemory()), []
    assert remembering.entailment([]) == []
    remembering.entailment(PAIRS)
    remembering.entailment(PAIRS[::-1], shares.append)
    assert shares == [1.0]


def test_a_pair_over_the_window_is_still_refused(provenance):
    with pytest.raises(InputError):
        provenance.remembering(PairMemory()).entailment([("word " * 600, "claim")])


def test_two_detectors_share_the_matrix(provenance, asked):
    remembering = provenance.remembering(PairMemory())
    paper = remembering.audit(**REQUEST, parameters=default_parameters())
    scored = set(asked)
    del asked[:]
    matrix = remembering.audit(**REQUEST, parameters=default_parameters(detector="nli-matrix"))
    assert not scored & set(asked)
    np.testing.assert_allclose(
        matrix.evidence.sentence_scores.entailment,
        paper.evidence.sentence_scores.entailment,
    )
