"""Train the NLI model: ``python -m training.nli`` (see training/README.md)."""

from __future__ import annotations

import torch

from training.command import prepare
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
    given = prepare("nli", __doc__, 5000, build)
    train(
        [(row["premise"], row["hypothesis"]) for row in given.rows],
        [LABELS[row["label"]] for row in given.rows],
        3,
        nli_loss,
        Settings(given.run, given.steps, 1e-4, 2048, 256, given.threads, SEED),
    )


if __name__ == "__main__":
    main()
