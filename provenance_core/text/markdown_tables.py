"""Markdown tables within a text: where their rows stand, and what each says in words."""

from __future__ import annotations

import re
from dataclasses import dataclass

RULE = re.compile(r"^\s*+\|?\s*+:?-++:?\s*+(?:\|\s*+:?-++:?\s*+)*+\|?\s*+$")
_LINE = re.compile(r"[^\n]*\n?")
_EMPHASIS = re.compile(r"\*\*|__|`|<br\s*/?>")


@dataclass(frozen=True, slots=True)
class Row:
    """A line ``text[start:end]``, its line break included, and its cells."""

    start: int
    end: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarkdownTable:
    """``text[start:end]``: the line of names, ``header``; the rule below it; the rows."""

    start: int
    end: int
    header: Row
    rows: tuple[Row, ...]

    @property
    def head_end(self) -> int:
        """Where the rule below the header ends and the rows begin."""
        return self.rows[0].start if self.rows else self.end


def table_cells(line: str) -> list[str]:
    """Take the cells of a line of a Markdown table. The cells without white space around them; an
    escaped bar is part of its cell.

    >>> table_cells("| Tower | 30 m |")
    ['Tower', '30 m']
    """
    inner = line.strip().removeprefix("|")
    if not inner.endswith("\\|"):
        inner = inner.removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]


def find_tables(text: str) -> tuple[MarkdownTable, ...]:
    """Find the Markdown tables of a text, in order: a line with a bar, a rule of as many cells
    below it, and the lines with a bar that follow."""
    if "|" not in text or "-" not in text:
        return ()
    lines = [match for match in _LINE.finditer(text) if match.group()]
    found: list[MarkdownTable] = []
    index = 0
    while index + 1 < len(lines):
        head, rule = lines[index], lines[index + 1]
        if (
            "|" not in head.group()
            or "|" not in rule.group()
            or not RULE.match(rule.group())
            or len(table_cells(head.group())) != len(table_cells(rule.group()))
        ):
            index += 1
            continue
        last = index + 2
        while last < len(lines) and "|" in lines[last].group():
            last += 1
        rows = tuple(_row(line) for line in lines[index + 2 : last])
        end = lines[last - 1].end()
        found.append(MarkdownTable(head.start(), end, _row(head), rows))
        index = last
    return tuple(found)


def row_statement(header: Row, row: Row) -> str:
    """Write a row in words, each value under its column's name. The values in order; an empty cell
    says nothing."""
    names = [_plain(name) for name in header.cells]
    names += [""] * (len(row.cells) - len(names))
    values = [_plain(cell) for cell in row.cells]
    return "; ".join(
        f"{name}: {value}" if name else value
        for name, value in zip(names, values, strict=False)
        if value
    )


def _row(line: re.Match[str]) -> Row:
    return Row(line.start(), line.end(), tuple(table_cells(line.group())))


def _plain(cell: str) -> str:
    return " ".join(_EMPHASIS.sub(" ", cell).split()).rstrip(":")
