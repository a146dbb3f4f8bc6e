"""Training pairs whose words are the passage's own: what order and omission do to their truth.

A phrase moved to the front, a shorter sentence and a number spelt out stay true; exchanged roles
and a subject with another sentence's predicate do not.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from training.minimal_pairs import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    NOT_SUPPORTED,
    Pair,
    harmless,
    inside,
    other_number,
    sentences_of,
    swapped,
    window,
)

_PREPOSITIONS = "in|on|at|during|since|after|before|by|for|near|from|under|with"
_TAIL = re.compile(
    rf"^(?P<body>\S.{{20,160}}?),? (?P<tail>(?:{_PREPOSITIONS}) (?:the |a )?"
    r"(?:[A-Z][a-z]+|\d{4})(?:,? (?:[A-Z][a-z]+|\d{4}))*)\.$"
)
_HEAD = re.compile(
    r"^(?P<head>(?:In|On|At|During|Since|After|Before|By|For|Near) [^,]{3,40}), "
    r"(?P<body>[^,].{15,})\.$"
)
_CONJOINED = re.compile(r"\b(?P<a>[A-Z]\w+(?: [A-Z]\w+)?) and (?P<b>[A-Z]\w+(?: [A-Z]\w+)?)\b")
_NOUN = re.compile(r"\b(?P<before>the|a|an|his|her|its|their|of|by|for|to) (?P<word>[a-z]{4,})\b")
_NAME = re.compile(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)*\b")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w])")
_HARMLESS_BETWEEN = re.compile(r"^[,;]?\s*(?:and|or|&)?\s*(?:the|a|an|of)?\s*$")
_PREDICATE = re.compile(
    r"^(?P<subject>[A-Z][^,;:]{4,70}?) "
    r"(?P<predicate>(?:is|are|was|were|has|had|have|will|can|could|"
    r"would|became|began|won|said|made|took|died|moved|wrote|played|released|received|"
    r"includes|contains|lies|lives|uses|used|needs|costs|provides) .{12,})$"
)
_PRONOUNS = frozenset(
    "he she it they this that these those there his her its their we i you who which what".split()  # noqa: SIM905
)
# Capitalised at the start of a sentence without being a name.
_STARTERS = _PRONOUNS | frozenset(
    """a an the in on at after before during since by for with from to as if when while although
    each many most some all both one two however also then thus such no not""".split()  # noqa: SIM905
)
_LEADING = re.compile(
    r"^(?:In|On|At|After|During|Since|By|For|According to|Despite|With|From|While|Although)"
    r" [^,]{3,60}, (?=[A-Za-z])"
)
_APPOSITION = re.compile(r", (?:a|an|the|also|including|such as|known as) [^,]{3,60},(?= )")
_TRAILING = re.compile(
    r",? (?:while|although|after|before|where|which|who|because|when|but|and then|as well as|"
    r"including|with the|so that) [^.]{8,}\.$"
)
_DANGLING = re.compile(
    r"\b(?:and|or|but|to|of|the|a|an|in|on|at|by|for|with|when|that|is|are|was|were|be|as|from)\W*$",
    re.IGNORECASE,
)
_SAYING = re.compile(r",? (?:he|she|they|[A-Z]\w+) (?:said|added|told \w+|says)\.$")
_SPELT = {
    "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "10": "ten", "11": "eleven", "12": "twelve",
}  # fmt: skip
_DIGITS = {word: digit for digit, word in _SPELT.items() if digit != "1"}
_OPENERS = (
    "", "", "yes , ", "yeah ! ", "i know , ", "oh cool ! ", "that's interesting . ", "well , ",
    "i think ", "i believe ", "sure , ", "haha yes , ", "not sure , but ", "actually , ",
    "i love that . ", "that is true . ", "did you know that ", "i read that ", "wow , ",
)  # fmt: skip
_CLOSERS = (
    "", "", "", " do you like it ?", " have you heard of it ?", " what about you ?",
    " pretty cool , right ?", " i really like it .", " it is so interesting .", " have you been ?",
    " what do you think ?", " i would love to see it .",
)  # fmt: skip


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    """``text`` with a small first letter, unless a name starts it."""
    first = text.split(" ", 1)[0]
    plain = first.lower() in _PRONOUNS | {"the", "a", "an", "many", "most", "some", "all", "both"}
    return text[:1].lower() + text[1:] if plain else text


def reordered(text: str, rng: random.Random) -> str | None:
    """``text`` in another order that keeps its meaning: a phrase moved, or two names exchanged
    about an 'and'."""
    found = []
    if match := _TAIL.match(text):
        found.append(f"{_upper(match['tail'])}, {_lower(match['body'])}.")
    if match := _HEAD.match(text):
        found.append(f"{_upper(match['body'])} {match['head'][0].lower()}{match['head'][1:]}.")
    if match := _CONJOINED.search(text):
        found.append(f"{text[: match.start()]}{match['b']} and {match['a']}{text[match.end() :]}")
    return rng.choice(found) if found else None


def roles_exchanged(text: str, rng: random.Random) -> str | None:
    """Two names, numbers or nouns of ``text`` in each other's place, unless only an 'and' or a
    comma stands between them."""
    for pattern in rng.sample([_NAME, _NOUN, _NUMBER, _NOUN], 4):
        spans = [
            m.span("word") if pattern is _NOUN else m.span()
            for m in pattern.finditer(text)
            if m.start() > 0 or m.group().split()[0].lower() not in _STARTERS
        ]
        pairs = [
            (a, b)
            for i, a in enumerate(spans)
            for b in spans[i + 1 :]
            if text[a[0] : a[1]].lower() != text[b[0] : b[1]].lower()
            and not _HARMLESS_BETWEEN.match(text[a[1] : b[0]])
        ]
        if pairs:
            (a, b), (c, d) = rng.choice(pairs)
            return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]
    return None


def shortened(text: str, rng: random.Random) -> str:
    """``text`` less one or two of its clauses, its attribution, or with a number spelt out."""
    edits = [
        lambda t: _upper(_LEADING.sub("", t)),
        lambda t: _APPOSITION.sub("", t),
        lambda t: _TRAILING.sub(".", t),
        lambda t: _SAYING.sub(".", t),
        lambda t: re.sub(
            r"(?<![\d.,$-])\b(?:[2-9]|1[0-2])\b(?![\d,.%-])", lambda m: _SPELT[m.group()], t
        ),
        lambda t: re.sub(
            r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
            lambda m: _DIGITS[m.group()],
            t,
        ),
        lambda t: harmless(t, rng),
    ]
    for edit in rng.sample(edits, 3):
        shorter = edit(text)
        if len(shorter.split()) >= 5 and not _DANGLING.search(shorter):
            text = shorter
    return text if text.endswith((".", "!", "?", '"')) else f"{text}."


def _short_enough(text: str, words: int = 45) -> bool:
    return 6 <= len(text.split()) <= words


def order_pairs(passage: str, rng: random.Random) -> Iterator[Pair]:
    """A sentence in another order (entailed) and with two of its parts exchanged (not)."""
    sentences = [s for s in sentences_of(passage) if _short_enough(s)]
    if not sentences:
        return
    sentence = rng.choice(sentences)
    wrong = roles_exchanged(sentence, rng)
    if wrong is None:
        return
    if rng.random() < 0.5:
        premise = sentence
    else:
        whole = sentences_of(passage)
        at = whole.index(sentence)
        premise = window(whole, at, at + 1, rng, rng.choice((30, 60, 110)))
    right = reordered(sentence, rng) or shortened(sentence, rng)
    yield Pair(premise, right, ENTAILMENT, "reordered", passage)
    if rng.random() < 0.4:
        wrong = reordered(wrong, rng) or wrong
    if not inside(wrong, premise):
        yield Pair(premise, wrong, NOT_SUPPORTED, "roles", passage)


def spliced_pairs(passage: str, rng: random.Random) -> Iterator[Pair]:
    """The subject of one sentence with the predicate of another (not supported), and either
    sentence shortened (entailed), against the passage about both."""
    sentences = sentences_of(passage)
    found = [
        (i, m)
        for i, s in enumerate(sentences)
        if (m := _PREDICATE.match(s))
        and m["subject"].split()[0].lower() not in _PRONOUNS
        and _short_enough(s, 60)
    ]
    if len(found) < 2:
        return
    (i, one), (j, two) = sorted(rng.sample(found, 2))
    if one["subject"].lower() in two["subject"].lower() or (
        two["subject"].lower() in one["subject"].lower()
    ):
        return
    premise = window(sentences, i, j + 1, rng, rng.choice((30, 80, 120)))
    if len(premise.split()) > 150:
        return
    first, second = (one, two) if rng.random() < 0.5 else (two, one)
    wrong = shortened(f"{first['subject']} {second['predicate']}", rng)
    if inside(wrong, premise):
        return
    yield Pair(premise, shortened(rng.choice((one, two)).string, rng), ENTAILMENT, "short", passage)
    yield Pair(premise, wrong, NOT_SUPPORTED, "spliced", passage)


def summary_pairs(passage: str, rng: random.Random, names: list[str]) -> Iterator[Pair]:
    """Two to four shortened sentences as one claim; the same with one of them changed."""
    sentences = sentences_of(passage)
    count = min(rng.choice((2, 3, 3, 4)), len(sentences))
    if count < 2:
        return
    first = rng.randrange(max(1, len(sentences) - count - 1))
    span = range(first, min(len(sentences), first + count + 2))
    chosen = sorted(rng.sample(span, count))
    parts = [shortened(sentences[i], rng) for i in chosen]
    premise = " ".join(sentences[chosen[0] : chosen[-1] + 1])
    if len(premise.split()) > 150 or len(" ".join(parts).split()) > 70:
        return
    yield Pair(premise, " ".join(parts), ENTAILMENT, "summary", passage)
    at = rng.randrange(count)
    changed = (
        swapped(parts[at], passage, rng, names) if rng.random() < 0.7 else None
    ) or roles_exchanged(parts[at], rng)
    if changed and not inside(changed, premise):
        wrong = " ".join([*parts[:at], changed, *parts[at + 1 :]])
        yield Pair(premise, wrong, NOT_SUPPORTED, "summary_swap", passage)


def reply_style(rng: random.Random) -> Callable[[str], str]:
    """Makes a reply of a sentence: lower case between small talk, the same for every sentence."""
    opener, closer = rng.choice(_OPENERS), rng.choice(_CLOSERS)
    tokenised = rng.random() < 0.6

    def reply(text: str) -> str:
        text = text.lower().rstrip(". ")
        if tokenised:
            text = " ".join(re.sub(r"([.,!?;()'])", r" \1 ", text).split()) + " ."
        else:
            text += "."
        return f"{opener}{text}{closer}"

    return reply


def dialogue_pairs(
    passage: str, foreign: str, rng: random.Random, names: list[str]
) -> Iterator[Pair]:
    """Lower-cased replies: a shortened sentence between small talk; the same with a changed,
    or another article's, fact."""
    sentences = [s for s in sentences_of(passage) if _short_enough(s, 35)]
    if not sentences:
        return
    sentence = rng.choice(sentences)
    whole = sentences_of(passage)
    at = whole.index(sentence)
    premise = window(whole, at, at + 1, rng, rng.choice((8, 8, 25, 60)))
    reply = reply_style(rng)
    claim = shortened(sentence, rng)
    yield Pair(premise, reply(claim), ENTAILMENT, "reply", passage)
    roll = rng.random()
    label = NOT_SUPPORTED
    if roll < 0.5:
        wrong = swapped(claim, passage, rng, names)
    elif roll < 0.75:
        wrong = roles_exchanged(claim, rng)
    else:
        others = [s for s in sentences_of(foreign) if _short_enough(s, 30)]
        wrong, label = (rng.choice(others) if others else None), NEUTRAL
    if wrong and not inside(wrong, premise):
        yield Pair(premise, reply(wrong), label, "reply_wrong", passage)


def number_pairs(passage: str, rng: random.Random) -> Iterator[Pair]:
    """A long copied sentence, and the same with one number changed (a contradiction)."""
    sentences = [s for s in sentences_of(passage) if _NUMBER.search(s) and _short_enough(s, 60)]
    if not sentences:
        return
    sentence = rng.choice(sentences)
    whole = sentences_of(passage)
    at = whole.index(sentence)
    premise = window(whole, at, at + 1, rng, rng.choice((20, 60, 110)))
    match = rng.choice(list(_NUMBER.finditer(sentence)))
    old = match.group()
    others = [n for n in _NUMBER.findall(passage) if n != old and n not in sentence]
    new = rng.choice(others) if others and rng.random() < 0.6 else other_number(old, rng)
    wrong = sentence[: match.start()] + new + sentence[match.end() :]
    if not inside(wrong, premise):
        yield Pair(premise, sentence, ENTAILMENT, "number_right", passage)
        yield Pair(premise, wrong, CONTRADICTION, "number_wrong", passage)
