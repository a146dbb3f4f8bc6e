"""``python -m benchmarks.speed --data DATA/eval``: our engines beside other libraries.

Every contender runs in a process of its own. They are measured in turn, a round each, so that what
else the machine does meets all alike. The tables have the minimum and the median of the rounds:

1. Pairs and tokens a second on the same real pairs and weights: ours on each engine, CrossEncoder
   of sentence-transformers (float32, and its ONNX and OpenVINO back ends in int8 as its
   documentation makes them), plain transformers, FlashRank's route. Peak memory, seconds from
   nothing to the first score, and the largest difference of a probability from float32.
2. Seconds of an audit of 10 items of 100 words and 3 sentences (p50, p95) by each embedded profile.
3. Seconds from nothing to the first verdict of the command line, its bytecode written.
4. How the seconds of an audit grow with its chunks and sentences, and those of a file with its
   rows, up to ``--seconds`` each. ``--growth`` measures this and the third alone.

The float32 weights are the shipped ones, dequantised. sentence-transformers and its back ends may
need versions that the app does not have: ``--other PYTHON`` names the interpreter of their
environment. That of SPEED.md is ``pip install "sentence-transformers[onnx,openvino]==5.7.0"
transformers==4.57.6 openvino==2026.4.1 "datasets>=4" nncf``. What cannot be measured says why.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.machine import machine_lines
from benchmarks.speed.contenders import (
    REFERENCE,
    of_the_large_model,
    on_the_same_weights,
    profiles,
    write_calibration,
)
from benchmarks.speed.growth import growth_lines
from benchmarks.speed.inputs import SETS, audit_input, real_pairs, real_rows
from benchmarks.speed.processes import Measured, in_turn
from provenance_core.errors import ProvenanceError
from provenance_core.models.catalogue.profiles import EMBEDDED_NLI, embedded_folder
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder

ROOT = Path(__file__).parents[2]
_BAR = 2.5  # times CrossEncoder in float32, on a machine without AMX


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured."""

    pairs: int
    rounds: int
    slow_pairs: int
    slow_rounds: int


