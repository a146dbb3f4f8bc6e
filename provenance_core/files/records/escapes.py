r"""Whether a table writes a quotation mark within a cell as \" (Spark, R, csv.writer with an
escapechar) or, as CSV has it, as two."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable

from provenance_core.errors import InputError
from provenance_core.files.csv_rows import Escapes, csv_rows, taking

_ESCAPED = re.compile(r'\\[",;\t|]')
# A backslash that escapes nothing: its writer doubles none, as Spark and R do not.
_ALONE = re.compile(r'(?<!\\)(?:\\\\)*\\(?![\\",;\t|\r\n]|\Z)')


def found_escapes(
    path: object, read: Callable[[], Iterable[str]], delimiter: str, *, spaced: bool
) -> Escapes:
    """What a backslash means in a table: that by which its rows are whole and of one width. Raises
    InputError where some rows have it escape quotation marks and others do not."""
    escaped = alone = False
    for line in read():
        if "\\" in line:
            escaped = escaped or _ESCAPED.search(line) is not None
            alone = alone or _ALONE.search(line) is not None
    if not escaped:
        return Escapes.NONE
    doubled, torn = _faults(read(), delimiter, Escapes.NONE, spaced=spaced)
    found = Escapes.QUOTES if alone else Escapes.ALL
    if not doubled:
        return Escapes.NONE
    others, _ = _faults(read(), delimiter, found, spaced=spaced)
    if 2 * others <= doubled:
        return found
    if torn:
        raise InputError(
            f'{path}, line {torn}: a quotation mark within a cell is written as \\" in some rows '
            'and as "" in others, so that nobody can say where a cell ends; write each as "" (in '
            "Python, csv.writer without an escapechar)"
        )
    return Escapes.NONE


def _faults(
    lines: Iterable[str], delimiter: str, escapes: Escapes, *, spaced: bool
) -> tuple[int, int]:
    """How many rows are none, or not as wide as most; and the first line with a backslash before a
    quotation mark in a row that is none, else 0."""
    widths: Counter[int] = Counter()
    damaged, torn = 0, 0
    taken: list[str] = []
    rows = csv_rows(taking(lines, taken), delimiter, spaced=spaced, escapes=escapes)
    while True:
        taken.clear()
        line = rows.line_num + 1
        try:
            cells = next(rows, None)
        except csv.Error:
            damaged += 1
            torn = torn or (line if any('\\"' in each for each in taken) else 0)
            continue
        if cells is None:
            return damaged + widths.total() - max(widths.values(), default=0), torn
        widths[len(cells)] += any(cells)
