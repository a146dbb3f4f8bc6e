"""Both NLI models on every engine, from the same file: ``python -m benchmarks.engines``.

Prints tokens a second of the processor's time and how far the logits are from those with float
activations, over pairs made of the hand-made cases. ``--write`` keeps the reference scores of every
embedded model beside its weights: run it when weights were exchanged.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from provenance_core.models.catalogue.profiles import (
    EMBEDDED_NLI,
    EMBEDDED_NLI_LARGE,
    EMBEDDED_RELEVANCE,
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

CASES = Path(__file__).parent / "verdict_cases"
PAIRS = 96


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


def main() -> None:
    """Compare, or write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="keep the reference scores")
    if parser.parse_args().write:
        write_references()
        return
    for model in (EMBEDDED_NLI, EMBEDDED_NLI_LARGE):
        compare_engines_of(embedded_folder(model))


if __name__ == "__main__":
    main()
