"""Records as JSON: every export is serialised here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from provenance_core.audit.serialization import to_plain


def to_json(record: Any) -> str:
    """Write a frozen dataclass as one line of JSON. Without a line break; characters beyond ASCII
    stand as they are. Raises ValueError where a number is NaN or infinite."""
    return json.dumps(to_plain(record), ensure_ascii=False, allow_nan=False)


def json_lines(records: Iterable[Any]) -> Iterator[str]:
    """Write a record a line. A line with its end. Raises ValueError where a number is NaN or
    infinite."""
    for record in records:
        yield to_json(record) + "\n"


def json_array(records: Iterable[Any], head: str = "[", tail: str = "]") -> Iterator[str]:
    """Write the records as the elements of one array, one after the other. Parts of the text, in
    their order. Raises ValueError where a number is NaN or infinite."""
    yield head
    for index, record in enumerate(records):
        yield (",\n" if index else "\n") + to_json(record)
    yield f"\n{tail}\n"
