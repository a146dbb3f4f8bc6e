"""RAGTruth: the responses of one file joined with the sources of another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from provenance_core.errors import InputError
from provenance_core.files.formats._fields import identifier, objects, span, text
from provenance_core.files.formats._format import DatasetFormat, Reader, Reading, keys, read_rows
from provenance_core.files.records.entries import Entry, Record, beside
from provenance_core.files.records.opening import read_entries
from provenance_core.files.types import BatchRow, Counts, GoldSpan, RejectedRow

RESPONSES = "response.jsonl"
SOURCES = "source_info.jsonl"
_PASSAGE = re.compile(r"^passage \d+:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Source:
    task: str
    query: str
    context: tuple[str, ...]


def _source(record: Record) -> _Source:
    task = text(record, "task_type")
    info = record.fields.get("source_info")
    if isinstance(info, str):
        return _Source(task, "", (info.strip(),))
    if not isinstance(info, dict):
        raise InputError("source_info is neither a text nor an object")
    if task != "QA":
        return _Source(task, "", (json.dumps(info, ensure_ascii=False),))
    asked = Record(record.line, info)
    passages = (part.strip() for part in _PASSAGE.split(text(asked, "passages")))
    return _Source(task, text(asked, "question").strip(), tuple(filter(None, passages)))


def _sources(path: Path) -> dict[str, _Source | str]:
    """The source by its id, or why it cannot be used."""
    found: dict[str, _Source | str] = {}
    for entry in read_entries(path):
        if isinstance(entry, RejectedRow):
            continue
        name = identifier(entry.fields, "source_id")
        try:
            found[name] = _source(entry)
        except InputError as error:
            found[name] = f"{path.name}, {entry.unit} {entry.line}: {error}"
    return found


def missing_file(path: Path) -> str:
    """Name the file that a file of RAGTruth needs beside it.

    Name of the other of the two, empty where it is there, also gzipped.
    """
    name = RESPONSES if path.name.startswith(SOURCES) else SOURCES
    return "" if beside(path, name) else name


def _other(path: Path, name: str) -> Path:
    found = beside(path, name)
    if found is None:
        raise InputError(
            f"{path}: RAGTruth comes in two files, and {name} is not beside this one; put "
            f"{RESPONSES} and {SOURCES} into one folder"
        )
    return found


def _spans(marks: Iterable[Mapping[str, Any]], answer: str) -> tuple[tuple[GoldSpan, ...], int]:
    """The spans that annotators marked in ``answer``, and how many marks lie outside of it."""
    found = [
        span(mark.get("start"), mark.get("end"), identifier(mark, "label_type"), answer)
        for mark in marks
    ]
    inside = tuple(each for each in found if each is not None)
    return inside, len(found) - len(inside)


def _row(record: Record, source: _Source, left_out: Sequence[str]) -> tuple[BatchRow, int]:
    """The row of a response, and how many of its marks lie outside of it. A mark with a flag of
    ``left_out`` does not count."""
    answer = text(record, "response")
    labelled = record.fields.get("labels") is not None
    marks = [
        mark
        for mark in (objects(record, "labels") if labelled else ())
        if not any(mark.get(flag) is True for flag in left_out)
    ]
    spans, lost = _spans(marks, answer)
    split = identifier(record.fields, "split")
    row = BatchRow(
        record.line,
        source.query,
        source.context,
        answer,
        label=int(not marks) if labelled else None,
        id=identifier(record.fields, "id"),
        group=identifier(record.fields, "source_id"),
        subset=f"{split} {source.task}".strip(),
        task=source.task,
        source_model=identifier(record.fields, "model"),
        spans=spans if labelled else None,
    )
    return row, lost


def reader(*, implicit_true: bool = True, due_to_null: bool = True) -> Reader:
    """Make a reader of RAGTruth.

    A response without ``labels`` gives a row without a label.

    A reader whose warning counts the spans that lie outside their response; they are left out.
    """
    flags = {"implicit_true": implicit_true, "due_to_null": due_to_null}
    left_out = [flag for flag, counted in flags.items() if not counted]

    def read(path: Path, entries: Iterable[Entry]) -> Reading:
        sources_path = path
        if path.name.startswith(SOURCES):
            entries = read_entries(_other(path, RESPONSES))
        else:
            sources_path = _other(path, SOURCES)
        sources = _sources(sources_path)
        outside = 0

        def parse(record: Record) -> Iterator[BatchRow]:
            nonlocal outside
            source_id = identifier(record.fields, "source_id")
            source = sources.get(source_id, f"no source {source_id!r} in {sources_path.name}")
            if isinstance(source, str):
                raise InputError(source)
            row, lost = _row(record, source, left_out)
            outside += lost
            yield row

        reading = read_rows(entries, parse)
        if not outside:
            return reading
        said = f"RAGTruth: {outside} span(s) lie outside their response and were left out"
        return replace(reading, warnings=(said,))

    return read


FORMAT = DatasetFormat(
    name="ragtruth",
    title="RAGTruth",
    files=f"{RESPONSES} and {SOURCES} in one folder (give the folder or either file)",
    label_rule="0 if annotators marked any span of the response, whatever its implicit_true and "
    "due_to_null flags, which are counted like every other span; else 1; responses of every "
    "quality, split and task are kept.",
    repository="ParticleMedia/RAGTruth",
    key_sets=(
        keys("source_id", "response", "labels"),
        keys("source_id", "task_type", "source_info"),
    ),
    read=reader(),
    # All splits: the owners' README; the test split: as papers that use it report it.
    published=(
        ("", Counts(7664, 10126)),
        ("test QA", Counts(160, 740)),
        ("test Summary", Counts(204, 696)),
        ("test Data2txt", Counts(579, 321)),
    ),
)
