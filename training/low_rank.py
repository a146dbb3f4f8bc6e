"""Train the large model further, twins among the rest: ``python -m training.low_rank --base FOLDER
--until HH:MM`` (see training/README.md); ``--merge SHARE`` then writes whole weights.

Low-rank additions are trained, or with ``--rank 0`` the layers themselves. On a processor without
half precision a full step costs a third more, and its gradients fill the memory that two processes
share. A twin is judged twice: each text by its label, and both by their order.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.multiprocessing as processes
from torch import nn
from transformers import MPNetForSequenceClassification
from transformers.models.mpnet.modeling_mpnet import MPNetLayer, MPNetSelfAttention

from training.command import options, read, tokenizer_of
from training.contamination import stop_on_hits
from training.eight_bits import load_shipped
from training.large import untrained
from training.loop import LABELS, Rows, half, in_batches, nli_loss, take_step
from training.twins import FILE, KIND, Example, examples_of_rows

SEED = 20261129
RANK = 32
LEAST_LAYER = 5
LEAST_WHOLE_LAYER = 3
RATE = 2.4e-4
WHOLE_RATE = 4e-5
WARM_UP = 30
DECAY_SHARE = 0.4  # of the time
MICRO_TOKENS = 2000  # padded, of a batch that is read at once
MICRO_BATCHES = 1  # of each process in a step
WORKERS = 2
SAVE_EVERY = 40
RANKING = 0.5  # weight of the loss on the order of twins
RUN = "low_rank"
CHECKPOINT = "checkpoint.pt"
_LOG_EVERY = 10


class LowRank(nn.Module):
    """A linear layer that stays as it is, plus a product of two thin matrices that is trained;
    (..., in) to (..., out). The product begins at 0."""

    def __init__(self, still: nn.Linear, rank: int = RANK) -> None:
        super().__init__()
        self.still = still
        self.down = nn.Parameter(torch.empty(rank, still.in_features))
        self.up = nn.Parameter(torch.zeros(still.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """The layer's output with the addition."""
        added: torch.Tensor = (values @ self.down.T) @ self.up.T
        result: torch.Tensor = self.still(values)
        return result + added

    def merged(self, share: float) -> nn.Linear:
        """A plain layer with so much of the addition."""
        with torch.no_grad():
            self.still.weight += share * (self.up @ self.down)
        return self.still


class FusedAttention(MPNetSelfAttention):
    """The same attention in one call, which keeps no (B, heads, L, L) scores for the gradients."""

    def forward(
        self,
        hidden_states: Any,
        attention_mask: Any = None,
        position_bias: Any = None,
        output_attentions: Any = False,
        **kwargs: Any,
    ) -> Any:
        """Of the first token alone, where ``position_bias`` is of one query."""
        asked = hidden_states[:, : position_bias.shape[2]]

        def heads(values: torch.Tensor) -> torch.Tensor:
            return values.unflatten(-1, (self.num_attention_heads, -1)).transpose(1, 2)

        added = position_bias
        if attention_mask is not None:
            added = added + attention_mask[:, :, : position_bias.shape[2]]
        found = nn.functional.scaled_dot_product_attention(
            heads(self.q(asked)), heads(self.k(hidden_states)), heads(self.v(hidden_states)), added
        )
        return (self.o(found.transpose(1, 2).flatten(2)),)


class FirstTokenLayer(MPNetLayer):
    """The last layer, for the one token that the classifier reads: a tenth of a step less."""

    def forward(
        self,
        hidden_states: Any,
        attention_mask: Any = None,
        position_bias: Any = None,
        output_attentions: Any = False,
        **kwargs: Any,
    ) -> Any:
        """(B, L, hidden) to (B, 1, hidden)."""
        inner: Any = self.attention
        attended = inner.attn(hidden_states, attention_mask, position_bias[:, :, :1])[0]
        attended = inner.LayerNorm(attended + hidden_states[:, :1])
        return (self.output(self.intermediate(attended), attended),)


def made_fast(model: MPNetForSequenceClassification) -> MPNetForSequenceClassification:
    """The same model with the same weights, which computes nothing that is not read."""
    layers: Any = model.mpnet.encoder.layer
    for layer in layers:
        layer.attention.attn.__class__ = FusedAttention
    layers[-1].__class__ = FirstTokenLayer
    return model


