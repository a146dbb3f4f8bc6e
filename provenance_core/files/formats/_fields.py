"""Typed access to the fields of a record; every function raises :class:`InputError`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from provenance_core.errors import InputError
from provenance_core.files.formats._records import Record
from provenance_core.files.types import BatchRow, GoldSpan

_UNSAID = ("line", "spans")
_LABELS = {"0": 0, "1": 1, "0.0": 0, "1.0": 1}


def text(record: Record, key: str) -> str:
    """The string under ``key``; it must be there."""
    if record.fields.get(key) is None:
        raise InputError(f"no {key}")
    value = record.fields[key]
    if not isinstance(value, str):
        raise InputError(f"{key} is not a string")
    return value


def identifier(fields: Mapping[str, object], *keys: str) -> str:
    """The first of ``keys`` that holds a string or a whole number, as a string; else empty."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return str(value)
    return ""


def texts(record: Record, key: str) -> tuple[str, ...]:
    """The list of strings under ``key``; it must be there."""
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
    """The list of objects under ``key``; it must be there."""
    value = record.fields.get(key)
    if value is None:
        raise InputError(f"no {key}")
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise InputError(f"{key} is not a list of objects")
    return tuple(value)


def label(record: Record, key: str = "label") -> int:
    """0 or 1 from a whole number or, as tables hold it, its text."""
    if record.fields.get(key) is None:
        raise InputError(f"no {key}")
    value = record.fields[key]
    found = None if isinstance(value, bool) else _LABELS.get(str(value).strip())
    if found is None:
        raise InputError(f"{key} is {short(value)}, not 1 (supported) or 0 (hallucinated)")
    return found


def word_label(record: Record, key: str, supported: str, hallucinated: str) -> int:
    """1 or 0 from one of two words in any case."""
    value = text(record, key).strip()
    if value.casefold() == supported.casefold():
        return 1
    if value.casefold() == hallucinated.casefold():
        return 0
    raise InputError(f"{key} is {short(value)}, not {supported} or {hallucinated}")


def span(start: object, end: object, kind: str, answer: str) -> GoldSpan | None:
    """The span cut to the answer, or None where nothing of it lies within."""
    if not isinstance(start, int) or not isinstance(end, int):
        return None
    start, end = max(start, 0), min(end, len(answer))
    return GoldSpan(start, end, kind) if start < end else None


def spans(value: object, answer: str) -> tuple[GoldSpan, ...] | None:
    """Spans as ``[{start, end, type}, ...]`` in characters of ``answer``; None for no list."""
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
    """``value`` as JSON in at most 40 characters."""
    shown = json.dumps(value, default=str)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def record_text(record: Record) -> str:
    """The record as JSON; what JSON has no form for (a date) as its text."""
    return _json(record.fields)


def row_text(row: BatchRow) -> str:
    """The row as JSON in our own form, less what is empty and its line and spans."""
    fields = asdict(row).items()
    return _json(
        {name: value for name, value in fields if value not in (None, "") and name not in _UNSAID}
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
