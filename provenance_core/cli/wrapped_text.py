"""Named lines under a heading, wrapped for a terminal."""

from __future__ import annotations

import textwrap

_WIDTH = 100


def wrapped(name: str, text: str) -> list[str]:
    """Write a name and a text as indented lines.

    None without a text.
    """
    if not text:
        return []
    return textwrap.wrap(f"{name}: {text}", _WIDTH, initial_indent="  ", subsequent_indent="    ")
