"""Units of training: a window of the context, a text of the answer, and whether it is supported.

A row says of an answer whether all of it is supported. What follows for its sentences: each
sentence of a supported answer is supported, and one with a marked span is not.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tokenizers import Tokenizer

from provenance_core.lexicon.words import content_words
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.windows import windows
from training.command import Row
from training.minimal_pairs import NOT_SUPPORTED, SUPPORTED

# A pair has three or four special tokens.
SPECIAL = 4
# Lengths of pairs, shortest first: the first whose best window holds as much of the answer as ...
LENGTHS = (192, 256, 320, 400, 480)
# ... this share of what the whole context holds of its content words.
ENOUGH = 0.9
# A longer answer leaves no room for a window.
MOST_ANSWER_TOKENS = 200
# A shorter sentence cannot be read alone.
LEAST_SENTENCE_WORDS = 5


@dataclass(frozen=True, slots=True)
class Unit:
    """A pair to learn: ``label`` as in :data:`training.loop.LABELS`; ``kind``: its data set;
    ``tokens``: about how many the pair has."""

    premise: str
    hypothesis: str
    label: str
    kind: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Judged:
    """A row of ``judged/``, ``dev/`` or ``train/rag``; ``spans``: [start, end) in the answer of
    what is not supported."""

    kind: str
    context: tuple[str, ...]
    answer: str
    supported: bool
    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, row: Row) -> Judged:
        """From the keys that the data's README names."""
        spans = tuple((int(s["start"]), int(s["end"])) for s in row["spans"])
        return cls(row["dataset"], tuple(row["context"]), row["answer"], row["label"] == 1, spans)


class Counter:
    """Counts tokens without special ones; keeps the counts, because texts come again."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._counts: dict[str, int] = {}

    def __call__(self, texts: list[str]) -> list[int]:
        new = [text for text in dict.fromkeys(texts) if text not in self._counts]
        if new:
            encodings = self._tokenizer.encode_batch_fast(new, add_special_tokens=False)
            self._counts |= {t: len(e.ids) for t, e in zip(new, encodings, strict=True)}
        return [self._counts[text] for text in texts]


@lru_cache(maxsize=1024)
def _bounds(text: str) -> list[tuple[int, int]]:
    return sentence_bounds(text)


def best_window(
    context: Sequence[str], answer: str, length: int, count: Counter
) -> tuple[str, int, float]:
    """The text of the window that shares most content words with the answer, the tokens of the
    pair, at most ``length``, and the share of the answer's words in the context that it holds."""
    own = count([answer])[0] + SPECIAL
    bounds = [_bounds(text) for text in context]
    found = windows(context, bounds, most_tokens=max(1, length - own), count_tokens=count)
    wanted = content_words(answer) & content_words(" ".join(context))
    held = [len(wanted & content_words(window.text)) for window in found]
    at = max(range(len(found)), key=held.__getitem__)
    share = held[at] / len(wanted) if wanted else 1.0
    return found[at].text, found[at].tokens + own, share


def unit(judged: Judged, text: str, supported: bool, count: Counter) -> Unit | None:
    """The shortest pair for a text of the answer, or None where no window holds enough of what
    the context says of it: its label may not be true of less."""
    if not any(item.strip() for item in judged.context):
        return None
    if count([text])[0] > MOST_ANSWER_TOKENS:
        return None
    for length in LENGTHS:
        premise, tokens, share = best_window(judged.context, text, length, count)
        if share >= ENOUGH:
            label = SUPPORTED if supported else NOT_SUPPORTED
            return Unit(premise, text, label, judged.kind, tokens)
    return None


def sentences(answer: str) -> list[tuple[int, int]]:
    """The ranges of the sentences that can be read alone."""
    return [
        (a, b)
        for a, b in sentence_bounds(answer)
        if len(answer[a:b].split()) >= LEAST_SENTENCE_WORDS
    ]


def units(judged: Judged, rng: random.Random, count: Counter) -> list[Unit]:
    """The whole answer, and of an answer of several sentences one whose label is known."""
    found = [unit(judged, judged.answer.strip(), judged.supported, count)]
    parts = sentences(judged.answer)
    if len(parts) > 1:
        if not judged.supported:
            parts = [(a, b) for a, b in parts if any(s < b and a < e for s, e in judged.spans)]
        if parts:
            a, b = rng.choice(parts)
            found.append(unit(judged, judged.answer[a:b].strip(), judged.supported, count))
    return [each for each in found if each is not None]


def balanced(found: Sequence[Unit], rng: random.Random) -> list[Unit]:
    """As many units of one label as of the other, shuffled."""
    groups = [[u for u in found if u.label == label] for label in (SUPPORTED, NOT_SUPPORTED)]
    least = min(len(group) for group in groups)
    kept = [u for group in groups for u in rng.sample(group, least)]
    rng.shuffle(kept)
    return kept
