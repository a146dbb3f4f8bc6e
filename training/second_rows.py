"""Reads the rows of the support map a second time: ``python -m training.second_rows``.

Reads ``training/runs/support_rows.jsonl`` and writes ``support_rows_second.jsonl`` with what the
large model says of the pairs that the cascade asks it. A second call goes on where the first
stopped.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from provenance_core.audit.serialization import audit_from_plain, audit_to_plain
from provenance_core.detectors._second_reading import read_again
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder, read_manifest
from provenance_core.scoring.features import measured_support
from provenance_core.types import NO_SUPPORT, SupportMap

MODELS = Path("provenance_core/models")


def main() -> None:
    """Read the rows that are not read yet, at most ``--most``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    parser.add_argument("--model", type=Path, default=MODELS / "nli_large")
    parser.add_argument("--most", type=int, default=10_000)
    arguments = parser.parse_args()
    first = read_manifest(MODELS / "nli").info.support
    model = CrossEncoder.load(arguments.model)
    path = arguments.runs / "support_rows_second.jsonl"
    done = again = first_pairs = 0
    if path.exists():
        with path.open(encoding="utf-8") as lines:
            done = sum(1 for _ in lines)
    with (
        (arguments.runs / "support_rows.jsonl").open(encoding="utf-8") as lines,
        path.open("a", encoding="utf-8") as out,
    ):
        for at, line in enumerate(lines):
            if at < done or at >= arguments.most:
                continue
            row = json.loads(line)
            if "audit" in row:
                audit = audit_from_plain(row["audit"])
                nli = replace(audit.evidence.nli_model, support=first)
                evidence = replace(audit.evidence, nli_model=nli)
                evidence = replace(evidence, support=measured_support(evidence))
                second = read_again(evidence, model, SupportMap(0.0, ()), lambda done: None)
                evidence = replace(evidence, second=second, support=NO_SUPPORT)
                row["audit"] = audit_to_plain(replace(audit, evidence=evidence))
                again += int(second.scores.read.sum()) + len(second.sentences)
                first_pairs += evidence.sentence_scores.entailment.size
                first_pairs += len(evidence.evidence_sentences)
            out.write(json.dumps(row) + "\n")
            out.flush()
            if at % 100 == 0:
                print(at, flush=True)
    print(f"{again} of {first_pairs} pairs read again")


if __name__ == "__main__":
    main()
