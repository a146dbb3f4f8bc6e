"""Speed and memory of the shipped models, against sentence-transformers on the same weights.

    python benchmarks/speed.py --data ../shared/data/eval

1. Pairs a second: our ONNX int8 runtime and sentence-transformers' ``CrossEncoder.predict`` in
   float32, on the same 500 chunk/claim pairs of real rows, runs alternating in one process.
   The float32 weights are the shipped ones, dequantised, or ``--fp32 FOLDER``.
2. Seconds of the first result of an audit of 10 items of 100 words and a 3-sentence answer; items
   over the chunk size are split, and the table says into how many chunks.
3. Peak memory of a process with both models, and of the app after one audit in it.

Needs ``pip install -r benchmarks/requirements.txt``. The table depends on what else the machine
does: run it on an idle one.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from provenance_core import Provenance, default_parameters  # noqa: E402
from provenance_core.errors import ProvenanceError  # noqa: E402
from provenance_core.files.labelled import LabelledRow, read_labelled_file  # noqa: E402
from provenance_core.models.catalogue.profiles import embedded_folder, get_profile  # noqa: E402
from provenance_core.text.chunking import chunk_context  # noqa: E402
from provenance_core.text.splitting import sentence_bounds, strip_bounds  # noqa: E402
from provenance_core.types import ContextItem  # noqa: E402

PAIRS = 500
ROUNDS = 5
AUDITS = 7
SETS = ("ragtruth_partial", "qags_cnndm", "qags_xsum", "halueval_qa_gen500", "begin", "q2")

# Run in processes of their own, so that nothing else is in the figure. VmHWM and not ru_maxrss,
# which a child takes over from the process that started it.
PEAK = """
import re
print(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read()).group(1))
"""
MODELS_PROBE = """
import sys
sys.path.insert(0, {repository!r})
from provenance_core import Provenance
Provenance.load().audit(query={query!r}, answer={answer!r}, context={context!r})
"""
APP_PROBE = """
import os, sys, tempfile
os.chdir({repository!r}); sys.path.insert(0, {repository!r})
with tempfile.TemporaryDirectory() as folder:
    os.environ["PROVENANCE_DATABASE_URL"] = "sqlite:///" + folder + "/speed.db"
    from streamlit.testing.v1 import AppTest
    app = AppTest.from_file("app.py", default_timeout=300).run()
    assert not app.exception, app.exception
    from provenance_core import Provenance
    Provenance.load().audit(query={query!r}, answer={answer!r}, context={context!r})
"""


def real_rows(data: Path) -> list[LabelledRow]:
    """Rows of the sets at hand, shuffled by seed 0. Empty when there are none."""
    rows: list[LabelledRow] = []
    for name in SETS:
        for path in data.glob(f"{name}.jsonl*"):
            rows.extend(row for row in read_labelled_file(path).rows if row.context)
    random.Random(0).shuffle(rows)
    return rows


def real_pairs(rows: list[LabelledRow], provenance: Provenance) -> list[tuple[str, str]]:
    """500 (chunk, answer sentence) pairs as an audit makes them, within the model's window."""
    limit = default_parameters().chunk_tokens
    count = provenance.nli.count_tokens
    pairs: list[tuple[str, str]] = []
    for row in rows:
        items = [ContextItem(i, text) for i, text in enumerate(row.context)]
        chunks = chunk_context(items, max_tokens=limit, overlap_sentences=1, count_tokens=count)
        bounds = [strip_bounds(row.answer, a, b) for a, b in sentence_bounds(row.answer)]
        for a, b in bounds[:2]:
            claim = row.answer[a:b]
            if 0 < count([claim])[0] <= provenance.nli.text_budget - limit:
                pairs.extend((chunk.text, claim) for chunk in chunks[:2])
        if len(pairs) >= PAIRS:
            return pairs[:PAIRS]
    return pairs


def audit_input(rows: list[LabelledRow]) -> tuple[str, str, list[str]]:
    """Query, 3-sentence answer and 10 context items of 100 words, out of real rows."""
    words = " ".join(text for row in rows[:400] for text in row.context).split()
    context = [" ".join(words[i * 100 : (i + 1) * 100]) for i in range(10)]
    sentences = [
        row.answer[a:b].strip()
        for row in rows
        for a, b in sentence_bounds(row.answer)[:1]
        if 8 <= len(row.answer[a:b].split()) <= 30 and row.answer[a:b].strip().endswith(".")
    ]
    return "What is reported?", " ".join(sentences[:3]), context