def begun(base: Path, weights: Path, rank: int = RANK) -> MPNetForSequenceClassification:
    """The shipped model with additions in all matrices of the upper layers; only they and the
    classifier are trained. A rank of 0: the layers themselves are."""
    torch.manual_seed(SEED)
    model = untrained(base)
    load_shipped(weights, model)
    model.requires_grad_(False)
    model.classifier.requires_grad_(True)
    if rank == 0:
        model.mpnet.encoder.layer[LEAST_WHOLE_LAYER:].requires_grad_(True)
        return model
    for layer in model.mpnet.encoder.layer[LEAST_LAYER:]:
        for parent in list(layer.modules()):
            for name, child in list(parent.named_children()):
                if isinstance(child, nn.Linear):
                    setattr(parent, name, LowRank(child, rank))
    return model


def trained_state(model: nn.Module) -> dict[str, torch.Tensor]:
    """What is trained, by name."""
    return {name: p.detach() for name, p in model.named_parameters() if p.requires_grad}


@dataclass(frozen=True, slots=True)
class Data:
    """The encoded units, and the numbers of those of each example."""

    rows: Rows
    examples: list[list[int]]
    kinds: list[str]

    @classmethod
    def of(cls, found: Sequence[Example], base: Path, most: int = 500) -> Data:
        """Leaves out an example of which a pair has more tokens than ``most``."""
        tokenizer = tokenizer_of(base)
        parts: list[np.ndarray] = []
        labels: list[int] = []
        numbers: list[list[int]] = []
        kinds: list[str] = []
        for each in found:
            texts = [(u.premise, u.hypothesis) for u in each.units]
            ids = [np.array(e.ids, dtype=np.uint16) for e in tokenizer.encode_batch(texts)]
            if max(map(len, ids)) > most:
                continue
            numbers.append(list(range(len(parts), len(parts) + len(ids))))
            kinds.append(each.units[0].kind)
            parts += ids
            labels += [LABELS[u.label] for u in each.units]
        starts = np.cumsum([0, *map(len, parts)])
        return cls(Rows(np.concatenate(parts), starts, np.array(labels)), numbers, kinds)

    def widths(self) -> list[int]:
        """Padded tokens of each example, all its pairs together."""
        lengths = self.rows.lengths()
        return [len(each) * max(lengths[row] for row in each) for each in self.examples]


def steps(widths: Sequence[int], done: int) -> Iterator[list[list[list[int]]]]:
    """For each step behind the first ``done``, of each worker its batches of examples. Parts of the
    file follow each other as they stand there, each shuffled, because it holds all kinds evenly."""
    rng = random.Random(SEED)
    number = 0
    wanted = WORKERS * MICRO_BATCHES
    while True:
        waiting: list[list[int]] = []
        for batch in in_batches(range(len(widths)), widths, MICRO_TOKENS, rng, pool=400):
            waiting.append(batch)
            if len(waiting) == wanted:
                number += 1
                if number > done:
                    yield [waiting[at::WORKERS] for at in range(WORKERS)]
                waiting = []


@dataclass(slots=True)
class Tally:
    """Sums of a worker's losses by kind, and how many twins stand in the right order."""

    losses: dict[str, list[float]] = field(default_factory=dict)

    def add(self, name: str, value: float) -> None:
        """Count a value under a name."""
        self.losses.setdefault(name, []).append(value)

    def means(self) -> dict[str, float]:
        """The means since they were last asked for."""
        found = {name: round(float(np.mean(v)), 3) for name, v in sorted(self.losses.items())}
        self.losses.clear()
        return found


GROUPS = {KIND: KIND, "written_rag": "rag"}
PAIRS_OF = (".test", ".dev", ".train", ".full")


def group_of(kind: str) -> str:
    """The name under which the log has a kind."""
    return GROUPS.get(kind, "pairs" if kind.endswith(PAIRS_OF) else "judged")


