"""Train the large NLI model: ``python -m training.large --base FOLDER`` (see training/README.md).

The base is all-mpnet-base-v2 (109M parameters). Its word embeddings stay as they are. Two
processes share the weights and each takes half of every batch, because two threads of one process
lose half their speed at every barrier on a machine that does other work as well.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.multiprocessing as processes
from tokenizers import Tokenizer
from transformers import MPNetForSequenceClassification

from training import nli, written_pairs
from training.command import options, read, rows_of, tokenizer_of, write
from training.contamination import stop_on_hits
from training.eight_bits import load_shipped
from training.loop import (
    LABELS,
    Progress,
    Rows,
    Settings,
    batches,
    half,
    learn,
    learning_rate,
    nli_loss,
    optimizer_of,
    restore,
    save_checkpoint,
)
from training.nli_data import NLI_SETS

SEED = 20261122
MAX_LENGTH = 384
BATCH_TOKENS = 4096
RATE = 5e-5
STAGES = ("nli_second", "nli_third", "nli")
# Rows taken of each kind (all of them where a kind is not named). Rows that people wrote or
# judged come first; made pairs fill up what they do not teach.
MOST = {
    "vitaminc_real.test": 22000,
    "vitaminc_synthetic.test": 1500,
    "fever_covidfact.dev": 7000,
    "snli_ni.train": 2500,
    "conjnli_adv.train": 1500,
    "climatefever.full": 1500,
    "covidfact.train": 1000,
}
MADE_SHARE = 0.4  # of the made pairs
WRITTEN_FILE = "nli_written_train.jsonl"


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where a run begins. ``weights`` is the folder of a shipped model, or of a checkpoint
    (``RUN/last``), or None for the base. ``steps`` and ``tokens`` count what those weights saw: the
    run goes on behind the batches of those steps. ``frozen_layers`` counts the lowest layers that
    are not trained."""

    weights: Path | None = None
    steps: int = 0
    tokens: int = 0
    frozen_layers: int = 0


def chosen_pairs(runs: Path, stages: Sequence[str] = STAGES) -> list[dict[str, str]]:
    """The distinct pairs of the stages' files, at most as many of each kind as ``MOST`` says."""
    rng = random.Random(SEED)
    seen: set[tuple[str, str]] = set()
    kinds: dict[str, list[dict[str, str]]] = {}
    for name in stages:
        for row in rows_of(runs / f"{name}_train.jsonl"):
            key = (row["premise"], row["hypothesis"])
            if key not in seen:
                seen.add(key)
                kinds.setdefault(row["kind"], []).append(row)
    kept: list[dict[str, str]] = []
    for kind, rows in sorted(kinds.items()):
        rng.shuffle(rows)
        made = kind.removesuffix(" (long)") not in NLI_SETS
        most = int(len(rows) * MADE_SHARE) if made else MOST.get(kind, len(rows))
        kept += rows[:most]
    rng.shuffle(kept)
    return kept


def written_and_others(runs: Path, others_beside: float) -> list[dict[str, str]]:
    """The written pairs, in ``nli_written_train.jsonl``, and for each reading of one of them
    ``others_beside`` distinct pairs of all the others, so that nothing is forgotten."""
    pairs = read(runs / WRITTEN_FILE)
    others = chosen_pairs(runs)[: int(len(pairs) * others_beside)]
    mixed = [*pairs, *others]
    random.Random(SEED).shuffle(mixed)
    return mixed


def build_written(runs: Path, kinds: list[str] | None, readings: int) -> None:
    """Writes the pairs of :mod:`training.written_pairs` where the contamination check reads.
    ``kinds``: names of its files without their endings; none or no list for all. Each of the
    ``readings`` draws a claim's query and neighbours again."""
    blocks = [block for block in written_pairs.read_blocks() if not kinds or block.kind in kinds]
    drawn = (random.Random(SEED + reading) for reading in range(readings))
    rows = chain.from_iterable(written_pairs.training_pairs(blocks, rng) for rng in drawn)
    write(runs / WRITTEN_FILE, rows)


