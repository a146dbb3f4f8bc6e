"""Train the relevance model: ``python -m training.relevance`` (see training/README.md)."""

from __future__ import annotations

import math

import torch

from training import relevance_data, relevance_second
from training.command import prepare
from training.loop import Settings, train
from training.nli_data import SEED

# Of the base encoder's opinion in a second-stage target, and the map from its cosine to one.
TEACHER_SHARE = 0.25
TEACHER_SLOPE, TEACHER_MIDDLE = 10.0, 0.45


def relevance_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy of the one logit against targets in [0, 1]."""
    return torch.nn.functional.binary_cross_entropy_with_logits(logits[:, 0], targets.float())


def softened(row: dict) -> float:
    """The label, moved towards what the base encoder's cosine says."""
    opinion = 1 / (1 + math.exp(-TEACHER_SLOPE * (row["cosine"] - TEACHER_MIDDLE)))
    return (1 - TEACHER_SHARE) * row["label"] + TEACHER_SHARE * opinion


def main() -> None:
    """Build the data, check it, train both stages (or go on)."""
    given = prepare(
        __doc__,
        {
            "relevance_train.jsonl": relevance_data.build,
            "relevance_second_train.jsonl": relevance_second.build,
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
    pairs = given.rows("relevance_second_train.jsonl")
    run = given.runs / "relevance_second"
    train(
        [(row["query"], row["passage"]) for row in pairs],
        [softened(row) for row in pairs],
        1,
        relevance_loss,
        Settings(run, given.steps or 1300, 8e-5, 2048, 224, given.threads, SEED),
        first,
    )


if __name__ == "__main__":
    main()
