"""Rows of tables as the frozen data types that the stores give."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

from provenance_core.audit.serialization import from_plain

HeldT = TypeVar("HeldT")


def columns_of(kind: type[Any], row: object) -> dict[str, Any]:
    """What a row has for each field of a dataclass, by name."""
    return {each.name: getattr(row, each.name) for each in fields(kind)}


def from_row(kind: type[HeldT], row: object) -> HeldT:
    """Make a dataclass of a row with a column for each field. Raises InputError where a column
    cannot be read."""
    return from_plain(kind, columns_of(kind, row))
