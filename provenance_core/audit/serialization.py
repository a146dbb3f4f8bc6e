"""Audits as JSON and back, without loss (floats by repr; enums by value)."""

from __future__ import annotations

import json
import types
import typing
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from provenance_core.audit.assembly import assemble
from provenance_core.errors import InputError
from provenance_core.types import Audit, Entailment, Evidence, PairScores, Parameters

SCHEMA = "provenance-audit/1"
_NAMES = tuple(each.name for each in fields(Entailment))
T = TypeVar("T")


def to_plain(value: Any) -> Any:
    """Dataclasses as objects, tuples as lists, enums as strings: ready for ``json.dumps``."""
    if is_dataclass(value) and not isinstance(value, type | PairScores):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, PairScores):
        return _cells(value.values.tolist())
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    return value


def _cells(values: list[Any]) -> Any:
    """Scores of pairs in lists, each pair's as an object."""
    if values and isinstance(values[0], float):
        return dict(zip(_NAMES, values, strict=True))
    return [_cells(each) for each in values]


def from_plain(kind: type[T], raw: Any) -> T:
    """The inverse of :func:`to_plain` for a dataclass ``kind``.

    A missing field that was ``ADDED_LATER`` takes its default. InputError names the first other
    field that is missing, or one of the wrong type.
    """
    return typing.cast(T, _build(kind, raw, kind.__name__))


def _scores(raw: Any, where: str) -> PairScores:
    if not isinstance(raw, list):
        raise InputError(f"{where}: a list was expected, not {type(raw).__name__}.")
    try:
        values = np.array(_values(raw, where), dtype=np.float64)
        return PairScores(values if values.size else np.zeros((0, 3)))
    except ValueError as error:
        raise InputError(f"{where}: {error}.") from error


def _values(raw: Any, where: str) -> Any:
    """The inverse of :func:`_cells`."""
    if isinstance(raw, list):
        return [_values(each, f"{where}[{i}]") for i, each in enumerate(raw)]
    cell = _build(Entailment, raw, where)
    return [getattr(cell, name) for name in _NAMES]


def _build(kind: Any, raw: Any, where: str) -> Any:
    if kind is PairScores:
        return _scores(raw, where)
    if isinstance(kind, type) and is_dataclass(kind):
        if not isinstance(raw, dict):
            raise InputError(f"{where}: an object was expected, not {type(raw).__name__}.")
        hints = get_type_hints(kind)
        needed = [f.name for f in fields(kind) if not f.metadata.get("added_later")]
        missing = [name for name in needed if name not in raw]
        if missing:
            raise InputError(f"{where}: the field {missing[0]!r} is missing.")
        return kind(
            **{
                f.name: _build(hints[f.name], raw[f.name], f"{where}.{f.name}")
                for f in fields(kind)
                if f.name in raw
            }
        )
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple:
        if not isinstance(raw, list):
            raise InputError(f"{where}: a list was expected, not {type(raw).__name__}.")
        return tuple(_build(arguments[0], item, f"{where}[{i}]") for i, item in enumerate(raw))
    if origin in (types.UnionType, typing.Union):
        inner = [a for a in arguments if a is not type(None)]
        return None if raw is None else _build(inner[0], raw, where)
    try:
        if kind is float and isinstance(raw, int) and not isinstance(raw, bool):
            return float(raw)
        if issubclass(kind, StrEnum):
            return kind(raw)
        if not isinstance(raw, kind) or (kind is int and isinstance(raw, bool)):
            raise ValueError(f"{kind.__name__} expected, not {type(raw).__name__}")
    except ValueError as error:
        raise InputError(f"{where}: {error}.") from error
    return raw


def evidence_from_plain(raw: Any) -> Evidence:
    """Evidence from what :func:`to_plain` made of it. InputError says which field is wrong."""
    return from_plain(Evidence, raw)


def audit_to_plain(audit: Audit) -> dict[str, Any]:
    """Schema, score, verdict, parameters, evidence and what follows from it."""
    return {"schema": SCHEMA, **to_plain(audit)}


def audit_to_json(audit: Audit, *, indent: int | None = None) -> str:
    """One JSON object: :func:`audit_to_plain`."""
    return json.dumps(audit_to_plain(audit), ensure_ascii=False, indent=indent, allow_nan=False)


def audit_from_json(text: str) -> Audit:
    """The audit, assembled again from its evidence and parameters. InputError if unfit."""
    try:
        raw = json.loads(text)
    except ValueError as error:
        raise InputError(f"Not JSON: {error}.") from error
    return audit_from_plain(raw)


def audit_from_plain(raw: Any) -> Audit:
    """The inverse of :func:`audit_to_plain`; assembled again. InputError if unfit."""
    if not isinstance(raw, dict) or raw.get("schema") != SCHEMA:
        raise InputError(f"Not an audit: its schema must be {SCHEMA!r}.")
    for name in ("evidence", "parameters", "created_at"):
        if name not in raw:
            raise InputError(f"Audit: the field {name!r} is missing.")
    return assemble(
        evidence_from_plain(raw["evidence"]),
        from_plain(Parameters, raw["parameters"]),
        str(raw["created_at"]),
    )
