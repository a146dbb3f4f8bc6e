"""What a command prints: lines in which no control character of a text reaches the terminal."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

# Moves to the start of a terminal's line and clears it, for a line that is drawn again.
_CLEARED = "\r\x1b[K"
_WIDTH = 100
_SECONDS_BETWEEN = 0.2


def visible(text: str) -> str:
    """Put a text on one line, with control characters and lone surrogates as escapes. Audited text
    is not trusted: an escape sequence in it would drive the reader's terminal."""
    return _escaped(" ".join(text.split()))


def say(*lines: str, flush: bool = False) -> None:
    """Print lines to standard output. What of a line is no printable character is escaped."""
    _print(lines, sys.stdout, flush)


def complain(*lines: str) -> None:
    """Print lines to standard error, as :func:`say` does."""
    _print(lines, sys.stderr, flush=False)


class ProgressLine:
    """One line on standard error that says how far something is, when a person is looking."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._shown = sys.stderr.isatty()
        self._last = 0.0

    def show(self, progress: str) -> None:
        """Draw the line over the last one, five times a second at most."""
        now = time.monotonic()
        if self._shown and now - self._last > _SECONDS_BETWEEN:
            self._last = now
            self._draw(f"{self._name}: {progress}")

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            self._draw("")

    def _draw(self, line: str) -> None:
        print(f"{_CLEARED}{_escaped(line)}", end="", file=sys.stderr, flush=True)


def wrapped(name: str, text: str) -> list[str]:
    """A name and a text as indented lines below a heading; none without a text."""
    if not text:
        return []
    return textwrap.wrap(f"{name}: {text}", _WIDTH, initial_indent="  ", subsequent_indent="    ")


def columns(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table as lines whose columns stand below each other."""
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield "  ".join(cells).rstrip()


def _print(lines: tuple[str, ...], stream: TextIO, flush: bool) -> None:
    for line in lines:
        print(_escaped(line), file=stream, flush=flush)


def _escaped(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in line)
