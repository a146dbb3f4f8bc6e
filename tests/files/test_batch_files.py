"""Files for a batch run: recognised, mapped, read, and refused row by row with the cure."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest

from command_line.main import main
from provenance_core.errors import InputError
from provenance_core.files.batch import (
    BatchFile,
    BatchOptions,
    FieldMapping,
    inspect_batch_file,
    read_batch_file,
    rejects_jsonl,
    unreadable_rows,
)
from provenance_core.files.batch.column_names import SYNONYMS, complete_mapping
from provenance_core.files.batch.formats import BATCH_FORMATS
from provenance_core.files.formats._labels import HALLUCINATED, NO, SUPPORTED, YES, read_label
from provenance_core.files.formats._record_keys import keys_of, value_at
from provenance_core.files.formats.registry import FORMATS
from provenance_core.files.labelled import read_labelled_file
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import BatchRow, GoldSpan, RejectedRow, Unit
from tests.files.written import write, write_lines

OWN = {"query": "q", "context": ["c"], "answer": "a"}


def write_table(path: Path, *records: Mapping[str, object], delimiter: str = ",") -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, delimiter=delimiter)
        table.writerow(records[0])
        table.writerows(record.values() for record in records)
    return path


def write_parquet(path: Path, *records: Mapping[str, object]) -> Path:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(records)), path)
    return path


def write_sheet(path: Path, rows: Sequence[Sequence[object]], *others: str) -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(list(row))
    for name in others:
        book.create_sheet(name)
    book.save(path)
    return path


def reasons(file: BatchFile) -> list[tuple[int, str]]:
    return [(row.line, row.reason) for row in file.rejected]


# Our own rows, in every kind of file


def own_row(line: int, **values: object) -> BatchRow:
    return replace(BatchRow(line, "q", ("c",), "a", group=text_group("c")), **values)


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.ndjson"])
def test_own_rows_with_and_without_label(tmp_path: Path, name: str) -> None:
    path = write_lines(
        tmp_path / name, OWN, {**OWN, "label": 0, "id": 7}, "", {**OWN, "context": "c"}
    )
    assert inspect_batch_file(path).format == "rows"
    file = read_batch_file(path)
    assert file.rows == (own_row(1), own_row(2, label=0, id="7"), own_row(4))
    assert (file.format, file.rejected, file.warnings) == ("rows", (), ())
    assert file.mapping == FieldMapping("query", "context", "answer", "label", "id")


def test_own_rows_keep_spans_and_meta(tmp_path: Path) -> None:
    full = {
        **OWN, "answer": "a lie", "label": 0, "meta": {"task": "QA", "model": "m", "source_id": 9},
        "spans": [{"start": 2, "end": 5, "type": "Conflict"}],
    }  # fmt: skip
    bad = {**full, "spans": [{"start": 2, "end": 50}]}
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", full, bad))
    (row,) = file.rows
    assert (row.group, row.task, row.source_model) == ("9", "QA", "m")
    assert row.spans == (GoldSpan(2, 5, "Conflict"),)
    assert reasons(file) == [(2, "span 1 is 2:50, but the answer has 5 characters")]
    assert json.loads(file.rejected[0].raw) == bad


def test_batch_and_evaluate_read_the_same_labelled_rows(tmp_path: Path) -> None:
    marked = {"spans": [{"start": 0, "end": 1}], "label": 0}
    path = write_lines(
        tmp_path / "a.jsonl", {**OWN, **marked}, *[{**OWN, "label": 1, "spans": []}] * 2,
        {**OWN, "label": 0, "id": 7}, {**OWN, "label": "unfaithful", "context": "['c', 'd']"},
    )  # fmt: skip
    labelled = read_labelled_file(path).rows
    batch = read_batch_file(path).rows
    assert [row.spans for row in batch] == [(GoldSpan(0, 1),), (), (), None, None]
    for name in ("line", "query", "context", "answer", "label", "id", "spans"):
        assert [getattr(r, name) for r in batch] == [getattr(r, name) for r in labelled]


def test_json_array_counts_records(tmp_path: Path) -> None:
    file = read_batch_file(write(tmp_path / "a.json", json.dumps([OWN, 5, OWN], indent=1)))
    assert [row.line for row in file.rows] == [1, 3]
    assert file.rejected[0].raw == "5"


@pytest.mark.parametrize(
    ("cell", "context"),
    [
        ("one text", ("one text",)),
        ('["one", "two, too"]', ("one", "two, too")),
        ("['one', \"it's\"]", ("one", "it's")),
        ("[1] A note, not a list", ("[1] A note, not a list",)),
        ("[]", None),
        ("  ", None),
        ("['one' 'two']", None),
    ],
)
def test_context_in_a_cell(tmp_path: Path, cell: str, context: tuple[str, ...] | None) -> None:
    path = write_table(tmp_path / "a.csv", {**OWN, "context": cell})
    file = read_batch_file(path)
    assert [row.context for row in file.rows] == ([] if context is None else [context])
    assert len(file.rejected) == (context is None)
    if "'one' 'two'" in cell:
        assert "2 texts are not parted by commas" in file.rejected[0].reason


def test_context_of_objects(tmp_path: Path) -> None:
    items = [{"page_content": "one", "metadata": {}}, {"document": {"content": "two"}}, "three"]
    path = write_lines(
        tmp_path / "a.jsonl", {**OWN, "context": items}, {**OWN, "context": [{"title": "t"}]},
        {**OWN, "context": 5}, {**OWN, "context": [["t", ["s"]]]},
    )  # fmt: skip
    file = read_batch_file(path)
    assert [row.context for row in file.rows] == [("one", "two", "three"), ("5",)]
    assert [line for line, _ in reasons(file)] == [2, 4]
    assert "item 1 of context is neither a text nor an object with one" in file.rejected[0].reason


def test_a_row_that_is_refused_keeps_its_own_columns(tmp_path: Path) -> None:
    kept = {"frage": "q", "antwort": "a", "quelle": "c", "note": "n"}
    without = [{**kept, "antwort": " "}, {**kept, "quelle": ""}]
    mapping = FieldMapping(query="frage", answer="antwort", context="quelle")
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", kept, *without), mapping=mapping)
    assert [reason.split(";")[0] for _, reason in reasons(file)] == ["no answer", "no context"]
    assert [json.loads(row.raw) for row in file.rejected] == without


def test_broken_lines_are_named_with_their_column_whatever_the_keys_mean(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    row = json.dumps({"frage": "q", "antwort": "a"})
    path.write_text(f'{row}\n{{"frage": \n{row}\n{{"frage": "q" "antwort": 1}}\n{{"frage": "q\n')
    assert [(each.line, each.reason) for each in unreadable_rows(path)] == [
        (2, _broken(11, "it ends before its last bracket is closed")),
        (
            4,
            _broken(
                15,
                "a comma or a closing bracket is missing here; or the quotation mark before "
                'belongs to the text, then write \\" for it',
            ),
        ),
        (5, _broken(11, "the text that begins here has no closing quotation mark")),
    ]


def _text(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _broken(column: int, why: str) -> str:
    return f"not JSON at column {column} ({why}); mend it there, or leave the row out"


def test_a_place_in_a_list_is_a_record_and_a_place_in_a_sheet_a_row(tmp_path: Path) -> None:
    rows = [OWN, {**OWN, "answer": ""}]
    listed = _text(tmp_path / "a.json", "[\n" + ",\n\n".join(map(json.dumps, rows)) + "]")
    (refused,) = read_batch_file(listed).rejected
    assert refused.place == "record 2" and read_batch_file(listed).unit is Unit.RECORD
    whole = _text(tmp_path / "b.json", json.dumps(rows[1], indent=1))
    assert read_batch_file(whole).rejected[0].place == "record 1"
    (refused,) = read_batch_file(write_lines(tmp_path / "a.jsonl", *rows)).rejected
    assert refused.place == "line 2"
    assert '"unit": "record"' in rejects_jsonl(read_batch_file(listed).rejected)
    with pytest.raises(InputError, match=r"can be read \(record 1: not a JSON object"):
        inspect_batch_file(_text(tmp_path / "c.json", "[\n[], 5]"))


def test_a_list_of_records_inside_the_only_record_is_named(tmp_path: Path) -> None:
    path = _text(tmp_path / "a.json", json.dumps({"meta": {"rows": [OWN]}, "n": 1, "of": ["a"]}))
    assert inspect_batch_file(path).lists == ("meta.rows",)
    two = write_lines(tmp_path / "b.jsonl", {"rows": [OWN], "n": 1}, {"rows": [OWN], "n": 2})
    assert inspect_batch_file(two).lists == ()


def test_an_unknown_label_is_told_the_usual_words_only() -> None:
    with pytest.raises(InputError) as caught:
        read_label("maybe", "label")
    assert len(str(caught.value)) < 250 and "write supported or 1 for a" in str(caught.value)
    with pytest.raises(InputError, match="write supported or 0 for a supported"):
        read_label("maybe", "is_hallucinated")


def test_the_documents_list_every_word_of_a_label() -> None:
    guide = Path(__file__).parents[2] / "docs" / "how-to" / "own-data.md"
    text = " ".join(guide.read_text(encoding="utf-8").split())
    assert all(f"`{word}`" in text for word in (*SUPPORTED, *HALLUCINATED, *YES, *NO))


@pytest.mark.parametrize("name", ["a.jsonl", "a.JSONL.gz"])
def test_where_every_line_is_broken_the_first_is_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    data = b'{"query": "q", "context": \n{"query": 1\n'
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    with pytest.raises(InputError, match=r"line 1: not JSON .*column 27"):
        inspect_batch_file(path)


def test_csv_lines_are_those_of_the_file_and_bad_ones_cost_themselves(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(
        b"\xef\xbb\xbfquery,context,answer,label\n"
        b'q,"two\nlines",a,supported\n'
        b"q,c\n"
        b"q,Caf\xe9,a,1\n"
        b"\n"
        b"q,c,a,FAIL\n"
        b"q,c,a,perhaps\n"
        b"q,,a,1\n"
        b"q,c,,1\n"
        b'q,"c"x,a,1\n'
        b"q,c,a,\n"
    )
    file = read_batch_file(path)
    assert [(row.line, row.label) for row in file.rows] == [(2, 1), (7, 0), (12, None)]
    assert [row.line for row in file.rejected] == [4, 5, 8, 9, 10, 11]
    said = [row.reason for row in file.rejected]
    assert said[0] == "2 columns, but the heading names 4; mend it there, or leave the row out"
    assert said[1] == "not UTF-8 in column context; save the file as UTF-8, or leave the row out"
    assert said[2].startswith('label is "perhaps", which is not a known label; write supported')
    assert said[3].startswith("no context; the answer is checked against its context, so give")
    assert said[4].startswith("no answer; write the answer")
    assert said[5].startswith("not CSV")
    assert [row.raw for row in file.rejected[:2]] == ["q,c", "q,Caf\ufffd,a,1"]
    assert file.rejected[5].raw == 'q,"c"x,a,1'
    assert json.loads(file.rejected[2].raw)["label"] == "perhaps"


@pytest.mark.parametrize(
    ("name", "delimiter"), [("a.csv", ";"), ("a.csv", "\t"), ("a.tsv", "\t"), ("a.csv", ",")]
)
def test_delimiters(tmp_path: Path, name: str, delimiter: str) -> None:
    record = {**OWN, "context": "one; two, three"}
    path = write_table(tmp_path / name, record, delimiter=delimiter)
    assert [row.context for row in read_batch_file(path).rows] == [("one; two, three",)]


def test_damaged_lines_keep_their_text(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", '{"query": "half', OWN, '"text"')
    file = read_batch_file(path)
    assert [row.line for row in file.rows] == [2]
    assert [row.raw for row in file.rejected] == ['{"query": "half', '"text"']
    assert file.rejected[1].reason == "not a JSON object; mend it there, or leave the row out"


def test_parquet(tmp_path: Path) -> None:
    path = write_parquet(
        tmp_path / "a.parquet",
        {"query": None, "context": ["c", "d"], "answer": "a", "label": 1.0, "id": 3},
        {"query": "q", "context": ["c"], "answer": None, "label": 0.0, "id": 4},
        {"query": "q", "context": ["c"], "answer": "a", "label": float("nan"), "id": 5},
        {"query": "q", "context": None, "answer": "a", "label": 0.5, "id": 6},
    )
    file = read_batch_file(path)
    assert [(row.query, row.context, row.label, row.id) for row in file.rows] == [
        ("", ("c", "d"), 1, "3"), ("q", ("c",), None, "5"),
    ]  # fmt: skip
    assert [row.line for row in file.rejected] == [2, 4]
    assert "label is 0.5, which is not a known label" in file.rejected[1].reason


def test_sheet(tmp_path: Path) -> None:
    path = write_sheet(
        tmp_path / "a.xlsx",
        [
            [],
            ["question", "context", "answer", "label", "id", ""],
            ["q", '["c", "d"]', 42, 1.0, 7, "x"],
            [None, "c", date(2020, 5, 3), False, 2.5, None],
            [],
            ["q", "c", "nan", None, "NA", None],
            ["q", "c", None, 1, 1, None],
            ["q", "c", "=1+1", 1, 1, None],
            ["q", None, "a", 1, 1, None],
        ],
        "second",
        "third",
    )
    shape = inspect_batch_file(path)
    assert shape.keys == ("question", "context", "answer", "label", "id")
    file = read_batch_file(path)
    assert [(r.line, r.query, r.context, r.answer, r.label, r.id) for r in file.rows] == [
        (3, "q", ("c", "d"), "42", 1, "7"),
        (4, "", ("c",), "2020-05-03", 0, "2.5"),
        (6, "q", ("c",), "nan", None, "NA"),
    ]
    assert [row.line for row in file.rejected] == [7, 8, 9]
    assert file.rejected[1].reason.startswith("a cell has the formula =1+1 without a result, or")
    assert json.loads(file.rejected[1].raw)["answer"] == "=1+1"
    assert file.warnings == (
        "Only the first sheet was read, not second, third.",
        "2 value(s) that are numbers, truth values or dates were taken as text.",
    )


def test_formula_matters_only_where_it_is_read(tmp_path: Path) -> None:
    rows = [["context", "answer", "length"], ["c", "a", "=LEN(B2)"], ["c", "", ""], ["", "=A2", ""]]
    file = read_batch_file(write_sheet(tmp_path / "a.xlsx", rows))
    assert [row.line for row in file.rows] == [2]
    assert [line for line, _ in reasons(file)] == [3, 4]
    assert "the formula =A2 without a result" in file.rejected[1].reason


def test_passages_in_a_sheet(tmp_path: Path) -> None:
    rows = [
        ["query_id", "query", "passage_id", "passage", "generated_answer"],
        [1, "q", 1, "one", "a"],
        [1, "q", 2, "=A1", ""],
        [1, "q", 3, 3.5, ""],
    ]
    file = read_batch_file(write_sheet(tmp_path / "a.xlsx", rows))
    assert file.rows == (BatchRow(2, "q", ("one", "3.5"), "a", id="1", group="1"),)
    assert [line for line, _ in reasons(file)] == [3]
    assert file.warnings[0].startswith("1 passage(s) were refused")


def test_sheet_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.xlsx: not a whole Excel workbook"):
        read_batch_file(write(tmp_path / "a.xlsx", "text"))
    with pytest.raises(InputError, match="the file has no rows"):
        read_batch_file(write_sheet(tmp_path / "c.xlsx", []))
    with pytest.raises(InputError, match=r"\.xls files are not read; save it as one of \.jsonl"):
        read_batch_file(write(tmp_path / "d.xls", "text"))
    with pytest.raises(InputError, match="cannot be read"):
        read_batch_file(tmp_path / "absent.xlsx")


def test_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    cells = ["context", "answer", " answer ", "id", "answer"]
    paths = [
        write_sheet(tmp_path / "b.xlsx", [cells, list("abcde")]),
        write(tmp_path / "b.csv", ",".join(cells) + "\na,b,c,d,e\n"),
        write(tmp_path / "b.tsv", "\t".join(cells) + "\na\tb\tc\td\te\n"),
    ]
    for path in paths:
        said = (
            rf"{path.name}: the columns 2, 3 and 5 \(counted from 1\) have the same heading, "
            "answer; rename"
        )
        for read in (inspect_batch_file, read_batch_file):
            with pytest.raises(InputError, match=said):
                read(path)
    for path in paths[1:]:
        with pytest.raises(InputError, match="have the same heading, answer"):
            read_labelled_file(path)


@pytest.mark.parametrize("name", ["b.csv", "b.tsv", "b.csv.gz"])
def test_other_kinds_of_file_under_the_name_of_a_table(tmp_path: Path, name: str) -> None:
    book = write_sheet(tmp_path / "b.xlsx", [list(OWN), ["q", "c", "a"]]).read_bytes()
    text = "query,context,answer\nq,c,a\n"
    utf16 = "UTF-16 text; save it as UTF-8"
    for data, said in (
        (book, r"this is a ZIP archive \(as Excel .* save it as CSV in UTF-8"),
        (b"\xff\xfe" + text.encode("utf-16-le"), utf16),
        (b"\xfe\xff" + text.encode("utf-16-be"), utf16),
    ):
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
        for read in (read_batch_file, read_labelled_file):
            with pytest.raises(InputError, match=rf"{name}: {said}"):
                read(path)


# What is no text, and the words for it.
OTHER_KINDS = [
    (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "this is a PNG image, not a text file"),
    (b"\xff\xd8\xff\xe0\x00\x10JFIF", "this is a JPEG image, not a text file"),
    (b"GIF89a\x01\x00", "this is a GIF image, not a text file"),
    (b"%PDF-1.7\n%\xe2\xe3\n", "this is a PDF, not a text file"),
    (b"SQLite format 3\x00", "this is an SQLite database, not a text file"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1", "this is an old Office file, not a text file"),
    (b"\x01\x02\n\x03\x00\xff\xfa\n", "NUL byte at line 2, column 2, so this is not a text"),
    ("query,context\n".encode("utf-16-le"), "NUL byte at line 1, column 2, so this is not a text"),
]


@pytest.mark.parametrize(("data", "said"), OTHER_KINDS)
@pytest.mark.parametrize("name", ["b.jsonl", "b.json", "b.csv", "b.txt", "b.jsonl.gz"])
def test_what_is_no_text_is_named_with_the_cure(
    tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    for read in (inspect_batch_file, read_batch_file, read_labelled_file):
        with pytest.raises(InputError, match=rf"{name}: {said}.*\. Give JSONL, JSON or CSV"):
            read(path)


def test_a_gzip_archive_inside_a_gzip_archive_is_named(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl.gz"
    path.write_bytes(gzip.compress(gzip.compress(b"{}")))
    with pytest.raises(InputError, match="this is a gzip archive, not a text file"):
        read_batch_file(path)


def test_a_nul_byte_in_one_line_costs_no_other(tmp_path: Path) -> None:
    row = json.dumps({"query": "q", "context": "c", "answer": "a"})
    path = write(tmp_path / "b.jsonl", f"{row}\n\x00\n{row}\n")
    file = read_batch_file(path)
    assert [row.line for row in file.rows] == [1, 3]
    assert [row.line for row in file.rejected] == [2]


def test_a_heading_may_begin_with_pk(tmp_path: Path) -> None:
    path = write(tmp_path / "b.csv", "PK,context,answer\n1,c,a\n")
    assert [row.answer for row in read_batch_file(path).rows] == ["a"]


def test_columns_without_a_name_may_be_several(tmp_path: Path) -> None:
    path = write(tmp_path / "b.csv", ",context, ,answer\n1,c,2,a\n")
    assert inspect_batch_file(path).keys == ("context", "answer")
    assert [row.answer for row in read_batch_file(path).rows] == ["a"]


# Labels


def test_every_label_word_means_one_thing() -> None:
    words = [*SUPPORTED, *HALLUCINATED, *YES, *NO]
    assert len(set(words)) == len(words)
    for value in (*SUPPORTED, *YES, "PASS", " Supported ", True, 1, 1.0, "Not-Hallucinated"):
        assert read_label(value, "label") == 1
    for value in (*HALLUCINATED, *NO, "FAIL", "Not_Supported", False, 0, 0.0):
        assert read_label(value, "label") == 0
    for value in (None, "", "  ", float("nan")):
        assert read_label(value, "label") is None
    for value in (2, -1, 0.5, "maybe", {"a": 1}):
        with pytest.raises(InputError, match=r"^label is .*write supported or 1 for"):
            read_label(value, "label")


def test_a_column_named_after_hallucinations_says_the_contrary(tmp_path: Path) -> None:
    records = [{**OWN, "is_hallucination": value} for value in (1, "false", "hallucinated")]
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", *records))
    assert [row.label for row in file.rows] == [0, 1, 0]
    assert file.warnings[0].startswith("is_hallucination says whether the answer is hallucinated:")
    assert read_label("yes", "meta.hallucination_label") == 0
    assert read_label("yes", "hallucination.supported") == 1
    assert read_label("yes", "not_supported") == 0
    assert read_label("yes", "nonFactual") == 0
    assert read_label("yes", "no_hallucination") == 1
    assert read_label(1, "isNotHallucinated") == 1
    assert read_label(False, "non-hallucinated") == 0
    assert read_label(1, "annotation_hallucination") == 0


# Mapping


def test_names_are_known_once() -> None:
    names = [name for known in SYNONYMS.values() for name in known]
    assert len(set(names)) == len(names)


def test_mapping_is_guessed_by_names() -> None:
    keys = (
        "Frage",
        "User Question",
        "modelResponse",
        "retrievedDocuments",
        "verdict",
        "meta.model",
    )
    assert complete_mapping(keys) == FieldMapping(
        query="User Question",
        answer="modelResponse",
        context="retrievedDocuments",
        label="verdict",
        source_model="meta.model",
    )
    assert complete_mapping(("prompt", "completion")) == FieldMapping("prompt", "", "completion")
    assert complete_mapping(("claim", "answer"), FieldMapping(answer="claim")).answer == "claim"


def test_keys_with_dots() -> None:
    fields = {"a": {"b.c": {"d": 1}, "e": []}, "a.e": 2, "f": {}}
    assert keys_of(fields) == ("a.b.c.d", "a.e", "a.e", "f")
    assert value_at(fields, "a.b.c.d") == 1
    assert value_at(fields, "a.e") == 2
    assert value_at(fields, "a.x") is value_at(fields, "") is value_at({"": 1}, "") is None


def test_unknown_file_is_read_by_a_guess_that_can_be_changed(tmp_path: Path) -> None:
    record = {
        "prompt": "q", "completion": "a", "premise": "c", "notes": {"de": "d"}, "gold": "PASS"
    }  # fmt: skip
    path = write_lines(tmp_path / "a.jsonl", record, {**record, "premise": None})
    shape = inspect_batch_file(path)
    assert (shape.format, shape.companion) == ("columns", "")
    assert shape.keys == ("prompt", "completion", "premise", "notes.de", "gold")
    assert shape.mapping == FieldMapping("prompt", "premise", "completion", "gold")
    assert json.loads(shape.preview[0]) == record
    file = read_batch_file(path)
    assert [(r.query, r.context, r.answer, r.label) for r in file.rows] == [("q", ("c",), "a", 1)]
    assert [row.line for row in file.rejected] == [2]
    changed = replace(shape.mapping, context="notes.de", label="", query="")
    again = read_batch_file(path, mapping=changed)
    assert again.mapping == changed
    assert [(r.query, r.context, r.label) for r in again.rows] == [("", ("d",), None)] * 2


def test_mapping_wins_over_the_format(tmp_path: Path) -> None:
    record = {**OWN, "label": 0, "other": "another answer", "spans": [{"start": 0, "end": 1}]}
    path = write_lines(tmp_path / "a.jsonl", record)
    assert read_batch_file(path).rows[0].spans == (GoldSpan(0, 1),)
    mapping = FieldMapping(context="context", answer="other")
    file = read_batch_file(path, mapping=mapping)
    assert (file.format, file.mapping) == ("columns", mapping)
    # The spans are of the other answer.
    assert [(r.answer, r.label, r.spans) for r in file.rows] == [("another answer", None, None)]
    same = read_batch_file(path, mapping=FieldMapping(context="context", answer="answer"))
    assert (same.format, same.rows[0].spans) == ("rows", (GoldSpan(0, 1),))


def test_mapping_to_keys_that_are_not_there(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", {"x": "a", "y": "c"})
    said = (
        r"no key is chosen for the context; .*: x, y \(on the command line with --map context=KEY"
    )
    with pytest.raises(InputError, match=said):
        read_batch_file(path)
    table = write_table(tmp_path / "a.csv", {"context": "c", "antwort": "a", "": "1"})
    said = r"a\.csv: no key is chosen for the answer; .*: context, antwort \(.*--map answer=KEY"
    with pytest.raises(InputError, match=said):
        read_batch_file(table)
    with pytest.raises(InputError, match=r"anything under z, which is chosen for the answer.*x, y"):
        read_batch_file(path, mapping=FieldMapping(context="y", answer="z"))
    file = read_batch_file(path, mapping=FieldMapping(context="y", answer="x", label="w"))
    assert file.warnings == ("No record has anything under w, which is chosen for the label.",)


def test_texts_that_are_no_texts_and_odd_characters(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "a.jsonl",
        {**OWN, "answer": ["a"]},
        {**OWN, "query": {"text": "q"}},
        '{"query": "q", "context": "c\\u0000", "answer": "a\\ud800b", "label": NaN}',
        {**OWN, "answer": "a" * 100_001},
        '{"query": "q\\ud800", "context": "", "answer": "a"}',
    )
    file = read_batch_file(path)
    (row,) = file.rows
    assert (row.line, row.context, row.answer, row.label) == (3, ("c\ufffd",), "a\ufffdb", None)
    assert file.warnings[0].startswith("1 row(s) have characters that no text can hold")
    assert [line for line, _ in reasons(file)] == [1, 2, 4, 5]
    assert "answer is not a text but a list or an object" in file.rejected[0].reason
    assert "at most 100,000 can be audited" in file.rejected[2].reason
    json.dumps(file.rejected[3].raw, ensure_ascii=False).encode()
    assert inspect_batch_file(path).preview[2].encode()


# RAGTruth

RESPONSE = {
    "id": "1", "source_id": "14", "model": "gpt-4", "split": "test", "response": "Bake. Freeze.",
}  # fmt: skip
MARK = {"start": 6, "end": 12, "label_type": "Evident Baseless Info", "implicit_true": True}
SOURCE = {
    "source_id": "14", "task_type": "QA",
    "source_info": {"question": "how", "passages": "passage 1:Bake it.\n\npassage 2:Serve.\n"},
}  # fmt: skip


def test_ragtruth_needs_its_other_file(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "response.jsonl", {**RESPONSE, "labels": []})
    shape = inspect_batch_file(path)
    assert (shape.format, shape.mapping) == ("ragtruth", None)
    assert shape.companion == "source_info.jsonl"
    with pytest.raises(InputError, match=r"source_info\.jsonl is not beside this one"):
        read_batch_file(path)
    sources = write_lines(tmp_path / "source_info.jsonl", SOURCE)
    assert inspect_batch_file(path).companion == inspect_batch_file(sources).companion == ""
    assert read_batch_file(path).rows == read_batch_file(sources).rows
    path.unlink()
    assert inspect_batch_file(sources).companion == "response.jsonl"


def test_ragtruth_rows_labels_and_flags(tmp_path: Path) -> None:
    write_lines(tmp_path / "source_info.jsonl", SOURCE)
    null = {**MARK, "implicit_true": False, "due_to_null": True}
    path = write_lines(
        tmp_path / "response.jsonl",
        {**RESPONSE, "labels": []},
        {**RESPONSE, "labels": [MARK]},
        {**RESPONSE, "labels": [null]},
        {**RESPONSE, "labels": [MARK, {**MARK, "implicit_true": False, "start": 0, "end": 4}]},
        RESPONSE,
        {**RESPONSE, "source_id": "15", "labels": []},
    )
    file = read_batch_file(path)
    assert file.rows[0] == BatchRow(
        1, "how", ("Bake it.", "Serve."), "Bake. Freeze.", id="1", label=1, group="14",
        subset="test QA", task="QA", source_model="gpt-4", spans=(),
    )  # fmt: skip
    assert [row.label for row in file.rows] == [1, 0, 0, 0, None]
    assert [row.spans and len(row.spans) for row in file.rows] == [(), 1, 1, 2, None]
    assert reasons(file) == [(6, "no source '15' in source_info.jsonl")]
    without = read_batch_file(path, options=BatchOptions(implicit_true=False))
    assert [row.label for row in without.rows] == [1, 1, 0, 0, None]
    assert without.rows[3].spans == (GoldSpan(0, 4, "Evident Baseless Info"),)
    neither = read_batch_file(path, options=BatchOptions(implicit_true=False, due_to_null=False))
    assert [row.label for row in neither.rows] == [1, 1, 1, 0, None]
    labelled = read_labelled_file(path)
    assert [row.label for row in labelled.rows] == [1, 0, 0, 0]
    assert [(row.line, row.reason) for row in labelled.unreadable] == [
        (5, "no label"), (6, "no source '15' in source_info.jsonl"),
    ]  # fmt: skip


# The other programs' formats


@pytest.mark.parametrize(
    ("format", "record", "row"),
    [
        (
            "ragas",
            {"user_input": "q", "retrieved_contexts": ["c", "d"], "response": "a"},
            BatchRow(1, "q", ("c", "d"), "a"),
        ),
        (
            "ragas",
            {"question": "q", "contexts": ["c"], "answer": "a", "ground_truth": "r"},
            BatchRow(1, "q", ("c",), "a"),
        ),
        (
            "deepeval",
            {
                "input": "q", "actual_output": "a", "expected_output": "e",
                "context": ["ideal"], "retrieval_context": ["c"],
            },
            BatchRow(1, "q", ("c",), "a"),
        ),
        (
            "lettucedetect",
            {
                "prompt": "p", "answer": "a lie", "split": "dev", "task_type": "QA",
                "labels": [{"start": 2, "end": 5, "label": "conflict"}], "context": None,
            },
            BatchRow(
                1, "", ("p",), "a lie", label=0, subset="dev", task="QA",
                spans=(GoldSpan(2, 5, "conflict"),),
            ),
        ),
        (
            "lettucedetect",
            {"prompt": "q c", "question": "q", "context": "c", "answer": "a", "labels": []},
            BatchRow(1, "q", ("c",), "a", label=1),
        ),
        (
            "lettucedetect",
            {"question": "q", "contexts": ["c"], "answer": "a", "labels": []},
            BatchRow(1, "q", ("c",), "a", label=1),
        ),
        (
            "llm_aggrefact",
            {"doc": "c", "claim": "a", "label": 1},
            BatchRow(1, "", ("c",), "a", label=1, task="fact checking"),
        ),
        (
            "llm_aggrefact",
            {"dataset": "ExpertQA", "doc": "c", "claim": "a", "label": 0},
            BatchRow(1, "", ("c",), "a", label=0, task="fact checking", subset="ExpertQA"),
        ),
        (
            "halubench",
            {"id": "x", "passage": "c", "question": "q", "answer": "a", "label": "FAIL"},
            BatchRow(1, "q", ("c",), "a", id="x", label=0, task="qa"),
        ),
        (
            "halubench",
            {"passage": "c", "question": "q", "answer": "a"},
            BatchRow(1, "q", ("c",), "a", task="qa"),
        ),
        (
            "summac",
            {"document": "c", "claim": "a", "label": 1, "dataset": "s", "model_name": "m"},
            BatchRow(
                1, "", ("c",), "a", label=1, subset="s", task="summarization", source_model="m"
            ),
        ),
        (
            "true",
            {"grounding": "c", "generated_text": "a", "label": 0, "model": "m"},
            BatchRow(1, "", ("c",), "a", label=0, source_model="m"),
        ),
    ],
)  # fmt: skip
def test_one_record_is_one_row(
    tmp_path: Path, format: str, record: dict[str, object], row: BatchRow
) -> None:
    path = write_lines(tmp_path / "a.jsonl", record)
    shape = inspect_batch_file(path)
    assert shape.format == format
    assert shape.mapping is not None
    file = read_batch_file(path)
    assert (file.format, file.mapping) == (format, shape.mapping)
    assert file.rows == (replace(row, group=text_group(*row.context)),)
    assert file.warnings == file.rejected == ()
    assert read_batch_file(path, format, shape.mapping).rows == file.rows


def test_lettucedetect_with_labels_written_into_a_table(tmp_path: Path) -> None:
    record = {"prompt": "c", "answer": "a lie", "labels": "[{'start': 2, 'end': 5, 'label': 'x'}]"}
    file = read_batch_file(write_table(tmp_path / "a.csv", record, {**record, "labels": "[]"}))
    assert [(row.label, row.spans) for row in file.rows] == [(0, (GoldSpan(2, 5, "x"),)), (1, ())]


def test_true_subset_by_its_file_name(tmp_path: Path) -> None:
    record = {"grounding": "c", "generated_text": "a", "label": 0}
    file = read_batch_file(write_table(tmp_path / "begin_dev_download.csv", record))
    assert (file.format, file.rows[0].task) == ("begin", "dialogue")


def test_halueval_gives_two_rows_and_general_none(tmp_path: Path) -> None:
    pair = {"knowledge": "K", "question": "Q", "right_answer": "R", "hallucinated_answer": "H"}
    path = write_lines(tmp_path / "qa_data.json", pair)
    assert inspect_batch_file(path).mapping is None
    file = read_batch_file(path, mapping=FieldMapping(context="knowledge", answer="right_answer"))
    assert [(row.answer, row.label, row.context) for row in file.rows] == [
        ("R", 1, ("K",)), ("H", 0, ("K",)),
    ]  # fmt: skip
    assert file.warnings[0].startswith("The chosen keys were not used, as HaluEval qa says itself")
    one = read_batch_file(path, "columns", FieldMapping(context="knowledge", answer="right_answer"))
    assert [(row.answer, row.label) for row in one.rows] == [("R", None)]

    record = {"user_query": "Q", "chatgpt_response": "A", "hallucination": "no"}
    general = read_batch_file(write_lines(tmp_path / "general.jsonl", record))
    assert (general.format, general.rows) == ("halueval_general", ())
    (refused,) = general.rejected
    assert refused.reason.startswith("no context; ")
    assert json.loads(refused.raw)["answer"] == "A"


@pytest.mark.parametrize(
    ("name", "record", "rows"),
    [
        ("dialogue", {
            "knowledge": "K", "dialogue_history": "D", "right_response": "R",
            "hallucinated_response": "H",
        }, [("R", 1), ("H", 0)]),
        ("summarization", {
            "document": "K", "right_summary": "R", "hallucinated_summary": "H",
        }, [("R", 1), ("H", 0)]),
        ("truthfulqa", {
            "question": "Q", "best_answer": "B", "correct_answers": ["R"],
            "incorrect_answers": ["H"],
        }, [("R", 1), ("H", 0)]),
        ("hotpotqa", {
            "question": "Q", "answer": "R", "context": [["T", ["S."]]], "supporting_facts": [],
        }, [("R", 1)]),
        ("msmarco", {
            "query": "Q", "passages": [{"passage_text": "P"}], "answers": ["R"], "query_id": 1,
        }, [("R", 1)]),
        ("faithbench", {
            "samples": [{"source": "S", "summary": "R", "annotations": []}],
        }, [("R", 1)]),
    ],
)  # fmt: skip
def test_owners_formats_that_fix_their_rows(
    tmp_path: Path, name: str, record: object, rows: list[tuple[str, int]]
) -> None:
    path = write_lines(tmp_path / "a.json", record)
    shape = inspect_batch_file(path)
    assert name in shape.format
    assert shape.mapping is None
    assert [(row.answer, row.label) for row in read_batch_file(path).rows] == rows


def test_open_rag_eval_joins_the_passages_of_a_query_and_run(tmp_path: Path) -> None:
    def passage(query: str, run: int, number: int, answer: str) -> dict[str, object]:
        return {
            "query_id": query, "query": f"{query}?", "query_run": run,
            "passage_id": f"[{number}]", "passage": f"{query} {number}", "generated_answer": answer,
        }  # fmt: skip

    path = write_table(
        tmp_path / "answers.csv",
        passage("x", 1, 1, "X [1]."),
        passage("y", 1, 1, "Y."),
        passage("x", 1, 2, ""),
        passage("x", 2, 1, "X again."),
        passage("y", 1, 2, "Other."),
        passage("z", 1, 1, "NO_ANSWER"),
        {**passage("v", 1, 1, ""), "query_id": "v"},
    )
    shape = inspect_batch_file(path)
    assert (shape.format, shape.mapping) == ("open_rag_eval", None)
    file = read_batch_file(path)
    assert file.rows == (
        BatchRow(2, "x?", ("x 1", "x 2"), "X [1].", id="x", group="x"),
        BatchRow(3, "y?", ("y 1", "y 2"), "Y.", id="y", group="y"),
        BatchRow(5, "x?", ("x 1",), "X again.", id="x-2", group="x"),
    )
    assert [line for line, _ in reasons(file)] == [7, 8]
    assert file.rejected[0].reason.startswith("generated_answer is NO_ANSWER: there was no answer")
    assert file.rejected[1].reason.startswith("no answer; ")
    assert "1 query(s) have passages with different answers" in file.warnings[-1]


NESTED = {
    "name": "rag", "context": {"trace_id": "t", "span_id": "s"}, "parent_id": None,
    "attributes": {
        "input": {"value": "q"}, "output": {"value": "a"}, "llm": {"model_name": "m"},
        "retrieval": {"documents": [{"document": {"content": text}} for text in "cd"]},
    },
}  # fmt: skip
FLAT = {
    "context.trace_id": "t", "context.span_id": "s", "attributes.input.value": "q",
    "attributes.output.value": "a", "attributes.llm.model_name": "m",
    "attributes.retrieval.documents.1.document.content": "d",
    "attributes.retrieval.documents.0.document.content": "c",
}  # fmt: skip
FRAME = {
    "context.span_id": "s", "attributes.input.value": "q", "attributes.output.value": "a",
    "attributes.llm.model_name": "m",
    "attributes.retrieval.documents": [{"document.content": "c"}, {"document.content": "d"}],
}  # fmt: skip
ATTRIBUTES = {
    "span_id": "s",
    "attributes": {
        key.removeprefix("attributes."): value
        for key, value in FLAT.items()
        if key.startswith("attributes.")
    },
}


@pytest.mark.parametrize("span", [NESTED, FLAT, FRAME, ATTRIBUTES])
def test_openinference_span_that_has_everything(tmp_path: Path, span: dict[str, object]) -> None:
    path = write_lines(tmp_path / "spans.jsonl", span)
    assert inspect_batch_file(path).format == "openinference"
    file = read_batch_file(path)
    group = text_group("c", "d")
    assert file.rows == (BatchRow(1, "q", ("c", "d"), "a", id="s", group=group, source_model="m"),)


def test_openinference_documents_written_into_a_table(tmp_path: Path) -> None:
    record = {**FRAME, "attributes.retrieval.documents": "[{'document.content': 'c'}]"}
    file = read_batch_file(write_table(tmp_path / "spans.csv", record))
    assert [row.context for row in file.rows] == [("c",)]


def test_openinference_joins_the_spans_of_a_trace(tmp_path: Path) -> None:
    def span(trace: str, number: int, parent: int | None, kind: str, **more: object) -> object:
        return {
            "trace_id": trace, "span_id": f"{trace}{number}", "span_kind": kind,
            "parent_id": None if parent is None else f"{trace}{parent}", "attributes": more,
        }  # fmt: skip

    documents = {"documents": [{"document": {"content": "c"}}]}
    asked, said = {"value": "q"}, {"value": "a"}
    path = write_lines(
        tmp_path / "spans.jsonl",
        span("t", 3, 1, "LLM", input={"value": "prompt"}, output={"value": "draft"}),
        span("t", 2, 1, "RETRIEVER", input=asked, output={"value": "[]"}, retrieval=documents),
        span("t", 1, None, "CHAIN", input=asked, output=said),
        span("u", 1, None, "CHAIN", input=asked, output=said),
        span("v", 1, None, "RETRIEVER", input=asked, retrieval=documents),
    )
    file = read_batch_file(path)
    assert [(r.line, r.query, r.context, r.answer, r.id) for r in file.rows] == [
        (3, "q", ("c",), "a", "t1")
    ]
    assert [line for line, _ in reasons(file)] == [4, 5]
    assert "no retrieved documents; export all spans" in file.rejected[0].reason
    assert "no span with an answer (output.value)" in file.rejected[1].reason


# Asked for, refused, given back


def test_the_format_asked_for_must_exist_and_fit(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", OWN)
    with pytest.raises(InputError, match="no format of batch files is called 'ragos'; the formats"):
        read_batch_file(path, "ragos")
    with pytest.raises(InputError, match="not of the format ragas, whose records have response"):
        read_batch_file(path, "ragas")
    assert read_batch_file(path, "columns").rows == (own_row(1),)


def test_files_without_any_record(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the file has no rows"):
        inspect_batch_file(write(tmp_path / "a.jsonl", ""))
    with pytest.raises(InputError, match=r"no record of it can be read \(line 1: not JSON"):
        inspect_batch_file(write(tmp_path / "notes.txt", "Some notes\n"))
    with pytest.raises(InputError, match="cannot be read"):
        inspect_batch_file(tmp_path)


def test_rejects_can_be_read_again() -> None:
    rows = [RejectedRow(3, "no answer; é", '{"a": "b\nc"}'), RejectedRow(9, "not CSV", "x,\u2028y")]
    lines = rejects_jsonl(rows).split("\n")
    assert lines.pop() == ""
    assert [RejectedRow(**json.loads(line)) for line in lines] == rows
    assert rejects_jsonl([]) == ""


def test_formats_of_batch_files_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(FORMATS) < set(BATCH_FORMATS)
    assert main(["formats", "--batch"]) == 0
    entries = capsys.readouterr().out.rstrip("\n").split("\n\n")
    assert [entry.split(":")[0] for entry in entries] == list(BATCH_FORMATS)
    assert (
        "keys: response, retrieved_contexts, user_input"
        in entries[list(BATCH_FORMATS).index("ragas")]
    )
