"""Golden scores of the shipped weights: what ``golden_scores.json`` holds is what they give.

After a release of new weights, ``python -m tests.models.onnx_models.test_golden_scores`` writes the
file again.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from provenance_core import Provenance
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder

FILE = Path(__file__).with_name("golden_scores.json")
PREMISE = (
    "The Sydney Harbour Bridge was opened on 19 March 1932. It was designed and built by Dorman "
    "Long of Middlesbrough, and it rises 134 metres above the water."
)
PAIRS = {
    "nli": [
        (PREMISE, "The Sydney Harbour Bridge was opened in 1932."),
        (PREMISE, "The Sydney Harbour Bridge was opened in 1952."),
        (PREMISE, "The bridge was not built by Dorman Long."),
        (PREMISE, "Six workers died while it was being built."),
        (PREMISE, "The answer to question Who built the bridge? is Dorman Long of Middlesbrough."),
        (PREMISE, "The answer to question Who built the bridge? is Gustave Eiffel."),
    ],
    "relevance": [
        ("When was the Sydney Harbour Bridge opened?", PREMISE),
        ("When was the Sydney Harbour Bridge opened?", "Sydney has a mild climate."),
        ("How high is the bridge?", PREMISE),
        ("How do cats sleep?", PREMISE),
    ],
}


def scores(model: CrossEncoder) -> list[list[float]]:
    """Logits of a model's pairs, one pair a batch: the rounding depends on the batch."""
    return [model.predict([pair])[0].tolist() for pair in PAIRS[model.info.task]]


@pytest.mark.parametrize("task", sorted(PAIRS))
def test_shipped_weights_give_the_golden_scores(provenance, task):
    model: CrossEncoder = getattr(provenance, task)
    golden = json.loads(FILE.read_text(encoding="utf-8"))[task]
    assert model.info.sha256 == golden["sha256"], "new weights: write golden_scores.json again"
    for found, expected in zip(scores(model), golden["logits"], strict=True):
        assert found == pytest.approx(expected, abs=0.1)


def test_the_models_know_right_from_wrong(provenance):
    nli = [row[0] - max(row[1:]) for row in scores(provenance.nli)]
    assert nli[0] > max(nli[1:4])
    assert nli[4] > nli[5]
    relevance = [row[0] for row in scores(provenance.relevance)]
    assert relevance[0] > relevance[1]
    assert relevance[2] > relevance[3]


if __name__ == "__main__":
    models = Provenance.load()
    FILE.write_text(
        json.dumps(
            {
                model.info.task: {
                    "sha256": model.info.sha256,
                    "logits": [[round(value, 4) for value in row] for row in scores(model)],
                }
                for model in (models.nli, models.relevance)
            },
            indent=1,
        )
        + "\n",
        encoding="utf-8",
    )
