"""Audits as JSON and back, without loss (floats by repr; enums by value)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from math import isfinite, isnan
from typing import Any, TypeVar, get_args, get_origin

import numpy as np
from cattrs import Converter, transform_error
from cattrs.cols import homogenous_tuple_structure_factory
from cattrs.errors import BaseValidationError
from cattrs.gen import make_dict_structure_fn

from provenance_core.audit.assembly import assemble
from provenance_core.errors import InputError
from provenance_core.types import (
    ADDED_LATER,
    NO_SCORES,
    NO_SUPPORT,
    Audit,
    Entailment,
    Evidence,
    EvidenceSentence,
    ModelInfo,
    PairScores,
    Parameters,
    PassagePlace,
    Scores,
    SecondReading,
    SupportMap,
    WholeReading,
    WindowReading,
)

SCHEMA = "provenance-audit/1"
T = TypeVar("T")
_NAMES = tuple(each.name for each in fields(Entailment))


def to_plain(value: Any) -> Any:
    """Turn dataclasses into objects, tuples into lists and enums into strings, ready for
    ``json.dumps``."""
    return _CONVERTER.unstructure(value)


def from_plain(kind: type[T], raw: Any) -> T:
    """Make a dataclass of what :func:`to_plain` wrote. A missing field that was ``ADDED_LATER``
    takes its default. Raises InputError where a field is missing, of the wrong type or out of
    range; the message names the first."""
    try:
        return _CONVERTER.structure(raw, kind)
    except BaseValidationError as error:
        first = transform_error(error, kind.__name__, lambda found, _: str(found))[0]
        said, _, place = first.rpartition(" @ ")
        raise InputError(f"{place}: {said}.") from error
    except (TypeError, ValueError) as error:
        raise InputError(f"{kind.__name__}: {error}.") from error


def _expect(raw: Any, kind: type, name: str) -> None:
    if not isinstance(raw, kind):
        raise TypeError(f"{name} was expected, not {type(raw).__name__}")


def _read_dataclasses(kind: Any, converter: Any) -> Callable[[Any, Any], Any]:
    """Reads objects whose fields are all there, but for those that were added later."""
    read: Callable[[Any, Any], Any] = make_dict_structure_fn(kind, converter)
    needed = [f.name for f in fields(kind) if not f.metadata.get("added_later")]

    def checked(raw: Any, _: Any) -> Any:
        _expect(raw, dict, "an object")
        if missing := [name for name in needed if name not in raw]:
            raise TypeError(f"the field {missing[0]!r} is missing")
        return read(raw, kind)

    return checked


def _read_values(raw: Any, kind: type) -> Any:
    """Reads a text, a number or a truth value, as it is: nothing is made of another type."""
    if kind is float and type(raw) is int:
        return float(raw)
    if type(raw) is not kind:
        raise TypeError(f"{kind.__name__} expected, not {type(raw).__name__}")
    return raw


def _read_scores(raw: Any, kind: type[Scores]) -> Scores:
    """Reads lists of numbers, null where nothing was read."""
    _expect(raw, list, "a list")
    if not raw:
        return NO_SUPPORT
    numbers = tuple[float | None, ...]
    rows = _CONVERTER.structure(raw, tuple[numbers, ...] if isinstance(raw[0], list) else numbers)
    return Scores(np.array(rows, dtype=np.float64))


def _read_pairs(raw: Any, _: type) -> PairScores:
    """Reads lists of pairs, each an object or null, or lists of such lists."""
    _expect(raw, list, "a list")
    if not raw:
        return NO_SCORES
    cells = tuple[Entailment | None, ...]
    if isinstance(raw[0], list):
        rows = _CONVERTER.structure(raw, tuple[cells, ...])
        return PairScores(np.array([[_numbers(cell) for cell in row] for row in rows]))
    return PairScores(np.array([_numbers(cell) for cell in _CONVERTER.structure(raw, cells)]))


def _numbers(cell: Entailment | None) -> tuple[float, float, float]:
    if cell is None:
        return np.nan, np.nan, np.nan
    if not all(map(isfinite, found := (cell.entailment, cell.neutral, cell.contradiction))):
        raise ValueError("a score of a pair is no finite number")
    return found


def _plain_numbers(values: list[Any]) -> list[Any]:
    """Lists of numbers, null for NaN."""
    return [
        _plain_numbers(each) if isinstance(each, list) else None if isnan(each) else each
        for each in values
    ]


def _plain_pairs(values: list[Any]) -> Any:
    """Lists of scores, each pair's as an object; null of a pair that was not read."""
    if values and isinstance(values[0], float):
        return None if isnan(values[0]) else dict(zip(_NAMES, values, strict=True))
    return [_plain_pairs(each) for each in values]


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """A cell of sentence and chunk that the second model read: few are, and only they are kept."""

    sentence: int
    chunk: int
    scores: Entailment


@dataclass(frozen=True, slots=True)
class ReadTogether:
    """A window that the second model read: its parts, and what it said of some sentences."""

    parts: tuple[PassagePlace, ...]
    sentences: tuple[int, ...]
    scores: tuple[Entailment, ...]


@dataclass(frozen=True, slots=True)
class SecondReadingCells:
    """A :class:`SecondReading` as JSON has it. ``together``: None where it read no window."""

    model: ModelInfo
    support: SupportMap
    cells: tuple[ReadAgain, ...]
    sentences: tuple[EvidenceSentence, ...]
    together: tuple[ReadTogether, ...] | None = field(default=None, metadata=ADDED_LATER)
    whole: WholeReading | None = field(default=None, metadata=ADDED_LATER)


