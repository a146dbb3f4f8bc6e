"""The scores that a shipped model gives known pairs, kept beside its weights.

An engine that gives other scores on this processor is not used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from provenance_core.errors import ModelError

REFERENCE_FILE = "reference_scores.json"
# Largest difference of a probability. Activations in bfloat16 or 8 bits stay far below it.
TOLERANCE = 0.1
PAIRS = (
    ("The bridge is nearly 8 kilometres long.", "The bridge is about 8 kilometres long."),
    ("Trains and cars cross it every day of the year.", "It carries no railway."),
    ("It was opened on 19 March 1932.", "The mayor is tall."),
)


@dataclass(frozen=True, slots=True)
class ReferenceScores:
    """Logits of ``pairs``, shape (pairs, labels), with float activations."""

    pairs: tuple[tuple[str, str], ...]
    logits: NDArray[np.float64]


def read_reference_scores(folder: Path, sha256: str) -> ReferenceScores | None:
    """Read the reference scores that lie beside a model's weights. The scores; None where there are
    none of these weights. Raises ModelError where the file is damaged."""
    path = folder / REFERENCE_FILE
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        if raw["sha256"] != sha256:
            return None
        pairs = tuple((str(first), str(second)) for first, second in raw["pairs"])
        return ReferenceScores(pairs, np.array(raw["logits"], dtype=np.float64))
    except FileNotFoundError:
        return None
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ModelError(
            f"{path} cannot be read ({error!r}). Restore it from the repository."
        ) from error


def write_reference_scores(folder: Path, sha256: str, logits: NDArray[np.float64]) -> None:
    """Keep the reference scores of a model. ``logits``: of ``PAIRS``, shape (pairs, labels). Raises
    OSError where the file cannot be written."""
    raw = {"sha256": sha256, "pairs": PAIRS, "logits": np.round(logits, 4).tolist()}
    text = json.dumps(raw, indent=1) + "\n"
    (folder / REFERENCE_FILE).write_text(text, encoding="utf-8")


def largest_difference(
    predict: Callable[[Sequence[tuple[str, str]]], NDArray[np.float64]], reference: ReferenceScores
) -> float:
    """Find how far a model's probabilities are from its reference scores. Several logits go through
    a softmax, one through the logistic map. ``predict``: Gives the logits of pairs, shape (pairs,
    labels). The largest difference of a probability, in [0, 1]."""
    found = predict(reference.pairs)
    return float(np.abs(_probabilities(found) - _probabilities(reference.logits)).max())


def _probabilities(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    if logits.shape[1] == 1:
        # One logit counts as two, the second 0.
        logits = np.concatenate([logits, np.zeros_like(logits)], axis=1)
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    found: NDArray[np.float64] = shifted / shifted.sum(axis=1, keepdims=True)
    return found
