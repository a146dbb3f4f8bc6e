"""Columns of a table that hold one context item each: context_1, context_2, contexts[0]."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from provenance_core.files.field_names import field_of, plain_name
from provenance_core.files.records.entries import Entry, Note, Record

_NUMBERED = re.compile(r"(.*?[^\W\d])[\s._/\[(-]*\d+[\])]?")
# Of a pair of sentences that are compared, text_1 is none of the items of a context.
_OF_PAIRS = frozenset(("text", "source", "sources"))


def joined_columns(entries: Iterable[Entry | Note]) -> Iterator[Entry | Note]:
    """The records of a table; numbered columns of a context become one list, which is said."""
    groups: Mapping[str, tuple[str, ...]] | None = None
    for entry in entries:
        if not isinstance(entry, Record):
            yield entry
            continue
        if groups is None:
            groups = _groups(entry.fields)
            for keys in groups.values():
                yield Note(f"{', '.join(keys)} were taken as the items of one context.")
        yield Record(entry.line, _joined(entry.fields, groups), entry.unit)


def _groups(fields: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The columns of each context by the name that they have without their numbers."""
    found: dict[str, list[str]] = {}
    for key in fields:
        numbered = _NUMBERED.fullmatch(key)
        name = numbered[1] if numbered else key
        if field_of(name) == "context" and plain_name(name) not in _OF_PAIRS:
            found.setdefault(name, []).append(key)
    return {name: tuple(keys) for name, keys in found.items() if len(keys) > 1}


def _joined(fields: dict[str, object], groups: Mapping[str, tuple[str, ...]]) -> dict[str, object]:
    if not groups:
        return fields
    members = {key for keys in groups.values() for key in keys}
    lists: dict[str, object] = {
        name: [fields[key] for key in keys if fields.get(key) not in ("", None)]
        for name, keys in groups.items()
    }
    return {key: value for key, value in fields.items() if key not in members} | lists
