"""RAGTruth: the responses of one file joined with the sources of another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._steps import Fields, by_record, cut_spans
from provenance_core.files.records.entries import Entry, Note, Record, beside
from provenance_core.files.records.opening import read_entries
from provenance_core.files.types import BatchOptions, Counts, RejectedRow
from provenance_core.files.values.fields import identifier, objects, text

RESPONSES = "response.jsonl"
SOURCES = "source_info.jsonl"
_PASSAGE = re.compile(r"^passage \d+:", re.MULTILINE)


def missing_file(path: Path) -> str:
    """The other of the two files where it is not beside this one, also gzipped; else ""."""
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


def _source(record: Record) -> dict[str, object]:
    task = text(record, "task_type")
    info = record.fields.get("source_info")
    if isinstance(info, str):
        return {"task": task, "context": (info.strip(),)}
    if not isinstance(info, dict):
        raise InputError("source_info is neither a text nor an object")
    if task != "QA":
        return {"task": task, "context": (json.dumps(info, ensure_ascii=False),)}
    asked = Record(record.line, info)
    passages = (part.strip() for part in _PASSAGE.split(text(asked, "passages")))
    query = text(asked, "question").strip()
    return {"task": task, "query": query, "context": tuple(filter(None, passages))}


def _sources(path: Path) -> dict[str, dict[str, object] | str]:
    """The source by its id, or why it cannot be used."""
    found: dict[str, dict[str, object] | str] = {}
    for entry in read_entries(path):
        if isinstance(entry, RejectedRow):
            continue
        name = identifier(entry.fields, "source_id")
        try:
            found[name] = _source(entry)
        except InputError as error:
            found[name] = f"{path.name}, {entry.unit} {entry.line}: {error}"
    return found


def _step(path: Path, entries: Iterable[Entry], options: BatchOptions) -> Iterator[Entry | Note]:
    flags = {"implicit_true": options.implicit_true, "due_to_null": options.due_to_null}
    left_out = [flag for flag, counted in flags.items() if not counted]
    sources_path = path
    if path.name.startswith(SOURCES):
        entries = read_entries(_other(path, RESPONSES))
    else:
        sources_path = _other(path, SOURCES)
    sources = _sources(sources_path)
    outside = 0

    def make(record: Record) -> Iterator[Fields]:
        nonlocal outside
        name = identifier(record.fields, "source_id")
        source = sources.get(name, f"no source {name!r} in {sources_path.name}")
        if isinstance(source, str):
            raise InputError(source)
        row = {**record.fields, **source}
        row["subset"] = f"{identifier(record.fields, 'split')} {source['task']}".strip()
        if record.fields.get("labels") is not None:
            marks = [
                {**mark, "type": mark.get("label_type")}
                for mark in objects(record, "labels")
                if not any(mark.get(flag) is True for flag in left_out)
            ]
            row["spans"], lost = cut_spans(marks, text(record, "response"))
            row["label"] = int(not marks)
            outside += lost
        yield row

    yield from by_record(make)(path, entries, options)
    if outside:
        yield Note(f"RAGTruth: {outside} span(s) lie outside their response and were left out")


FORMAT = Format(
    name="ragtruth",
    title="RAGTruth",
    files=f"{RESPONSES} and {SOURCES} in one folder (give the folder or either file)",
    keys=(keys("source_id", "response", "labels"), keys("source_id", "task_type", "source_info")),
    columns=(
        column("query", "query"),
        column("context", "context"),
        column("answer", "response"),
        column("label", "label"),
        column("id", "id"),
        column("group", "source_id"),
        column("subset", "subset"),
        column("task", "task"),
        column("source_model", "model"),
    ),
    step=_step,
    spans="spans",
    optional=keys("labels"),
    label_rule="0 if annotators marked any span of the response, whatever its implicit_true and "
    "due_to_null flags, which are counted like every other span; else 1; responses of every "
    "quality, split and task are kept.",
    repository="ParticleMedia/RAGTruth",
    # All splits: the owners' README; the test split: as papers that use it report it.
    published=(
        ("", Counts(7664, 10126)),
        ("test QA", Counts(160, 740)),
        ("test Summary", Counts(204, 696)),
        ("test Data2txt", Counts(579, 321)),
    ),
)
