"""Signs in a text that turn the direction of writing: they may turn nothing beside the text."""

from __future__ import annotations

import re
from html import escape

_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def apart(markup: str) -> str:
    """Write markup in a direction of its own, whatever stands beside it."""
    return f"<bdi>{markup}</bdi>"


def in_brackets(name: str) -> str:
    """Write the name of an item in brackets after a space. HTML; "" without a name."""
    return f" ({apart(escape(name))})" if name else ""


def without_turns(text: str) -> str:
    """Take such signs out of a text, for a label that knows no other way."""
    return _TURNS.sub("", text)


def shown_turns(text: str) -> str:
    """Write such signs out, so that a text is read in the order in which the models read it. The
    text with the code point of each in its place."""
    return _TURNS.sub(lambda sign: f"[U+{ord(sign[0]):04X}]", text)
