"""What teaching the 22M NLI model brought: ``python -m training.distil_figures``.

Prints, for the shipped weights, for those that :mod:`training.distil` made of them, and for their
mean in equal parts, the AUC of P(entailment) on held-out rows of training sets: the dev rows, the
calibration rows and the documents (the best of their chunks), by kind of row. Beside the last two
stands the 95 % bootstrap interval of the difference from the first, drawn by premise. All three
read in float32. Writes the mean to ``runs/distil_average/final``.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from tokenizers import Tokenizer
from transformers import BertForSequenceClassification

from provenance_core.models.onnx_models.cross_encoder import CrossEncoder
from provenance_core.statistics.bootstrap import interval_of, resampled_areas
from training.calibrate import read
from training.distil import cut
from training.loop import collate
from training.nli import average

DOCUMENTS = "nli_documents"
FILES = ("nli_dev", "nli_calibration", DOCUMENTS)
LEAST_ROWS = 100  # of a kind that gets a line of its own
MAX_LENGTH = 256
_AT_ONCE = 64
_MODELS = Path("provenance_core/models")


def entailment(folder: Path, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
    """logit(P(entailment)) of each pair (premise, hypothesis) by the checkpoint ``folder``.

    The premise of a pair of more than ``MAX_LENGTH`` tokens loses its end, as in training.
    """
    tokenizer = Tokenizer.from_file(str(_MODELS / "nli" / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_LENGTH, strategy="only_first")
    tokenizer.no_padding()
    model = BertForSequenceClassification.from_pretrained(folder).eval()
    encoded = tokenizer.encode_batch(list(pairs))
    order = sorted(range(len(pairs)), key=lambda place: len(encoded[place].ids))
    found = np.empty(len(pairs))
    for first in range(0, len(order), _AT_ONCE):
        places = order[first : first + _AT_ONCE]
        with torch.inference_mode():
            logits = model(**collate([encoded[place] for place in places])).logits
        against = torch.logsumexp(logits[:, 1:], dim=-1)
        found[places] = (logits[:, 0] - against).double().numpy()
    return found


def best_of_chunks(folder: Path, rows: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
    """:func:`entailment` of each row (document, claim) by the chunk that has most."""
    count = CrossEncoder.load(_MODELS / "nli").count_tokens
    chunks = [cut(document, count) for document, _ in rows]
    pairs = [
        (chunk, claim) for found, (_, claim) in zip(chunks, rows, strict=True) for chunk in found
    ]
    firsts = np.cumsum([0, *map(len, chunks[:-1])])
    return np.maximum.reduceat(entailment(folder, pairs), firsts)


def line(
    name: str,
    labels: NDArray[np.bool_],
    premises: Sequence[str],
    scores: Mapping[str, NDArray[np.float64]],
) -> str:
    """Rows, base rate, and the AUC of each of ``scores`` in per cent; from the second on with the
    interval of its difference from the first. ``labels``, ``premises`` and scores: (rows,)."""
    cells: list[str] = []
    first: NDArray[np.float64] | None = None
    for values in scores.values():
        cell = f"{100 * roc_auc_score(labels, values):5.1f}"
        drawn = resampled_areas(labels.astype(int).tolist(), values.tolist(), premises)
        if first is None:
            first = drawn
        else:
            interval = interval_of(100 * (drawn - first))
            cell += f" ({interval.low:+.1f} to {interval.high:+.1f})" if interval else " (-)"
        cells.append(cell)
    return f"{name:36} {len(labels):5d} {labels.mean():6.3f}  " + "  ".join(cells)


def main() -> None:
    """Averages the weights and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    runs: Path = parser.parse_args().runs
    start, taught = runs / "distil" / "start", runs / "distil" / "final"
    folders = {
        "shipped": start,
        "taught": taught,
        "their mean": average(start, taught, runs / "distil_average", 0.5),
    }
    print(f"{'held-out rows':36} {'n':>5} {'base':>6}  " + "  ".join(folders))
    for file in FILES:
        rows = read(runs / f"{file}.jsonl")
        pairs = [(row["premise"], row["hypothesis"]) for row in rows]
        labels = np.array([row["label"] in ("supported", "entailment") for row in rows])
        kinds = np.array([row["kind"] for row in rows])
        measure = best_of_chunks if file == DOCUMENTS else entailment
        scores = {name: measure(folder, pairs) for name, folder in folders.items()}
        for kind in (None, *sorted(set(kinds))):
            here = np.ones(len(rows), bool) if kind is None else kinds == kind
            if kind is not None and (here.sum() < LEAST_ROWS or not 0 < labels[here].mean() < 1):
                continue
            premises = [row["premise"] for row, kept in zip(rows, here, strict=True) if kept]
            parts = {name: values[here] for name, values in scores.items()}
            print(line(f"{file}: {kind or 'all'}", labels[here], premises, parts), flush=True)


if __name__ == "__main__":
    main()
