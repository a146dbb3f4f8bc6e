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

from training.device import parts, weights

TOKENS, META, START, RESULT = "tokens.npz", "meta.json", "start.safetensors", "result"
WEIGHTS, FIGURES, LOG = "weights.safetensors", "figures.json", "log.jsonl"
PART_BYTES = 15 * parts.MIB
FILES_BACK = 5  # parts that one way back carries, beside the lists and the log
WARM_UP, DECAY = 0.04, 0.6
POOL = 4096
SEED = 20261127


@dataclass(frozen=True, slots=True)
class Pairs:
    """Token ids of all pairs end to end, where each begins, its label and its group, and which of
    them are held out."""

    ids: np.ndarray
    starts: np.ndarray
    labels: np.ndarray
    groups: np.ndarray
    held: np.ndarray
    meta: dict[str, Any]

    @classmethod
    def read(cls, folder: Path) -> Pairs:
        """From the two files that :mod:`training.device.pack` wrote."""
        arrays = np.load(folder / TOKENS)
        meta = json.loads((folder / META).read_text(encoding="utf-8"))
        names = ("ids", "starts", "labels", "groups", "held")
        ids, starts, labels, groups, held = (arrays[name] for name in names)
        return cls(ids, starts, labels, groups, held, meta)

    def lengths(self) -> np.ndarray:
        """Tokens of each pair."""
        return np.diff(self.starts)

    def tensors(self, rows: Sequence[int], device: str) -> tuple[dict[str, torch.Tensor], Any]:
        """Padded ids and mask (B, L), and the labels."""
        width = max(int(self.starts[row + 1] - self.starts[row]) for row in rows)
        ids = np.full((len(rows), width), self.meta["padding"], dtype=np.int64)
        mask = np.zeros((len(rows), width), dtype=np.int64)
        for at, row in enumerate(rows):
            found = self.ids[self.starts[row] : self.starts[row + 1]]
            ids[at, : len(found)], mask[at, : len(found)] = found, 1
        inputs = {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask)}
        labels = torch.from_numpy(self.labels[list(rows)].astype(np.int64))
        return {name: value.to(device) for name, value in inputs.items()}, labels.to(device)


def loss_of(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """As :func:`training.nli.nli_loss`: labels 3 and 4 are entailment or not."""
    logs = torch.log_softmax(logits.float(), dim=-1)
    against = torch.logsumexp(logs[:, 1:], dim=-1, keepdim=True)
    return -torch.cat([logs, logs[:, :1], against], dim=-1).gather(1, labels[:, None]).mean()


def batches(rows: Sequence[int], lengths: np.ndarray, most: int) -> Iterator[list[int]]:
    """Batches of at most ``most`` padded tokens, of pairs of similar length."""
    rng = random.Random(SEED)
    for first in range(0, len(rows), POOL):
        made: list[list[int]] = [[]]
        for row in sorted(rows[first : first + POOL], key=lambda row: int(lengths[row])):
            if made[-1] and (len(made[-1]) + 1) * int(lengths[row]) > most:
                made.append([])
            made[-1].append(row)
        rng.shuffle(made)
        yield from made


def order(pairs: Pairs) -> list[int]:
    """All rows to learn from, each as often as its group is read, shuffled."""
    readings = np.array(pairs.meta["readings"])[pairs.groups]
    rows = np.repeat(np.arange(len(readings)), np.where(pairs.held, 0, readings))
    np.random.default_rng(SEED).shuffle(rows)
    return [int(row) for row in rows]


def rate_at(passed: float) -> float:
    """Share of the full rate when this share of the run is over."""
    return min(1.0, (passed + 1e-3) / WARM_UP, max(0.0, (1.0 - passed) / DECAY))


def half(device: str) -> torch.autocast:
    """bfloat16 on the GPU, float32 elsewhere."""
    return torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda")


def areas(
    model: MPNetForSequenceClassification, pairs: Pairs, device: str, most: int
) -> dict[str, list[float]]:
    """By group: rows and AUC x 100 of P(entailment) over the held-out pairs."""
    model.eval()
    rows = np.flatnonzero(pairs.held)
    scores = np.zeros(len(pairs.labels))
    for batch in batches([int(row) for row in rows], pairs.lengths(), most):
        with torch.inference_mode(), half(device):
            logits = model(**pairs.tensors(batch, device)[0]).logits.float()
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
    lengths = pairs.lengths()
    model = weights.read(work / START)
    torch.nn.Module.to(model, device)
    model.mpnet.embeddings.word_embeddings.requires_grad_(False)
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in trained if p.ndim > 1], "weight_decay": 0.01},
            {"params": [p for p in trained if p.ndim <= 1], "weight_decay": 0.0},
        ],
        lr=arguments.rate,
        betas=(0.9, 0.98),
        fused=True,
    )
    result = work / RESULT
    result.mkdir(parents=True, exist_ok=True)
    figures: dict[str, Any] = {"before": areas(model, pairs, device, arguments.batch_tokens)}
    rows = order(pairs)
    plan = int(lengths[rows].sum())
    started, seen, step, total = time.time(), 0, 0, 0.0
    with (result / LOG).open("w", encoding="utf-8") as log:
        for batch in batches(rows, lengths, arguments.batch_tokens):
            spent = time.time() - started
            passed = max(seen / plan, spent / arguments.seconds)
            if passed >= 1.0 or step == arguments.steps:
                break
            inputs, labels = pairs.tensors(batch, device)
            with half(device):
                logits = model(**inputs).logits
            loss = loss_of(logits, labels)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            for group in optimizer.param_groups:
                group["lr"] = arguments.rate * rate_at(passed)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            step, seen = step + 1, seen + int(lengths[batch].sum())
            total += float(loss.detach())
            if step % 10 == 0:
                line = {"step": step, "loss": round(total / 10, 4), "tokens": seen, "plan": plan}
                log.write(json.dumps({**line, "seconds": round(spent, 1)}) + "\n")
                log.flush()
                total = 0.0
    trained_for = time.time() - started
    figures["after"] = areas(model, pairs, device, arguments.batch_tokens)
    figures["run"] = {
        "device": torch.cuda.get_device_name() if device == "cuda" else device,
        "steps": step,
        "tokens": seen,
        "seconds": {"before": round(started - began), "training": round(trained_for)},
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
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
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
