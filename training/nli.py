"""Train the NLI model: ``python -m training.nli`` (see training/README.md)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import torch

from training.contamination import check
from training.loop import Settings, train
from training.nli_data import SEED, build

LABELS = {"entailment": 0, "neutral": 1, "contradiction": 2, "supported": 3, "not_supported": 4}


def nli_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean of -log P(label); a binary row takes P(entailment) against the sum of the others."""
    logs = torch.log_softmax(logits, dim=-1)
    against = torch.logsumexp(logs[:, 1:], dim=-1, keepdim=True)
    table = torch.cat([logs, logs[:, :1], against], dim=-1)
    return -table.gather(1, labels[:, None]).mean()


def main() -> None:
    """Build the data, check it, train (or go on)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    source = arguments.runs / "nli_train.jsonl"
    if not source.exists():
        build(arguments.data, arguments.runs)
    if check(arguments.runs, arguments.data):
        sys.exit("Training pairs occur in an evaluation set: not training.")
    with source.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    train(
        [(row["premise"], row["hypothesis"]) for row in rows],
        [LABELS[row["label"]] for row in rows],
        3,
        nli_loss,
        Settings(arguments.runs / "nli", arguments.steps, 1e-4, 2048, 256, arguments.threads, SEED),
    )


if __name__ == "__main__":
    main()
