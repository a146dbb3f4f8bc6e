"""Reads a judge's reply: RAGTruth's JSON with the texts of the hallucinated spans."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from provenance_core.text.input_checks import clean_text
from provenance_core.text.splitting import Bounds, strip_bounds

_SHOWN = 200  # characters
_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*)\n?```", re.DOTALL)


class MalformedReply(ValueError):
    """The reply is not what the prompt asks for; the message says in what, as a clause."""


@dataclass(frozen=True, slots=True)
class ReadReply:
    """``spans``: half-open ranges of the answer, in its order, none overlapping another.
    ``repeated``: texts of the reply that the answer holds more than once; each place is a span."""

    spans: tuple[Bounds, ...]
    repeated: tuple[str, ...]


def read_reply(reply: str, answer: str) -> ReadReply:
    """Read which spans of the answer a reply names. The reply must be one JSON object, which may
    stand in a code fence: "hallucination_detected" is "yes" or "no"; with yes, "hallucinated_span"
    is a list of texts that the answer holds exactly, with no it is empty. Nothing is guessed. The
    spans, none for "no". Raises MalformedReply for any other reply.

    >>> reply = '{"hallucination_detected": "yes", "hallucinated_span": ["in 1932"]}'
    >>> read_reply(reply, "It opened in 1932.").spans
    ((10, 17),)
    """
    found = json_object(reply)
    detected = found.get("hallucination_detected")
    answered = detected.strip().lower() if isinstance(detected, str) else ""
    if answered not in ("yes", "no"):
        raise MalformedReply('"hallucination_detected" is neither "yes" nor "no"')
    named = found.get("hallucinated_span")
    if answered == "no":
        if named:
            raise MalformedReply('"hallucination_detected" is "no", yet spans are named')
        return ReadReply((), ())
    if not isinstance(named, list) or not named:
        raise MalformedReply('"hallucinated_span" is not a list of texts')
    spans: list[Bounds] = []
    repeated: list[str] = []
    for text in named:
        if not isinstance(text, str) or not text.strip():
            raise MalformedReply('"hallucinated_span" holds something that is not a text')
        places = _places(text, answer)
        if not places:
            raise MalformedReply(f"the answer does not hold this span exactly: {beginning(text)}")
        if len(places) > 1:
            repeated.append(text)
        spans += places
    return ReadReply(_joined(spans), tuple(dict.fromkeys(repeated)))


def beginning(text: str) -> str:
    """Cut a text to its first 200 characters, as it may be shown. Its start; three dots say that it
    goes on.

    >>> len(beginning("a" * 300))
    203
    """
    clean = clean_text(text, "reply")[0]
    return clean if len(clean) <= _SHOWN else f"{clean[:_SHOWN]}..."


def json_object(reply: str) -> dict[str, object]:
    """The JSON object of a reply, alone or in a code fence. Raises MalformedReply for another."""
    text = reply.strip()
    if fenced := _FENCED.fullmatch(text):
        text = fenced[1]
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise MalformedReply("it is not JSON") from None
    if not isinstance(found, dict):
        raise MalformedReply("it is not a JSON object")
    return found


def _places(text: str, answer: str) -> list[Bounds]:
    return [
        strip_bounds(answer, match.start(), match.end())
        for match in re.finditer(re.escape(text), answer)
    ]


def _joined(spans: list[Bounds]) -> tuple[Bounds, ...]:
    """In order; those that overlap as one."""
    joined: list[Bounds] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
