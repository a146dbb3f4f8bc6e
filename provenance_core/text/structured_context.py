"""Context items that are data (JSON, tables) as one statement a field, to be audited like text.

An item is data only if the whole of it is: a JSON object, or a JSON list that holds one or has two
members; a Python literal of one of these shapes (as data sets keep them); a Markdown table; or a
CSV or TSV table with a row of names. Anything else stays as it is, prose with braces included.

Each statement names the path to its field, then the value: "In hours, Monday is 9:0-17:0." The
second row of a table is "row 2" and the second member of a list "entry 2", because an item is one
of the context; that of a list in a field is "item 2" of it: "In hours, item 2". What JSON tells
apart stays apart: null is "not given (null)", false "false (no)", true "true (yes)", "" "empty
text", [] "an empty list", {} "an object without fields", and 0 is 0.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from provenance_core.errors import InputError
from provenance_core.text.input_checks import clean_text
from provenance_core.text.markdown_tables import RULE, table_cells
from provenance_core.types import ContextItem, Evidence, Notice, StructuredItem

_NAME_FIELDS = ("name", "title", "description", "label", "id", "key")
_LONGEST_NAME = 60
_MOST_COLUMN_NAME = 40
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[a-zA-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class _Literal:
    """A number as it was written: 1.10 is not 1.1."""

    written: str


@dataclass(frozen=True, slots=True)
class _Object:
    """Fields in their order, those with the same key included."""

    fields: tuple[tuple[str, _Value], ...]


_Value = None | bool | str | _Literal | _Object | list["_Value"]


@dataclass(frozen=True, slots=True)
class _Data:
    kind: str
    value: _Value

    def statements(self) -> Iterator[str]:
        """One a field."""
        return _statements(self.value, member="row" if self.kind.endswith("table") else "entry")


def verbalise(
    items: Sequence[ContextItem],
) -> tuple[tuple[ContextItem, ...], tuple[StructuredItem, ...], tuple[Notice, ...]]:
    """Replace the context items that are data by statements about their fields; with what each
    replaced was, and notices: one that names them, and one for each in which an escape stood for a
    character that no text can hold. Raises InputError where data is nested too deeply to be
    read."""
    texts: list[ContextItem] = []
    structured: list[StructuredItem] = []
    repairs: list[Notice] = []
    for item in items:
        try:
            found = _read(item.text)
        except RecursionError as error:
            raise InputError(
                f"Context item {item.index + 1} is data nested too deeply to be read (JSON of "
                "hundreds of levels). Flatten it, or give its values as text."
            ) from error
        if found is None:
            texts.append(item)
        else:
            # "\\ud800" is JSON, but half a character.
            said = "\n".join(found.statements())
            text, repaired = clean_text(said, f"context item {item.index + 1}")
            repairs.extend(repaired)
            texts.append(ContextItem(item.index, text, item.name))
            structured.append(StructuredItem(item.index, found.kind, item.text))
    if not structured:
        return tuple(items), (), ()
    which = ", ".join(f"{each.item + 1} ({each.kind})" for each in structured)
    return (
        tuple(texts),
        tuple(structured),
        (
            Notice(
                "structured_context",
                f"Context item(s) read as data, each field as one statement: {which}. Chunks and "
                "evidence quote the statements; the items as given are kept with the audit.",
            ),
            *repairs,
        ),
    )


def is_data(text: str) -> bool:
    """Whether a context item is audited as statements about its fields. False also for data that is
    nested too deeply, which the audit refuses."""
    try:
        return _read(text) is not None
    except RecursionError:  # refused by the audit
        return False


def given_context(evidence: Evidence) -> tuple[ContextItem, ...]:
    """Take the context items as they were given, data included. In order, with their names."""
    originals = {each.item: each.original for each in evidence.structured}
    return tuple(
        ContextItem(item.index, originals.get(item.index, item.text), item.name)
        for item in evidence.context
    )


def _read(text: str) -> _Data | None:
    """What ``text`` is as data; RecursionError where it is nested too deeply."""
    stripped = text.strip()
    found = _json(stripped) or _markdown(stripped) or _delimited(text.strip("\r\n"))
    if found is not None:
        for _ in found.statements():
            pass
    return found


def _json(text: str) -> _Data | None:
    if text[:1] + text[-1:] not in ("{}", "[]"):
        return None
    how = "JSON"
    try:
        value: _Value = json.loads(
            text,
            object_pairs_hook=lambda pairs: _Object(tuple(pairs)),
            parse_int=_Literal,
            parse_float=_Literal,
            parse_constant=_Literal,
        )
    except ValueError:
        how = "Python"
        try:
            value = _from_python(ast.literal_eval(text))
        except (ValueError, SyntaxError, TypeError, MemoryError):
            return None
    if isinstance(value, _Object):
        return _Data(f"{how} object", value) if value.fields else None
    if isinstance(value, list) and (len(value) > 1 or any(isinstance(v, _Object) for v in value)):
        # "[1, 2]" is a citation rather than data.
        if all(isinstance(each, _Literal) for each in value):
            return None
        return _Data(f"{how} list", value)
    return None


def _from_python(value: object) -> _Value:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return _Literal(repr(value))
    if isinstance(value, dict):
        return _Object(tuple((str(key), _from_python(each)) for key, each in value.items()))
    if isinstance(value, list | tuple):
        return [_from_python(each) for each in value]
    raise ValueError(f"no value of JSON: {type(value).__name__}")


def _markdown(text: str) -> _Data | None:
    lines = text.splitlines()
    if len(lines) < 3 or not all("|" in line for line in lines):
        return None
    if not RULE.match(lines[1]):
        return None
    rows = [table_cells(line) for line in (lines[0], *lines[2:])]
    return _table(rows, "Markdown table")


def _delimited(text: str) -> _Data | None:
    for delimiter, kind in (("\t", "TSV table"), (";", "CSV table"), (",", "CSV table")):
        if text.count(delimiter) < 2:
            continue
        try:
            rows = list(csv.reader(io.StringIO(text), delimiter=delimiter, strict=True))
        except csv.Error:
            continue
        rows = [row for row in rows if row]
        # Prose sets a space after its commas and semicolons; tables do not.
        spaced = any(cell.startswith(" ") for row in rows for cell in row)
        if not spaced and (found := _table(rows, kind)):
            return found
    return None


def _table(rows: list[list[str]], kind: str) -> _Data | None:
    """The rows as objects under the names in the first; None if that is none of names."""
    if len(rows) < 2 or len(rows[0]) < 2 or {len(row) for row in rows} != {len(rows[0])}:
        return None
    names = [name.strip() for name in rows[0]]
    fit = all(
        re.search(r"[^\W\d_]", name)
        and len(name) <= _MOST_COLUMN_NAME
        and not re.search(r"[.!?]$", name)
        for name in names
    )
    if not fit or len(set(names)) < len(names):
        return None
    return _Data(
        kind,
        [
            _Object(tuple(zip(names, (cell.strip() for cell in row), strict=True)))
            for row in rows[1:]
        ],
    )


def _statements(
    value: _Value, parents: tuple[str, ...] = (), member: str = "item"
) -> Iterator[str]:
    """One a field of ``value``, in its order; ``parents`` is the path to it, ``member`` what one
    of a list is called."""
    if isinstance(value, _Object):
        for key, each in value.fields:
            yield from _field(_words(key), each, parents)
    elif isinstance(value, list):
        plain = [each for each in value if not isinstance(each, _Object | list)]
        for number, each in enumerate(value, 1):
            if plain and len(plain) == len(value) and parents:
                yield from _field(parents[-1], each, parents[:-1])
            else:
                yield from _field(_member(f"{member} {number}", each), each, parents)


def _field(name: str, value: _Value, parents: tuple[str, ...]) -> Iterator[str]:
    empty = (isinstance(value, _Object) and not value.fields) or value == []
    if isinstance(value, _Object | list) and not empty:
        yield from _statements(value, (*parents, name))
        return
    lead = f"In {', '.join(parents)}, {name}" if parents else name[:1].upper() + name[1:]
    said = _said(value)
    long = isinstance(value, str) and (len(value) > 80 or _SENTENCE_END.search(said))
    statement = f"{lead}: {said}" if long else f"{lead} is {said}"
    yield statement if _SENTENCE_END.search(statement) else f"{statement}."


def _said(value: _Value) -> str:
    if value is None:
        return "not given (null)"
    if isinstance(value, bool):
        return "true (yes)" if value else "false (no)"
    if isinstance(value, _Literal):
        return value.written
    if isinstance(value, _Object):
        return "an object without fields"
    if isinstance(value, list):
        return "an empty list"
    return " ".join(value.split()) if value.strip() else "empty text"


def _member(called: str, value: _Value) -> str:
    """ "row 2 (Widget)": what a member of a list is called, with its name if it has one."""
    if isinstance(value, _Object) and value.fields:
        known = {key.lower(): each for key, each in value.fields}
        # The first column of a table names its row, as the first text of an object often does.
        for each in (*map(known.get, _NAME_FIELDS), value.fields[0][1]):
            if isinstance(each, str) and 0 < len(each.strip()) <= _LONGEST_NAME:
                return f"{called} ({' '.join(each.split())})"
    return called


def _words(key: str) -> str:
    """ "unit_price" and "unitPrice" as words: "unit price", "unit Price"."""
    return _CAMEL.sub(" ", " ".join(key.replace("_", " ").split())) or "unnamed field"
