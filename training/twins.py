"""Twins: a right and a wrong answer of nearly the same words to one query, under one window.
``python -m training.twins --base FOLDER`` writes ``twins_train.jsonl``, in which they stand among
single units of all other kinds.

What both share can tell nothing about the label, so that only reading the window helps.
``training/written_twins/*.jsonl`` has a context a line: ``domain``, ``query``, ``context`` (a list
of passages) and ``twins``, each with a ``right`` and a ``wrong`` text and its ``family``.
"""

from __future__ import annotations

import json
import random
from collections import Counter as Counts
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path

from tokenizers import Tokenizer

from provenance_core.lexicon.words import content_words
from provenance_core.text.abstentions import without_abstention
from provenance_core.text.splitting import sentence_bounds
from training.command import SEED, Row, options, rows_of, tokenizer_of, write
from training.contamination import Evaluated
from training.held_out import document, is_held_out
from training.judged_mixture import RAG_FILE, WRITTEN_RAG_HELD_IN, all_groups
from training.judged_units import (
    ENOUGH,
    LENGTHS,
    SPECIAL,
    Counter,
    Judged,
    Unit,
    best_window,
    sentences,
)
from training.minimal_pairs import NOT_SUPPORTED, SUPPORTED

FILE = "twins_train.jsonl"
FOLDER = Path(__file__).parent / "written_twins"
KIND = "twins"
# Shares of the tokens of a run: what people judged decides what ships, the twins teach to read.
SHARES = {"judged": 0.34, KIND: 0.46, "rag": 0.04, "pairs": 0.13, "written": 0.03}
# How often a twin is its one sentence that differs, as the detector reads sentences.
SENTENCE = 0.35
# How often a right text is set beside itself under a passage that says nothing of it: a model that
# reads single passages learns there that silence neither grants nor denies.
SILENT = 0.2
# What that passage lacks of the words that the best one holds.
LEAST_LACK = 0.3


@dataclass(frozen=True, slots=True)
class Example:
    """What is learned together: one unit, or a supported one and one that is not, in this order."""

    units: tuple[Unit, ...]

    @property
    def tokens(self) -> int:
        """About how many its pairs have."""
        return sum(each.tokens for each in self.units)


def shared_words(one: str, other: str) -> float:
    """The share of the distinct words of both texts that they have in common, in [0, 1]."""
    a, b = set(one.lower().split()), set(other.lower().split())
    return len(a & b) / max(1, len(a | b))


def matched(right: Sequence[str], wrong: Sequence[str]) -> list[tuple[str, str]]:
    """Each right answer with the wrong one that shares most words with it; each text once."""
    ranked = sorted(((shared_words(r, w), r, w) for r in right for w in wrong), reverse=True)
    used: set[str] = set()
    found = []
    for _, r, w in ranked:
        if not used & {r, w}:
            used |= {r, w}
            found.append((r, w))
    return found


def twin(context: Sequence[str], right: str, wrong: str, count: Counter) -> Example:
    """Both answers under the shortest window that says enough of both, else the longest."""
    own = count([right, wrong])
    for length in LENGTHS:
        # The window is chosen by the words of both, and has room beside the longer one.
        room = length + min(own)
        premise, tokens, share = best_window(context, f"{right} {wrong}", room, count)
        if share >= ENOUGH:
            break
    window = tokens - sum(own) - SPECIAL
    labelled = zip((right, wrong), (SUPPORTED, NOT_SUPPORTED), own, strict=True)
    return Example(
        tuple(
            Unit(premise, text, label, KIND, window + size + SPECIAL)
            for text, label, size in labelled
        )
    )


def sentence_that_differs(right: str, wrong: str) -> tuple[str, str]:
    """The one sentence of each in which both differ; both texts where that is not one."""
    own, other = ([text[a:b].strip() for a, b in sentence_bounds(text)] for text in (right, wrong))
    if len(own) != len(other) or len(own) < 2:
        return right, wrong
    found = [(a, b) for a, b in zip(own, other, strict=True) if a != b]
    return found[0] if len(found) == 1 and sentences(found[0][0]) else (right, wrong)


def silent_passage(context: Sequence[str], text: str) -> str | None:
    """The passage that shares fewest words with a text, where another shares many more."""
    wanted = content_words(text)
    if not wanted or without_abstention(text) != text:
        return None  # what it says of the whole context may be true of one passage
    shares = [len(wanted & content_words(passage)) / len(wanted) for passage in context]
    least = min(range(len(shares)), key=shares.__getitem__)
    return context[least] if max(shares) - shares[least] >= LEAST_LACK else None


def under_silence(context: Sequence[str], right: str, count: Counter) -> Example | None:
    """A right text under its window, and under a passage that says nothing of it."""
    passage = silent_passage(context, right)
    if passage is None:
        return None
    supported = twin(context, right, right, count).units[0]
    tokens = sum(count([passage, right])) + SPECIAL
    return Example((supported, Unit(passage, right, NOT_SUPPORTED, KIND, tokens)))


