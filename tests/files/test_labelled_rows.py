"""Labelled rows of our own form: read, refused row by row, and drawn by a seed."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from provenance_core.errors import InputError
from provenance_core.files.labelled import (
    dataset_name,
    files_in,
    first_shuffled,
    read_labelled_file,
)
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import GoldSpan, LabelledRow
from tests.files.written import write_lines

GOOD = {"query": "", "context": ["The cat sat."], "answer": "The cat sat.", "label": 1}


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_reads_plain_and_gzipped_rows(tmp_path, name):
    file = read_labelled_file(write_lines(tmp_path / name, GOOD, {**GOOD, "label": 0}))
    assert file.dataset == "rows"
    assert file.rows == (
        LabelledRow(1, "", ("The cat sat.",), "The cat sat.", 1, group=text_group("The cat sat.")),
        LabelledRow(2, "", ("The cat sat.",), "The cat sat.", 0, group=text_group("The cat sat.")),
    )
    assert file.unreadable == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.jsonl", "a"), ("a.jsonl.gz", "a"), ("a.b.gz", "a.b"), ("a", "a"), (".gz", ".gz")],
)
def test_dataset_name_drops_the_suffixes(name, expected):
    assert dataset_name(Path(name)) == expected


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"a": ' + "9" * 5000 + "}", "beyond what can be read"),
        ({"answer": "a"}, "no label"),
        ({**GOOD, "label": 2}, "label is 2, which is not a known label; write supported"),
        ({**GOOD, "label": "maybe"}, 'label is "maybe", which is not a known label'),
        ({**GOOD, "label": [1]}, "label is [1], which is not a known label"),
        ({**GOOD, "label": ""}, "no label"),
        ({**GOOD, "label": None}, "no label"),
        ({**GOOD, "context": ["a", {"b": 1}]}, "item 2 of context is neither a text nor an object"),
        ({**GOOD, "context": "['one', 'two"}, "it is cut before its closing bracket"),
        ({**GOOD, "answer": None}, "no answer"),
        ({**GOOD, "query": ["q", {"b": 1}]}, "query is not a text but a list"),
    ],
)
def test_bad_row_is_kept_with_line_and_reason(tmp_path, row, reason):
    file = read_labelled_file(write_lines(tmp_path / "rows.jsonl", GOOD, "", row, GOOD))
    assert [good.line for good in file.rows] == [1, 4]
    (bad,) = file.unreadable
    assert bad.line == 3
    assert reason in bad.reason


@pytest.mark.parametrize(
    ("label", "read"),
    [("supported", 1), ("Hallucinated", 0), ("PASS", 1), (True, 1), ("0", 0), (1.0, 1)],
)
def test_labels_in_words_and_numbers(tmp_path, label, read):
    file = read_labelled_file(write_lines(tmp_path / "rows.jsonl", {**GOOD, "label": label}))
    assert [row.label for row in file.rows] == [read]


@pytest.mark.parametrize(
    ("context", "texts"),
    [
        ("one text", ("one text",)),
        ('["one", "two, too"]', ("one", "two, too")),
        ([{"page_content": "one"}, "two", 3], ("one", "two", "3")),
        ("", ()),
    ],
)
def test_context_of_one_text_of_objects_and_of_a_list_in_a_text(tmp_path, context, texts):
    file = read_labelled_file(write_lines(tmp_path / "rows.jsonl", {**GOOD, "context": context}))
    assert [row.context for row in file.rows] == [texts]


@pytest.mark.parametrize(("name", "delimiter"), [("rows.csv", ","), ("rows.tsv", "\t")])
def test_tables_of_rows(tmp_path, name, delimiter):
    path = tmp_path / name
    rows = [
        ("query", "context", "answer", "label", "id", "spans"),
        ("q", "One text.", "It is.", "supported", "7", ""),
        ("", "['One.', 'Two.']", "It is not.", "0", "", '[{"start": 0, "end": 5}]'),
        ("q", "One text.", "It is.", "perhaps", "", ""),
        ("q", "One text.", "It is.", "", "", ""),
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)
    read = read_labelled_file(path)
    assert (read.dataset, read.format) == ("rows", "rows")
    found = [(r.line, r.query, r.context, r.answer, r.label, r.id, r.spans) for r in read.rows]
    assert found == [
        (2, "q", ("One text.",), "It is.", 1, "7", None),
        (3, "", ("One.", "Two."), "It is not.", 0, "", (GoldSpan(0, 5),)),
    ]
    assert [bad.line for bad in read.unreadable] == [4, 5]
    assert read.unreadable[0].reason.startswith('label is "perhaps", which is not a known label')
    assert read.unreadable[1].reason == "no label"


def test_a_file_that_says_utf8_and_is_not_is_refused_whole(tmp_path):
    path = tmp_path / "rows.jsonl"
    good = json.dumps(GOOD).encode()
    path.write_bytes(b"\xef\xbb\xbf" + good + b"\n" + good.replace(b"cat", b"c\xe4t") + b"\n")
    with pytest.raises(InputError, match=r"byte 0xE4 at line 2, .* although the rest of the file"):
        read_labelled_file(path)


def test_query_may_be_missing_or_null(tmp_path):
    without = {key: value for key, value in GOOD.items() if key != "query"}
    file = read_labelled_file(
        write_lines(tmp_path / "rows.jsonl", without, {**GOOD, "query": None})
    )
    assert [row.query for row in file.rows] == ["", ""]


def test_missing_file_and_damaged_gzip_name_the_file(tmp_path):
    with pytest.raises(InputError, match=r"absent\.jsonl: cannot be read"):
        read_labelled_file(tmp_path / "absent.jsonl")
    whole = write_lines(tmp_path / "rows.jsonl.gz", *[GOOD] * 100).read_bytes()
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(whole[:-12])
    with pytest.raises(InputError, match=r"cut\.jsonl\.gz: the gzip stream is damaged"):
        read_labelled_file(cut)


def test_limit_takes_the_first_of_a_seeded_shuffle():
    rows = tuple(LabelledRow(i, "", ("c",), "a", 1) for i in range(50))
    assert first_shuffled(rows, None, 0) == rows
    ten = first_shuffled(rows, 10, 0)
    assert ten == first_shuffled(rows, 20, 0)[:10]
    assert ten != rows[:10]
    assert ten != first_shuffled(rows, 10, 1)
    assert len(first_shuffled(rows, 80, 0)) == 50


def test_a_folder_stands_for_its_files_in_order(tmp_path):
    for name in ("b.jsonl", "a.jsonl.gz", "notes.txt"):
        write_lines(tmp_path / name, GOOD)
    (tmp_path / "c.jsonl").mkdir()
    assert [path.name for path in files_in(tmp_path)] == ["a.jsonl.gz", "b.jsonl"]
    assert files_in(tmp_path / "b.jsonl") == [tmp_path / "b.jsonl"]
    assert files_in(tmp_path / "absent") == [tmp_path / "absent"]


def test_a_folder_without_a_file_to_read_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(InputError, match="no file in this folder ends in"):
        files_in(tmp_path)
    (tmp_path / "ROWS.JSONL").write_text("{}")
    assert files_in(tmp_path) == [tmp_path / "ROWS.JSONL"]