def read_again(second: SecondReading) -> SecondReadingCells:
    """The cells that the second model read, one by one."""
    cells = tuple(
        ReadAgain(row, chunk, second.scores.cell(row, chunk))
        for row, chunk in np.argwhere(second.scores.read).tolist()
    )
    together = None if second.together is None else tuple(_windows_read(second.together))
    return SecondReadingCells(
        second.model, second.support, cells, second.sentences, together, second.whole
    )


def _windows_read(reading: WindowReading) -> Iterator[ReadTogether]:
    for at, parts in enumerate(reading.windows):
        rows = np.flatnonzero(reading.scores.read[:, at]).tolist()
        yield ReadTogether(parts, tuple(rows), tuple(reading.scores.cell(row, at) for row in rows))


def _read_second(raw: Any, _: type) -> SecondReading:
    """Reads what :func:`with_shape` prepared."""
    _expect(raw, dict, "an object")
    read = _CONVERTER.structure(raw, SecondReadingCells)
    scores = np.full((*raw["shape"], 3), np.nan)
    for cell in read.cells:
        scores[cell.sentence, cell.chunk] = _numbers(cell.scores)
    return SecondReading(
        read.model,
        read.support,
        PairScores(scores),
        read.sentences,
        None if read.together is None else _as_arrays(read.together, len(scores)),
        read.whole,
    )


def _as_arrays(read: Sequence[ReadTogether], sentences: int) -> WindowReading:
    scores = np.full((sentences, len(read), 3), np.nan)
    for at, window in enumerate(read):
        for row, said in zip(window.sentences, window.scores, strict=True):
            scores[row, at] = _numbers(said)
    return WindowReading(tuple(window.parts for window in read), PairScores(scores))


def with_shape(raw: Any, sentences: int, chunks: int) -> Any:
    """``raw`` evidence whose second reading, if it has one, knows how many cells there are."""
    if not isinstance(raw, dict) or not isinstance(raw.get("second"), dict):
        return raw
    return {**raw, "second": {**raw["second"], "shape": (sentences, chunks)}}


def _read_evidence(read: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def shaped(raw: Any, kind: Any) -> Any:
        _expect(raw, dict, "an object")
        sizes = [len(raw.get(name) or ()) for name in ("sentences", "chunks")]
        return read(with_shape(raw, *sizes), kind)

    return shaped


def _read_tuples(kind: Any, converter: Any) -> Callable[[Any, Any], Any]:
    """Reads lists; each element by its own type, where the tuple has several."""
    read: Callable[[Any, Any], Any]
    if ... in get_args(kind):
        read = homogenous_tuple_structure_factory(kind, converter)
    else:
        read = converter.gen_structure_hetero_tuple(kind)

    def checked(raw: Any, _: Any) -> Any:
        _expect(raw, list, "a list")
        return read(raw, kind)

    return checked


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _converter() -> Converter:
    made = Converter(unstruct_collection_overrides={tuple: list})
    made.register_structure_hook_factory(_is_tuple, _read_tuples)
    made.register_structure_hook_factory(is_dataclass, _read_dataclasses)
    for kind in (str, int, float, bool):
        made.register_structure_hook(kind, _read_values)
    made.register_structure_hook(StrEnum, lambda raw, kind: kind(raw))
    made.register_structure_hook(Scores, _read_scores)
    made.register_structure_hook(PairScores, _read_pairs)
    made.register_structure_hook(SecondReading, _read_second)
    made.register_structure_hook(Evidence, _read_evidence(_read_dataclasses(Evidence, made)))
    made.register_unstructure_hook(Scores, lambda found: _plain_numbers(found.values.tolist()))
    made.register_unstructure_hook(PairScores, lambda found: _plain_pairs(found.values.tolist()))
    made.register_unstructure_hook(SecondReading, lambda found: to_plain(read_again(found)))
    return made


_CONVERTER = _converter()


def audit_to_plain(audit: Audit) -> dict[str, Any]:
    """Turn an audit into schema, score, verdict, state (the verdict as pages show it), parameters,
    evidence and what follows from it."""
    return {"schema": SCHEMA, **to_plain(audit), "state": str(audit.state)}


def audit_to_json(audit: Audit, *, indent: int | None = None) -> str:
    """Write an audit as one JSON object."""
    return json.dumps(audit_to_plain(audit), ensure_ascii=False, indent=indent, allow_nan=False)


def audit_from_json(text: str) -> Audit:
    """Assemble an audit again from its JSON. Raises InputError, which names the first unfit field,
    where it is none."""
    try:
        raw = json.loads(text)
    except ValueError as error:
        raise InputError(f"Not JSON: {error}.") from error
    return audit_from_plain(raw)


def audit_from_plain(raw: Any) -> Audit:
    """Assemble an audit again from its evidence and parameters. Raises InputError, which names the
    first unfit field."""
    if not isinstance(raw, dict) or raw.get("schema") != SCHEMA:
        raise InputError(f"Not an audit: its schema must be {SCHEMA!r}.")
    for name in ("evidence", "parameters", "created_at"):
        if name not in raw:
            raise InputError(f"Audit: the field {name!r} is missing.")
    return assemble(
        from_plain(Evidence, raw["evidence"]),
        from_plain(Parameters, raw["parameters"]),
        str(raw["created_at"]),
    )
