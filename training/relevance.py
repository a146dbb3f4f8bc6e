"""Train the relevance model: ``python -m training.relevance`` (see training/README.md)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import torch

from training.contamination import check
from training.loop import Settings, train
from training.nli_data import SEED
from training.relevance_data import build


def relevance_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy of the one logit."""
    return torch.nn.functional.binary_cross_entropy_with_logits(logits[:, 0], labels.float())


def main() -> None:
    """Build the data, check it, train (or go on)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    source = arguments.runs / "relevance_train.jsonl"
    if not source.exists():
        build(arguments.data, arguments.runs)
    if check(arguments.runs, arguments.data):
        sys.exit("Training pairs occur in an evaluation set: not training.")
    with source.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    train(
        [(row["query"], row["passage"]) for row in rows],
        [row["label"] for row in rows],
        1,
        relevance_loss,
        Settings(
            arguments.runs / "relevance", arguments.steps, 1e-4, 1024, 224, arguments.threads, SEED
        ),
    )


if __name__ == "__main__":
    main()
