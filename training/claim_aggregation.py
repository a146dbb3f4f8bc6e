"""Measures how the claims of an answer should become its score: ``python -m
training.claim_aggregation``.

Answers are drawn from held-out calibration rows and documents: two to five claims of one set. An
answer is supported if all of its claims are. Prints for each set the ROC AUC of every aggregation,
and its balanced accuracy at the NLI model's threshold.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from pathlib import Path

import numpy as np
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from provenance_core.models.onnx_models.cross_encoder import CrossEncoder
from provenance_core.scoring.aggregation import claim_shares
from provenance_core.types import ClaimAggregation
from training.calibrate import answer_like, document_features
from training.nli_data import SEED

ANSWERS = 1500


def claim_scores(model: CrossEncoder, runs: Path) -> dict[str, tuple[list[float], list[float]]]:
    """Calibrated support of every held-out claim by its best chunk, a set: those that are not
    supported, and those that are."""
    info = model.info
    weights = np.array([info.calibration_slope, info.calibration_coverage])
    found: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for row in answer_like(runs):
        best = (document_features(model, row) @ weights).max() + info.calibration_intercept
        supported = row["label"] in ("supported", "entailment")
        found[row["kind"].split(".")[0]][supported].append(float(1 / (1 + np.exp(-best))))
    return found


def drawn_answers(
    wrong: list[float], right: list[float], rng: random.Random
) -> list[tuple[np.ndarray, bool]]:
    """Scores of the claims of drawn answers, and whether all of them are supported."""
    answers = []
    for _ in range(ANSWERS):
        count = rng.choice((2, 3, 4, 5))
        bad = 0 if rng.random() < 0.5 else rng.choice((1, 1, 1, 2, count))
        scores = rng.choices(wrong, k=bad) + rng.choices(right, k=count - bad)
        answers.append((np.array(scores), bad == 0))
    return answers


def main() -> None:
    """Runs the command that the module describes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("provenance_core/models/nli"))
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    arguments = parser.parse_args()
    model = CrossEncoder.load(arguments.folder)
    threshold = model.manifest.default_threshold
    rng = random.Random(SEED)
    sets = {
        name: drawn_answers(*scores, rng)
        for name, scores in sorted(claim_scores(model, arguments.runs).items())
    }
    print(f"{'aggregation':16}" + "".join(f"{name:>26}" for name in sets))
    for aggregation in ClaimAggregation:
        cells = []
        for answers in sets.values():
            y = [all_supported for _, all_supported in answers]
            scores = [float(claim_shares(s, aggregation) @ s) for s, _ in answers]
            at = balanced_accuracy_score(y, [score >= threshold for score in scores])
            cells.append(f"{100 * roc_auc_score(y, scores):.1f} ({100 * at:.1f})")
        print(f"{aggregation:16}" + "".join(f"{cell:>26}" for cell in cells))


if __name__ == "__main__":
    main()
