"""Scores that a model's own description publishes for known pairs.

They are checked when the weights are first loaded: a checkpoint that is read wrongly can still give
numbers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType

from provenance_core.errors import ModelError
from provenance_core.models.nli_classes import nli_probabilities
from provenance_core.models.protocol import PairScorer

RESULT_FILE = "golden_scores.json"
# Descriptions give four digits; the rest allows for other processors.
TOLERANCE = 1e-3


@dataclass(frozen=True, slots=True)
class GoldenScore:
    """P(entailment) of a pair, as published."""

    premise: str
    hypothesis: str
    score: float


_HHEM_2_1 = (
    GoldenScore("The capital of France is Berlin.", "The capital of France is Paris.", 0.0111),
    GoldenScore("I am in California", "I am in United States.", 0.6474),
    GoldenScore("I am in United States", "I am in California.", 0.1290),
    GoldenScore(
        "A person on a horse jumps over a broken down airplane.",
        "A person is outdoors, on a horse.",
        0.8969,
    ),
    GoldenScore(
        "A boy is jumping on skateboard in the middle of a red bridge.",
        "The boy skates down the sidewalk on a red bridge",
        0.1846,
    ),
    GoldenScore(
        "A man with blond-hair, and a brown shirt drinking out of a public water fountain.",
        "A blond man wearing a brown shirt is reading a book.",
        0.0050,
    ),
    GoldenScore("Mark Wahlberg was a fan of Manny.", "Manny was a fan of Mark Wahlberg.", 0.0543),
)
# By model id and how its folder is read.
GOLDEN_SCORES: Mapping[tuple[str, str], tuple[GoldenScore, ...]] = MappingProxyType(
    {("vectara/hallucination_evaluation_model", "hhem-2"): _HHEM_2_1}
)


def check_golden_scores(scorer: PairScorer, golden: Sequence[GoldenScore], folder: Path) -> None:
    """Compare a model's scores with those that its description publishes. The result is kept, so
    that weights and libraries that passed before are not scored again. Raises ModelError where a
    score differs by more than ``TOLERANCE``; the message has the figures."""
    wanted = {
        "sha256": scorer.info.sha256,
        "torch": version("torch"),
        "transformers": version("transformers"),
        "expected": [each.score for each in golden],
    }
    path = folder / RESULT_FILE
    with suppress(OSError, ValueError):
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept.get("passed") is True and wanted.items() <= kept.items():
            return
    logits = scorer.predict([(each.premise, each.hypothesis) for each in golden])
    found = [round(float(row[0]), 6) for row in nli_probabilities(logits, scorer.labels)]
    largest = max(abs(a - each.score) for a, each in zip(found, golden, strict=True))
    passed = largest <= TOLERANCE
    # Without a kept result, the next load checks again.
    with suppress(OSError):
        path.write_text(
            json.dumps({**wanted, "found": found, "passed": passed}, indent=1), encoding="utf-8"
        )
    if not passed:
        raise ModelError(
            f"{scorer.info.model_id} does not give the scores of its description: "
            f"{', '.join(f'{a:.4f} for {b.score:.4f}' for a, b in zip(found, golden, strict=True))}"
            ". Its weights or its tokenizer are not the published ones: remove the model and "
            "get it again."
        )
