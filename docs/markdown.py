"""Markdown that the writers of the reference share."""

from __future__ import annotations

from collections.abc import Iterable


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table; line ends and pipes inside a cell are kept from breaking it."""

    def line(cells: Iterable[str]) -> str:
        texts = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
        return f"| {' | '.join(texts)} |"

    names = list(header)
    return "\n".join((line(names), line("---" for _ in names), *map(line, rows)))
