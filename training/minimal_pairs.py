"""Synthetic (premise, claim) pairs made from passages: minimal pairs and harmless edits."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from provenance_core.text.claims import claim_prompt
from provenance_core.text.splitting import sentence_bounds

SUPPORTED, NOT_SUPPORTED = "supported", "not_supported"
ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"
SUPPORTING = (ENTAILMENT, SUPPORTED)  # the labels of a claim that its premise supports

_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?!\w)")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_VERB = re.compile(r"\b(is|are|was|were|has|have|had|can|will|would|could|should)\b(?! not)")
_LEADS = (
    "yes , ",
    "i think ",
    "well , ",
    "oh , ",
    "i ' m not sure , but ",
    "no , but ",
    "actually ",
)
_WORDS = re.compile(r"[^\W_]+")
_PAREN = re.compile(r"\s*\([^()]*\)")
_RELATIVE = re.compile(r", (?:which|who|where)[^,.]*,")


@dataclass(frozen=True, slots=True)
class Pair:
    """A training row of the NLI model."""

    premise: str
    hypothesis: str
    label: str
    kind: str
    group: str

    def row(self) -> dict[str, str]:
        """What a file keeps of it: all but the group."""
        return {name: getattr(self, name) for name in ("premise", "hypothesis", "label", "kind")}


def sentences_of(text: str) -> list[str]:
    """The sentences of ``text`` that have four words or more."""
    return [s for a, b in sentence_bounds(text) if len((s := text[a:b].strip()).split()) >= 4]


def names_in(text: str) -> set[str]:
    """Capitalised words inside sentences."""
    return set(_NAME.findall(text))


def swapped(text: str, passage: str, rng: random.Random, names: list[str]) -> str | None:
    """``text`` with one number or name replaced by another of the passage (or of the corpus)."""
    for pattern in rng.sample([_NUMBER, _NAME], 2):
        found = list(pattern.finditer(text))
        if not found:
            continue
        match = rng.choice(found)
        old = match.group()
        others = {o for o in pattern.findall(passage) if o not in text and old not in o}
        if pattern is _NUMBER and (not others or rng.random() < 0.4):
            others = {other_number(old, rng)}
        if pattern is _NAME and not others:
            others = {rng.choice(names)} - {old}
        if others:
            new = rng.choice(sorted(others))
            return text[: match.start()] + new + text[match.end() :]
    return None


def other_number(old: str, rng: random.Random) -> str:
    digits = [i for i, c in enumerate(old) if c.isdigit()]
    at = rng.choice(digits)
    new = rng.choice([d for d in "123456789" if d != old[at]])
    return old[:at] + new + old[at + 1 :]


def _negate(text: str, rng: random.Random) -> str | None:
    found = list(_VERB.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    return f"{text[: match.end()]} not{text[match.end() :]}"


def _names_swapped(text: str) -> str | None:
    """Subject and object exchanged: the first two distinct names trade places."""
    found = list(_NAME.finditer(" " + text))
    spans = list(re.finditer(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)*", text))
    if len(found) < 1 or len(spans) < 2 or spans[0].group() == spans[1].group():
        return None
    a, b = spans[0], spans[1]
    return text[: a.start()] + b.group() + text[a.end() : b.start()] + a.group() + text[b.end() :]


def harmless(text: str, rng: random.Random) -> str:
    """A shorter or re-punctuated text that the original entails."""
    edits = [
        lambda t: _PAREN.sub("", t),
        lambda t: _RELATIVE.sub("", t),
        lambda t: t.split("; ")[0].rstrip(".") + "." if "; " in t else t,
        lambda t: re.sub(
            r"^(?:However|Moreover|In addition|Also|Then|Thus|Therefore), (\w)",
            lambda m: m.group(1).upper(),
            t,
        ),
        lambda t: t.rstrip("."),
        lambda t: t,
    ]
    for edit in rng.sample(edits, 2):
        text = edit(text)
    return text


def inside(claim: str, premise: str) -> bool:
    """Whether the claim's words stand in the premise as they are: an edit that was lost."""
    return " ".join(_WORDS.findall(claim.lower())) in " ".join(_WORDS.findall(premise.lower()))


def _dialogue(text: str, rng: random.Random) -> str:
    lowered = re.sub(r"([.,!?;()'])", r" \1 ", text.lower())
    return " ".join((rng.choice(_LEADS) + lowered).split())


def window(sentences: list[str], start: int, stop: int, rng: random.Random, words: int) -> str:
    """Sentences [start, stop) and neighbours around them up to about ``words`` words."""
    a, b = start, stop
    while sum(len(s.split()) for s in sentences[a:b]) < words and (a > 0 or b < len(sentences)):
        if a > 0 and (b >= len(sentences) or rng.random() < 0.5):
            a -= 1
        else:
            b += 1
    return " ".join(sentences[a:b])


