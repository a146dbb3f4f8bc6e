"""Training pairs in the manner of generated answers, made from passages.

They have openings and list marks that claim nothing, framing sentences, abstentions, details left
out or added, and sentences joined from several places of a passage.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from training.minimal_pairs import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    NOT_SUPPORTED,
    SUPPORTED,
    Pair,
    harmless,
    inside,
    names_in,
    sentences_of,
    swapped,
    window,
)

_OPENINGS = (
    "Based on the provided passages, ",
    "Based on the given context, ",
    "According to the passage, ",
    "According to the text, ",
    "The passage states that ",
    "It is also mentioned that ",
    "Overall, ",
    "In summary, ",
    "Additionally, ",
    "Yes, ",
    "1. ",
    "2. ",
    "3. ",
    "- ",
    "* ",
    "did you know that ",
    "i love that ! ",
    "yeah , ",
    "i believe ",
    "that is interesting . ",
)
_FRAMES = (
    "Based on the provided passages, here is the answer to the question:",
    "Here are the steps:",
    "Here is a summary of the text:",
    "Sure! Here is what the passages say.",
    "The passages give the following information:",
    "I hope this helps!",
    "Let me know if you have any other questions.",
    "Based on the given context, the following can be said:",
    "Here's the answer to your question:",
    "The following points are made:",
)
_ABSENT = (
    "The passages do not mention {}.",
    "The provided context does not contain information about {}.",
    "There is no mention of {} in the given passages.",
    "It is not clear from the text what is said about {}.",
    "No information about {} is provided.",
)
_PRESENT = (
    "The passages mention {}.",
    "{} is mentioned in the text.",
    "The context contains information about {}.",
)
# Words that lose their capital letter after an opening.
_STARTERS = frozenset(
    """a after although an and as at both but by during each for from he her his however if in it
    its many more most on one our she since some such that the their there these they this those
    through to two under until we when where while with you your""".split()  # noqa: SIM905
)
# A place, a time or a companion whose loss leaves a sentence true.
_DETAIL = re.compile(
    r",? (?:in|at|on|by|with|near|during|after|before|since|from|for) (?:the )?"
    r"(?:[A-Z][a-z]+(?: [A-Z][a-z]+)*|\d{4})(?=[,.;]| and | but )"
)


def opened(pairs: list[Pair], rng: random.Random) -> list[Pair]:
    """``pairs`` of one passage with the same opening before every claim."""
    opening = rng.choice(_OPENINGS)

    def start(text: str) -> str:
        first = text.split(" ", 1)[0]
        keep = opening[-2] in ".*-" or first.lower() not in _STARTERS
        return opening + (text if keep else text[0].lower() + text[1:])

    return [replace(pair, hypothesis=start(pair.hypothesis)) for pair in pairs]


def framing_pair(passage: str, rng: random.Random) -> Pair:
    """A sentence that claims nothing: nothing of it is unsupported."""
    premise = " ".join(sentences_of(passage)[:4]) or passage
    return Pair(premise, rng.choice(_FRAMES), SUPPORTED, "frame", passage)


def abstention_pairs(passage: str, foreign: str, rng: random.Random) -> Iterator[Pair]:
    """That a name is, or is not, in the passage: one of each for a name in and a name out."""
    premise = " ".join(sentences_of(passage)[:5])
    held = sorted(names_in(premise))
    lacked = sorted({name for name in names_in(foreign) if name.lower() not in premise.lower()})
    if not held or not lacked:
        return
    inner, outer = rng.choice(held), rng.choice(lacked)
    absent = rng.choice(_ABSENT)
    yield Pair(premise, absent.format(inner), CONTRADICTION, "abstention", passage)
    yield Pair(premise, absent.format(outer), ENTAILMENT, "abstention", passage)
    if rng.random() < 0.3:
        present = rng.choice(_PRESENT)
        yield Pair(premise, present.format(inner), ENTAILMENT, "abstention", passage)
        yield Pair(premise, present.format(outer), NOT_SUPPORTED, "abstention", passage)


def detail_pairs(passage: str, foreign: str, rng: random.Random) -> Iterator[Pair]:
    """A sentence less a place or time of its own (entailed), and with a foreign one (not)."""
    sentences = sentences_of(passage)
    found = [(i, m) for i, s in enumerate(sentences) for m in _DETAIL.finditer(s)]
    others = [m.group() for m in _DETAIL.finditer(foreign) if m.group().strip() not in passage]
    if not sentences:
        return
    at, match = rng.choice(found) if found else (rng.randrange(len(sentences)), None)
    sentence = sentences[at]
    if len(sentence.split()) > 50:
        return
    premise = window(sentences, at, at + 1, rng, rng.choice((10, 40, 80, 110)))
    if match:
        less = sentence[: match.start()] + sentence[match.end() :]
        yield Pair(premise, less, ENTAILMENT, "detail_out", passage)
    if others:
        other = rng.choice(others).removeprefix(",")
        if match:
            more = sentence[: match.start()] + other + sentence[match.end() :]
        else:
            more = sentence.rstrip(". ") + other + "."
            yield Pair(premise, sentence, ENTAILMENT, "detail_out", passage)
        if not inside(more, premise):
            yield Pair(premise, more, NEUTRAL, "detail_in", passage)


def fused_pairs(passage: str, rng: random.Random, names: list[str]) -> Iterator[Pair]:
    """Two sentences from different places as one claim; one changed; one without its evidence."""
    sentences = sentences_of(passage)
    if len(sentences) < 3:
        return
    a = rng.randrange(len(sentences) - 2)
    b = rng.randrange(a + 2, min(len(sentences), a + 6))
    premise = " ".join(sentences[a : b + 1])
    first, second = harmless(sentences[a], rng), harmless(sentences[b], rng)
    if len(f"{first} {second}".split()) > 60 or len(premise.split()) > 140:
        return
    joined = rng.choice((" ", " ", " Also, "))
    claim = f"{first.rstrip('.')}.{joined}{second}"
    yield Pair(premise, claim, ENTAILMENT, "fused", passage)
    changed = swapped(second, passage, rng, names)
    if changed:
        wrong = f"{first.rstrip('.')}.{joined}{changed}"
        yield Pair(premise, wrong, NOT_SUPPORTED, "fused_swap", passage)
    elif rng.random() < 0.5:
        yield Pair(" ".join(sentences[a:b]), claim, NEUTRAL, "fused_lacks", passage)