def backward(
    model: nn.Module, data: Data, batch: Sequence[int], padding: int, share: float, tally: Tally
) -> None:
    """Add ``share`` of the gradients of a batch of examples."""
    chosen = [data.examples[at] for at in batch]
    flat = list(chain.from_iterable(chosen))
    with half():
        logits = model(**data.rows.tensors(flat, padding)).logits.float()
    targets = data.rows.targets(flat)
    logs = torch.log_softmax(logits, dim=-1)
    odds = logs[:, 0] - torch.logsumexp(logs[:, 1:], dim=-1)
    loss = nli_loss(logits, targets)
    order = []
    at = 0
    for example, rows in zip(batch, chosen, strict=True):
        own = nli_loss(logits[at : at + len(rows)].detach(), targets[at : at + len(rows)])
        tally.add(group_of(data.kinds[example]), float(own))
        if len(rows) == 2:
            order.append(odds[at] - odds[at + 1])
        at += len(rows)
    if order:
        gaps = torch.stack(order)
        loss = loss + RANKING * nn.functional.softplus(-gaps).sum() / len(flat)
        for gap in gaps.tolist():
            tally.add("twins in order", float(gap > 0))
    (share * loss).backward()


@dataclass(frozen=True, slots=True)
class Shared:
    """What both processes have: the model, a place for the second's gradients, a barrier, and a
    flag of the end."""

    model: nn.Module
    gradients: list[torch.Tensor]
    barrier: Any
    ended: torch.Tensor


def _prepare() -> None:
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)


def second(shared: Shared, data: Data, done: int, padding: int) -> None:
    """Works beside the first process on its own batches of every step."""
    _prepare()
    trained = [p for p in shared.model.parameters() if p.requires_grad]
    tally = Tally()
    for batches in steps(data.widths(), done):
        shared.barrier.wait()  # whether this step is taken is known
        if shared.ended.item():
            return
        for parameter in trained:
            parameter.grad = None
        for batch in batches[1]:
            backward(shared.model, data, batch, padding, 1 / (WORKERS * MICRO_BATCHES), tally)
        for parameter, into in zip(trained, shared.gradients, strict=True):
            if parameter.grad is not None:
                into.copy_(parameter.grad)
        shared.barrier.wait()  # the gradients are there
        shared.barrier.wait()  # the weights have moved


def rate_at(step: int, begun_at: float, until: float, most: float) -> float | None:
    """The rate at a step: a warm-up, a constant, and a fall over the last share of the time."""
    left = until - time.time()
    if left <= 0:
        return None
    falling = DECAY_SHARE * (until - begun_at)
    return most * min(1.0, (step + 1) / WARM_UP) * min(1.0, left / falling)


@dataclass(slots=True)
class Done:
    """How far a run is. ``began``: by ``time.time()``; ``seconds``: without the pauses."""

    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    began: float = field(default_factory=time.time)


def restored(run: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> Done:
    """Load ``run/checkpoint.pt`` where it is; how far that run was."""
    if not (run / CHECKPOINT).exists():
        return Done()
    state = torch.load(run / CHECKPOINT, weights_only=True)
    model.load_state_dict(state["model"], strict=False)
    optimizer.load_state_dict(state["optimizer"])
    return Done(state["step"], state["tokens"], state["seconds"], state["begun_at"])


def save(run: Path, model: nn.Module, optimizer: torch.optim.Optimizer, done: Done) -> None:
    """Write ``run/checkpoint.pt``, whole or not at all."""
    part = run / "checkpoint.part"
    torch.save(
        {
            "model": trained_state(model),
            "optimizer": optimizer.state_dict(),
            "step": done.step,
            "tokens": done.tokens,
            "seconds": done.seconds,
            "begun_at": done.began,
        },
        part,
    )
    part.replace(run / CHECKPOINT)


def train(
    data: Data, base: Path, weights: Path, run: Path, padding: int, until: float, rank: int = RANK
) -> Path:
    """Train, or go on from ``run/checkpoint.pt``, until a time or until a file ``run/STOP`` is
    there; the file of the additions."""
    _prepare()
    run.mkdir(parents=True, exist_ok=True)
    model = made_fast(begun(base, weights, rank))
    most = RATE if rank else WHOLE_RATE
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=most, betas=(0.9, 0.98), weight_decay=0.01)
    done = restored(run, model, optimizer)
    model.train()
    model.share_memory()
    context = processes.get_context("spawn")
    shared = Shared(
        model,
        [torch.zeros_like(p).share_memory_() for p in trained],
        context.Barrier(WORKERS),
        torch.zeros(1, dtype=torch.int32).share_memory_(),
    )
    other = context.Process(target=second, args=(shared, data, done.step, padding), daemon=True)
    other.start()
    before, started = done.seconds, time.time()
    tally = Tally()
    lengths = np.diff(data.rows.starts)
    with (run / "log.jsonl").open("a", encoding="utf-8") as log:
        for batches in steps(data.widths(), done.step):
            rate = rate_at(done.step, done.began, until, most)
            if rate is None or (run / "STOP").exists():
                shared.ended.fill_(1)
                shared.barrier.wait()
                break
            first(shared, data, batches[0], padding, tally)
            move(shared, optimizer, rate)
            done.step += 1
            chosen = chain.from_iterable(chain.from_iterable(batches))
            done.tokens += int(sum(lengths[row] for each in chosen for row in data.examples[each]))
            done.seconds = before + time.time() - started
            if done.step % _LOG_EVERY == 0:
                line: dict[str, float] = {"step": done.step, "tokens": done.tokens}
                line |= {"rate": round(rate, 7), "seconds": round(done.seconds), **tally.means()}
                log.write(json.dumps(line) + "\n")
                log.flush()
            if done.step % SAVE_EVERY == 0:
                save(run, model, optimizer, done)
    save(run, model, optimizer, done)
    other.join()
    return run / CHECKPOINT


