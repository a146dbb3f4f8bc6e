"""Statements made of questions and their answers: claims in the words of the people who asked.

"Who built the bridge?" and "Anna Berg" make "Anna Berg built the bridge.", which the passage
supports in other words than its own; the answer to another question in its place makes a claim of
the same form that it does not. Only forms of question that a rule turns safely are taken.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from training.minimal_pairs import (
    ENTAILMENT,
    NEUTRAL,
    NOT_SUPPORTED,
    Pair,
    inside,
    other_answers,
    sentences_of,
    swapped,
    window,
)
from training.rewrites import reply_style

_IRREGULAR = {
    "begin": "began", "become": "became", "build": "built", "buy": "bought", "choose": "chose",
    "come": "came", "draw": "drew", "fall": "fell", "fight": "fought", "find": "found",
    "get": "got", "give": "gave", "go": "went", "grow": "grew", "have": "had", "hold": "held",
    "keep": "kept", "know": "knew", "lead": "led", "leave": "left", "lose": "lost",
    "make": "made", "meet": "met", "pay": "paid", "put": "put", "rise": "rose", "run": "ran",
    "say": "said", "see": "saw", "sell": "sold", "send": "sent", "serve": "served",
    "set": "set", "sing": "sang", "speak": "spoke", "spend": "spent", "take": "took",
    "teach": "taught", "think": "thought", "throw": "threw", "win": "won", "write": "wrote",
    "die": "died", "move": "moved", "join": "joined", "start": "started", "open": "opened",
    "attend": "attended", "create": "created", "receive": "received", "marry": "married",
    "play": "played", "use": "used", "call": "called", "want": "wanted", "work": "worked",
    "release": "released", "publish": "published", "found": "founded", "end": "ended",
    "happen": "happened", "occur": "occurred", "visit": "visited", "sign": "signed",
    "study": "studied", "produce": "produced", "introduce": "introduced", "reach": "reached",
}  # fmt: skip
_PASTS = "|".join(sorted({*_IRREGULAR.values(), "bore", "beat", "struck", "flew", "shot", "stole"}))
_PARTICIPLE = (
    r"(?:\w{2,}ed|born|built|held|made|found|written|won|set|sold|known|seen|sung|begun|led|"
    r"taken|given|drawn|brought|bought|sent|kept|chosen|spoken|shot|fought)"
)
_NO_AUXILIARY = r"(?!(?:is|was|are|were|do|does|did|has|have|had|will|would|can|could|should)\b)"
_COPULA = "is|was|are|were|has been|have been|will be"
# A question that ends so leaves a gap inside, where its answer would have to go.
_GAP = re.compile(
    r"\b(?:to|in|for|of|with|by|from|about|on|at|as|into|after|called|named|known|like|than|"
    r"considered|made|do|did|done|be|been|have|had|\w+ing)$|\bor\b|,",
    re.IGNORECASE,
)
_RULES = (
    # Who wrote the book? / Which team won the cup?
    re.compile(
        rf"^(?:who|what|which(?: \w+){{1,2}}|what {_NO_AUXILIARY}\w+) "
        rf"(?P<rest>(?:\w{{2,}}ed|{_PASTS}) (?!by\b).+)$",
        re.IGNORECASE,
    ),
    # What is the capital of France? / Who was the first to cross it?
    re.compile(
        rf"^(?:who|what) (?P<rest>(?:{_COPULA}) (?:the|a|an|one of|considered|responsible|"
        rf"awarded|elected|appointed|killed) .+)$",
        re.IGNORECASE,
    ),
    # How many people live there?
    re.compile(
        r"^how many (?P<noun>\w+(?: \w+)?) (?P<rest>(?:are|were) (?:in|on|there|killed|employed|"
        rf"killed|born|built|used)\b.*|(?:live|work|attend|use|died|{_PASTS})\b .+)$",
        re.IGNORECASE,
    ),
)
_PASSIVE = re.compile(
    rf"^(?P<wh>when|where|in what year|in which year|what year|in what \w+) (?P<be>is|was|are|were)"
    rf" (?P<subject>.+?) (?P<verb>{_PARTICIPLE})(?P<rest>(?: .+)?)$",
    re.IGNORECASE,
)
_DID = re.compile(
    r"^(?P<wh>when|where|what|who|whom|what year|in what year|how many \w+) did (?P<subject>.+?) "
    rf"(?P<verb>{'|'.join(_IRREGULAR)})(?P<rest>(?: .+)?)$",
    re.IGNORECASE,
)
_PLACED = re.compile(
    r"^(?:in|on|at|from|during|near|after|before|by|between|to|since|around)\b", re.I
)


def statement(question: str, answer: str) -> str | None:
    """``question`` and ``answer`` as a sentence; None where no rule fits.

    >>> statement("Who built the old bridge?", "Anna Berg")
    'Anna Berg built the old bridge.'
    >>> statement("When was the bridge closed?", "1960")
    'The bridge was closed in 1960.'
    >>> statement("What did Anna Berg write?", "two novels")
    'Anna Berg wrote two novels.'
    >>> statement("Why did it rain?", "clouds") is None
    True
    """
    asked = question.strip().rstrip("?. ").strip()
    answer = answer.strip().rstrip(".")
    if not asked or not answer or len(answer.split()) > 12:
        return None
    if (match := _PASSIVE.match(asked)) and " of " not in f" {match['verb']} ":
        place = _placed(answer, match["wh"])
        made = f"{match['subject']} {match['be']} {match['verb']}{match['rest']}"
        return None if place is None or _ends_open(made) else _sentence(f"{made} {place}")
    if match := _DID.match(asked):
        done = f"{match['subject']} {_IRREGULAR[match['verb'].lower()]}"
        wh = match["wh"].lower()
        if wh in ("what", "who", "whom"):
            if match["rest"] and _ends_open(match["rest"]):
                return None
            return _sentence(f"{done} {answer}{match['rest']}")
        if wh.startswith("how many"):
            noun = wh.removeprefix("how many ")
            return (
                _sentence(f"{done} {answer} {noun}{match['rest']}") if answer[0].isdigit() else None
            )
        place = _placed(answer, wh)
        made = f"{done}{match['rest']}"
        return None if place is None or _ends_open(made) else _sentence(f"{made} {place}")
    for rule in _RULES:
        match = rule.match(asked)
        if match and not _ends_open(match["rest"]):
            noun = match.groupdict().get("noun")
            if noun and not answer[0].isdigit():
                return None
            subject = f"{answer} {noun}" if noun and noun.lower() not in answer.lower() else answer
            return _sentence(f"{subject} {match['rest']}")
    return None


def _ends_open(text: str) -> bool:
    return bool(_GAP.search(text))


def _placed(answer: str, wh: str) -> str | None:
    """The answer as a time or place: with a preposition, None where none is certain."""
    if _PLACED.match(answer):
        return answer[0].lower() + answer[1:]
    if re.fullmatch(r"(?:the )?(?:\w+ )?\d{4}s?", answer) or wh.lower().startswith("where"):
        return f"in {answer}" if len(answer.split()) <= 5 else None
    if re.fullmatch(r"\w+ \d{1,2}(?:, \d{4})?|\d{1,2} \w+(?: \d{4})?", answer):
        return f"on {answer}"
    return None


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return f"{text[:1].upper()}{text[1:]}."


def statement_pairs(
    query: str, answer: str, passage: str, rng: random.Random, others: list[str]
) -> Iterator[Pair]:
    """The statement of a question's answer, of a wrong answer of the same shape, and the first
    against the passage without the sentence that holds the answer."""
    sentences = sentences_of(passage)
    holding = [i for i, s in enumerate(sentences) if answer in s]
    right = statement(query, answer)
    if not holding or right is None:
        return
    at = rng.choice(holding)
    candidates = [o for o in other_answers(query, answer, passage, others) if o not in query]
    wrong = statement(query, rng.choice(candidates)) if candidates else None
    if wrong is None:
        wrong = swapped(right, passage, rng, ["London"])
    premise = window(sentences, at, at + 1, rng, rng.choice((8, 8, 30, 60, 110)))
    dress = reply_style(rng) if rng.random() < 0.25 else str
    if len(premise.split()) > 150 or wrong is None or inside(wrong, premise):
        return
    yield Pair(premise, dress(right), ENTAILMENT, "statement", passage)
    yield Pair(premise, dress(wrong), NOT_SUPPORTED, "statement_wrong", passage)
    lacking = [s for i, s in enumerate(sentences) if i != at and answer not in s]
    if lacking and rng.random() < 0.35:
        yield Pair(" ".join(lacking[:4]), dress(right), NEUTRAL, "statement_lacks", passage)
