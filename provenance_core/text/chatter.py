"""Whether a sentence asserts nothing about the subject: "Let me check that for you.", "What a
lovely idea!", "Here are the steps:".

A linear classifier of the words of a sentence, alone, in pairs and in threes, hashed to
:data:`BUCKETS` numbers. In pairs and threes a word that chatter seldom has counts by its ending
alone, so that "how to boil rice:" and "how to fell trees:" look alike; how many such words there
are counts as well. ``python -m training.chatter`` trains it and shows its precision and recall on
answers of several chat models. A sentence with a number is no chatter, but for the length of a
summary ("in 80 words"), nor is a very short or long one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import exp
from pathlib import Path
from zlib import crc32

BUCKETS = 16384
_WEIGHTS = Path(__file__).with_name("chatter_weights.json")
_FEWEST_WORDS, _FEWEST_CRIED, _MOST_WORDS = 3, 2, 30
_WORDS_A_STEP, _MOST_STEPS = 4, 6  # of the feature for the length
_MOST_RARE, _MOST_NAMES = 8, 3  # that are counted
_TOKEN = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?|\d+|[?!:;,.]")
_SPEAKER = re.compile(r"(?:I|AI)(?:['\u2019]\w+)?$")
_NUMBER, _NAME, _RARE = "0", "Xx", "~"
_ENDINGS = ("ed", "ing", "ly", "s")
_LENGTH = re.compile(r"\b\d+(?=[\s-](?:words?|sentences?|paragraphs?|(?:bullet\s)?points?)\b)")


def is_chatter(text: str) -> bool:
    """Whether a sentence says something to the reader and nothing about the subject. False in
    doubt.

    >>> is_chatter("Let me check that for you."), is_chatter("Let the dough rest for an hour.")
    (True, False)
    """
    return probability(text) >= weights().threshold


def probability(text: str) -> float:
    """How probable it is that a sentence is chatter; 0 where it cannot be."""
    if not could_be(text):
        return 0.0
    learned = weights()
    seen = sum(learned.of[place] for place in features(text, learned.words))
    return 1 / (1 + exp(-learned.bias - seen))


def could_be(text: str) -> bool:
    """Whether a sentence has no number, and neither few nor many words."""
    words = tokens(text)
    # A word or two may be a whole answer: "Lyon", "Red wine."
    said = sum(word[0].isalpha() for word in words)
    fewest = _FEWEST_CRIED if words[-1:] == ["!"] else _FEWEST_WORDS
    return fewest <= said <= _MOST_WORDS and _NUMBER not in words


def tokens(text: str) -> list[str]:
    """The words and marks of a sentence in small letters; numbers and names alike each."""
    found = []
    for at, word in enumerate(_TOKEN.findall(_LENGTH.sub("n", text))):
        if word[0].isdigit():
            found.append(_NUMBER)
        elif at and word[0].isupper() and not _SPEAKER.match(word):
            found.append(_NAME)
        else:
            found.append(word.lower().replace("\u2019", "'"))
    return found


def features(text: str, known: Container[str]) -> list[int]:
    """The places, below :data:`BUCKETS`, of what the classifier sees of a sentence; each once.
    ``known``: the words that chatter often has."""
    words = tokens(text)
    shapes = [_shape(word, known) for word in words]
    framed = ["<", *shapes, ">"]
    rare = sum(shape.startswith(_RARE) for shape in shapes)
    found = {
        *words,
        *shapes,
        *(" ".join(pair) for pair in pairwise(framed)),
        *(" ".join(three) for three in zip(framed, framed[1:], framed[2:], strict=False)),
        *(f"#rare {count}" for count in range(min(rare, _MOST_RARE))),
        *(f"#names {count}" for count in range(min(words.count(_NAME), _MOST_NAMES))),
        f"#{min(len(words) // _WORDS_A_STEP, _MOST_STEPS)}",
    }
    return sorted({crc32(each.encode()) % BUCKETS for each in found})


def _shape(word: str, known: Container[str]) -> str:
    if word in known or word == _NAME or not word[0].isalpha():
        return word
    return _RARE + next((end for end in _ENDINGS if word.endswith(end)), "")


@dataclass(frozen=True, slots=True)
class Weights:
    """What was learned: the weight of each bucket, the bias, the probability from which on a
    sentence is chatter, and the words that chatter often has."""

    of: tuple[float, ...]
    bias: float
    threshold: float
    words: frozenset[str]


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights of the file beside this module."""
    found = json.loads(_WEIGHTS.read_text(encoding="utf-8"))
    return Weights(
        tuple(weight / found["scale"] for weight in found["weights"]),
        found["bias"],
        found["threshold"],
        frozenset(found["words"].split()),
    )
