"""Where a claim gives one record the value of another: "Tarn has 103,000 inhabitants", which is
Velden's line of the table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from provenance_core.text.coverage import is_function_word, words
from provenance_core.text.markdown_tables import find_tables
from provenance_core.text.phrases import Exchange, ExchangeKind
from provenance_core.text.quantities import StatedQuantity, find_quantities
from provenance_core.text.read_once import read_once
from provenance_core.text.units import dimension
from provenance_core.text.values import same_value

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
    """``text[start:end]`` is what a record has in a field; ``written`` without case and commas.
    ``quantity``: where that is a value with a unit and nothing else."""

    written: str
    start: int
    end: int
    quantity: StatedQuantity | None


_Records = Mapping[str, Mapping[str, _Value]]


def find_other_record(
    claim: str, premises: Sequence[str], before: str = ""
) -> tuple[Exchange, ...]:
    """Find the values in a claim that a table or list has for another record than it names.

    The value in the claim, and what the premise has for the record that it names.

    Examples
    --------
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
            if any(_is_equal(other, value) for value in own.values()):
                continue
            places = _stated_at(claim, other)
            if places and not _stated_at(claim, right):
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


def _is_equal(one: _Value, other: _Value) -> bool:
    """Whether two values are the same, in other units too ("4 kg" and "4,000 g")."""
    if one.quantity is not None and other.quantity is not None:
        return same_value(one.quantity, other.quantity)
    return one.written == other.written


def _stated_at(claim: str, value: _Value) -> list[tuple[int, int]]:
    """Where ``claim`` states a value, in another unit too."""
    places = _places(claim, value.written)
    if value.quantity is None:
        return places
    of = value.quantity
    equal = [
        (q.start, q.end) for q in find_quantities(claim) if dimension(q.unit) and same_value(q, of)
    ]
    return places or equal


def _places(text: str, value: str) -> list[tuple[int, int]]:
    """Where ``value`` stands in ``text`` as words of its own, with or without commas in numbers."""
    parts = [re.escape(part) for part in value.split()]
    pattern = r"\s+".join(re.sub(r"(?<=\d)(?=\d)", ",?", part) for part in parts)
    found = re.finditer(rf"(?<![\w.,-]){pattern}(?![\w-]|[.,]\d)", text, re.IGNORECASE)
    return [match.span() for match in found]


@read_once
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
                fields[name] = _value(cell, start)
            if row.cells and row.cells[0]:
                records[row.cells[0]] = fields
        found.append(records)
    stated: dict[str, dict[str, _Value]] = {}
    for match in _STATEMENT.finditer(text):
        fields = stated.setdefault(match["record"], {})
        fields[match["field"]] = _value(match["value"], match.start("value"))
    return tuple(records for records in (*found, stated) if len(records) > 1)


def _value(text: str, start: int) -> _Value:
    """What a record has in a field, from the character ``start`` of the context on."""
    found = find_quantities(text)
    whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(text))
    quantity = found[0] if whole and dimension(found[0].unit) else None
    return _Value(_written(text), start, start + len(text), quantity)


def _written(value: str) -> str:
    return re.sub(r"(?<=\d),(?=\d)", "", value).casefold()