def pairs_a_second(
    pairs: list[tuple[str, str]], provenance: Provenance, checkpoint: Path
) -> tuple[float, float, float]:
    """(ours, sentence-transformers', largest difference of a probability); medians of rounds."""
    import numpy as np
    import torch
    from sentence_transformers import CrossEncoder

    torch.set_num_threads(len(os.sched_getaffinity(0)))
    theirs = CrossEncoder(str(checkpoint), device="cpu", max_length=256)
    ours_seconds: list[float] = []
    theirs_seconds: list[float] = []
    provenance.nli.predict(pairs[:32])
    theirs.predict(pairs[:32], show_progress_bar=False)
    for _ in range(ROUNDS):
        began = time.perf_counter()
        ours_logits = provenance.nli.predict(pairs)
        ours_seconds.append(time.perf_counter() - began)
        began = time.perf_counter()
        their_logits = theirs.predict(pairs, show_progress_bar=False)
        theirs_seconds.append(time.perf_counter() - began)

    def softmax(logits: np.ndarray) -> np.ndarray:
        shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
        return shifted / shifted.sum(axis=1, keepdims=True)

    difference = np.abs(softmax(ours_logits) - softmax(np.asarray(their_logits, dtype=float)))
    return (
        len(pairs) / statistics.median(ours_seconds),
        len(pairs) / statistics.median(theirs_seconds),
        float(difference.max()),
    )


def audit_seconds(query: str, answer: str, context: list[str]) -> tuple[float, float, int]:
    """Median seconds of (an audit by loaded models, loading and the first audit), and its
    chunks: an item over the chunk size is more than one."""
    warm: list[float] = []
    cold: list[float] = []
    for _ in range(AUDITS):
        began = time.perf_counter()
        provenance = Provenance.load()
        chunks = len(provenance.audit(query=query, answer=answer, context=context).sources)
        cold.append(time.perf_counter() - began)
        began = time.perf_counter()
        provenance.audit(query=query, answer=answer, context=context)
        warm.append(time.perf_counter() - began)
    return statistics.median(warm), statistics.median(cold), chunks


def peak_mebibytes(probe: str, query: str, answer: str, context: list[str]) -> str:
    """Peak resident memory of ``probe`` run by a fresh interpreter, or why there is none."""
    if not Path("/proc/self/status").exists():
        return "not measured: this system has no /proc"
    code = probe.format(repository=str(REPOSITORY), query=query, answer=answer, context=context)
    done = subprocess.run(
        [sys.executable, "-c", code + PEAK],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    if done.returncode:
        return "not measured: " + (done.stderr.strip().splitlines() or ["no message"])[-1]
    return f"{int(done.stdout.split()[-1]) / 1024:.0f} MiB"


def main() -> int:
    """Measure and print the table; status 2 when the data or a requirement is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of .jsonl.gz files")
    parser.add_argument("--fp32", type=Path, help="float32 checkpoint (default: dequantised)")
    options = parser.parse_args()
    rows = real_rows(options.data)
    if not rows:
        print(f"error: {options.data} holds none of {', '.join(SETS)} (.jsonl.gz)", file=sys.stderr)
        return 2
    try:
        provenance = Provenance.load()
    except ProvenanceError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    pairs = real_pairs(rows, provenance)
    query, answer, context = audit_input(rows)
    lengths = sorted(sum(provenance.nli.count_tokens(list(pair))) for pair in pairs)

    with tempfile.TemporaryDirectory() as scratch:
        try:
            checkpoint = options.fp32
            if checkpoint is None:
                from benchmarks.float_weights import write_float_checkpoint

                checkpoint = Path(scratch)
                write_float_checkpoint(embedded_folder(get_profile("embedded").nli), checkpoint)
            ours, theirs, difference = pairs_a_second(pairs, provenance, checkpoint)
        except ImportError as error:
            print(f"error: {error}; pip install -r benchmarks/requirements.txt", file=sys.stderr)
            return 2
    warm, cold, chunks = audit_seconds(query, answer, context)
    table = [
        ("processor threads", str(len(os.sched_getaffinity(0)))),
        (
            f"{len(pairs)} pairs, tokens: shortest, median, longest",
            f"{lengths[0]}, {lengths[len(lengths) // 2]}, {lengths[-1]}",
        ),
        ("ours, ONNX int8: pairs a second", f"{ours:.0f}"),
        ("sentence-transformers, float32: pairs a second", f"{theirs:.0f}"),
        ("ratio", f"{ours / theirs:.2f}"),
        ("largest difference of a probability", f"{difference:.3f}"),
        (
            f"audit, {len(context)} items x 100 words ({chunks} chunks), 3 sentences: median s",
            f"{warm:.2f}",
        ),
        ("the same with the models loaded first: median s", f"{cold:.2f}"),
        ("peak memory, both models", peak_mebibytes(MODELS_PROBE, query, answer, context)),
        (
            "peak memory, app's first page and both models",
            peak_mebibytes(APP_PROBE, query, answer, context),
        ),
    ]
    width = max(len(name) for name, _ in table)
    print("\n".join(f"{name:<{width}}  {value}" for name, value in table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
