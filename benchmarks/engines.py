"""The large model on every engine, from the same file: ``python -m benchmarks.engines``.

Prints tokens a second of the processor's time and how far the logits are from ONNX Runtime's, over
pairs made of the hand-made cases.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np

from provenance_core.models.engines import ONNX_RUNTIME, OPENVINO, open_engine
from provenance_core.models.onnx_pairs import MODEL_FILE, CrossEncoder
from provenance_core.models.profiles import EMBEDDED_NLI_LARGE, embedded_folder

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


def main() -> None:
    """One line an engine."""
    folder = embedded_folder(EMBEDDED_NLI_LARGE)
    shipped = CrossEncoder.load(folder)
    room = shipped.info.max_length
    lengths = shipped.pair_tokens(case_pairs())
    pairs = [pair for pair, size in zip(case_pairs(), lengths, strict=True) if size <= room]
    tokens = sum(shipped.pair_tokens(pairs))
    reference: np.ndarray | None = None
    for name in (ONNX_RUNTIME, OPENVINO):
        engine = open_engine(folder / MODEL_FILE, (name,))
        model = shipped.on(engine)
        model.predict(pairs[:8])
        started = time.process_time()
        logits = model.predict(pairs)
        spent = time.process_time() - started
        reference = logits if reference is None else reference
        difference = np.abs(logits - reference)
        print(
            f"{name:<12} {engine.precision or 'float32':<9} {tokens / spent:6.0f} tokens a second "
            f"and core, logits differ by {difference.mean():.4f} on average, "
            f"{difference.max():.3f} at most"
        )


if __name__ == "__main__":
    main()
