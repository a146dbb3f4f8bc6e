"""Measure a model folder on our own dev split; calibrate the NLI model there.

``python -m training.calibrate nli`` prints AUC a kind of dev row, fits the logistic map of
entailment and word coverage, and the threshold of best balanced accuracy, on one half of the
calibration rows and held-out documents, chunked as the app does; reports AUC and ECE on the
other, and writes the map into manifest.json, and the threshold where there is no support map.
``python -m training.calibrate relevance`` prints mean average precision beside word overlap and
the base encoder's cosine.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, balanced_accuracy_score, roc_auc_score

from provenance_core import Parameters
from provenance_core.findings.coverage import claim_coverage
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder
from provenance_core.models.onnx_models.relevance_model import RelevanceModel
from provenance_core.statistics.metrics import calibration as calibration_of
from provenance_core.text.chunking import chunk_context
from provenance_core.types import ContextItem
from training.command import MODELS, SEED, Row, options, read
from training.contamination import normal
from training.export import write_manifest
from training.minimal_pairs import SUPPORTING
from training.nli_data import held_out

# Claims written from or for a passage or a document, as answers are, and without an edit of its
# own words. The hypotheses of MNLI and its like are written to be told apart by reasoning over a
# caption or a line of speech, so that shared words say less there than in an answer.
ANSWER_LIKE = (
    "attributionbench.dev",
    "attributionbench.test",
    "factcg_cg2c_doc.train",
    "fever_covidfact.dev",
    "healthver.test",
    "rte.train",
)


def answer_like(runs: Path) -> list[Row]:
    """The held-out rows and documents that the calibration reads. Rows were held out by their
    premise. Some sets pair one claim with two documents that differ in a name alone and have
    opposite labels, so this leaves out every claim of a training row."""
    trained = {
        normal(row["hypothesis"])
        for path in sorted(runs.glob("nli*_train.jsonl"))
        for row in read(path)
    }
    return [
        row
        for row in [*read(runs / "nli_calibration.jsonl"), *read(runs / "nli_documents.jsonl")]
        if row["kind"].removesuffix(" (long)") in ANSWER_LIKE
        and normal(row["hypothesis"]) not in trained
    ]


def scored(model: CrossEncoder, path: Path) -> tuple[list[Row], np.ndarray, np.ndarray]:
    """The rows of ``path`` that fit the window, whether each is supported, and
    logit(P(entailment))."""
    kept = [
        row
        for row in read(path)
        if sum(model.count_tokens([row["premise"], row["hypothesis"]])) <= model.text_budget
    ]
    y = np.array([row["label"] in SUPPORTING for row in kept])
    logits = model.predict([(row["premise"], row["hypothesis"]) for row in kept])
    return kept, y, logits[:, 0] - np.logaddexp(logits[:, 1], logits[:, 2])


def report_dev(model: CrossEncoder, path: Path) -> None:
    """Prints the AUC of P(entailment) for each kind of dev row."""
    kept, y, z = scored(model, path)
    kinds = np.array([row["kind"] for row in kept])
    made = np.isin(kinds, ["copy", "swap", "number", "negated", "removed", "foreign"])
    parts = [(kind, kinds == kind) for kind in sorted(set(kinds))]
    parts += [
        ("synthetic, plain", made),
        ("synthetic, claim prompt", np.char.startswith(kinds, "prompt")),
        ("all", np.ones(len(y), bool)),
    ]
    print(f"{'dev rows':28} {'n':>5} {'base':>6} {'AUC':>6}")
    for name, here in parts:
        if not y[here].all() and y[here].any():
            print(
                f"{name:28} {here.sum():5d} {y[here].mean():6.3f} "
                f"{100 * roc_auc_score(y[here], z[here]):6.1f}"
            )


def document_features(model: CrossEncoder, row: Row) -> np.ndarray:
    """The two terms of :func:`calibrated_support` for each chunk, as the app makes them:
    logit(P(entailment)), and word coverage x (1 - P(contradiction)). Shape (N, 2)."""
    parameters = Parameters()
    claim = row["hypothesis"]
    chunks = chunk_context(
        [ContextItem(0, row["premise"])],
        max_tokens=min(parameters.chunk_tokens, model.text_budget - model.count_tokens([claim])[0]),
        overlap_sentences=parameters.overlap_sentences,
        count_tokens=model.count_tokens,
    )
    texts = [chunk.text for chunk in chunks]
    logits = model.predict([(text, claim) for text in texts])
    z = logits[:, 0] - np.logaddexp(logits[:, 1], logits[:, 2])
    against = logits[:, 2] - np.logaddexp(logits[:, 0], logits[:, 1])
    return np.column_stack([z, claim_coverage([claim], texts)[0] / (1 + np.exp(against))])


def best_chunks(features: Sequence[np.ndarray], weights: np.ndarray) -> np.ndarray:
    """The features of each row's best chunk under ``weights``. Shape (rows, 2)."""
    return np.array([chunks[np.argmax(chunks @ weights)] for chunks in features])


