"""Small files that unpack, nest or grow without end: refused, with the limit that they reach."""

from __future__ import annotations

import gzip
import io
import json
import os
import time
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import openpyxl
import psutil
import pyarrow
import pyarrow.parquet
import pytest

from provenance_core import InputError
from provenance_core.files._uploaded_documents import read_pdf
from provenance_core.files.apart import read_apart
from provenance_core.files.batch import inspect_batch_file, read_batch_file
from provenance_core.files.labelled import read_labelled_file
from provenance_core.files.limits import FILE_SETTINGS, FileLimits, file_limits
from provenance_core.files.uploaded_context import read_context_file
from tests.office_files import pdf, word

ROW = {"query": "q", "context": ["c"], "answer": "a", "label": 1}
LIMIT = "the limit of PROVENANCE_FILE_(SECONDS|MEMORY_MB|UNPACKED_MB)"
SHEET = "xl/worksheets/sheet1.xml"


@pytest.fixture(autouse=True)
def limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small ones, so that a test need not write gigabytes."""
    for name, value in (("SECONDS", "20"), ("MEMORY_MB", "700"), ("UNPACKED_MB", "8")):
        monkeypatch.setenv(f"PROVENANCE_FILE_{name}", value)


def workbook(path: Path, *rows: list[object], far: str = "") -> Path:
    book = openpyxl.Workbook()
    for row in rows or (["context", "answer"], ["c", "a"]):
        book.active.append(row)
    if far:
        book.active[far] = "far"
    book.save(path)
    return path


def rewritten(path: Path, part: str, change: bytes | tuple[bytes, bytes]) -> Path:
    """The workbook with a part of it replaced, or a piece of that part."""
    packed = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if name == part:
                data = data.replace(*change) if isinstance(change, tuple) else change
            new.writestr(name, data)
    path.write_bytes(packed.getvalue())
    return path


def refused(path: Path, match: str) -> None:
    for read in (inspect_batch_file, read_batch_file):
        with pytest.raises(InputError, match=match) as error:
            read(path)
        assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("part", "change"),
    [
        (SHEET, (b"</sheetData>", b"")),
        (SHEET, b"<worksheet><sheetData><row>"),
        (SHEET, (b"<sheetData>", b"<sheetData>&undefined;")),
        ("xl/styles.xml", b"<styleSheet>"),
        ("xl/styles.xml", b""),
        ("xl/workbook.xml", b"<workbook/>"),
        ("[Content_Types].xml", b"<Types/>"),
        (
            SHEET,
            b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "'
            + b"b" * 1000
            + b'">'
            + b"".join(
                b'<!ENTITY %c "%s">' % (c + 1, b"&%c;" % c * 30) for c in range(ord("a"), ord("h"))
            )
            + b"]><worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'>"
            b"<sheetData><row><c t='inlineStr'><is><t>&h;</t></is></c></row></sheetData>"
            b"</worksheet>",
        ),
    ],
)
def test_damaged_workbook(tmp_path: Path, part: str, change: bytes | tuple[bytes, bytes]) -> None:
    refused(
        rewritten(workbook(tmp_path / "a.xlsx"), part, change),
        "not a whole Excel workbook|no rows|no sheet of cells",
    )


def test_style_that_does_not_exist(tmp_path: Path) -> None:
    path = rewritten(workbook(tmp_path / "a.xlsx"), SHEET, (b'r="A2"', b'r="A2" s="999"'))
    try:
        assert len(read_batch_file(path).rows) == 1
    except InputError as error:
        assert "not a whole Excel workbook" in str(error)


def test_damaged_stream_of_a_workbook(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "a.xlsx", ["context", "answer"], *(["c" * 99, n] for n in range(999))
    )
    data = bytearray(path.read_bytes())
    at = data.index(SHEET.encode()) + 200
    data[at : at + 40] = bytes(40)
    path.write_bytes(data)
    refused(path, "not a whole Excel workbook")


@pytest.mark.parametrize("far", [pytest.param("XFD1048576", marks=pytest.mark.slow), "A1048576"])
def test_cell_at_the_far_end_of_the_sheet(
    tmp_path: Path, far: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROVENANCE_FILE_SECONDS", "120")  # on a busy machine too
    path = workbook(tmp_path / "a.xlsx", far=far)
    refused(path, "row 2: more than 20,000 empty rows follow it")


def test_cell_at_the_far_right(tmp_path: Path) -> None:
    file = read_batch_file(workbook(tmp_path / "a.xlsx", far="XFD2"))
    assert [row.answer for row in file.rows] == ["a"]


def test_many_empty_rows_behind_the_table(tmp_path: Path) -> None:
    rows = b"".join(b'<row r="%d"/>' % n for n in range(3, 60_000))
    path = rewritten(
        workbook(tmp_path / "a.xlsx"), SHEET, (b"</sheetData>", rows + b"</sheetData>")
    )
    assert len(read_batch_file(path).rows) == 1


def test_cell_of_hundreds_of_megabytes(tmp_path: Path) -> None:
    cell = b"<c t='inlineStr'><is><t>" + b"x" * 30_000_000 + b"</t></is></c></row></sheetData>"
    path = rewritten(workbook(tmp_path / "a.xlsx"), SHEET, (b"</row></sheetData>", cell))
    refused(path, r"unpacks to more than 8 MB, the limit of PROVENANCE_FILE_UNPACKED_MB")


def gzipped(path: Path, *pieces: bytes) -> Path:
    with gzip.open(path, "wb", compresslevel=1) as file:
        for piece in pieces:
            file.write(piece)
    return path


@pytest.mark.parametrize(
    ("name", "first", "repeated"),
    [
        ("a.jsonl.gz", b'{"context": "c", "answer": "', b"x" * 1_000_000),
        ("a.json.gz", b'[{"a": 1},', b"[]," * 300_000),
        ("a.csv.gz", b'context,answer\nc,"', b"x\n" * 500_000),
        ("a.jsonl.gz", b"\n", b"\n" * 1_000_000),
        ("a.jsonl.gz", json.dumps(ROW).encode() + b"\n", b'{"a":"%s"}\n' % (b"x" * 990) * 1_000),
    ],
    ids=["line", "array", "quote", "newlines", "rows"],
)
def test_gzip_bombs(tmp_path: Path, name: str, first: bytes, repeated: bytes) -> None:
    path = gzipped(tmp_path / name, first, *[repeated] * 9)
    for read in (read_batch_file, read_labelled_file):
        with pytest.raises(InputError, match=LIMIT):
            read(path)


def test_memory_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVENANCE_FILE_UNPACKED_MB", "4000")
    path = gzipped(tmp_path / "a.jsonl.gz", b'{"a": "', *[b"x" * 10_000_000] * 60)
    before = psutil.Process().memory_info().rss
    with pytest.raises(
        InputError, match="more than 700 MB of memory, the limit of PROVENANCE_FILE_"
    ):
        read_batch_file(path)
    assert psutil.Process().memory_info().rss - before < 200_000_000


def test_parquet_bomb(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    text = "x" * 1_000_000
    table = pyarrow.table({"context": [text] * 60, "answer": [text] * 60})
    pyarrow.parquet.write_table(table, path, compression="zstd")
    assert path.stat().st_size < 1_000_000
    with pytest.raises(InputError, match=LIMIT):
        read_batch_file(path)


def test_nested_json(tmp_path: Path) -> None:
    deep = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    path = tmp_path / "a.json"
    path.write_bytes(deep)
    with pytest.raises(InputError, match="JSON beyond what can be read"):
        read_batch_file(path)
    with pytest.raises(InputError, match="nested too deeply"):
        read_context_file("a.json", deep)


def test_word_document_that_unpacks_too_far() -> None:
    packed = io.BytesIO(word("text"))
    with zipfile.ZipFile(packed, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/bomb", b"\0" * 30_000_000)
    with pytest.raises(InputError, match=r"a\.docx: it unpacks to more than 8 MB"):
        read_context_file("a.docx", packed.getvalue())


def raw_pdf(stream: bytes, pages: int = 1, tree: bytes = b"", more: bytes = b"") -> bytes:
    """Pages that share one packed stream. ``tree``: the kids of the page tree."""
    kids = tree or b" ".join(b"%d 0 R" % (5 + n) for n in range(pages))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>" % (pages, kids),
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        *[
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 3 0 R %s "
            b"/Resources << /Font << /F1 4 0 R >> >> >>" % more
        ]
        * pages,
    ]
    file = b"%PDF-1.7\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return (
        b"%sxref\n0 %d\n0000000000 65535 f \n%strailer << /Size %d /Root 1 0 R >>\n"
        b"startxref\n%d\n%%%%EOF" % (file, size, table, size, len(file))
    )


LINE = b"BT /F1 12 Tf 20 200 Td (It was opened in 1932. ) Tj ET\n"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (raw_pdf(zlib.compress(b" " * 100_000_000)), "it unpacks further than a PDF is read"),
        (raw_pdf(zlib.compress(LINE * 200), pages=100), "it unpacks to more than 0 MB, the limit"),
        (raw_pdf(zlib.compress(LINE), tree=b"2 0 R"), "this is not a PDF that can be read"),
        (raw_pdf(zlib.compress(LINE), more=b"/X " + b"[" * 50_000 + b"]" * 50_000), ""),
    ],
    ids=["one stream", "shared stream", "a tree in itself", "deep array"],
)
def test_pdf_bombs(data: bytes, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVENANCE_FILE_UNPACKED_MB", "0.1")
    assert len(data) < 200_000
    # In this process: on a busy machine, another one may reach the limit of time first.
    with pytest.raises(InputError, match=r"a\.pdf: .*" + said):
        read_pdf("a.pdf", data)


def test_pages_that_share_a_stream_are_read() -> None:
    read = read_pdf("a.pdf", raw_pdf(zlib.compress(LINE), pages=2))
    assert [piece.text.strip() for piece in read.pieces] == ["It was opened in 1932."] * 2


def test_pdf_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVENANCE_FILE_SECONDS", "0.05")
    with pytest.raises(
        InputError, match=r"a\.pdf: .* 0.05 seconds, the limit of PROVENANCE_FILE_SEC"
    ):
        read_context_file("a.pdf", pdf("one"))


def endless(marker: str) -> Iterator[str]:
    yield from (marker for _ in range(32))
    while True:
        time.sleep(1)


def dying() -> Iterator[int]:
    yield 1
    os.abort()


BOUNDS = FileLimits(seconds=3, memory=10**9, unpacked=10**9, small=1)


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


def test_a_reader_that_never_ends_is_killed_and_leaves_no_process() -> None:
    before = children()
    started = time.monotonic()
    with pytest.raises(InputError, match=r"x: reading it takes more than 3 seconds"):
        list(read_apart("x", endless, "m", limits=BOUNDS))
    assert time.monotonic() - started < 20
    assert children() <= before


def test_a_reader_that_is_left_early_leaves_no_process() -> None:
    before = children()
    found = read_apart("x", endless, "m", limits=replace(BOUNDS, seconds=60))
    assert next(found) == "m"
    found.close()  # type: ignore[attr-defined]
    assert children() <= before


def test_a_reader_that_dies_is_said() -> None:
    with pytest.raises(InputError, match=r"x: the process that read it ended \(status -6\)"):
        list(read_apart("x", dying, limits=replace(BOUNDS, seconds=60)))


def test_settings_must_be_numbers_above_zero() -> None:
    assert file_limits({}).seconds == 120
    for setting in FILE_SETTINGS:
        for wrong in ("0", "-1", "many", "nan", "inf"):
            with pytest.raises(InputError, match=rf"{setting.variable} is '{wrong}'"):
                file_limits({setting.variable: wrong})


def test_large_plain_files_are_read_apart_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROVENANCE_FILE_SMALL_MB", "0.0001")
    path = tmp_path / "a.jsonl"
    path.write_text((json.dumps(ROW) + "\n") * 5000, encoding="utf-8")
    assert len(read_batch_file(path).rows) == 5000
    monkeypatch.setenv("PROVENANCE_FILE_SECONDS", "0.01")
    with pytest.raises(InputError, match=r"0\.01 seconds"):
        read_batch_file(path)
