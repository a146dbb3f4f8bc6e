"""Markdown tables into records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from provenance_core.files.field_names import field_of
from provenance_core.files.records.entries import Entry, Note
from provenance_core.files.records.headings import Row
from provenance_core.files.records.tables import column_names, table_row
from provenance_core.text.markdown_tables import MarkdownTable, find_tables

_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


def has_table(beginning: str) -> bool:
    """Whether a text begins with a Markdown table of answers, perhaps below other text: whether no
    line above it names two fields, as the heading of a CSV file does."""
    tables = _tables(beginning)
    above = beginning[: tables[0].start].splitlines() if tables else []
    return bool(tables) and not any(_fields(re.split("[,;\t|]", line)) > 1 for line in above)


def markdown_entries(path: PurePath, text: str) -> Iterator[Entry | Note]:
    """Read the rows of the first table that names two fields, and of those with its heading."""
    tables = _tables(text)
    read = [each for each in tables if each.header.cells == tables[0].header.cells]
    names = column_names(read[0].header.cells)
    lines = 0
    for table in read:
        lines += 2 + len(table.rows)
        for row in table.rows:
            cells = [_BREAK.sub("\n", cell) for cell in row.cells]
            line = text.count("\n", 0, row.start) + 1
            yield table_row(path, names, Row(line, cells, text[row.start : row.end].strip()))
    left = sum(bool(line.strip()) for line in text.splitlines()) - lines
    if left:
        yield Note(
            f"The Markdown table with {', '.join(filter(None, names))} was read; {left:,} other "
            "line(s) of the file were not."
        )


def _tables(text: str) -> list[MarkdownTable]:
    return [each for each in find_tables(text) if _fields(each.header.cells) > 1]


def _fields(cells: Sequence[str]) -> int:
    return len(set(map(field_of, cells)) - {""})