def fit_best_chunk(
    features: Sequence[np.ndarray], y: np.ndarray, sample_weight: np.ndarray
) -> LogisticRegression:
    """The logistic map under which each row is read by its best chunk: the map and the choice
    of chunks are fitted in turn until both stand."""
    weights = np.array([1.0, 0.0])
    for _ in range(20):
        chosen = best_chunks(features, weights)
        model = LogisticRegression(C=1e6).fit(chosen, y, sample_weight=sample_weight)
        if np.allclose(model.coef_[0], weights, atol=1e-4):
            break
        weights = model.coef_[0]
    return model


def print_areas(
    candidates: Mapping[str, NDArray[np.float64]],
    kinds: NDArray[np.str_],
    y: NDArray[np.bool_],
    rest: NDArray[np.bool_],
) -> None:
    """A line for each kind of rows and one for all: the area under the ROC curve, in per cent, of
    every candidate score on those of ``rest``."""
    print(f"{'calibration rows':28} {'n':>5} {'base':>6} " + "  ".join(candidates))
    for kind in [*sorted(set(kinds)), "all"]:
        here = rest & ((kinds == kind) | (kind == "all"))
        areas = [100 * roc_auc_score(y[here], values[here]) for values in candidates.values()]
        cells = [f"{a:{len(name)}.1f}" for name, a in zip(candidates, areas, strict=True)]
        print(f"{kind:28} {here.sum():5d} {y[here].mean():6.3f} " + "  ".join(cells))


def best_threshold(
    y: NDArray[np.bool_], p: NDArray[np.float64], weight: NDArray[np.float64]
) -> float:
    """The threshold from 0.05 to 0.95 with the best balanced accuracy of ``p``, the lowest of
    several."""
    grid = np.round(np.arange(0.05, 0.96, 0.01), 2)
    return float(max(grid, key=lambda t: balanced_accuracy_score(y, p >= t, sample_weight=weight)))


def calibrate_nli(folder: Path, runs: Path) -> None:
    """Print the dev table; fit on one half of the calibration rows, report on the other, and
    write slope, intercept and coverage into the manifest."""
    model = CrossEncoder.load(folder)
    report_dev(model, runs / "nli_dev.jsonl")
    found = answer_like(runs)
    features = [document_features(model, row) for row in found]
    y = np.array([row["label"] in SUPPORTING for row in found])
    kinds = np.array([row["kind"] for row in found])
    # Every set has the same weight, whatever its size.
    weight = np.array([1 / (kinds == kind).sum() for kind in kinds])
    # Halves by premise, so that no passage is in both.
    half = np.array([held_out(f"half {row['premise']}", 2) for row in found])
    rest = ~half
    fitted = fit_best_chunk(
        [features[i] for i in np.flatnonzero(half)], y[half], weight[half] * half.sum()
    )
    decision = fitted.decision_function(best_chunks(features, fitted.coef_[0]))
    candidates = {
        "entailment": np.array([chunks[:, 0].max() for chunks in features]),
        "word coverage": np.array([chunks[:, 1].max() for chunks in features]),
        "both": decision,
    }
    print_areas(candidates, kinds, y, rest)
    p = 1 / (1 + np.exp(-decision))
    threshold = best_threshold(y[half], p[half], weight[half])
    raw = 1 / (1 + np.exp(-candidates["entailment"]))
    slope, share = (float(value) for value in fitted.coef_[0])
    intercept = float(fitted.intercept_[0])
    fits = (calibration_of(y[rest].tolist(), values[rest].tolist()) for values in (raw, p))
    before, after = (fit.ece for fit in fits if fit is not None)
    print(
        f"slope {slope:.4f}, coverage {share:.4f}, intercept {intercept:.4f}; ECE on the other "
        f"half {before:.3f} -> {after:.3f}"
    )
    print(
        f"threshold {threshold}: balanced accuracy on the other half "
        f"{100 * balanced_accuracy_score(y[rest], p[rest] >= threshold):.1f}"
    )
    calibration = {
        "slope": slope,
        "intercept": intercept,
        "coverage": share,
        "n": int(half.sum()),
        "fitted_on": "half of the answer-like calibration rows and documents (training.calibrate)",
    }
    write_manifest(folder, "nli", calibration, threshold)


