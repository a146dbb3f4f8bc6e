"""Rows of CSV text, with cells of any length."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Protocol

# The largest that every platform's csv module takes; its default refuses long documents. The
# limit is of the process, so that it is set here alone.
_LARGEST_CELL = 2**31 - 1
_UNESCAPING = re.compile(r'\\+(?![\\"])')


class Escapes(Enum):
    """What a backslash escapes in a table."""

    NONE = "nothing: it is a sign like others"
    QUOTES = "a quotation mark, and itself before one"
    ALL = "a quotation mark, a delimiter and itself"


class CsvRows(Protocol):
    """An iterator over rows that counts the lines it has read."""

    @property
    def line_num(self) -> int:
        """Lines read up to now, at least as many as rows."""
        ...

    def __iter__(self) -> Iterator[list[str]]: ...

    def __next__(self) -> list[str]: ...


def csv_rows(
    lines: Iterable[str], delimiter: str, *, spaced: bool = False, escapes: Escapes = Escapes.NONE
) -> CsvRows:
    """Read CSV strictly: a quote out of place is an error, not a guess. ``spaced``: a space stands
    behind each delimiter. The cells of one row after another; ``next`` raises :class:`csv.Error` at
    a damaged row."""
    csv.field_size_limit(_LARGEST_CELL)
    if escapes is Escapes.QUOTES:
        lines = (_UNESCAPING.sub(lambda found: found[0] * 2, line) for line in lines)
    escape = None if escapes is Escapes.NONE else "\\"
    return csv.reader(
        lines, delimiter=delimiter, strict=True, skipinitialspace=spaced, escapechar=escape
    )


def taking(lines: Iterable[str], taken: list[str]) -> Iterator[str]:
    """``lines``, each put into ``taken`` as it is read."""
    for line in lines:
        taken.append(line)
        yield line


def csv_fault(error: csv.Error) -> str:
    """Say in plain English what makes a row no CSV. A clause without a full stop."""
    said = str(error)
    if "unexpected end of data" in said:
        return "no quotation mark closes a cell that one opened"
    if "expected after" in said:
        return "something follows the closing quotation mark of a cell"
    if "new-line character" in said:
        return "a lone carriage return parts the lines"
    return said
