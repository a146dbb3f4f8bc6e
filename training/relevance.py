"""Train the relevance model: ``python -m training.relevance`` (see training/README.md)."""

from __future__ import annotations

import torch

from training.command import prepare
from training.loop import Settings, train
from training.nli_data import SEED
from training.relevance_data import build


def relevance_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy of the one logit."""
    return torch.nn.functional.binary_cross_entropy_with_logits(logits[:, 0], labels.float())


def main() -> None:
    """Build the data, check it, train (or go on)."""
    given = prepare(__doc__, {"relevance_train.jsonl": build})
    pairs = given.rows("relevance_train.jsonl")
    train(
        [(row["query"], row["passage"]) for row in pairs],
        [row["label"] for row in pairs],
        1,
        relevance_loss,
        Settings(
            given.runs / "relevance", given.steps or 800, 1e-4, 1024, 224, given.threads, SEED
        ),
    )


if __name__ == "__main__":
    main()
