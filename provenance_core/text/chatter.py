"""Whether a sentence asserts nothing about the subject: "Let me check that for you.", "What a
lovely idea!", "Here are the steps:".

A linear classifier of the words of a sentence, in pairs, and at its beginning in threes, hashed to
:data:`BUCKETS` numbers. ``python -m training.chatter`` trains it and shows its precision and recall
on answers of several chat models. A sentence with a number is no chatter, nor is a
very short or long one.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import pairwise
from math import exp
from pathlib import Path
from zlib import crc32

BUCKETS = 4096
_WEIGHTS = Path(__file__).with_name("chatter_weights.json")
_FEWEST_WORDS, _FEWEST_CRIED, _MOST_WORDS = 3, 2, 30
_WORDS_A_STEP, _MOST_STEPS = 4, 6  # of the feature for the length
_TOKEN = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?|\d+|[?!:;,.]")
_SPEAKER = re.compile(r"(?:I|AI)(?:['\u2019]\w+)?$")
_NUMBER, _NAME = "0", "Xx"


def is_chatter(text: str) -> bool:
    """Whether a sentence says something to the reader and nothing about the subject. False in
    doubt.

    >>> is_chatter("Let me check that for you."), is_chatter("Let the dough rest for an hour.")
    (True, False)
    """
    return probability(text) >= weights()[2]


def probability(text: str) -> float:
    """How probable it is that a sentence is chatter; 0 where it cannot be."""
    words = tokens(text)
    # A word or two may be a whole answer: "Lyon", "Red wine."
    said = sum(word[0].isalpha() for word in words)
    fewest = _FEWEST_CRIED if words[-1:] == ["!"] else _FEWEST_WORDS
    if not fewest <= said <= _MOST_WORDS or _NUMBER in words:
        return 0.0
    weight, bias, _ = weights()
    return 1 / (1 + exp(-bias - sum(weight[place] for place in features(text))))


def tokens(text: str) -> list[str]:
    """The words and marks of a sentence in small letters; numbers and names alike each."""
    found = []
    for at, word in enumerate(_TOKEN.findall(text)):
        if word[0].isdigit():
            found.append(_NUMBER)
        elif at and word[0].isupper() and not _SPEAKER.match(word):
            found.append(_NAME)
        else:
            found.append(word.lower().replace("\u2019", "'"))
    return found


def features(text: str) -> list[int]:
    """The places, below :data:`BUCKETS`, of what the classifier sees of a sentence; each once."""
    words = tokens(text)
    framed = ["<", *words, ">"]
    found = [
        *words,
        *(" ".join(pair) for pair in pairwise(framed)),
        *(" ".join(framed[at : at + 3]) for at in range(2)),
        f"#{min(len(words) // _WORDS_A_STEP, _MOST_STEPS)}",
    ]
    return sorted({crc32(each.encode()) % BUCKETS for each in found})


@lru_cache(maxsize=1)
def weights() -> tuple[tuple[float, ...], float, float]:
    """Weight of each bucket, the bias, and the probability from which on a sentence is chatter."""
    found = json.loads(_WEIGHTS.read_text(encoding="utf-8"))
    return (
        tuple(weight / found["scale"] for weight in found["weights"]),
        found["bias"],
        found["threshold"],
    )
