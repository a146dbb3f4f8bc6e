"""Typed access to the fields of a record; every function raises :class:`InputError`."""

from __future__ import annotations

import json
from collections.abc import Mapping

from provenance_core.errors import InputError
from provenance_core.files.records.entries import Record
from provenance_core.files.types import GoldSpan


def text(record: Record, key: str) -> str:
    """Take a string that must be there. The string, which may be empty. Raises InputError where the
    field is missing, null or no string."""
    if record.fields.get(key) is None:
        raise InputError(f"no {key}")
    value = record.fields[key]
    if not isinstance(value, str):
        raise InputError(f"{key} is not a string")
    return value


def identifier(fields: Mapping[str, object], *keys: str) -> str:
    """Take the first usable of several fields that may name a record. A string or whole number as a
    string; empty where no field has one."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return str(value)
    return ""


def texts(record: Record, key: str) -> tuple[str, ...]:
    """Take a list of strings that must be there. The strings; the list may be empty. Raises
    InputError where the field is missing, null or anything but a list of strings."""
    if record.fields.get(key) is None:
        raise InputError(f"no {key}")
    value = record.fields[key]
    if not isinstance(value, list):
        raise InputError(f"{key} is not a list of strings")
    found = tuple(item for item in value if isinstance(item, str))
    if len(found) != len(value):
        raise InputError(f"{key} is not a list of strings")
    return found


def objects(record: Record, key: str) -> tuple[dict[str, object], ...]:
    """Take a list of objects that must be there. The objects; the list may be empty. Raises
    InputError where the field is missing, null or anything but a list of objects."""
    value = record.fields.get(key)
    if value is None:
        raise InputError(f"no {key}")
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise InputError(f"{key} is not a list of objects")
    return tuple(value)


def span(start: object, end: object, kind: str, answer: str) -> GoldSpan | None:
    """Cut a span to the answer. None where an offset is no whole number, or nothing of the span
    lies within the answer."""
    if not isinstance(start, int) or not isinstance(end, int):
        return None
    start, end = max(start, 0), min(end, len(answer))
    return GoldSpan(start, end, kind) if start < end else None


def spans(value: object, answer: str) -> tuple[GoldSpan, ...] | None:
    """Read gold spans as ``[{start, end, type}, ...]``. ``answer``: the answer, whose characters
    the offsets count. The spans in the order of the record; None where ``value`` is None. Raises
    InputError where it is no such list, or an offset lies outside the answer."""
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise InputError("spans is not a list of {start, end, type}")
    found: list[GoldSpan] = []
    for number, item in enumerate(value, 1):
        start, end = item.get("start"), item.get("end")
        if not isinstance(start, int) or not isinstance(end, int):
            raise InputError(f"span {number} has no start and end in characters")
        if not 0 <= start < end <= len(answer):
            raise InputError(
                f"span {number} is {start}:{end}, but the answer has {len(answer)} characters"
            )
        found.append(GoldSpan(start, end, identifier(item, "type", "label")))
    return tuple(found)


def short(value: object) -> str:
    """Shorten a value for a message. Its JSON, at most 40 characters, "..." at the end where some
    are left out."""
    shown = _json(value)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def record_text(record: Record) -> str:
    """Write a record as it is shown where it is refused. JSON; what JSON has no form for (a date)
    stands as its text."""
    return _json(record.fields)


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):  # a number of thousands of digits, or a circle
        return "(cannot be shown)"
