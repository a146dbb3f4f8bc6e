"""One way to score pairs, in a process of its own: run by ``benchmarks.speed``.

A file without imports of this repository at its top, so that another environment can run it: the
back ends of sentence-transformers need versions that the app does not have. It reads a request from
each line of its input and answers with a line: seconds, scores, peak memory.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Pair = tuple[str, str]
Predict = Callable[[Sequence[Pair]], Any]
_BATCH = 32  # the default of sentence-transformers


def _ours(given: dict[str, Any]) -> Predict:
    """The shipped file on one of the engines that it was made for."""
    from provenance_core.models.onnx_models.cross_encoder import CrossEncoder
    from provenance_core.models.onnx_models.engines import open_engine

    folder = Path(given["folder"])
    model = CrossEncoder.load(folder)
    if given["engine"]:
        model = model.on(open_engine(folder / "model.onnx", given["engine"]))
    return model.predict


def _sentence_transformers(given: dict[str, Any]) -> Predict:
    """CrossEncoder with a back end as its documentation makes it: exported, then quantised."""
    from sentence_transformers import CrossEncoder

    _all_cores_of_torch()
    folder, backend = given["folder"], given["backend"]
    if backend == "torch":
        model = CrossEncoder(folder, device="cpu", max_length=256)
    else:
        model = CrossEncoder(folder, device="cpu", max_length=256, backend=backend)
        target = given["scratch"]
        model.save_pretrained(target)
        if backend == "onnx":
            from sentence_transformers.backend import export_dynamic_quantized_onnx_model

            export_dynamic_quantized_onnx_model(model, "avx2", target)
            file = "onnx/model_qint8_avx2.onnx"
            if not (Path(target) / file).is_file():
                file = "onnx/model_quint8_avx2.onnx"
        else:
            from sentence_transformers.backend import export_static_quantized_openvino_model

            export_static_quantized_openvino_model(
                model,
                None,
                target,
                dataset_name=given["calibration"],
                dataset_config_name="default",
                dataset_split="train",
                column_name="sentence",
            )
            file = "openvino/openvino_model_qint8_quantized.xml"
        model = CrossEncoder(
            target, device="cpu", max_length=256, backend=backend, model_kwargs={"file_name": file}
        )
    return lambda pairs: model.predict(list(pairs), show_progress_bar=False)


def _transformers(given: dict[str, Any]) -> Predict:
    """The model's own classes, batches in the order of the pairs."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    _all_cores_of_torch()
    tokenizer = AutoTokenizer.from_pretrained(given["folder"])
    model = AutoModelForSequenceClassification.from_pretrained(given["folder"]).eval()

    def predict(pairs: Sequence[Pair]) -> Any:
        found = []
        for start in range(0, len(pairs), _BATCH):
            first, second = zip(*pairs[start : start + _BATCH], strict=True)
            with torch.inference_mode():
                texts = tokenizer(
                    list(first), list(second), padding=True, truncation=True, max_length=256,
                    return_tensors="pt",
                )  # fmt: skip
                found.append(model(**texts).logits)
        return torch.cat(found).numpy()

    return predict


def _flashrank(given: dict[str, Any]) -> Predict:
    """FlashRank's route: tokenizers and ONNX Runtime with default threads; all passages of one
    query in one batch, padded to the longest."""
    import numpy as np
    import onnxruntime
    from tokenizers import Tokenizer

    folder = Path(given["folder"])
    session = onnxruntime.InferenceSession(
        str(folder / "model.onnx"), providers=["CPUExecutionProvider"]
    )
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(max_length=256)
    tokenizer.enable_padding()
    inputs = {node.name for node in session.get_inputs()}

    def predict(pairs: Sequence[Pair]) -> Any:
        by_query: dict[str, list[int]] = {}
        for row, (_, query) in enumerate(pairs):
            by_query.setdefault(query, []).append(row)
        found: Any = None
        for rows in by_query.values():
            texts = tokenizer.encode_batch([pairs[row] for row in rows])
            feed = {
                "input_ids": np.array([each.ids for each in texts], dtype=np.int64),
                "attention_mask": np.array([each.attention_mask for each in texts], dtype=np.int64),
                "token_type_ids": np.array([each.type_ids for each in texts], dtype=np.int64),
            }
            feed = {name: value for name, value in feed.items() if name in inputs}
            logits = session.run(["logits"], feed)[0]
            found = np.zeros((len(pairs), logits.shape[1])) if found is None else found
            found[rows] = logits
        return found

    return predict


_KINDS: dict[str, Callable[[dict[str, Any]], Predict]] = {
    "ours": _ours,
    "sentence-transformers": _sentence_transformers,
    "transformers": _transformers,
    "flashrank": _flashrank,
}


def _all_cores_of_torch() -> None:
    import torch

    if hasattr(os, "sched_getaffinity"):
        torch.set_num_threads(len(os.sched_getaffinity(0)))


def _auditor(given: dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Whole audits with a profile. No score is remembered from one to the next."""
    from provenance_core import Provenance

    provenance = Provenance.load(given["profile"])

    def audit(request: dict[str, Any]) -> dict[str, Any]:
        found = provenance.audit(
            query=request["query"], answer=request["answer"], context=request["context"]
        )
        return {"chunks": len(found.sources)}

    return audit


def _scorer(given: dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    predict = _KINDS[given["kind"]](given)

    def score(request: dict[str, Any]) -> dict[str, Any]:
        pairs = [(first, second) for first, second in request["pairs"]]
        found = predict(pairs)
        wanted = found is not None and request.get("scores")
        return {"scores": [[float(x) for x in row] for row in found]} if wanted else {}

    return score


def _peak_mebibytes() -> float | None:
    """Peak resident memory of this process. VmHWM and not ru_maxrss, which a child takes over from
    the process that started it."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.is_file() else None
    return int(found[1]) / 1024 if found else None


def main() -> None:
    """Load what the argument says, then answer each line of the input."""
    # Libraries print to standard output: it is kept for the answers.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    given = json.loads(sys.argv[1])
    handle = (_auditor if given["kind"] == "audit" else _scorer)(given)
    for line in sys.stdin:
        start = time.perf_counter()
        answer = handle(json.loads(line))
        answer["seconds"] = time.perf_counter() - start
        answer["mebibytes"] = _peak_mebibytes()
        print(json.dumps(answer), file=out, flush=True)


if __name__ == "__main__":
    main()
