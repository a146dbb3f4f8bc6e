"""Train the large NLI model on what people judged: ``python -m training.judged --base FOLDER``.

It reads the mixture of :mod:`training.judged_mixture`. A run has as many steps as fit before a time
of day (``--until``), and its rate falls to 0 at that time, because a machine that does other work
gives no steady number of steps.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import torch
import torch.multiprocessing as processes
from tokenizers import Tokenizer
from transformers import MPNetForSequenceClassification

from training.contamination import check
from training.data_folder import add_data_option
from training.judged_mixture import FILE
from training.large import SEED, Rows, begun, encoded, freeze
from training.loop import Settings, log_step, optimizer_of, restore, save_checkpoint, take_step
from training.nli import nli_loss

RATE = 2.5e-5
WARM_UP, DECAY = 0.04, 0.5  # shares of the run's time
# Pairs of similar length stand in one batch; out of so many, so that every part of a run has all
# kinds.
POOL = 96
SAVE_SECONDS = 300
LOG_STEPS = 4


@dataclass(frozen=True, slots=True)
class Clock:
    """When a run began and when it ends, by ``time.time()``."""

    start: float
    end: float

    def passed(self) -> float:
        """The share of the run's time that has passed, 1 and more at its end."""
        return (time.time() - self.start) / max(1.0, self.end - self.start)


def rate_now(passed: float, rate: float) -> float:
    """The learning rate when this share of the time has passed: rises, stays, falls to 0."""
    if passed < WARM_UP:
        return rate * max(0.02, passed / WARM_UP)
    return rate * min(1.0, max(0.0, (1.0 - passed) / DECAY))


def in_order(lengths: Sequence[int], batch_tokens: int, pool: int = POOL) -> list[list[int]]:
    """Batches of rows, at most ``batch_tokens`` padded tokens each: nearly in the rows' order,
    which the mixture made."""
    rng = random.Random(SEED)
    made: list[list[int]] = []
    for first in range(0, len(lengths), pool):
        rows = sorted(range(first, min(first + pool, len(lengths))), key=lengths.__getitem__)
        pooled: list[list[int]] = [[]]
        for row in rows:
            if pooled[-1] and (len(pooled[-1]) + 1) * lengths[row] > batch_tokens:
                pooled.append([])
            pooled[-1].append(row)
        rng.shuffle(pooled)
        made += pooled
    return made


def share_state(optimizer: torch.optim.Optimizer, trained: Sequence[torch.nn.Parameter]) -> None:
    """Puts what the optimizer keeps of each weight where both processes see it."""
    for parameter in trained:
        state = optimizer.state[parameter]
        if not state:
            state["step"] = torch.zeros((), dtype=torch.float32)
            state["exp_avg"] = torch.zeros_like(parameter)
            state["exp_avg_sq"] = torch.zeros_like(parameter)
        for value in state.values():
            value.share_memory_()


@dataclass(frozen=True, slots=True)
class Shared:
    """What both processes work on. ``counts``: batches taken, steps, tokens."""

    model: MPNetForSequenceClassification
    optimizer: torch.optim.Optimizer
    trained: list[torch.nn.Parameter]
    rows: Rows
    made: list[list[int]]
    settings: Settings
    padding: int
    clock: Clock
    counts: Any
    lock: Any


def work(shared: Shared, *, saves: bool) -> None:
    """Takes batch after batch until the time is over.

    The processes never wait for each other but to move the weights: one that the machine
    slows down does not slow the other, and a gradient is at most a few steps old.
    """
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    started = saved = time.time()
    total, seen = 0.0, 0
    log = (shared.settings.run / "log.jsonl").open("a", encoding="utf-8")
    while (passed := shared.clock.passed()) < 1.0:
        with shared.lock:
            number = shared.counts[0]
            shared.counts[0] += 1
        batch = shared.made[number % len(shared.made)]
        logits = shared.model(**shared.rows.tensors(batch, shared.padding)).logits
        loss = nli_loss(logits, torch.from_numpy(shared.rows.labels[batch]))
        loss.backward()
        total, seen = total + float(loss.item()), seen + 1
        with shared.lock:
            rate = rate_now(passed, shared.settings.rate)
            take_step(shared.optimizer, shared.trained, rate)
            shared.counts[1] += 1
            shared.counts[2] += sum(shared.rows.length(row) for row in batch)
            step, tokens = int(shared.counts[1]), int(shared.counts[2])
            if saves and time.time() - saved > SAVE_SECONDS:
                save(shared)
                saved = time.time()
        if seen == LOG_STEPS:
            log_step(log, step, loss=total / seen, rate=rate, tokens=tokens, started=started)
            total, seen = 0.0, 0