def first(
    shared: Shared, data: Data, batches: Sequence[list[int]], padding: int, tally: Tally
) -> None:
    """Leave the gradients of the first process's batches on the weights, and wait for the other."""
    shared.barrier.wait()
    for batch in batches:
        backward(shared.model, data, batch, padding, 1 / (WORKERS * MICRO_BATCHES), tally)
    shared.barrier.wait()


def move(shared: Shared, optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Take a step by the gradients of both processes."""
    trained = [p for p in shared.model.parameters() if p.requires_grad]
    for parameter, added in zip(trained, shared.gradients, strict=True):
        parameter.grad = added.clone() if parameter.grad is None else parameter.grad + added
    take_step(optimizer, trained, rate)
    shared.barrier.wait()


def merge(
    checkpoint: Path, base: Path, weights: Path, share: float, out: Path, rank: int = RANK
) -> None:
    """Write whole float32 weights with so much of what was learned: 1 is all of it."""
    model = begun(base, weights, rank)
    moved = model.classifier if rank else model
    before = {n: p.detach().clone() for n, p in moved.named_parameters()}
    model.load_state_dict(torch.load(checkpoint, weights_only=True)["model"], strict=False)
    with torch.no_grad():
        for name, parameter in moved.named_parameters():
            parameter.copy_(before[name] + share * (parameter - before[name]))
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, LowRank):
                setattr(parent, name, child.merged(share))
    model.save_pretrained(out)


def main() -> None:
    """Train until a time of today, or merge."""
    parser = options(__doc__, "base", "data", "runs")
    parser.add_argument("--start", type=Path, default=Path("provenance_core/models/nli_large"))
    parser.add_argument("--until", help="HH:MM of today")
    parser.add_argument(
        "--rank", type=int, default=RANK, help="0 trains the layers themselves (%(default)s)"
    )
    parser.add_argument("--merge", type=float, help="write RUN/final with this share instead")
    parser.add_argument("--run", default=RUN, help="name of the run (%(default)s)")
    arguments = parser.parse_args()
    run: Path = arguments.runs / arguments.run
    if arguments.merge is not None:
        given = (arguments.base, arguments.start, arguments.merge, run / "final", arguments.rank)
        merge(run / CHECKPOINT, *given)
        return
    stop_on_hits(arguments.runs, arguments.data)
    hour, minute = map(int, arguments.until.split(":"))
    until = datetime.now().replace(hour=hour, minute=minute, second=0).timestamp()
    data = Data.of(examples_of_rows(read(arguments.runs / FILE)), arguments.base)
    padding = tokenizer_of(arguments.base).token_to_id("<pad>") or 0
    print(train(data, arguments.base, arguments.start, run, padding, until, arguments.rank))


if __name__ == "__main__":
    main()
