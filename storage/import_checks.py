"""Whether the parts of an audit that a file gives fit together, field by field.

The serialization has checked the types before; what is found here would break a page or an export.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from provenance_core import InputError
from provenance_core.types import Chunk, Claim, ContextItem, Evidence, Finding, ModelInfo, Sentence

# Beyond these a number was mistyped, and no database or browser holds it.
_MOST = 2**31 - 1
_TASKS = ("relevance", "nli", "spans")
_PROBABILITIES = ("entailment", "neutral", "contradiction", "unsupported", "probability")
_ROUNDING = 1e-6


def check_evidence(evidence: Evidence) -> None:
    """Raise InputError for the first field that does not fit, with its place."""
    for place, record in _records(evidence, "Audit.evidence"):
        for field in fields(record):
            if wrong := _wrong(evidence, record, field.name, place):
                raise InputError(f"{place}.{field.name}: {wrong}.")
        if wrong := _wrong_place(evidence, record):
            raise InputError(f"{place}: {wrong}.")


def _records(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Every dataclass within one, with its place."""
    if is_dataclass(value):
        yield place, value
        for field in fields(value):
            yield from _records(getattr(value, field.name), f"{place}.{field.name}")
    elif isinstance(value, tuple):
        for at, each in enumerate(value):
            yield from _records(each, f"{place}[{at}]")


def _wrong(evidence: Evidence, record: Any, name: str, place: str) -> str:
    """What is wrong with a field of a record; "" if nothing is."""
    value = getattr(record, name)
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return ""
    if isinstance(value, int) and not 0 <= value <= _MOST:
        return f"{value} is not between 0 and {_MOST:,}"
    if isinstance(value, str):
        known = name != "task" or not isinstance(record, ModelInfo) or value in _TASKS
        return "" if known else f"{value!r} is none of {', '.join(_TASKS)}"
    if name in _PROBABILITIES and not -_ROUNDING <= value <= 1 + _ROUNDING:
        return f"{value} is no probability"
    if name == "index" and isinstance(record, ContextItem | Chunk | Claim | Sentence):
        wanted = int(place.rpartition("[")[2].rstrip("]"))
        return "" if value == wanted else f"{value} is not its place in the list, {wanted}"
    counted = {
        "item": evidence.context,
        "chunk": evidence.chunks,
        "sentence": evidence.sentences,
    }.get(name)
    if counted is not None and isinstance(value, int) and value >= len(counted):
        return f"there is no {name} {value}, the last is {len(counted) - 1}"
    return ""


def _wrong_place(evidence: Evidence, record: Any) -> str:
    """What is wrong with the text that a record has from ``start`` to ``end``; "" if nothing is."""
    if not hasattr(record, "start"):
        return ""
    text, of = evidence.answer, "the answer"
    item = getattr(record, "item", None)
    if item is None and hasattr(record, "chunk") and not isinstance(record, Finding):
        item = evidence.chunks[record.chunk].item
    if item is not None:
        text, of = evidence.context[item].text, f"context item {item}"
    start, end = record.start, record.end
    if not start <= end <= len(text):
        return f"characters {start} to {end} are no part of {of}, which has {len(text):,}"
    if isinstance(record, Chunk | Sentence) and record.text != text[start:end]:
        return f"the text is not that of characters {start} to {end} of {of}"
    return ""
