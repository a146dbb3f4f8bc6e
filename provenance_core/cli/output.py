"""What a command prints: lines in which no control character of a text reaches the terminal."""

from __future__ import annotations

import sys
import textwrap
from typing import TextIO

# Moves to the start of a terminal's line and clears it, for a line that is drawn again.
_CLEARED = "\r\x1b[K"
_WIDTH = 100


def visible(text: str) -> str:
    """Put a text on one line, with control characters and lone surrogates as escapes.

    Audited text is not trusted: an escape sequence in it would drive the reader's terminal.
    """
    return _escaped(" ".join(text.split()))


def say(*lines: str, flush: bool = False) -> None:
    """Print lines to standard output. What of a line is no printable character is escaped."""
    _print(lines, sys.stdout, flush)


def complain(*lines: str) -> None:
    """Print lines to standard error, as :func:`say` does."""
    _print(lines, sys.stderr, flush=False)


def draw_again(line: str) -> None:
    """Draw a line of progress over the last one; an empty one takes it away."""
    print(f"{_CLEARED}{_escaped(line)}", end="", file=sys.stderr, flush=True)


def wrapped(name: str, text: str) -> list[str]:
    """A name and a text as indented lines below a heading; none without a text."""
    if not text:
        return []
    return textwrap.wrap(f"{name}: {text}", _WIDTH, initial_indent="  ", subsequent_indent="    ")


def _print(lines: tuple[str, ...], stream: TextIO, flush: bool) -> None:
    for line in lines:
        print(_escaped(line), file=stream, flush=flush)


def _escaped(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in line)
