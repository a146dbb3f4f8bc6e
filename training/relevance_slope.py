"""The slope of the relevance scores before their softmax: ``python -m training.relevance_slope``.

A relevance model can rank well and be too sure of it; then TopP keeps too few chunks. For each
slope the area under the ROC curve of the default score, and how many chunks TopP keeps, on the
held-out rows of ``training/detector_rows.py`` (written first) with more than one chunk; beside them
TopK and every chunk. ``--write SLOPE`` puts one into the manifest of the relevance model.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from provenance_core import Parameters, Provenance, default_parameters
from provenance_core.audit.assembly import assemble
from provenance_core.files.labelled import read_labelled_file
from provenance_core.models.catalogue.profiles import embedded_folder, get_profile
from provenance_core.statistics.metrics import roc_auc
from provenance_core.text.checked_texts import check_texts
from provenance_core.types import Evidence, SelectionStrategy

SLOPES = (1.5, 1.0, 0.7, 0.5, 0.4, 0.33, 0.25, 0.17, 0.1)


@dataclass(frozen=True, slots=True)
class Measured:
    """A row as measured."""

    label: int
    evidence: Evidence


def line(measured: Sequence[Measured], parameters: Parameters, slope: float, name: str) -> str:
    """The figures of one setting."""
    audits = [
        assemble(
            replace(
                each.evidence,
                relevance_model=replace(each.evidence.relevance_model, calibration_slope=slope),
            ),
            parameters,
        )
        for each in measured
    ]
    area = roc_auc([each.label for each in measured], [audit.score for audit in audits])
    kept = np.mean([sum(source.selected for source in audit.sources) for audit in audits])
    return (
        f"  {name:<14} AUC {'-' if area is None else f'{100 * area:.1f}'}, {kept:.1f} chunks kept"
    )


def main() -> None:
    """Runs the command that the module describes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, default=Path("training/runs/detector_rows"))
    parser.add_argument("--write", type=float, metavar="SLOPE")
    arguments = parser.parse_args()
    if arguments.write is not None:
        path = embedded_folder(get_profile("embedded").relevance) / "manifest.json"
        manifest = json.loads(path.read_text(encoding="utf-8"))
        manifest["calibration"]["slope"] = arguments.write
        path.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
        return
    models = Provenance.load()
    defaults = replace(default_parameters(), selection=SelectionStrategy.TOP_P)
    for path in sorted(arguments.rows.glob("*.jsonl")):
        measured = []
        for row in read_labelled_file(path).rows:
            texts = check_texts(answer=row.answer, context=row.context, query=row.query)
            evidence = models.measure(texts, defaults)
            if len(evidence.chunks) > 1 and row.label is not None:
                measured.append(Measured(row.label, evidence))
        chunks = np.mean([len(each.evidence.chunks) for each in measured])
        print(f"{path.stem}: {len(measured)} rows with {chunks:.1f} chunks")
        for slope in SLOPES:
            print(line(measured, defaults, slope, f"slope {slope}"))
        for k in (3, 5):
            top_k = replace(defaults, selection=SelectionStrategy.TOP_K, top_k=k)
            print(line(measured, top_k, 1.0, f"TopK {k}"))
        print(line(measured, replace(defaults, top_p=1.0), 1.0, "every chunk"), flush=True)


if __name__ == "__main__":
    main()