def _fitting(model: CrossEncoder, query: str, passage: str) -> str:
    """``passage`` less as many words of its end as do not fit the window beside ``query``."""
    while sum(model.count_tokens([query, passage])) > model.text_budget:
        words = passage.split()
        passage = " ".join(words[: len(words) * 9 // 10])
    return passage


def ranked_queries(rows: Sequence[Row], most: int | None) -> list[list[Row]]:
    """The rows of each query that has a relevant and another passage; ``most`` queries of a
    seeded shuffle, or all."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["query"]].append(row)
    usable = [g for g in groups.values() if 0 < sum(row["label"] for row in g) < len(g)]
    if most is not None:
        random.Random(SEED).shuffle(usable)
    return usable[:most]


def report_relevance(folder: Path, file: Path, most: int | None) -> None:
    """Print mean average precision by query of the model and of two baselines."""
    from sentence_transformers import SentenceTransformer

    from training.loop import base_folder

    model = RelevanceModel.load(folder)
    groups = ranked_queries(read(file), most)
    rows = [row for group in groups for row in group]
    fitting = [_fitting(model, row["query"], row["passage"]) for row in rows]
    cut = sum(row["passage"] != passage for row, passage in zip(rows, fitting, strict=True))
    if cut:
        # This report alone cuts texts; the app makes chunks.
        print(f"{cut} of {len(rows)} passages are longer than the window: cut at the end")
    scores = model.predict([(r["query"], p) for r, p in zip(rows, fitting, strict=True)])[:, 0]
    base = SentenceTransformer(str(base_folder()), device="cpu")
    texts = sorted({*(r["query"] for r in rows), *fitting})
    vectors = dict(zip(texts, base.encode(texts, normalize_embeddings=True), strict=True))
    queries = np.array([vectors[r["query"]] for r in rows])
    passages = np.array([vectors[passage] for passage in fitting])
    words = [
        (set(normal(r["query"]).split()), set(normal(p).split()))
        for r, p in zip(rows, fitting, strict=True)
    ]
    overlap = [len(q & p) / max(1, len(q)) for q, p in words]
    ends = np.cumsum([len(group) for group in groups])
    for name, values in (
        ("word overlap", np.array(overlap)),
        ("base cosine", (queries * passages).sum(1)),
        ("relevance model", scores),
    ):
        precisions = [
            average_precision_score([row["label"] for row in group], part)
            for group, part in zip(groups, np.split(values, ends[:-1]), strict=True)
        ]
        mean = 100 * np.mean(precisions)
        print(f"{file.name:34} {name:16} queries {len(groups):5d}  MAP {mean:5.1f}", flush=True)


def main() -> None:
    """Runs the command that the module describes."""
    parser = options(__doc__, "runs")
    parser.add_argument("task", choices=("nli", "relevance"))
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--file", type=Path, action="append", help="relevance: other files")
    parser.add_argument("--queries", type=int, help="relevance: so many of a file's queries")
    arguments = parser.parse_args()
    folder = arguments.folder or MODELS / arguments.task
    if arguments.task == "nli":
        calibrate_nli(folder, arguments.runs)
    else:
        for file in arguments.file or [arguments.runs / "relevance_dev.jsonl"]:
            report_relevance(folder, file, arguments.queries)


if __name__ == "__main__":
    main()
