"""Trains the relevance model: ``python -m training.relevance`` (see training/README.md)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from transformers import BertForSequenceClassification, BertModel

from training import relevance_data
from training.command import SEED, Row, options, read
from training.contamination import stop_on_hits
from training.loop import Settings, base_folder, train

BUILDS: dict[str, Callable[[Path, Path], object]] = {
    "relevance_train.jsonl": relevance_data.build,
    "relevance_second_train.jsonl": relevance_data.build_second,
    "relevance_third_train.jsonl": relevance_data.build_third,
}
# Steps, learning rate and tokens of a batch of each stage; each begins with the weights of the one
# before.
STAGES = {
    "relevance": (800, 1e-4, 1024),
    "relevance_second": (1300, 8e-5, 2048),
    "relevance_third": (1000, 8e-5, 2048),
}
LAST = "relevance_fourth"
# Weight of the base encoder's opinion in the later stages' targets, and the map from its cosine.
TEACHER_SHARE = {"second": 0.25, "third": 0.6, "fourth": 0.25}
TEACHER_SLOPE, TEACHER_MIDDLE = 10.0, 0.45
# The fourth stage keeps the base's word embeddings, so that both encoders share one matrix.
SHARED = "bert.embeddings.word_embeddings"


def relevance_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy of the one logit against targets in [0, 1]."""
    return torch.nn.functional.binary_cross_entropy_with_logits(logits[:, 0], targets.float())


def softened(row: Row, share: float) -> float:
    """The label, moved towards what the base encoder's cosine says."""
    opinion = 1 / (1 + math.exp(-TEACHER_SLOPE * (row["cosine"] - TEACHER_MIDDLE)))
    return (1 - share) * row["label"] + share * opinion


def residual_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Of the logit plus the base encoder's opinion; ``targets``: (B, 2), target and cosine."""
    opinion = TEACHER_SLOPE * (targets[:, 1] - TEACHER_MIDDLE)
    return relevance_loss(logits + opinion[:, None], targets[:, 0])


def with_base_words(source: Path, folder: Path) -> Path:
    """The weights in ``source`` with the base's word embeddings, written to ``folder``."""
    model = BertForSequenceClassification.from_pretrained(source, num_labels=1)
    base = BertModel.from_pretrained(base_folder())
    model.get_submodule(SHARED).load_state_dict(base.embeddings.word_embeddings.state_dict())
    model.save_pretrained(folder)
    return folder


def pairs_of(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Query and passage of each row."""
    return [(row["query"], row["passage"]) for row in rows]


def main() -> None:
    """Builds the data, checks it, and trains the stages or goes on."""
    parser = options(__doc__, "data", "runs", "threads")
    parser.add_argument("--steps", type=int, default=1200, help="of the last stage (%(default)s)")
    arguments = parser.parse_args()
    runs: Path = arguments.runs
    for file, build in BUILDS.items():
        if not (runs / file).exists():
            build(arguments.data, runs)
    stop_on_hits(runs, arguments.data)
    start: Path | None = None
    for name, (steps, rate, tokens) in STAGES.items():
        run = runs / name
        if not (run / "final").exists():
            rows = read(runs / f"{name}_train.jsonl")
            share = TEACHER_SHARE.get(name.removeprefix("relevance_"))
            targets = [row["label"] if share is None else softened(row, share) for row in rows]
            settings = Settings(run, steps, rate, tokens, 224, arguments.threads, SEED)
            train(pairs_of(rows), targets, 1, relevance_loss, settings, start)
        start = run / "final"
    run = runs / LAST
    rows = [row for name in [*STAGES][1:] for row in read(runs / f"{name}_train.jsonl")]
    targets = [(softened(row, TEACHER_SHARE["fourth"]), row["cosine"]) for row in rows]
    settings = Settings(
        run, arguments.steps, 8e-5, 2048, 224, arguments.threads, SEED, frozen=SHARED
    )
    start = with_base_words(start or base_folder(), run / "start")
    train(pairs_of(rows), targets, 1, residual_loss, settings, start)


if __name__ == "__main__":
    main()
