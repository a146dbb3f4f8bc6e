"""How many chunks TopK should select: ``python -m training.selected_chunks``.

Reads ``training/runs/support_rows_second.jsonl`` (:mod:`training.second_rows`) and scores each row
of dev anew with the shipped maps of the cascade, for several numbers of selected chunks. The maps
are fitted on these rows, over all of their chunks: the differences say what selection takes away.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from provenance_core import assemble, default_parameters
from provenance_core.audit.serialization import audit_from_plain
from provenance_core.models.onnx_models.cross_encoder import read_manifest
from provenance_core.scoring.features import measured_support
from provenance_core.types import Evidence, SupportMap
from training.support_map import DEV

SELECTED = (3, 5, 7, 8, 10, 12, 1000)
MODEL = Path("provenance_core/models/nli_large")


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A row of a set by one number of selected chunks. ``misses``: sentences that only a chunk
    that was not selected supports."""

    dataset: str
    label: int
    score: float
    misses: int


def read_again(evidence: Evidence, support: SupportMap) -> Evidence:
    """The evidence with the support that ``support`` makes of both readings."""
    if evidence.second is None:
        raise ValueError("The row has no second reading: run training.second_rows first.")
    second = replace(evidence.second, support=support)
    plain = replace(evidence, second=second, support=())
    return replace(plain, support=measured_support(plain))


def scored(path: Path, support: SupportMap) -> list[list[ScoredRow]]:
    """The rows of dev, for each number of :data:`SELECTED`."""
    parameters = default_parameters("cascade")
    found: list[list[ScoredRow]] = [[] for _ in SELECTED]
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            raw = json.loads(line)
            if "audit" not in raw or not raw["dataset"].startswith(DEV):
                continue
            evidence = read_again(audit_from_plain(raw["audit"]).evidence, support)
            for rows, count in zip(found, SELECTED, strict=True):
                audit = assemble(evidence, replace(parameters, top_k=count))
                misses = sum(bool(traced.selection_miss) for traced in audit.sentences)
                rows.append(ScoredRow(raw["dataset"], raw["label"], audit.score, misses))
    return found


def figures(rows: Sequence[ScoredRow]) -> str:
    """Mean AUC of the sets, balanced accuracy at 0.5, and the misses of selection."""
    labels = np.array([row.label for row in rows])
    scores = np.array([row.score for row in rows])
    sets = np.array([row.dataset for row in rows])
    areas = [roc_auc_score(labels[sets == each], scores[sets == each]) for each in set(sets)]
    right = balanced_accuracy_score(labels, scores >= 0.5)
    misses = sum(row.misses for row in rows)
    return f"AUC {100 * np.mean(areas):.1f} balanced accuracy {100 * right:.1f} misses {misses}"


def main() -> None:
    """Print the figures of each number of selected chunks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    arguments = parser.parse_args()
    support = read_manifest(MODEL).second_support
    if support is None:
        raise SystemExit(f"{MODEL}/manifest.json has no support map of a second reading")
    for count, rows in zip(
        SELECTED, scored(arguments.runs / "support_rows_second.jsonl", support), strict=True
    ):
        print(f"{count:5} selected, {len(rows)} rows of dev: {figures(rows)}")


if __name__ == "__main__":
    main()
