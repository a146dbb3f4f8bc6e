"""Signs in a text that turn the direction of writing: they may turn nothing beside the text."""

from __future__ import annotations

import re
from html import escape

_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def apart(markup: str) -> str:
    """``markup``, which is safe, written in a direction of its own whatever stands beside it."""
    return f"<bdi>{markup}</bdi>"


def in_brackets(name: str) -> str:
    """HTML of the name of an item, in brackets after a space; "" without one."""
    return f" ({apart(escape(name))})" if name else ""


def without_turns(text: str) -> str:
    """``text`` without such signs, for a label that knows no other way.

    >>> without_turns("a\\u202eb")
    'ab'
    """
    return _TURNS.sub("", text)
