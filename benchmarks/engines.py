"""Both NLI models on every engine, from the same file: ``python -m benchmarks.engines``.

Prints tokens a second of the processor's time and how far the logits are from those with float
activations, over pairs made of the hand-made cases. ``--dev DATA/dev`` audits answers of the
development sets by the cascade with both kinds of activations instead, and prints the AUC of each
and how far the scores are apart. ``--write`` keeps the reference scores of every embedded model
beside its weights: run it when weights were exchanged.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from provenance_core import InputError, Provenance
from provenance_core.models.catalogue.profiles import (
    EMBEDDED_NLI,
    EMBEDDED_NLI_LARGE,
    EMBEDDED_RELEVANCE,
    PublicModel,
    embedded_folder,
)
from provenance_core.models.onnx_models.cross_encoder import MODEL_FILE, CrossEncoder
from provenance_core.models.onnx_models.engines import OnnxRuntimeEngine, OpenVinoEngine
from provenance_core.models.onnx_models.reference_scores import PAIRS as REFERENCE_PAIRS
from provenance_core.models.onnx_models.reference_scores import (
    REFERENCE_FILE,
    write_reference_scores,
)
from provenance_core.models.onnx_models.relevance_model import RelevanceModel
from provenance_core.models.protocol import PairScorer

CASES = Path(__file__).parent / "verdict_cases"
PAIRS = 96


@dataclass(frozen=True, slots=True)
class ScoredTwice:
    """An answer's label, and its score with float activations and as the models ship, in [0, 1]."""

    label: int
    by_floats: float
    shipped: float


def case_pairs() -> list[tuple[str, str]]:
    """Context and answer of the first cases of every family."""
    found = []
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines()[:6]:
            case = json.loads(line)
            found.append((" ".join(case["context"]), case["answer"]))
    return found[:PAIRS]


def write_references() -> None:
    """The reference scores of the embedded models, with float activations where there is a
    choice."""
    for model in (EMBEDDED_RELEVANCE, EMBEDDED_NLI, EMBEDDED_NLI_LARGE):
        folder = embedded_folder(model)
        kind = RelevanceModel if model is EMBEDDED_RELEVANCE else CrossEncoder
        # Whatever was kept before is not to stop the loading.
        (folder / REFERENCE_FILE).unlink(missing_ok=True)
        loaded = kind.load(folder)
        if len(loaded.manifest.engines) > 1:
            loaded = loaded.on(OnnxRuntimeEngine(str(folder / MODEL_FILE), exact=True))
        write_reference_scores(folder, loaded.info.sha256, loaded.predict(REFERENCE_PAIRS))


def compare_engines() -> None:
    """The engines of both NLI models."""
    for model in (EMBEDDED_NLI, EMBEDDED_NLI_LARGE):
        compare_engines_of(embedded_folder(model))


def compare_engines_of(folder: Path) -> None:
    """One line an engine of the model in ``folder``."""
    shipped = CrossEncoder.load(folder)
    room = shipped.info.max_length
    lengths = shipped.pair_tokens(case_pairs())
    pairs = [pair for pair, size in zip(case_pairs(), lengths, strict=True) if size <= room]
    tokens = sum(shipped.pair_tokens(pairs))
    print(f"{shipped.info.model_id}, {len(pairs)} pairs, {tokens:,} tokens")
    reference: np.ndarray | None = None
    kinds: tuple[type[OnnxRuntimeEngine | OpenVinoEngine], ...] = (
        OnnxRuntimeEngine,
        OpenVinoEngine,
    )
    for exact in (True, False):
        for kind in kinds:
            engine = kind(str(folder / MODEL_FILE), exact=exact)
            model = shipped.on(engine)
            model.predict(pairs[:8])
            started = time.process_time()
            logits = model.predict(pairs)
            spent = time.process_time() - started
            reference = logits if reference is None else reference
            difference = np.abs(logits - reference)
            kept = "float" if exact else "8-bit groups"
            print(
                f"{engine.name:<12} {engine.precision or 'float32':<9} activations: {kept:<12} "
                f"{tokens / spent:6.0f} tokens a second and core, logits differ by "
                f"{difference.mean():.4f} on average, {difference.max():.3f} at most"
            )


def compare_on_answers(folder: Path, rows: int) -> None:
    """AUC of the cascade's scores on ``rows`` answers of every set in ``folder``, half of them
    supported where there are as many."""
    shipped = Provenance.load()
    of_float = Provenance(
        shipped.relevance,
        _with_float_activations(shipped.nli, EMBEDDED_NLI),
        shipped.profile,
        None,
        _with_float_activations(shipped.second, EMBEDDED_NLI_LARGE),
        shipped.second_support,
    )
    everything: list[ScoredTwice] = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            read = [json.loads(line) for line in lines]
        random.Random(0).shuffle(read)
        found = []
        for label in (0, 1):
            for row in [row for row in read if row["label"] == label][: rows // 2]:
                given = {name: row[name] for name in ("query", "answer", "context")}
                try:
                    by_floats, as_shipped = (each.audit(**given) for each in (of_float, shipped))
                except InputError:
                    continue
                found.append(ScoredTwice(label, by_floats.score, as_shipped.score))
        print(answers_line(path.name.split(".")[0], found), flush=True)
        everything += found
    print(answers_line("together", everything))


def _with_float_activations(shipped: PairScorer | None, model: PublicModel) -> CrossEncoder:
    assert isinstance(shipped, CrossEncoder)
    return shipped.on(OpenVinoEngine(str(embedded_folder(model) / MODEL_FILE), exact=True))


def answers_line(name: str, found: Sequence[ScoredTwice]) -> str:
    """One line of figures over ``found``."""
    labels = [each.label for each in found]
    by_floats = np.array([each.by_floats for each in found])
    shipped = np.array([each.shipped for each in found])
    apart = np.abs(by_floats - shipped)
    changed = int(((by_floats >= 0.5) != (shipped >= 0.5)).sum())
    return (
        f"{name:<28} {len(found):>4} answers, AUC {100 * roc_auc_score(labels, by_floats):.1f} by "
        f"float activations, {100 * roc_auc_score(labels, shipped):.1f} as shipped; scores differ "
        f"by {apart.mean():.4f} on average, {apart.max():.3f} at most; {changed} verdicts differ"
    )


def main() -> None:
    """Compare, or write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="keep the reference scores")
    parser.add_argument("--dev", type=Path, metavar="FOLDER", help="audit answers of these sets")
    parser.add_argument("--rows", type=int, default=40, help="answers a set (%(default)s)")
    arguments = parser.parse_args()
    if arguments.write:
        write_references()
    elif arguments.dev is not None:
        compare_on_answers(arguments.dev, arguments.rows)
    else:
        compare_engines()


if __name__ == "__main__":
    main()
