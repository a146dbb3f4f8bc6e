"""Trains the NLI model: ``python -m training.nli`` (see training/README.md)."""

from __future__ import annotations

import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from training import nli_data, nli_later
from training.command import SEED, options, read
from training.contamination import stop_on_hits
from training.loop import LABELS, Settings, nli_loss, train
from training.span_head import FILE as SPAN_HEAD

# The built files, in the order in which they need each other.
BUILDS = {
    "nli_train.jsonl": nli_data.build,
    "nli_second_train.jsonl": nli_later.build_second,
    "nli_third_train.jsonl": nli_later.build_third,
}
# Steps and learning rate of each stage; each begins with the weights of the one before.
STAGES = {"nli": (5000, 1e-4), "nli_second": (4500, 8e-5), "nli_third": (1900, 7e-5)}

# Weight of the second stage in the average.
SECOND_SHARE = 0.75


def average(first: Path, second: Path, run: Path, share: float = SECOND_SHARE) -> Path:
    """The weights of two stages averaged (a model soup), ``share`` of the second; the result's
    folder, float32. Fine-tuning further moves weights along one valley, so that points between two
    stages work; the default share was chosen on held-out training rows (EXPERIMENTS.md)."""
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
    parser = options(__doc__, "data", "runs", "threads")
    parser.add_argument("--steps", type=int, help="of the last stage (default: as shipped)")
    arguments = parser.parse_args()
    runs: Path = arguments.runs
    for file, build in BUILDS.items():
        if not (runs / file).exists():
            build(arguments.data, runs)
    stop_on_hits(runs, arguments.data)
    start: Path | None = None
    for name, (steps, rate) in STAGES.items():
        run = runs / name
        if not (run / "final").exists():
            pairs = read(runs / f"{name}_train.jsonl")
            if name == [*STAGES][-1]:
                steps = arguments.steps or steps
            train(
                [(row["premise"], row["hypothesis"]) for row in pairs],
                [LABELS[row["label"]] for row in pairs],
                3,
                nli_loss,
                Settings(run, steps, rate, 2048, 256, arguments.threads, SEED),
                start,
            )
        start = run / "final"
    second, third = (runs / name / "final" for name in [*STAGES][1:])
    print(average(second, third, runs / "nli_average"))


if __name__ == "__main__":
    main()
