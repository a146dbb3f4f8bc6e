"""Trains the relevance model: ``python -m training.relevance`` (see training/README.md)."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from transformers import BertForSequenceClassification, BertModel

from training import relevance_data, relevance_second, relevance_third
from training.command import Prepared, prepare
from training.loop import Settings, base_folder, train
from training.nli_data import SEED

# Weight of the base encoder's opinion in the later stages' targets, and the map from its cosine.
TEACHER_SHARE = {"second": 0.25, "third": 0.6, "fourth": 0.25}
TEACHER_SLOPE, TEACHER_MIDDLE = 10.0, 0.45
# The fourth stage keeps the base's word embeddings, so that both encoders share one matrix.
SHARED = "bert.embeddings.word_embeddings"


def relevance_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy of the one logit against targets in [0, 1]."""
    return torch.nn.functional.binary_cross_entropy_with_logits(logits[:, 0], targets.float())


def softened(row: dict, share: float) -> float:
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


def main() -> None:
    """Builds the data, checks it, and trains the stages or goes on."""
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
    third = given.runs / "relevance_third" / "final"
    if not third.exists():
        run = Settings(third.parent, 1000, 8e-5, 2048, 224, given.threads, SEED)
        train_softened(given, "third", run, second)
    fourth = given.runs / "relevance_fourth"
    pairs = [row for stage in ("second", "third") for row in given.rows(relevance_file(stage))]
    run = Settings(fourth, given.steps or 1200, 8e-5, 2048, 224, given.threads, SEED, frozen=SHARED)
    train(
        [(row["query"], row["passage"]) for row in pairs],
        [(softened(row, TEACHER_SHARE["fourth"]), row["cosine"]) for row in pairs],
        1,
        residual_loss,
        run,
        with_base_words(third, fourth / "start"),
    )


def relevance_file(stage: str) -> str:
    """Name of a stage's training file."""
    return f"relevance_{stage}_train.jsonl"


def train_softened(given: Prepared, stage: str, settings: Settings, start: Path) -> None:
    """Train a later stage from the weights in ``start``."""
    pairs = given.rows(relevance_file(stage))
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
