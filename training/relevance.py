"""Train the relevance model: ``python -m training.relevance`` (see training/README.md)."""

from __future__ import annotations

import math
from pathlib import Path

import torch

from training import relevance_data, relevance_second, relevance_third
from training.command import Prepared, prepare
from training.loop import Settings, train
from training.nli_data import SEED

# Of the base encoder's opinion in the later stages' targets, and the map from its cosine to one.
TEACHER_SHARE = {"second": 0.25, "third": 0.6}
TEACHER_SLOPE, TEACHER_MIDDLE = 10.0, 0.45


def relevance_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy of the one logit against targets in [0, 1]."""
    return torch.nn.functional.binary_cross_entropy_with_logits(logits[:, 0], targets.float())


def softened(row: dict, share: float) -> float:
    """The label, moved towards what the base encoder's cosine says."""
    opinion = 1 / (1 + math.exp(-TEACHER_SLOPE * (row["cosine"] - TEACHER_MIDDLE)))
    return (1 - share) * row["label"] + share * opinion


def main() -> None:
    """Build the data, check it, train the stages (or go on)."""
    given = prepare(
        __doc__,
        {
            "relevance_train.jsonl": relevance_data.build,
            "relevance_second_train.jsonl": relevance_second.build,
            "relevance_third_train.jsonl": relevance_third.build,
        },
    )
    first = given.runs / "relevance" / "final"
    if not first.exists():
        pairs = given.rows("relevance_train.jsonl")
        train(
            [(row["query"], row["passage"]) for row in pairs],
            [row["label"] for row in pairs],
            1,
            relevance_loss,
            Settings(first.parent, 800, 1e-4, 1024, 224, given.threads, SEED),
        )
    second = given.runs / "relevance_second" / "final"
    if not second.exists():
        run = Settings(second.parent, 1300, 8e-5, 2048, 224, given.threads, SEED)
        train_softened(given, "second", run, first)
    run = Settings(
        given.runs / "relevance_third", given.steps or 1000, 8e-5, 2048, 224, given.threads, SEED
    )
    train_softened(given, "third", run, second)


def train_softened(given: Prepared, stage: str, settings: Settings, start: Path) -> None:
    """Train a later stage from the weights in ``start``."""
    pairs = given.rows(f"relevance_{stage}_train.jsonl")
    train(
        [(row["query"], row["passage"]) for row in pairs],
        [softened(row, TEACHER_SHARE[stage]) for row in pairs],
        1,
        relevance_loss,
        settings,
        start,
    )


if __name__ == "__main__":
    main()
