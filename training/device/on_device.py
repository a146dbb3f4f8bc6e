"""What runs on the lent machine, with torch and transformers alone; three commands.

``python -m training.device.on_device check FOLDER`` looks whether the parts of one transfer
arrived whole. ``train`` joins them, trains until the tokens or the seconds are used up, measures
held-out pairs before and after, and leaves the weights in 8 bits, in parts, under ``RESULT``.
``bring`` copies those parts that one way back allows to ``--out``.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import MPNetForSequenceClassification

from training.command import options
from training.device import parts, weights
from training.loop import Progress, Rows, half, in_batches, learn, nli_loss, optimizer_of

TOKENS, META, START, RESULT = "tokens.npz", "meta.json", "start.safetensors", "result"
WEIGHTS, FIGURES, LOG = "weights.safetensors", "figures.json", "log.jsonl"
PART_BYTES = 15 * parts.MIB
FILES_BACK = 5  # parts that one way back carries, beside the lists and the log
WARM_UP, DECAY = 0.04, 0.6
POOL = 4096
SEED = 20261127


@dataclass(frozen=True, slots=True)
class Pairs(Rows):
    """All pairs: the group of each, and which of them are held out."""

    groups: np.ndarray
    held: np.ndarray
    meta: dict[str, Any]

    @classmethod
    def read(cls, folder: Path) -> Pairs:
        """From the two files that :mod:`training.device.pack` wrote."""
        arrays = np.load(folder / TOKENS)
        meta = json.loads((folder / META).read_text(encoding="utf-8"))
        ids, starts, labels = arrays["ids"], arrays["starts"], arrays["labels"]
        return cls(ids, starts, labels, arrays["groups"], arrays["held"], meta)

    def batches(self, rows: Sequence[int], most: int) -> Iterator[list[int]]:
        """Batches of at most ``most`` padded tokens."""
        return in_batches(rows, self.lengths(), most, random.Random(SEED), POOL)


def order(pairs: Pairs) -> list[int]:
    """All rows to learn from, each as often as its group is read, shuffled."""
    readings = np.array(pairs.meta["readings"])[pairs.groups]
    rows = np.repeat(np.arange(len(readings)), np.where(pairs.held, 0, readings))
    np.random.default_rng(SEED).shuffle(rows)
    return [int(row) for row in rows]


def rate_at(passed: float) -> float:
    """Share of the full rate when this share of the run is over."""
    return min(1.0, (passed + 1e-3) / WARM_UP, max(0.0, (1.0 - passed) / DECAY))


def on(device: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The tensors on the device."""
    return {name: value.to(device) for name, value in tensors.items()}


def areas(
    model: MPNetForSequenceClassification, pairs: Pairs, device: str, most: int
) -> dict[str, list[float]]:
    """By group: rows and AUC x 100 of P(entailment) over the held-out pairs."""
    model.eval()
    rows = np.flatnonzero(pairs.held)
    scores = np.zeros(len(pairs.labels))
    for batch in pairs.batches([int(row) for row in rows], most):
        inputs = on(device, pairs.tensors(batch, pairs.meta["padding"]))
        with torch.inference_mode(), half(device):
            logits = model(**inputs).logits.float()
        against = torch.logsumexp(logits[:, 1:], dim=-1)
        scores[batch] = (logits[:, 0] - against).cpu().numpy()
    model.train()
    found: dict[str, list[float]] = {}
    for number, name in enumerate(pairs.meta["groups"]):
        own = rows[pairs.groups[rows] == number]
        right = np.isin(pairs.labels[own], (0, 3))
        ours, others = scores[own][right], scores[own][~right]
        if len(ours) and len(others):
            above = (ours[:, None] > others).mean() + 0.5 * (ours[:, None] == others).mean()
            found[name] = [len(own), round(100 * float(above), 1)]
    return found


