"""Files for a batch run: recognised, mapped, read, and refused row by row with the cure."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from provenance_core.cli.main import main
from provenance_core.errors import InputError
from provenance_core.files.batch import (
    BatchOptions,
    FieldMapping,
    inspect_batch_file,
    read_batch_file,
    rejects_jsonl,
    unreadable_rows,
)
from provenance_core.files.formats.registry import BATCH_FORMATS, FORMATS
from provenance_core.files.labelled import read_labelled_file
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import BatchRow, GoldSpan, RejectedRow, Unit
from provenance_core.files.values.labels import HALLUCINATED, NO, SUPPORTED, YES, read_label
from tests.files.written import (
    OWN,
    reasons,
    write,
    write_lines,
    write_parquet,
    write_sheet,
    write_table,
)

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
        ("['one' 'two']", ("one", "two")),
        ("['one', 'two", None),
    ],
)
def test_context_in_a_cell(tmp_path: Path, cell: str, context: tuple[str, ...] | None) -> None:
    path = write_table(tmp_path / "a.csv", {**OWN, "context": cell})
    file = read_batch_file(path)
    assert [row.context for row in file.rows] == ([] if context is None else [context])
    assert len(file.rejected) == (context is None)
    if "'one', 'two" in cell:
        assert "it is cut before its closing bracket" in file.rejected[0].reason


def test_context_of_objects(tmp_path: Path) -> None:
    items = [{"page_content": "one", "metadata": {}}, {"document": {"content": "two"}}, "three"]
    path = write_lines(
        tmp_path / "a.jsonl", {**OWN, "context": items}, {**OWN, "context": [{"title": "t"}]},
        {**OWN, "context": 5}, {**OWN, "context": [["t", ["s"]]]}, {**OWN, "context": [["t", 5]]},
    )  # fmt: skip
    file = read_batch_file(path)
    assert [row.context for row in file.rows] == [
        ("one", "two", "three"), ("5",), ("t", "s"), ("t",),
    ]  # fmt: skip
    assert [line for line, _ in reasons(file)] == [2]
    assert "item 1 of context is neither a text nor an object with one" in file.rejected[0].reason


def test_a_row_that_is_refused_keeps_its_own_columns(tmp_path: Path) -> None:
    kept = {"frage": "q", "antwort": "a", "quelle": "c", "note": "n"}
    without = [{**kept, "antwort": " "}, {**kept, "quelle": ""}]
    mapping = FieldMapping(query="frage", answer="antwort", context="quelle")
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", kept, *without), mapping=mapping)
    assert [reason.split(";")[0] for _, reason in reasons(file)] == [
        "no answer",
        "no context, so there is nothing to check the answer against",
    ]
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
    return f"not JSON at column {column} ({why}); fix it there, or leave the row out"


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


def test_a_list_of_records_inside_the_only_record_is_read_or_named(tmp_path: Path) -> None:
    path = _text(tmp_path / "a.json", json.dumps({"meta": {"rows": [OWN]}, "n": 1, "of": ["a"]}))
    file = read_batch_file(path)
    assert [row.answer for row in file.rows] == ["a"]
    assert file.warnings == ("The records were read from the list under meta.rows.",)
    unknown = _text(tmp_path / "c.json", json.dumps({"meta": {"rows": [{"x": 1, "y": 2}]}, "n": 1}))
    assert inspect_batch_file(unknown).lists == ("meta.rows",)
    with pytest.raises(InputError, match=r"records may be the list under meta\.rows: save that"):
        read_batch_file(unknown)
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
    text = guide.read_text(encoding="utf-8")
    for name, words in (("supported", {*SUPPORTED, *YES}), ("hallucinated", {*HALLUCINATED, *NO})):
        (listed,) = re.findall(rf"^- {name}: (.*?)\n(?=- |\n)", text, re.DOTALL | re.MULTILINE)
        assert set(re.findall("`(.*?)`", listed)) == words, name


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
    with pytest.raises(InputError, match=r"a\.csv: byte 0xE9 at line 5, .*--encoding utf-8"):
        read_batch_file(path)
    file = read_batch_file(path, options=BatchOptions(encoding="utf-8"))
    assert [(row.line, row.label) for row in file.rows] == [(2, 1), (7, 0), (8, None), (12, None)]
    (doubt,) = file.doubts
    assert doubt.line == 8 and doubt.reason.startswith('label is "perhaps", which is not a known')
    assert [row.line for row in file.rejected] == [4, 5, 9, 10, 11]
    said = [row.reason for row in file.rejected]
    assert said[0] == "2 columns, but the heading names 4; fix it there, or leave the row out"
    assert said[1].startswith("not in the encoding that was named in column context; fix it")
    assert said[2].startswith("no context, so there is nothing to check the answer against; give")
    assert said[3].startswith("no answer; write the answer")
    assert said[4].startswith("not CSV")
    assert [row.raw for row in file.rejected[:2]] == ["q,c", "q,Caf\ufffd,a,1"]
    assert file.rejected[4].raw == 'q,"c"x,a,1'


@pytest.mark.parametrize(
    ("name", "delimiter"), [("a.csv", ";"), ("a.csv", "\t"), ("a.tsv", "\t"), ("a.csv", ",")]
)
def test_delimiters(tmp_path: Path, name: str, delimiter: str) -> None:
    record = {**OWN, "context": "one; two, three"}
    path = write_table(tmp_path / name, record, delimiter=delimiter)
    assert [row.context for row in read_batch_file(path).rows] == [("one; two, three",)]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        'question;context;answer\nq;"c, d";a\n',
        'question,context,answer\nq,"c, d",a\n',
        '\ufeff {"question": "q", "context": "c, d", "answer": "a"}\n',
        '\n[{"question": "q", "context": "c, d", "answer": "a"}]',
    ],
    ids=["semicolons", "commas", "lines", "array"],
)
def test_a_name_without_an_ending_as_of_a_pipe(tmp_path: Path, text: str, packed: bool) -> None:
    path = tmp_path / "63"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    assert [(row.query, row.context, row.answer) for row in read_batch_file(path).rows] == [
        ("q", ("c, d",), "a")
    ]


def test_damaged_lines_keep_their_text(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", '{"query": "half', OWN, '"text"')
    file = read_batch_file(path)
    assert [row.line for row in file.rows] == [2]
    assert [row.raw for row in file.rejected] == ['{"query": "half', '"text"']
    assert file.rejected[1].reason == "not a JSON object; fix it there, or leave the row out"


def test_parquet(tmp_path: Path) -> None:
    path = write_parquet(
        tmp_path / "a.parquet",
        {"query": None, "context": ["c", "d"], "answer": "a", "label": 1.0, "id": 3},
        {"query": "q", "context": ["c"], "answer": None, "label": 0.0, "id": 4},
        {"query": "q", "context": ["c"], "answer": "a", "label": float("nan"), "id": 5},
        {"query": "q", "context": ["c"], "answer": "a", "label": 0.5, "id": 6},
    )
    file = read_batch_file(path)
    assert [(row.query, row.context, row.label, row.id) for row in file.rows] == [
        ("", ("c", "d"), 1, "3"), ("q", ("c",), None, "5"), ("q", ("c",), None, "6"),
    ]  # fmt: skip
    assert [row.line for row in file.rejected] == [2]
    assert "label is 0.5, which is not a known label" in file.doubts[0].reason


def test_a_parquet_cell_of_bytes_is_called_that(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "a.parquet", {"context": ["c"], "answer": b"\xff\xfe"})
    (row,) = read_batch_file(path).rejected
    assert row.reason == "answer is not a text but bytes; write it as a text"


def test_sheet(tmp_path: Path) -> None:
    path = write_sheet(
        tmp_path / "a.xlsx",
        [
            [],
            ["question", "context", "answer", "label", "id", ""],
            ["q", '["c", "d"]', 42, 1.0, 7, "x"],
            [None, "c", date(2020, 5, 3), False, 2.5, None],
            [],
            ["q", "c", "n/a", None, "NA", None],
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
        (6, "q", ("c",), "n/a", None, "NA"),
    ]
    assert [row.line for row in file.rejected] == [7, 8, 9]
    assert file.rejected[1].reason.startswith("a cell has the formula =1+1 without a result, or")
    assert json.loads(file.rejected[1].raw)["answer"] == "=1+1"
    assert file.warnings == (
        "Only the first sheet was read, not second, third; choose another by its name (--sheet "
        "NAME).",
        "1 row(s), the first of them row 3, have a cell beyond the heading, which was not read; "
        "give its column a heading.",
        "1 value(s) that are numbers, truth values or dates were taken as text.",
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
    path = tmp_path / name
    path.write_bytes(gzip.compress(book) if path.suffix == ".gz" else book)
    said = r"this is a ZIP archive \(as Excel .* save it as CSV in UTF-8"
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
]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        *(
            (name, *kind)
            for name in ("b.jsonl", "b.json", "b.csv", "b.txt")
            for kind in OTHER_KINDS
        ),
        # What is packed is read in another process, which takes a second to start.
        ("b.jsonl.gz", *OTHER_KINDS[0]),
        ("b.jsonl.gz", *OTHER_KINDS[-1]),
    ],
)
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
    with pytest.raises(InputError, match="it is a text, without a table"):
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


def test_titles_of_context_items_are_kept(tmp_path: Path) -> None:
    items = [
        {"title": "Tickets\x00", "text": "9 euros."},
        "Closed.",
        {"page_content": "Open.", "metadata": {"title": "Hours"}},
        {"document": {"content": "Red.", "name": "Cars"}, "score": 0.5},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"query": "q", "context": items, "answer": "a"}), encoding="utf-8")
    (row,) = read_batch_file(path).rows
    titled = ("Tickets\ufffd", "9 euros."), ("", "Closed."), ("Hours", "Open."), ("Cars", "Red.")
    assert [(item.name, item.text) for item in row.items] == list(titled)
    assert row.context[1] == "Closed."
    assert row.group == text_group(*(text for _, text in titled)), "titles change no group"
