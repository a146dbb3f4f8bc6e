"""Small functions from a value of another tool to ours, for the tables of formats."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from provenance_core.errors import InputError
from provenance_core.files.traces import QUESTION_KEYS, text_under
from provenance_core.files.values.context_texts import context_texts
from provenance_core.files.values.nothing import says_nothing
from provenance_core.files.values.scalars import scalar_text

_PASSED = re.compile(r"\A\[(PASS|FAIL|ERROR)\][ \t]*")
# What promptfoo 0.118 writes before the output: (0.50, tone: 1.00)
_SCORE = re.compile(r"\A\((?:-?\d+\.\d\d|NaN|undefined)(?:, [^\n]*)?\)(?:\n\n|\Z)")
# What promptfoo writes between its reason and the output.
_REASON = "\n---\n"


def one_text(value: object) -> object:
    """A text that is one context item whatever it looks like: that of a data set's owners."""
    return (value,) if isinstance(value, str) and value.strip() else () if value is None else value


def from_json(value: object) -> object:
    """What is written as JSON into a text, or the value itself."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "[", '"'):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def any_text(value: object) -> object:
    """A text, or the one text of an object or a list, such as a message has."""
    text = scalar_text(value)
    return text if text is not None else "\n".join(context_texts(value, "text"))


def within(key: str) -> Callable[[object], object]:
    """A function from a list of citations to what they cite: the objects in the lists under a key,
    each once; a list of which no object has that key is what it is."""

    def read(value: object) -> object:
        given = from_json(value)
        listed = given if isinstance(given, list) else []
        lists = [each.get(key) for each in listed if isinstance(each, Mapping)]
        found = [each for inner in lists if isinstance(inner, list) for each in inner]
        once = [each for at, each in enumerate(found) if each not in found[:at]]
        return once if any(isinstance(inner, list) for inner in lists) else value

    return read


def last_question(value: object) -> object:
    """The text of a question; of messages, that of the last one of the user."""
    if not isinstance(value, list):
        return value
    messages = [each for each in value if isinstance(each, Mapping)]
    asked = [each for each in messages if str(each.get("role")).casefold() == "user"]
    return text_under(asked[-1:] or value, QUESTION_KEYS)


def flag_words(supported: str, hallucinated: str, key: str = "label") -> Callable[[object], object]:
    """A function that reads a label of two words; any other is no known label."""
    words = {supported.casefold(): 1, hallucinated.casefold(): 0}

    def read(value: object) -> object:
        text = (scalar_text(value) or "").strip()
        if says_nothing(text):
            return None
        if text.casefold() not in words:
            raise InputError(f"{key} is {json.dumps(text)}, not {supported} or {hallucinated}")
        return words[text.casefold()]

    return read


def without_mark(value: object) -> object:
    """An output of promptfoo's table without its [PASS] or its [FAIL], and without the score and
    the reason that some versions write around it."""
    if not isinstance(value, str) or not (mark := _PASSED.match(value)):
        return value
    rest = value[mark.end() :]
    if score := _SCORE.match(rest):
        said = "Pass" if mark[1] == "PASS" else "Fail"
        text = rest[score.end() :]
        before, there, _ = text.rpartition(f"\n\n{said} Reason: ")
        failure = output = before if there else text
    else:
        failure, _, after = rest.partition(_REASON)
        output = after if mark[1] == "FAIL" and _REASON in rest else rest
    if mark[1] == "ERROR":
        why = f" ({failure.strip()[:80]})" if failure.strip() else ""
        raise InputError(f"the provider failed{why}: there is no answer")
    return output


def mark_of(value: object) -> object:
    """Whether promptfoo says that an output passed: 1, 0 or None."""
    mark = _PASSED.match(value) if isinstance(value, str) else None
    return {"PASS": 1, "FAIL": 0}.get(mark[1]) if mark else None


def correct_score(value: object) -> object:
    """Whether a score of Inspect is correct (C) or incorrect (I); None for any other."""
    scores = list(value.values()) if isinstance(value, Mapping) else []
    first = scores[0].get("value") if scores and isinstance(scores[0], Mapping) else None
    known: dict[object, int] = {"C": 1, "I": 0, 1: 1, 0: 0}
    return known.get(first) if isinstance(first, str | int | float) else None
