"""Asks a language model whether passages support a claim: yes or no, and how likely."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from provenance_core.detectors.judge.reply import MalformedReply, beginning

# Models that were trained on this form alone, such as bespoke-minicheck.
_BARE = "minicheck"
_FORM = "Document: {document}\nClaim: {claim}"
_QUESTION = (
    "\n\nIs everything that the claim states supported by the document? Numbers that follow from "
    "those of the document count as supported. Answer with one word: Yes or No."
)
_PLACE = re.compile(r"\{(document|claim)\}")
# What a model that reasons writes before its answer.
_THOUGHT = re.compile(r".*</think>", re.DOTALL)
_WORD = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)
_YES, _NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a reply, and the likeliest tokens at its place with their log-probabilities."""

    text: str
    likeliest: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class YesOrNo:
    """``probability`` of "yes" beside "no", in [0, 1]; ``by_tokens``: whether tokens tell it."""

    probability: float
    by_tokens: bool


def claim_prompt(model_id: str, document: str, claim: str) -> str:
    """Ask whether the document supports the claim, in the form that the model knows."""
    form = _FORM if _BARE in model_id.lower() else _FORM + _QUESTION
    texts = {"document": document, "claim": claim}
    # One pass, so that a text which holds "{claim}" stays as it is.
    return _PLACE.sub(lambda place: texts[place[1]], form)


def read_yes_or_no(text: str, tokens: Sequence[Token]) -> YesOrNo:
    """Read an answer that begins with "yes" or "no". What a model thought aloud before is passed
    over. Its probability is that of all tokens which begin the one word or the other at the place
    of the word; without tokens it is 1 or 0. Raises MalformedReply if the answer begins with
    neither.

    >>> read_yes_or_no("Yes.", ())
    YesOrNo(probability=1.0, by_tokens=False)
    >>> round(read_yes_or_no("No", [Token("No", (("No", -0.1), ("Yes", -2.4)))]).probability, 2)
    0.09
    """
    thought = _THOUGHT.match(text)
    begins = thought.end() if thought else 0
    word = _WORD.match(text, begins)
    if word is None:
        raise MalformedReply(f"it begins with neither yes nor no: {beginning(text[begins:])!r}")
    at, passed = word.start(1), 0
    for token in tokens:
        if passed <= at < passed + len(token.text):
            odds = _odds(token)
            return odds or YesOrNo(float(word[1].lower() == _YES), by_tokens=False)
        passed += len(token.text)
    return YesOrNo(float(word[1].lower() == _YES), by_tokens=False)


def _odds(token: Token) -> YesOrNo | None:
    """What the tokens at one place tell; None where none of them is one of the words."""
    found = {_YES: 0.0, _NO: 0.0}
    for text, log_probability in token.likeliest:
        begun = text.strip().lower()
        if begun in found and not math.isnan(log_probability):
            found[begun] += math.exp(min(0.0, log_probability))
    both = sum(found.values())
    return YesOrNo(found[_YES] / both, by_tokens=True) if both > 0.0 else None
