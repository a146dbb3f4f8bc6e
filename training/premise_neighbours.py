"""How much a model loses when other sentences stand beside a premise: ``python -m
training.premise_neighbours --model FOLDER``.

Prints the AUC of P(entailment) on calibration rows, which no model saw, with each premise alone and
among other sentences (:func:`training.nli_fifth.among_others`), as it stands in a chunk.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from provenance_core.models.nli_classes import nli_probabilities
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder
from training.calibrate import read
from training.data_folder import add_data_option
from training.detector_rows import supported
from training.minimal_pairs import Pair
from training.nli_data import SEED
from training.nli_fifth import among_others, passage_sentences

SETS = ("mnli_olora.dev", "lingnli.dev", "fever_covidfact.dev", "rte.train")


def entailment_auc(model: CrossEncoder, pairs: Sequence[Pair], wanted: Sequence[int]) -> float:
    """ROC AUC of P(entailment), in percent. ``wanted``: 1 where the premise supports the claim."""
    logits = model.predict([(pair.premise, pair.hypothesis) for pair in pairs])
    return 100 * float(roc_auc_score(wanted, nli_probabilities(logits, model.labels)[:, 0]))


def main() -> None:
    """Print a line for each set and their mean."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    parser.add_argument("--model", type=Path, default=Path("provenance_core/models/nli_large"))
    parser.add_argument("--most", type=int, default=450, help="rows of each set (%(default)s)")
    arguments = parser.parse_args()
    rng = random.Random(SEED + 6)
    passages = passage_sentences(arguments.data, rng)
    model = CrossEncoder.load(arguments.model)
    rows = read(arguments.runs / "nli_calibration.jsonl")
    found = []
    for name in SETS:
        of_set = [row for row in rows if row["kind"] == name][: arguments.most]
        alone = [
            Pair(row["premise"], row["hypothesis"], row["label"], name, row["premise"])
            for row in of_set
        ]
        premises = [pair.premise for pair in alone]
        among = [among_others(pair, premises, passages, rng) for pair in alone]
        wanted = [supported(row) for row in of_set]
        auc = [entailment_auc(model, pairs, wanted) for pairs in (alone, among)]
        found.append(auc)
        print(f"{name}: {len(of_set)} rows, alone {auc[0]:.1f}, among others {auc[1]:.1f}")
    mean = np.mean(found, axis=0)
    print(f"mean of the sets: alone {mean[0]:.1f}, among others {mean[1]:.1f}")


if __name__ == "__main__":
    main()
