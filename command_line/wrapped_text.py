"""Named lines under a heading, wrapped for a terminal."""

from __future__ import annotations

import textwrap

_WIDTH = 100


def wrapped(name: str, text: str) -> list[str]:
    """``name: text`` as indented lines; none without a text."""
    if not text:
        return []
    return textwrap.wrap(f"{name}: {text}", _WIDTH, initial_indent="  ", subsequent_indent="    ")
