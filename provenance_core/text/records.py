"""Where a claim gives one record the value of another: "Tarn has 103,000 inhabitants", which is
Velden's line of the table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from provenance_core.text.coverage import is_function_word, words
from provenance_core.text.markdown_tables import find_tables
from provenance_core.text.phrases import Exchange, ExchangeKind

# A field as :mod:`provenance_core.text.structured_context` states it; older audits say item.
_STATEMENT = re.compile(
    r"^In (?:row|entry|item) \d+ \((?P<record>[^\n]+?)\), (?P<field>[^\n]+?) is "
    r"(?P<value>[^\n]+?)\.$",
    re.MULTILINE,
)
# Words that any sentence may have.
_COMMON = frozenset(("yes", "no", "true", "false", "none", "n/a", "not given", "empty text"))
_SHORT = 3


@dataclass(frozen=True, slots=True)
class _Value:
    """``text[start:end]`` is what a record has in a field; ``written`` without case and commas."""

    written: str
    start: int
    end: int


_Records = Mapping[str, Mapping[str, _Value]]


def find_other_record(
    claim: str, premises: Sequence[str], before: str = ""
) -> tuple[Exchange, ...]:
    """The values in ``claim`` that a table or list in ``premises`` has for another record than the
    one that the claim names, with what it has for that one.

    ``before``: the query, or the sentence before, which names the record where the claim does not.
    None where the claim names two records.

    >>> table = "| City | People |\\n|---|---|\\n| Tarn | 12,750 |\\n| Velden | 103,000 |"
    >>> claim = "Tarn has 103,000 inhabitants."
    >>> [(claim[e.start : e.end], table[e.other_start : e.other_end])
    ...  for e in find_other_record(claim, [table])]
    [('103,000', '12,750')]
    """
    found = []
    for index, text in enumerate(premises):
        for records in _read(text):
            found += [
                Exchange(ExchangeKind.RECORD, start, end, index, right.start, right.end)
                for start, end, right in _misplaced(claim, records, before)
            ]
    return tuple(found)


def _misplaced(claim: str, records: _Records, before: str) -> list[tuple[int, int, _Value]]:
    named = [name for name in records if _places(claim, name)]
    named = named or [name for name in records if _places(before, name)]
    if len(named) != 1:
        return []
    own = records[named[0]]
    found: dict[tuple[int, int], _Value] = {}
    for name, fields in records.items():
        for field, other in fields.items():
            right = own.get(field)
            if name == named[0] or right is None or not _tells(other.written, field, claim, before):
                continue
            if any(other.written == value.written for value in own.values()):
                continue
            places = _places(claim, other.written)
            if places and not _places(claim, right.written):
                found.setdefault(places[0], right)
    return [(start, end, right) for (start, end), right in found.items()]


def _tells(value: str, field: str, claim: str, before: str) -> bool:
    """Whether a value says of itself what it is, or the claim or the query names its field."""
    if value in _COMMON:
        return False
    if len(value) >= _SHORT:
        return True
    said = words(claim) | words(before)
    return any(word in said for word in words(field) if not is_function_word(word))


def _places(text: str, value: str) -> list[tuple[int, int]]:
    """Where ``value`` stands in ``text`` as words of its own, with or without commas in numbers."""
    parts = [re.escape(part) for part in value.split()]
    pattern = r"\s+".join(re.sub(r"(?<=\d)(?=\d)", ",?", part) for part in parts)
    found = re.finditer(rf"(?<![\w.,-]){pattern}(?![\w-]|[.,]\d)", text, re.IGNORECASE)
    return [match.span() for match in found]


@lru_cache(maxsize=2_000)
def _read(text: str) -> tuple[_Records, ...]:
    """The records of each table of ``text``, by their first cell, and of its list."""
    found: list[dict[str, dict[str, _Value]]] = []
    for table in find_tables(text):
        records: dict[str, dict[str, _Value]] = {}
        for row in table.rows:
            fields: dict[str, _Value] = {}
            position = row.start
            for name, cell in zip(table.header.cells, row.cells, strict=False):
                start = text.find(cell, position, row.end) if cell else -1
                if start < 0:
                    continue
                position = start + len(cell)
                fields[name] = _Value(_written(cell), start, position)
            if row.cells and row.cells[0]:
                records[row.cells[0]] = fields
        found.append(records)
    stated: dict[str, dict[str, _Value]] = {}
    for match in _STATEMENT.finditer(text):
        start, end = match.span("value")
        fields = stated.setdefault(match["record"], {})
        fields[match["field"]] = _Value(_written(match["value"]), start, end)
    return tuple(records for records in (*found, stated) if len(records) > 1)


def _written(value: str) -> str:
    return re.sub(r"(?<=\d),(?=\d)", "", value).casefold()