def encoded(
    pairs: list[dict[str, str]], tokenizer: Tokenizer, max_length: int = MAX_LENGTH
) -> Rows:
    """Encodes the pairs that fit the window; nothing is cut."""
    parts: list[np.ndarray] = []
    labels: list[int] = []
    for first in range(0, len(pairs), 4096):
        block = pairs[first : first + 4096]
        texts = [(row["premise"], row["hypothesis"]) for row in block]
        for row, encoding in zip(block, tokenizer.encode_batch(texts), strict=True):
            if len(encoding.ids) <= max_length:
                parts.append(np.array(encoding.ids, dtype=np.uint16))
                labels.append(LABELS[row["label"]])
    starts = np.cumsum([0, *(len(part) for part in parts)])
    print(f"{len(parts)} of {len(pairs)} pairs fit, {starts[-1]} tokens", flush=True)
    return Rows(np.concatenate(parts), starts, np.array(labels))


def backward(model: torch.nn.Module, rows: Rows, batch: list[int], padding: int) -> float:
    """Leaves the gradients of one part of a batch on the model; returns the loss."""
    with half():
        logits = model(**rows.tensors(batch, padding)).logits
    loss = nli_loss(logits, rows.targets(batch))
    loss.backward()
    return float(loss.item())


def rate_at(step: int, begun: int, settings: Settings) -> float | None:
    """Learning rate at a step of a run that began at step ``begun``, with its own warm-up and
    decay; None at its end."""
    own = replace(settings, steps=settings.steps - begun)
    return learning_rate(step - begun, own) if step < settings.steps else None


def freeze(model: MPNetForSequenceClassification, layers: int) -> None:
    """Freezes the word embeddings, and the lowest ``layers`` with the positions."""
    embeddings = model.mpnet.embeddings
    still: list[torch.nn.Module] = [embeddings if layers else embeddings.word_embeddings]
    still += [model.mpnet.encoder.layer[i] for i in range(layers)]
    for module in still:
        module.requires_grad_(False)
    if layers:
        model.mpnet.encoder.relative_attention_bias.requires_grad_(False)


def halves(batch: list[int]) -> list[list[int]]:
    """Deals a batch to both processes. The parts have similar lengths, and none is empty."""
    return [batch[i::2] or batch[:1] for i in range(2)]


def helper(
    model: torch.nn.Module,
    shared: list[torch.Tensor],
    rows: Rows,
    settings: Settings,
    done: int,
    padding: int,
    barrier: Any,
) -> None:
    """Works beside the first process: takes its part of every batch, and puts its gradients into
    ``shared``."""
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    trained = [p for p in model.parameters() if p.requires_grad]
    for batch in islice(batches(rows.lengths(), settings, done), settings.steps - done):
        for parameter in trained:
            parameter.grad = None
        backward(model, rows, halves(batch)[1], padding)
        for parameter, into in zip(trained, shared, strict=True):
            if parameter.grad is None:
                into.zero_()
            else:
                into.copy_(parameter.grad)
        barrier.wait()  # the gradients are there
        barrier.wait()  # the step is taken


def untrained(base: Path) -> MPNetForSequenceClassification:
    """The base model with three classes and no dropout."""
    return MPNetForSequenceClassification.from_pretrained(
        base,
        num_labels=3,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        dtype=torch.float32,
    )


def begun(base: Path, weights: Path | None) -> MPNetForSequenceClassification:
    """The model that a run begins with."""
    if weights is None or not (weights / "manifest.json").exists():
        return untrained(weights or base)
    model = untrained(base)
    load_shipped(weights, model)
    return model


