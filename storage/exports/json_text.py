"""Records as JSON: every export is serialised here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from provenance_core.audit.serialization import to_plain


def to_json(record: Any) -> str:
    """A frozen dataclass as one line of JSON. ValueError for NaN and infinity."""
    return json.dumps(to_plain(record), ensure_ascii=False, allow_nan=False)


def json_lines(records: Iterable[Any]) -> Iterator[str]:
    """A record a line."""
    for record in records:
        yield to_json(record) + "\n"


def json_array(records: Iterable[Any], head: str = "[", tail: str = "]") -> Iterator[str]:
    """The records as the elements of one array, written one after the other."""
    yield head
    for index, record in enumerate(records):
        yield (",\n" if index else "\n") + to_json(record)
    yield f"\n{tail}\n"