@dataclass(frozen=True, slots=True)
class Written:
    """A context and its twins, each a right text and a wrong one."""

    context: tuple[str, ...]
    twins: tuple[tuple[str, str], ...]

    @property
    def held_out(self) -> bool:
        """Whether no weights may see it: one context in ten."""
        return is_held_out(self.context, WRITTEN_RAG_HELD_IN)


def written_twins() -> list[Written]:
    """Those of our own files."""
    return [
        Written(tuple(row["context"]), tuple((t["right"], t["wrong"]) for t in row["twins"]))
        for path in sorted(FOLDER.glob("*.jsonl"))
        for row in rows_of(path)
    ]


def rows_of_twins(written: Written) -> list[Row]:
    """Each text of a context as a labelled row, in the keys of the data sets."""
    context = list(written.context)
    return [
        {
            "dataset": KIND,
            "id": f"{document(context)}-{number}-{label}",
            "context": context,
            "answer": text,
            "label": label,
        }
        for number, pair in enumerate(written.twins)
        for label, text in zip((1, 0), pair, strict=True)
    ]


def answers_as_twins(data: Path) -> list[Written]:
    """The written RAG answers, each with the most alike of the other label."""
    by_context: dict[tuple[str, ...], list[Judged]] = defaultdict(list)
    for row in map(Judged.of, rows_of(data / RAG_FILE)):
        by_context[row.context].append(row)
    found = []
    for context, rows in by_context.items():
        right, wrong = ([r.answer.strip() for r in rows if r.supported == s] for s in (True, False))
        found.append(Written(context, tuple(matched(right, wrong))))
    return found


def twins(written: Sequence[Written], rng: random.Random, count: Counter) -> list[Example]:
    """Examples of the twins that weights may see, shuffled."""
    found = []
    for each in written:
        if each.held_out:
            continue
        for right, wrong in each.twins:
            alone = rng.random() < SENTENCE
            read = sentence_that_differs(right, wrong) if alone else (right, wrong)
            found.append(twin(each.context, *read, count))
            if rng.random() < SILENT and (more := under_silence(each.context, right, count)):
                found.append(more)
    rng.shuffle(found)
    return found


def examples(
    data: Path, tokenizer: Tokenizer, tokens: int | None, seed: int = SEED
) -> list[Example]:
    """All kinds in one order, of which every part holds each kind by its share of the tokens.
    A kind that is used up begins again. ``tokens``: of all kinds together; None: as many as let
    each judged unit be read once. Where twins do not all find room, those of our own files do."""
    rng = random.Random(seed)
    count = Counter(tokenizer)
    evaluated = Evaluated.read(data / "eval")
    groups = {
        name: [Example((unit,)) for unit in units]
        for name, units in all_groups(data, tokenizer, 1.0, seed).items()
    }
    groups[KIND] = [
        each
        for written in (written_twins(), answers_as_twins(data))
        for each in twins(written, rng, count)
        if not any(evaluated.holds_claim(u.premise, u.hypothesis) for u in each.units)
    ]
    whole = tokens or sum(each.tokens for each in groups["judged"]) / SHARES["judged"]
    placed: list[tuple[float, Example]] = []
    for name, group in groups.items():
        part, wanted = _enough(group, SHARES[name] * whole), SHARES[name] * whole
        passed = 0.0
        for each in rng.sample(part, len(part)):
            passed += each.tokens
            placed.append((passed / wanted + rng.uniform(-0.01, 0.01), each))
    return [each for _, each in sorted(placed, key=lambda pair: pair[0])]


def _enough(group: Sequence[Example], tokens: float) -> list[Example]:
    """The first of a group, again from its beginning where it is short, until they have so many
    tokens."""
    found: list[Example] = []
    passed = 0
    for each in cycle(group):
        if passed >= tokens:
            break
        passed += each.tokens
        found.append(each)
    return found


def rows_of_examples(found: Sequence[Example]) -> list[Row]:
    """A row for each unit; ``example`` is the number of what is learned together."""
    return [{**asdict(u), "example": at} for at, each in enumerate(found) for u in each.units]


def examples_of_rows(rows: Sequence[Row]) -> list[Example]:
    """The examples of such rows."""
    by_number: dict[int, list[Unit]] = defaultdict(list)
    for row in rows:
        by_number[row["example"]].append(
            Unit(row["premise"], row["hypothesis"], row["label"], row["kind"], row["tokens"])
        )
    return [Example(tuple(by_number[number])) for number in sorted(by_number)]


def main() -> None:
    """Write the file and print what is in it."""
    parser = options(__doc__, "data", "runs", "base")
    parser.add_argument("--tokens", type=int, help="of all kinds together")
    parser.add_argument("--seed", type=int, default=SEED, help="another takes other rows")
    arguments = parser.parse_args()
    tokenizer = tokenizer_of(arguments.base)
    found = examples(arguments.data, tokenizer, arguments.tokens, arguments.seed)
    write(arguments.runs / FILE, rows_of_examples(found))
    kinds = Counts(each.units[0].kind for each in found)
    print(json.dumps({"examples": len(found), "kinds": kinds}, indent=1))
    print(f"{sum(each.tokens for each in found)} tokens")


if __name__ == "__main__":
    main()