def train(rows: Rows, base: Path, settings: Settings, padding: int, beginning: Beginning) -> Path:
    """Trains, or goes on from ``run/checkpoint.pt``; returns the folder of the float32 weights."""
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    torch.set_flush_denormal(True)
    settings.run.mkdir(parents=True, exist_ok=True)
    model = begun(base, beginning.weights)
    freeze(model, beginning.frozen_layers)
    optimizer = optimizer_of(model.parameters(), settings.rate, betas=(0.9, 0.98))
    progress = Progress(beginning.steps, beginning.tokens)
    progress = restore(settings.run, model, optimizer, progress)
    done = progress.step
    model.train()
    model.share_memory()
    trained = [p for p in model.parameters() if p.requires_grad]
    shared = [torch.zeros_like(p).share_memory_() for p in trained]
    context = processes.get_context("spawn")
    barrier = context.Barrier(2)
    given = (model, shared, rows, settings, done, padding, barrier)
    other = context.Process(target=helper, args=given, daemon=True)
    other.start()
    lengths = np.diff(rows.starts)

    def gradients(batch: list[int]) -> tuple[float, int]:
        loss = backward(model, rows, halves(batch)[0], padding)
        barrier.wait()
        for parameter, from_other in zip(trained, shared, strict=True):
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            parameter.grad.add_(from_other).mul_(0.5)
        return loss, int(lengths[batch].sum())

    def after() -> None:
        save_checkpoint(settings, model, optimizer, progress)
        barrier.wait()

    learn(
        optimizer,
        batches(rows.lengths(), settings, done),
        gradients,
        lambda now: rate_at(now.step, beginning.steps, settings),
        settings.run / "log.jsonl",
        progress,
        after,
    )
    other.join()
    model.save_pretrained(settings.run / "final")
    return settings.run / "final"


def build(runs: Path, data: Path) -> None:
    """Builds the files of the small model's stages that are missing."""
    for name, make in nli.BUILDS.items():
        if not (runs / name).exists():
            make(data, runs)


def main() -> None:
    """Builds the data, checks it, and trains or goes on."""
    parser = options(__doc__, "base", "data", "runs")
    parser.add_argument("--steps", type=int, default=3800, help="(%(default)s)")
    parser.add_argument("--decay", type=float, default=0.5, help="last share of the steps")
    parser.add_argument("--rate", type=float, default=RATE, help="(%(default)s)")
    parser.add_argument("--batch-tokens", type=int, default=BATCH_TOKENS, help="(%(default)s)")
    parser.add_argument("--max-length", type=int, default=MAX_LENGTH, help="(%(default)s)")
    parser.add_argument("--start", type=Path, help="folder of shipped weights to begin with")
    parser.add_argument("--start-steps", type=int, default=0, help="steps that they saw")
    parser.add_argument("--start-tokens", type=int, default=0, help="tokens that they saw")
    parser.add_argument("--frozen-layers", type=int, default=0, help="lowest layers to leave")
    parser.add_argument("--pairs", help="another built file of pairs, in the place of the stages'")
    parser.add_argument(
        "--written",
        nargs="*",
        metavar="FILE",
        help="the written pairs (of these files of training/written) and others beside them",
    )
    parser.add_argument(
        "--readings", type=int, default=1, help="of the written pairs (%(default)s)"
    )
    parser.add_argument(
        "--others", type=float, default=1.0, help="for each reading of one (%(default)s)"
    )
    parser.add_argument("--run", default="nli_large", help="name of the run (%(default)s)")
    arguments = parser.parse_args()
    runs: Path = arguments.runs
    if arguments.pairs is None:
        build(runs, arguments.data)
        build_written(runs, arguments.written, arguments.readings)
    stop_on_hits(runs, arguments.data)
    if arguments.pairs is not None:
        pairs = read(runs / arguments.pairs)
    elif arguments.written is None:
        pairs = chosen_pairs(runs)
    else:
        pairs = written_and_others(runs, arguments.others)
    tokenizer = tokenizer_of(arguments.base)
    padding = tokenizer.token_to_id("<pad>") or 0
    settings = Settings(
        runs / arguments.run,
        arguments.steps,
        arguments.rate,
        arguments.batch_tokens,
        arguments.max_length,
        1,
        SEED,
        decay_share=arguments.decay,
        save_every=100,
    )
    beginning = Beginning(
        arguments.start, arguments.start_steps, arguments.start_tokens, arguments.frozen_layers
    )
    rows = encoded(pairs, tokenizer, settings.max_length)
    print(train(rows, arguments.base, settings, padding, beginning))


if __name__ == "__main__":
    main()
