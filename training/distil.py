"""Teach the shipped 22M NLI model what the large one says: ``python -m training.distil``.

The command has two steps and goes on where it stopped:

1. The shipped large model, the teacher, reads the pairs of ``runs/nli_distil_train.jsonl``. 29,450
   of them are training pairs with their label. 22,157 have no label: claims beside chunks of their
   document or beside another premise, and answers to questions beside a chunk of a passage. All
   have about 3.3 million tokens. ``runs/distil/said.bin`` takes 12 bytes a pair.
2. The student begins with the shipped weights and reads every pair about once, in batches of 2,048
   tokens. Its weights are in ``runs/distil/final`` (90 MB, float32).

Revision 5 of the 22M model is the mean of the weights before and after: the student of that run
began with revision 4 (``training.nli.average`` makes a mean).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from benchmarks.float_weights import write_float_checkpoint
from provenance_core.lexicon.words import content_words
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder
from provenance_core.text.chunking import chunk_context
from provenance_core.text.claims import claim_prompt
from provenance_core.text.splitting import TokenCounter
from provenance_core.types import ContextItem
from training.command import MODELS, options, read
from training.contamination import Evaluated, stop_on_hits
from training.large import chosen_pairs
from training.loop import LABELS, Settings, nli_loss, train
from training.minimal_pairs import Pair
from training.nli_data import held_out, passage_rows, write
from training.nli_later import LONG_SETS, QUESTION_SETS, documents, unseen_premises

SEED = 20261125
FILE = "nli_distil_train.jsonl"
SAID_FILE = "said.bin"
NO_LABEL = "none"
LABELLED = 32000
OF_EACH_KIND = 11000  # of the pairs without a label
CHUNK_TOKENS = 96
MAX_LENGTH = 160
BATCH_TOKENS = 2048
RATE = 5e-5
TEMPERATURE = 2.0
# Premises among which a claim gets the one that shares most words with it: a premise about
# something else is neutral at a glance, and teaches nothing.
CANDIDATES = 60
_AT_ONCE = 512
_CLASSES = 3


class Teacher(Protocol):
    """What says the logits: the large :class:`CrossEncoder`."""

    def predict(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Logits of pairs (premise, hypothesis), shape (len(pairs), 3)."""
        ...


def cut(text: str, count: TokenCounter) -> list[str]:
    """Chunks of ``text`` of at most ``CHUNK_TOKENS`` tokens each, in their order."""
    item = ContextItem(0, text)
    chunks = chunk_context([item], max_tokens=CHUNK_TOKENS, overlap_sentences=0, count_tokens=count)
    return [chunk.text for chunk in chunks]


def document_pairs(found: Sequence[Pair], count: TokenCounter) -> Iterator[Pair]:
    """The claim of each pair beside every chunk of its document (about 4)."""
    for pair in found:
        for chunk in cut(pair.premise, count):
            yield replace(pair, premise=chunk, label=NO_LABEL, kind="other_chunk")


def exchanged_pairs(rows: Sequence[dict[str, str]], rng: random.Random) -> Iterator[Pair]:
    """The claim of each row beside another premise of its kind, the nearest of ``CANDIDATES``."""
    premises: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        premises[row["kind"]].append(row["premise"])
    words = {premise: content_words(premise) for found in premises.values() for premise in found}
    for row in rows:
        others = {*rng.choices(premises[row["kind"]], k=CANDIDATES)} - {row["premise"]}
        if others:
            claim = row["hypothesis"]
            wanted = content_words(claim)
            nearest = max(sorted(others), key=lambda premise: len(wanted & words[premise]))
            yield Pair(nearest, claim, NO_LABEL, "other_premise", nearest)


def question_pairs(data: Path, name: str, rng: random.Random, count: TokenCounter) -> list[Pair]:
    """About ``OF_EACH_KIND`` / 10 answers of a question set in the claim prompt, each beside
    a chunk of its own passage or of another passage of its question; the dev split's passages are
    left out."""
    loaded, answers = passage_rows(data, name, rng)
    loaded = [row for row in loaded if not held_out(" ".join(row["passage"].split()[:220]), 20)]
    passages: dict[str, list[str]] = defaultdict(list)
    for row in loaded:
        passages[row["query"]].append(row["passage"])
    pairs: list[Pair] = []
    for row in loaded:
        if len(pairs) >= OF_EACH_KIND // len(QUESTION_SETS):
            break
        answer = row.get("answer") or ""
        if row["label"] != 1 or not 0 < len(answer.split()) <= 12:
            continue
        query, passage = row["query"], row["passage"]
        claims = [(answer, passage), (answer, rng.choice(passages[query]))]
        claims += [(rng.choice(answers[passage]), passage)]
        for text, beside in claims:
            chunk = rng.choice(cut(beside, count))
            pairs.append(Pair(chunk, claim_prompt(query, text), NO_LABEL, "answer", passage))
    return pairs