def train(folders: Sequence[Path], work: Path, arguments: argparse.Namespace) -> None:
    """Join, train, measure, and leave the result in parts."""
    began = time.time()
    parts.join(folders, folders[0] / parts.LIST, work)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(SEED)
    torch.set_float32_matmul_precision("high")
    pairs = Pairs.read(work)
    lengths = np.diff(pairs.starts)
    model = weights.read(work / START)
    torch.nn.Module.to(model, device)
    model.mpnet.embeddings.word_embeddings.requires_grad_(False)
    optimizer = optimizer_of(model.parameters(), arguments.rate, betas=(0.9, 0.98))
    result = work / RESULT
    result.mkdir(parents=True, exist_ok=True)
    figures: dict[str, Any] = {"before": areas(model, pairs, device, arguments.batch_tokens)}
    rows = order(pairs)
    plan = int(lengths[rows].sum())
    progress = Progress()
    (result / LOG).unlink(missing_ok=True)

    def gradients(batch: list[int]) -> tuple[float, int]:
        with half(device):
            logits = model(**on(device, pairs.tensors(batch, pairs.meta["padding"]))).logits
        loss = nli_loss(logits, pairs.targets(batch).to(device))
        loss.backward()
        return float(loss.detach()), int(lengths[batch].sum())

    def rate_now(now: Progress) -> float | None:
        passed = max(now.tokens / plan, now.seconds() / arguments.seconds)
        over = passed >= 1.0 or now.step == arguments.steps
        return None if over else arguments.rate * rate_at(passed)

    stream = pairs.batches(rows, arguments.batch_tokens)
    learn(optimizer, stream, gradients, rate_now, result / LOG, progress)
    seconds = {"before": round(progress.started - began), "training": round(progress.seconds())}
    figures["after"] = areas(model, pairs, device, arguments.batch_tokens)
    figures["run"] = {
        "device": torch.cuda.get_device_name() if device == "cuda" else device,
        "steps": progress.step,
        "tokens": progress.tokens,
        "plan": plan,
        "seconds": seconds,
    }
    (result / FIGURES).write_text(json.dumps(figures, indent=1), encoding="utf-8")
    weights.write(model, work / WEIGHTS)
    parts.split([work / WEIGHTS], result, PART_BYTES)
    print(json.dumps(figures))


def bring(work: Path, out: Path, way: int) -> None:
    """Copy the parts of the way back number ``way``, from 0, and with the first the lists."""
    result = work / RESULT
    made = sorted(result.glob(f"{WEIGHTS}.*"))
    chosen = made[way * FILES_BACK : (way + 1) * FILES_BACK]
    if way == 0:
        chosen += [result / name for name in (parts.LIST, FIGURES, LOG)]
    out.mkdir(parents=True, exist_ok=True)
    for path in chosen:
        shutil.copy(path, out)
    print(f"{len(chosen)} files, {len(made)} parts in all")


def check(folder: Path) -> None:
    """Compare the parts that are in a folder with its list. ValueError names a wrong one."""
    listed = json.loads((folder / parts.LIST).read_text(encoding="utf-8"))
    known = {part: wanted for each in listed.values() for part, wanted in each.items()}
    held = [path for path in sorted(folder.iterdir()) if path.name in known]
    for path in held:
        if parts.digest(path.read_bytes()) != known[path.name]:
            raise ValueError(f"{path} has other bytes than were sent")
    print(f"{folder}: {len(held)} parts as they were sent; torch {torch.__version__}")


def main() -> None:
    """Run one of the three commands."""
    parser = options(__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check")
    checking.add_argument("folder", type=Path)
    training = commands.add_parser("train")
    training.add_argument("folders", type=Path, nargs="+", help="of the transfers")
    training.add_argument("--work", type=Path, required=True, help="a folder that stays there")
    training.add_argument("--out", type=Path, required=True, help="what comes back")
    training.add_argument("--seconds", type=float, default=480.0, help="of training (%(default)s)")
    training.add_argument("--steps", type=int, default=-1, help="stop after so many")
    training.add_argument("--batch-tokens", type=int, default=32768, help="(%(default)s)")
    training.add_argument("--rate", type=float, default=4e-5, help="(%(default)s)")
    bringing = commands.add_parser("bring")
    bringing.add_argument("--work", type=Path, required=True)
    bringing.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    if arguments.command == "check":
        check(arguments.folder)
    elif arguments.command == "train":
        train(arguments.folders, arguments.work, arguments)
        bring(arguments.work, arguments.out, 0)
    else:
        bring(arguments.work, arguments.out, 1)


if __name__ == "__main__":
    main()