def save(shared: Shared) -> None:
    """A checkpoint, with the counts that a run goes on from."""
    taken, step, tokens = (int(count) for count in shared.counts)
    save_checkpoint(
        shared.settings.run, shared.model, shared.optimizer, taken=taken, step=step, tokens=tokens
    )


def train(
    rows: Rows,
    model: MPNetForSequenceClassification,
    frozen: int,
    settings: Settings,
    padding: int,
    end: float,
) -> Path:
    """Trains until ``end``, or goes on from ``run/checkpoint.pt``; the folder of the weights."""
    # Before any work of torch's, so that the other process can be forked.
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    settings.run.mkdir(parents=True, exist_ok=True)
    trained = freeze(model, frozen)
    optimizer = optimizer_of(trained, settings, betas=(0.9, 0.98))
    done = restore(settings.run, model, optimizer, taken=0, step=0, tokens=0)
    model.train()
    model.share_memory()
    share_state(optimizer, trained)
    context = processes.get_context("fork")
    shared = Shared(
        model,
        optimizer,
        trained,
        rows,
        in_order([rows.length(i) for i in range(len(rows.labels))], settings.batch_tokens),
        settings,
        padding,
        clock_of(settings.run, end),
        context.Array("q", [done["taken"], done["step"], done["tokens"]], lock=False),
        context.Lock(),
    )
    other = context.Process(target=work, args=(shared,), kwargs={"saves": False}, daemon=True)
    other.start()
    work(shared, saves=True)
    other.join()
    save(shared)
    model.save_pretrained(settings.run / "final")
    return settings.run / "final"


def clock_of(run: Path, end: float) -> Clock:
    """The clock of a run, which began when its file was written: a run that goes on keeps its
    beginning, and may end at another time than was planned."""
    path = run / "started.json"
    if not path.exists():
        path.write_text(json.dumps(time.time()), encoding="utf-8")
    return Clock(float(json.loads(path.read_text(encoding="utf-8"))), end)


def main() -> None:
    """Check the mixture, and train or go on."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add_data_option(parser)
    parser.add_argument("--base", type=Path, required=True, help="folder of all-mpnet-base-v2")
    parser.add_argument("--start", type=Path, default=Path("provenance_core/models/nli_large"))
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    parser.add_argument("--run", default="nli_judged", help="name of the run (%(default)s)")
    parser.add_argument(
        "--until",
        type=datetime.fromisoformat,
        required=True,
        help="when the run ends, as 2026-11-27T09:55",
    )
    parser.add_argument("--frozen-layers", type=int, default=6, help="(%(default)s)")
    parser.add_argument("--batch-tokens", type=int, default=1536, help="(%(default)s)")
    parser.add_argument("--rate", type=float, default=RATE, help="(%(default)s)")
    arguments = parser.parse_args()
    if check(arguments.runs, arguments.data):
        raise SystemExit("Training pairs occur in an evaluation set: not training.")
    tokenizer = Tokenizer.from_file(str(arguments.base / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    with (arguments.runs / FILE).open(encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    rows = encoded(pairs, tokenizer, 512)
    settings = Settings(
        arguments.runs / arguments.run, 0, arguments.rate, arguments.batch_tokens, 512, 1, SEED
    )
    print(
        train(
            rows,
            begun(arguments.base, arguments.start),
            arguments.frozen_layers,
            settings,
            tokenizer.token_to_id("<pad>") or 0,
            arguments.until.timestamp(),
        )
    )


if __name__ == "__main__":
    main()