def plain_pairs(
    passage: str, group: str, rng: random.Random, names: list[str], foreign: str
) -> Iterator[Pair]:
    """Copied, edited, swapped, negated, removed and half-invented sentences of a passage."""
    sentences = sentences_of(passage)
    if not sentences:
        return
    count = min(len(sentences), rng.choice((1, 1, 1, 2, 3)))
    at = rng.randrange(len(sentences) - count + 1)
    piece = " ".join(sentences[at : at + count])
    if len(piece.split()) > 70:
        piece, count = sentences[at], 1
    premise = window(sentences, at, at + count, rng, rng.choice((10, 30, 60, 90, 130)))
    claim = harmless(piece, rng)
    talk = rng.random() < 0.3

    def styled(text: str) -> str:
        return _dialogue(text, rng) if talk else text

    yield Pair(premise, styled(claim), ENTAILMENT, "copy", group)
    roll = rng.random()
    kind = "swap"
    if roll < 0.55:
        changed = swapped(claim, passage, rng, names)
    elif roll < 0.75:
        changed, kind = _negate(claim, rng), "negated"
    else:
        changed = _names_swapped(claim)
    if changed and _NUMBER.sub("0", changed) == _NUMBER.sub("0", claim):
        kind = "number"
    if changed and not inside(changed, premise):
        yield Pair(premise, styled(changed), NOT_SUPPORTED, kind, group)
    rest = sentences[max(0, at - 3) : at] + sentences[at + count : at + count + 3]
    if rest and rng.random() < 0.6 and not inside(claim, " ".join(rest)):
        yield Pair(" ".join(rest), styled(claim), NEUTRAL, "removed", group)
    if foreign and rng.random() < 0.35:
        invented = rng.choice(sentences_of(foreign) or [foreign])
        if len(invented.split()) <= 40 and not inside(invented, premise):
            parts = [claim, invented] if rng.random() < 0.5 else [invented]
            yield Pair(premise, styled(" ".join(parts)), NEUTRAL, "foreign", group)


def _shape(text: str) -> str:
    if re.fullmatch(r"[\d.,$€£%\s]+", text):
        return "number"
    return "name" if text[:1].isupper() else "phrase"


def prompt_pairs(
    query: str, answer: str, passage: str, group: str, rng: random.Random, others: list[str]
) -> Iterator[Pair]:
    """The paper's claim prompt with right and wrong, short and long answers. ``others`` are right
    answers to other questions on the same passage or article."""
    sentences = sentences_of(passage)
    holding = [i for i, s in enumerate(sentences) if answer in s]
    if not holding:
        return
    at = rng.choice(holding)
    candidates = other_answers(query, answer, passage, others)
    # Right and wrong answers have one form, so that length tells nothing.
    if candidates and rng.random() < 0.5:
        premise = window(sentences, at, at + 1, rng, rng.choice((15, 40, 90, 130)))
        right, wrong = answer, rng.choice(candidates)
        if inside(wrong, sentences[at]) and len(wrong.split()) > 3:
            return
    else:
        count = rng.choice((1, 2, 3))
        first = max(0, at - rng.randrange(count))
        if len(" ".join(sentences[first : first + count]).split()) > 60:
            first, count = at, 1
        body = " ".join(sentences[first : first + count])
        if len(body.split()) > 60:
            return
        stop = min(len(sentences), first + count)
        premise = window(sentences, first, stop, rng, rng.choice((15, 40, 90, 130)))
        right = harmless(body, rng)
        changed = _wrong_body(right, answer, candidates, passage, rng)
        if changed is None or inside(changed, premise):
            return
        wrong = changed
    yield Pair(premise, claim_prompt(query, right), ENTAILMENT, "prompt", group)
    yield Pair(premise, claim_prompt(query, wrong), NOT_SUPPORTED, "prompt_wrong", group)
    lacking = [s for i, s in enumerate(sentences) if i != at and answer not in s]
    if lacking and rng.random() < 0.3 and not inside(right, " ".join(lacking[:4])):
        yield Pair(
            " ".join(lacking[:4]), claim_prompt(query, right), NEUTRAL, "prompt_lacks", group
        )


def other_answers(query: str, answer: str, passage: str, others: list[str]) -> list[str]:
    """Texts of the answer's shape that answer another question, or stand in the passage."""
    alike = [
        o
        for o in others
        if _shape(o) == _shape(answer)
        and o.lower() not in answer.lower()
        and answer.lower() not in o.lower()
        and len(o.split()) <= 12
    ]
    pattern = _NUMBER if _shape(answer) == "number" else _NAME
    return alike or [
        m
        for m in pattern.findall(passage)
        if m not in answer and answer not in m and m not in query
    ]


def _wrong_body(
    right: str, answer: str, candidates: list[str], passage: str, rng: random.Random
) -> str | None:
    """``right`` with its answer exchanged, or a number or name swapped, or negated."""
    if candidates and answer in right and rng.random() < 0.6:
        return right.replace(answer, rng.choice(candidates), 1)
    if rng.random() < 0.3:
        return _negate(right, rng) or swapped(right, passage, rng, candidates or ["London"])
    return swapped(right, passage, rng, candidates or ["London"]) or _negate(right, rng)
