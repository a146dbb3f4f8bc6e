"""Trains the NLI model: ``python -m training.nli`` (see training/README.md)."""

from __future__ import annotations

import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from training import nli_data, nli_second, nli_third
from training.command import Prepared, prepare
from training.loop import Settings, train
from training.nli_data import SEED
from training.span_head import FILE as SPAN_HEAD

LABELS = {"entailment": 0, "neutral": 1, "contradiction": 2, "supported": 3, "not_supported": 4}

# Weight of the second stage in the average.
SECOND_SHARE = 0.75


def nli_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean of -log P(label); a binary row takes P(entailment) against the sum of the others."""
    logs = torch.log_softmax(logits, dim=-1)
    against = torch.logsumexp(logs[:, 1:], dim=-1, keepdim=True)
    table = torch.cat([logs, logs[:, :1], against], dim=-1)
    return -table.gather(1, labels[:, None]).mean()


def stage(given: Prepared, name: str, steps: int, rate: float, start: Path | None) -> Path:
    """Train one stage, unless its result is there; the result's folder."""
    run = given.runs / name
    if (run / "final").exists():
        return run / "final"
    pairs = given.rows(f"{name}_train.jsonl")
    return train(
        [(row["premise"], row["hypothesis"]) for row in pairs],
        [LABELS[row["label"]] for row in pairs],
        3,
        nli_loss,
        Settings(run, steps, rate, 2048, 256, given.threads, SEED),
        start,
    )


def average(first: Path, second: Path, run: Path, share: float = SECOND_SHARE) -> Path:
    """The weights of two stages averaged (a model soup), ``share`` of the second; the result's
    folder, float32.

    Fine-tuning further moves weights along one valley, so that points between two stages work;
    the default share was chosen on held-out training rows (EXPERIMENTS.md).
    """
    folder = run / "final"
    folder.mkdir(parents=True, exist_ok=True)
    a, b = (load_file(stage / "model.safetensors") for stage in (first, second))
    mixed = {name: torch.lerp(a[name], b[name], share) for name in b}
    save_file(mixed, folder / "model.safetensors", metadata={"format": "pt"})
    # A span head belongs to the weights that it was fitted on.
    (folder / SPAN_HEAD).unlink(missing_ok=True)
    shutil.copy(second / "config.json", folder)
    return folder


def main() -> None:
    """Builds the data, checks it, trains all stages or goes on, and averages the last two."""
    given = prepare(
        __doc__,
        {
            "nli_train.jsonl": nli_data.build,
            "nli_second_train.jsonl": nli_second.build,
            "nli_third_train.jsonl": nli_third.build,
        },
    )
    first = stage(given, "nli", 5000, 1e-4, None)
    second = stage(given, "nli_second", 4500, 8e-5, first)
    third = stage(given, "nli_third", given.steps or 1900, 7e-5, second)
    print(average(second, third, given.runs / "nli_average"))


if __name__ == "__main__":
    main()
