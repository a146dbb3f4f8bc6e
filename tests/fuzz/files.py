"""What must hold of every importer: uploads, batches, data sets, workbooks, full exports."""

from __future__ import annotations

import functools
import gzip
import io
import json
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import openpyxl

from provenance_core import InputError, Provenance
from provenance_core.files.batch import inspect_batch_file, read_batch_file
from provenance_core.files.batch.spreadsheet import _records
from provenance_core.files.labelled import read_labelled_file
from provenance_core.files.records.entries import Entries, Record
from provenance_core.files.records.opening import entries_of
from provenance_core.files.types import RejectedRow
from provenance_core.files.uploaded_context import _read_here, read_context_file
from provenance_core.review.types import JudgedVerdict, Judgement
from storage import AuditStore, ReviewStore
from storage.engine import dispose_engine
from storage.imports import Importer
from tests.exports_data import exported
from tests.fuzz.generated import as_files
from tests.office_files import pdf, word


@functools.cache
def _folder() -> Path:
    """Removed with the process."""
    made = tempfile.TemporaryDirectory()
    _FOLDERS.append(made)
    return Path(made.name)


_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []


def uploaded_records(rows: list[dict[str, object]], which: int) -> None:
    _upload(*as_files(rows)[which])


def uploaded_anything(kind: str, data: bytes | str) -> None:
    _upload(f"a.{kind}", data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))


def _upload(name: str, data: bytes) -> None:
    try:
        read = read_context_file(name, data, split_at_blank_lines=True)
    except InputError as error:
        assert name in str(error)
        return
    for index, item in enumerate(read.items):
        assert item.index == index
        assert item.text.strip()
        item.text.encode("utf-8")


def office_uploads(kind: str, paragraphs: list[str], at: float, change: bytes, cut: int) -> None:
    """A PDF or a Word document, damaged in one place."""
    if kind == "pdf":
        plain = [text.encode("ascii", "replace").decode() for text in paragraphs] or ["x"]
        data = _damaged(pdf(*plain), at, change, cut)
    else:
        data = _damaged_archive(_word(tuple(paragraphs)), at, change, cut)
    try:
        # What the process that reads such files would run.
        read = _read_here(f"a.{kind}", data, True)
    except InputError as error:
        assert f"a.{kind}" in str(error)
        return
    for item in read.items:
        item.text.encode("utf-8")


def _word(paragraphs: tuple[str, ...]) -> bytes:
    printable = ("".join(c for c in text if c.isprintable()) for text in paragraphs)
    return word(*printable)


def _damaged(data: bytes, at: float, change: bytes, cut: int) -> bytes:
    start = int(at * len(data))
    return data[:start] + change + data[start + cut :]


