"""Records as JSON: every export is serialised here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from provenance_core.audit.serialization import to_plain


def to_json(record: Any) -> str:
    """Write a dataclass as one line of JSON, characters beyond ASCII as they are. Raises ValueError
    where a number is NaN or infinite."""
    return json.dumps(to_plain(record), ensure_ascii=False, allow_nan=False)


def json_lines(records: Iterable[Any]) -> Iterator[str]:
    """A line for each record. Raises ValueError where a number is NaN or infinite."""
    for record in records:
        yield to_json(record) + "\n"


def json_array(records: Iterable[Any], head: str = "[", tail: str = "]") -> Iterator[str]:
    """The parts of one array of the records. Raises ValueError where a number is NaN or
    infinite."""
    yield head
    for index, record in enumerate(records):
        yield (",\n" if index else "\n") + to_json(record)
    yield f"\n{tail}\n"