def build(data: Path, runs: Path, teacher: CrossEncoder) -> None:
    """Writes ``runs/nli_distil_train.jsonl``, shuffled, so that its first pairs are a fair part;
    needs the files of the first two stages."""
    rng = random.Random(SEED)
    rows = chosen_pairs(runs, ("nli_second", "nli"))
    count = teacher.count_tokens
    pairs = [
        Pair(row["premise"], row["hypothesis"], row["label"], row["kind"], row["premise"])
        for row in rows[:LABELLED]
    ]
    beside = list(exchanged_pairs(rows[-2 * OF_EACH_KIND :], rng))
    found = [p for name in LONG_SETS for p in documents(data, name, held=False)]
    chunks = list(document_pairs(found, count))
    rng.shuffle(chunks)
    pairs += beside[:OF_EACH_KIND] + chunks[:OF_EACH_KIND]
    for name in QUESTION_SETS:
        pairs += question_pairs(data, name, rng, count)
    lengths = teacher.pair_tokens([(p.premise, p.hypothesis) for p in pairs])
    evaluated, unseen = Evaluated.read(data / "eval"), unseen_premises(runs)
    kept: dict[tuple[str, str], Pair] = {}
    for pair, length in zip(pairs, lengths, strict=True):
        fits = length <= MAX_LENGTH and pair.premise not in unseen
        if fits and not evaluated.holds_claim(pair.premise, pair.hypothesis):
            kept.setdefault((pair.premise, pair.hypothesis), pair)
    shuffled = list(kept.values())
    rng.shuffle(shuffled)
    write(runs / FILE, shuffled)


def say(teacher: Teacher, pairs: Sequence[tuple[str, str]], path: Path) -> NDArray[np.float32]:
    """The teacher's logits of ``pairs``, shape (len(pairs), 3). Appends them to ``path``, and asks
    only for those that are not there: a run that stopped goes on. ``path`` holds the logits of the
    first pairs, in their order."""
    size = _CLASSES * np.dtype(np.float32).itemsize
    done = path.stat().st_size // size if path.exists() else 0
    with path.open("ab") as out:
        out.truncate(done * size)  # a row that was not written whole
        for first in range(done, len(pairs), _AT_ONCE):
            logits = teacher.predict(pairs[first : first + _AT_ONCE])
            out.write(logits.astype(np.float32).tobytes())
            out.flush()
            print(f"the teacher read {first + len(logits)} of {len(pairs)} pairs", flush=True)
    return np.fromfile(path, np.float32).reshape(-1, _CLASSES)[: len(pairs)]


def distil_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Mean over the rows of T² KL(teacher || student) at temperature T; a row with a label takes
    half of it and half of -log P(label). ``logits``: (B, 3). ``targets``: (B, 4), the teacher's
    logits and the label, -1 for none."""
    teacher = torch.log_softmax(targets[:, :_CLASSES] / TEMPERATURE, dim=-1)
    student = torch.log_softmax(logits / TEMPERATURE, dim=-1)
    terms = functional.kl_div(student, teacher, reduction="none", log_target=True).sum(dim=-1)
    labels = targets[:, _CLASSES].long()
    known = labels >= 0
    soft = TEMPERATURE**2 * (terms * torch.where(known, 0.5, 1.0)).sum()
    if not known.any():
        return soft / len(logits)
    hard = 0.5 * known.sum() * nli_loss(logits[known], labels[known])
    return (soft + hard) / len(logits)


def main() -> None:
    """Builds and checks the pairs, asks the teacher, and trains the student."""
    parser = options(__doc__, "data", "runs", "threads")
    parser.add_argument("--pairs", type=int, help="so many of the pairs (default: all)")
    arguments = parser.parse_args()
    runs: Path = arguments.runs
    run = runs / "distil"
    run.mkdir(parents=True, exist_ok=True)
    teacher = CrossEncoder.load(MODELS / "nli_large")
    if not (runs / FILE).exists():
        build(arguments.data, runs, teacher)
    stop_on_hits(runs, arguments.data)
    rows = read(runs / FILE)[: arguments.pairs]
    pairs = [(row["premise"], row["hypothesis"]) for row in rows]
    said = say(teacher, pairs, run / SAID_FILE)
    start = run / "start"
    write_float_checkpoint(MODELS / "nli", start)
    settings = Settings(
        run,
        sum(teacher.pair_tokens(pairs)) // BATCH_TOKENS,
        RATE,
        BATCH_TOKENS,
        MAX_LENGTH,
        arguments.threads,
        SEED,
        frozen="bert.embeddings.word_embeddings",
        bfloat16=True,
    )
    targets = [
        (*logits, float(LABELS.get(row["label"], -1)))
        for logits, row in zip(said.tolist(), rows, strict=True)
    ]
    print(train(pairs, targets, _CLASSES, distil_loss, settings, start))


if __name__ == "__main__":
    main()