def _damaged_archive(data: bytes, at: float, change: bytes, cut: int) -> bytes:
    """The archive with one of its parts damaged; the part that holds the text most often."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w") as new:
        names = sorted(old.namelist(), key=lambda n: ("document" not in n, "sheet1" not in n, n))
        chosen = names[min(int(at * at * len(names)), len(names) - 1)]
        for name in old.namelist():
            part = old.read(name)
            new.writestr(name, _damaged(part, at, change, cut) if name == chosen else part)
    return packed.getvalue()


def workbooks(rows: list[list[object]], at: float, change: bytes, cut: int) -> None:
    """A workbook, whole or damaged in one place."""
    book = openpyxl.Workbook()
    for row in rows:
        try:
            # No workbook holds half of a character.
            book.active.append(
                [
                    cell.encode("utf-8", "replace").decode() if isinstance(cell, str) else cell
                    for cell in row
                ]
            )
        except (ValueError, openpyxl.utils.exceptions.IllegalCharacterError):
            continue
    out = io.BytesIO()
    book.save(out)
    path = _folder() / "a.xlsx"
    path.write_bytes(_damaged_archive(out.getvalue(), at, change, cut) if cut else out.getvalue())
    _entries_or_refused(path, Entries(_records(path)))


def batch_and_labelled_files(rows: list[dict[str, object]], which: int) -> None:
    name, data = as_files(rows)[which]
    _read_files(_folder() / name, data)


def data_set_files(given: tuple[str, list[dict[str, object]]]) -> None:
    """Records with the keys of a data set, read as what they are and as that data set."""
    name, rows = given
    path = _folder() / "a.jsonl"
    _read_files(path, "\n".join(map(json.dumps, rows)).encode())
    try:
        read = read_labelled_file(path, format=name)
    except InputError as error:
        assert path.name in str(error)
        return
    for row in read.rows:
        assert row.label in (0, 1)
        assert all(0 <= s.start < s.end <= len(row.answer) for s in row.spans or ())
    assert all(each.reason for each in read.unreadable)


def files_of_any_bytes(name: str, data: bytes, packed: bool) -> None:
    path = _folder() / name
    if packed:
        # What a process of its own would run.
        path.write_bytes(gzip.compress(data)[: len(data) + 10])
        _entries_or_refused(path, Entries(entries_of(path)))
    elif not data.startswith((b"\x1f\x8b", b"PAR1")):
        _read_files(path, data)


def damaged_places(rows: list[dict[str, object]], at: float, change: str, lines: bool) -> None:
    """JSON damaged in one place: the message names the line and the column of the place."""
    text = "\n".join(map(json.dumps, rows)) if lines else json.dumps(rows, indent=1)
    start = int(at * len(text))
    text = text[:start] + change + text[start:]
    name = "a.jsonl" if lines else "a.json"
    for number, part in enumerate(text.split("\n") if lines else [text], 1):
        try:
            if part.strip():
                json.loads(part)
        except json.JSONDecodeError as error:
            place = f"line {number if lines else error.lineno}, column {error.colno}"
            break
        except (ValueError, RecursionError):
            return
    else:
        return
    try:
        read_context_file(name, text.encode())
    except InputError as refused:
        said = str(refused)
        # What is valid before the damage may be refused first, for another reason.
        named = all(part in said for part in place.split(", "))
        assert named or "not JSON" not in said, said


def _entries_or_refused(path: Path, entries: Iterator[Record | RejectedRow]) -> None:
    try:
        for each in entries:
            assert each.line >= 1
    except InputError as error:
        assert str(path) in str(error)


def _read_files(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    for read in (inspect_batch_file, read_labelled_file):
        try:
            read(path)
        except InputError as error:
            assert path.name in str(error)
    try:
        file = read_batch_file(path)
    except InputError as error:
        assert path.name in str(error)
        return
    for row in file.rows:
        for text in (row.query, row.answer, *row.texts, *(item.name for item in row.items)):
            text.encode("utf-8")
        assert row.answer.strip()
        assert all(0 <= s.start < s.end <= len(row.answer) for s in row.spans or ())
    lines = data.count(b"\n") + data.count(b"\r") + 1
    for each in file.rejected:
        assert each.reason
        assert 1 <= each.line <= max(lines, len(file.rows) + len(file.rejected))


@functools.cache
def _full_export() -> tuple[str, Importer, AuditStore]:
    """A line of a full export, and an empty database to import it into."""
    source = f"sqlite:///{_folder() / 'source.db'}"
    provenance = Provenance.load("embedded")
    audit = provenance.audit(answer="It is red. It is big.", context=["It is red and small."])
    number = AuditStore.open(source).save(audit)
    ReviewStore.open(source).save(number, "ann", Judgement(JudgedVerdict.SUPPORTED))
    line = exported(source).decode()
    dispose_engine(source)
    here = f"sqlite:///{_folder() / 'here.db'}"
    return line, Importer.open(here), AuditStore.open(here)


def full_exports(place: list[float], value: object, whole: bool, at: float, change: bytes) -> None:
    """A full export in which one value is another, or a few bytes are."""
    line, importer, audits = _full_export()
    if whole:
        raw = json.dumps(_replaced(json.loads(line), place, value)).encode()
    else:
        raw = _damaged(line.encode(), at, change, len(change))
    before = audits.count() if hasattr(audits, "count") else None
    result = importer.read([raw])
    lines = sum(bool(raw.strip()) for _ in (0,))
    assert result.imported + result.already_there + len(result.rejected) == lines
    for each in result.rejected:
        assert each.line == 1
        assert each.reason
    if before is not None:
        assert audits.count() == before + result.imported


def _replaced(tree: object, place: list[float], value: object) -> object:
    """``tree`` with the part at ``place`` exchanged: at each level the share of its parts."""
    if not place or not isinstance(tree, dict | list) or not tree:
        return value
    if isinstance(tree, dict):
        keys = list(tree)
        chosen = keys[int(place[0] * (len(keys) - 1))]
        return {**tree, chosen: _replaced(tree[chosen], place[1:], value)}
    at = int(place[0] * (len(tree) - 1))
    return [*tree[:at], _replaced(tree[at], place[1:], value), *tree[at + 1 :]]
