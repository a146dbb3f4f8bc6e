"""Records of which each is a row, made of the records of a file: what no path can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from provenance_core.errors import InputError
from provenance_core.files.formats._format import Step
from provenance_core.files.records.entries import Entry, Note, Record
from provenance_core.files.types import BatchOptions, RejectedRow, Unit
from provenance_core.files.values.fields import identifier, record_text, span
from provenance_core.files.values.record_keys import value_at

T = TypeVar("T")
Fields = Mapping[str, object]


def refused(record: Record, error: Exception) -> RejectedRow:
    """A record that cannot be used, with the reason, whatever was raised."""
    reason = str(error)
    if not isinstance(error, InputError):
        said = (reason.splitlines() or [""])[0][:120]
        reason = f"it cannot be read ({type(error).__name__}: {said}); leave the row out"
    return RejectedRow(record.line, reason, record_text(record), record.unit)


def parsed(
    entries: Iterable[Entry | Note], parse: Callable[[Record], Iterable[T]]
) -> Iterator[T | RejectedRow | Note]:
    """What each record gives; a record fails alone, whatever is wrong with it."""
    for entry in entries:
        if not isinstance(entry, Record):
            yield entry
            continue
        try:
            # All of it, before any of it is used.
            found = tuple(parse(entry))
        except MemoryError:
            raise
        except Exception as error:
            yield refused(entry, error)
        else:
            yield from found


def by_record(make: Callable[[Record], Iterable[Fields]]) -> Step:
    """A step for records that stand for themselves: ``make`` gives the fields of each row."""

    def step(
        _path: Path, entries: Iterable[Entry], _options: BatchOptions
    ) -> Iterator[Entry | Note]:
        return parsed(
            entries,
            lambda record: (Record(record.line, dict(f), record.unit) for f in make(record)),
        )

    return step


def pairs(named: str, *answers: tuple[str, int], kept: tuple[str, ...] = ()) -> Step:
    """Rows of one question with several answers: each key of an answer with its label."""

    def make(record: Record) -> Iterator[Fields]:
        for key, label in answers:
            if record.fields.get(key) is None:
                raise InputError(f"no {key}")
            yield {
                **record.fields,
                "answer": record.fields[key],
                "label": label,
                "id": f"{named}-{record.line}-{'right' if label else 'hallucinated'}",
            }

    return by_record(make)


def unnested(entries: Iterable[Entry], inside: tuple[str, ...]) -> Iterator[Entry]:
    """The records within documents: those under the first of the keys that holds a list."""
    number = 0
    for entry in entries:
        lists = (value_at(entry.fields, key) for key in inside) if isinstance(entry, Record) else ()
        found = next((each for each in lists if isinstance(each, list)), None)
        if found is None:
            yield entry
            continue
        for each in found:
            number += 1
            yield Record(number, each if isinstance(each, dict) else {}, Unit.RECORD)


def cut_spans(marks: Iterable[Fields], answer: str) -> tuple[list[Fields], int]:
    """The marks ``{start, end, type}`` of an answer as far as they lie within it, and how many
    do not at all."""
    found = [
        span(mark.get("start"), mark.get("end"), identifier(mark, "type"), answer) for mark in marks
    ]
    inside: list[Fields] = [
        {"start": s.start, "end": s.end, "type": s.kind} for s in found if s is not None
    ]
    return inside, len(found) - len(inside)