QUICK, WHOLE = Effort(64, 3, 16, 2), Effort(500, 7, 48, 3)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; status 2 when the data or a model is missing."""
    summary, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed",
        description=summary,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of .jsonl.gz files")
    parser.add_argument("--quick", action="store_true", help="fewer pairs and rounds")
    parser.add_argument("--growth", action="store_true", help="cold start and growth alone")
    parser.add_argument("--other", default=sys.executable, help="Python of the other libraries")
    parser.add_argument("--seconds", type=float, default=300.0, help="of one answer, at most")
    options = parser.parse_args(arguments)
    effort = QUICK if options.quick else WHOLE
    rows = real_rows(options.data)
    if not rows:
        print(f"error: {options.data} holds none of {', '.join(SETS)} (.jsonl.gz)", file=sys.stderr)
        return 2
    try:
        nli = CrossEncoder.load(embedded_folder(EMBEDDED_NLI))
    except ProvenanceError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    query, answer, context = audit_input(rows)
    request: dict[str, object] = {"query": query, "answer": answer, "context": context}
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        _say(machine_lines())
        if not options.growth:
            _say(_pair_lines(real_pairs(rows, nli, effort.pairs), nli, effort, options, scratch))
            _say(_audit_lines(request, effort, options.seconds, scratch))
        _say(_cold_lines(answer, context[0], effort, scratch))
        _say(growth_lines(rows, request, options.seconds, scratch))
        _say(machine_lines()[-1:])
    return 0


def _say(lines: Sequence[str]) -> None:
    print("\n".join(lines), end="\n\n", flush=True)


def _pair_lines(
    pairs: list[tuple[str, str]],
    nli: CrossEncoder,
    effort: Effort,
    options: argparse.Namespace,
    scratch: Path,
) -> list[str]:
    from benchmarks.float_weights import write_float_checkpoint

    checkpoint = scratch / "float32"
    write_float_checkpoint(embedded_folder(EMBEDDED_NLI), checkpoint)
    lengths = nli.pair_tokens(pairs)
    write_calibration([text for pair in pairs for text in pair], scratch)
    contenders = on_the_same_weights(checkpoint, scratch, options.other)
    found = in_turn(contenders, {"pairs": pairs}, effort.rounds, options.seconds, scratch)
    large, few = of_the_large_model(), pairs[: effort.slow_pairs]
    slow = in_turn(large, {"pairs": few}, effort.slow_rounds, options.seconds, scratch)
    reference = next(each for each in found if each.name == REFERENCE)
    base = min(reference.seconds, default=0.0)
    lines = [
        f"{len(pairs)} pairs of {min(lengths)} to {max(lengths)} tokens, {effort.rounds} rounds in "
        f"turn; the large model: {len(few)} pairs, {effort.slow_rounds} rounds",
        f"{'':<34} {'pairs/s':>8} {'median':>8} {'tokens/s':>9} {'times':>6} "
        f"{'cold s':>7} {'MiB':>6} {'differs':>8}",
    ]
    for each, few_lengths in [*((m, lengths) for m in found),
                              *((m, lengths[: len(few)]) for m in slow)]:  # fmt: skip
        if each.failure or not each.seconds:
            lines.append(f"{each.name:<34} not measured: {each.failure}")
            continue
        best, median = min(each.seconds), statistics.median(each.seconds)
        same = each in found
        lines.append(
            f"{each.name:<34} {len(few_lengths) / best:8.1f} {len(few_lengths) / median:8.1f} "
            f"{sum(few_lengths) / best:9,.0f} "
            f"{base / best if same and base else float('nan'):6.2f} "
            f"{each.cold:7.1f} {each.mebibytes:6,.0f} "
            f"{largest_difference(each, reference) if same else float('nan'):8.3f}"
        )
    lines.append(
        f"pairs/s, tokens/s: of the fastest round; times: of {REFERENCE} (the bar is {_BAR}); "
        "differs: largest difference of a probability from it"
    )
    return lines


def largest_difference(one: Measured, other: Measured) -> float:
    """The largest difference of a probability; NaN where one has no scores."""
    if not one.scores or not other.scores:
        return float("nan")
    return float(np.abs(_softmax(one.scores) - _softmax(other.scores)).max())


def _softmax(logits: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    values = np.array(logits, dtype=np.float64)
    shifted = np.exp(values - values.max(axis=1, keepdims=True))
    found: NDArray[np.float64] = shifted / shifted.sum(axis=1, keepdims=True)
    return found


def _audit_lines(
    request: dict[str, object], effort: Effort, limit: float, scratch: Path
) -> list[str]:
    lines = [
        "An audit of 10 items of 100 words and 3 sentences",
        f"{'':<46} {'times':>5} {'min s':>7} {'p50 s':>7} {'p95 s':>7} {'cold s':>7} {'MiB':>6}",
    ]
    for each in in_turn(profiles(), request, effort.rounds, limit, scratch):
        if each.failure or not each.seconds:
            lines.append(f"{each.name:<46} not measured: {each.failure}")
            continue
        lines.append(
            f"{each.name:<46} {len(each.seconds):5} {min(each.seconds):7.2f} "
            f"{np.percentile(each.seconds, 50):7.2f} {np.percentile(each.seconds, 95):7.2f} "
            f"{each.cold:7.1f} {each.mebibytes:6,.0f}"
        )
    return lines


def _cold_lines(answer: str, context: str, effort: Effort, scratch: Path) -> list[str]:
    file = scratch / "context.txt"
    file.write_text(context, encoding="utf-8")
    command = [sys.executable, "-m", "provenance_core", "audit", "--answer", answer]
    command += ["--context", str(file)]
    lines = ["From nothing to the first verdict of the command line, one item of 100 words"]
    # As where the program has run before: Python finds its bytecode.
    bytecode = {"PYTHONPYCACHEPREFIX": str(scratch / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    for profile in ("embedded", "cascade"):
        taken = []
        for _ in range(effort.slow_rounds + 1):
            start = time.perf_counter()
            with subprocess.Popen(
                [*command, "--profile", profile],
                cwd=ROOT,
                env={**os.environ, **bytecode},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            ) as running:
                assert running.stdout is not None
                running.stdout.readline()
                taken.append(time.perf_counter() - start)
                _, problem = running.communicate()
            if running.returncode not in (0, 3):
                return [*lines, f"not measured: {problem.strip()[-200:]}"]
        del taken[0]  # it wrote the bytecode
        lines.append(
            f"{profile:<10} min {min(taken):.2f} s, median {statistics.median(taken):.2f} s"
        )
    return lines


if __name__ == "__main__":
    sys.exit(main())
