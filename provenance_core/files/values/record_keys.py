"""The keys of a record, those within objects written with dots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from provenance_core.files.records.entries import Record
from provenance_core.files.values.retrieved import is_response


def keys_of(fields: Mapping[str, object], prefix: str = "") -> tuple[str, ...]:
    """List every key that holds a value, a list or what a search returned. The keys in order; any
    other object is given by its own keys, behind its key and a dot."""
    found: list[str] = []
    for key, value in fields.items():
        if isinstance(value, dict) and value and not is_response(value):
            found += keys_of(value, f"{prefix}{key}.")
        else:
            found.append(prefix + key)
    return tuple(found)


def all_keys(records: Iterable[Record]) -> tuple[str, ...]:
    """List the keys of several records. Each key once, in the order in which they are first met; a
    table's column without a name is left out."""
    found = dict.fromkeys(key for record in records for key in keys_of(record.fields))
    return tuple(key for key in found if key)


def held_keys(record: Record) -> frozenset[str]:
    """The keys of a record that are not null, for recognising a format: with dots, as of
    :func:`keys_of`, and those of the objects at the top."""
    return frozenset(_held(record.fields, "")).union(
        key for key, value in record.fields.items() if value is not None
    )


def _held(fields: Mapping[str, object], prefix: str) -> Iterator[str]:
    for key, value in fields.items():
        if isinstance(value, dict) and value:
            yield from _held(value, f"{prefix}{key}.")
        elif value is not None:
            yield prefix + key


def value_at(fields: Mapping[str, object], key: str) -> object:
    """Look up a key, as written or, with its dots, within objects. The value; None where nothing is
    there."""
    if not key:
        return None
    if key in fields:
        return fields[key]
    for at, letter in enumerate(key):
        inner = fields.get(key[:at]) if letter == "." else None
        if isinstance(inner, dict):
            found = value_at(inner, key[at + 1 :])
            if found is not None:
                return found
    return None
