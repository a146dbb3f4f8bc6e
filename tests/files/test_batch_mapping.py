"""Labels and columns of batch files: what a word means, and which column is which field."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from provenance_core.errors import InputError
from provenance_core.files.batch import FieldMapping, inspect_batch_file, read_batch_file
from provenance_core.files.batch.column_names import complete_mapping
from provenance_core.files.field_names import SYNONYMS
from provenance_core.files.types import GoldSpan
from provenance_core.files.values.labels import HALLUCINATED, NO, SUPPORTED, YES, read_label
from provenance_core.files.values.record_keys import keys_of, value_at
from tests.files.written import OWN, reasons, write_lines, write_table

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


@pytest.mark.parametrize("gold", ["reference_outputs.answer", "expected.answer", "gold.response"])
def test_a_reference_is_never_guessed_as_the_answer(tmp_path: Path, gold: str) -> None:
    record = {gold: "x", "inputs.question": "q", "outputs.contexts": "c", "outputs.answer": "a"}
    (row,) = read_batch_file(write_table(tmp_path / "a.csv", record)).rows
    assert (row.query, row.context, row.answer) == ("q", ("c",), "a")


def test_objects_in_cells_are_looked_into_where_they_hold_the_context(tmp_path: Path) -> None:
    asked = json.dumps({"question": "q", "context": ["c", "d"]})
    file = read_batch_file(write_table(tmp_path / "a.csv", {"input": asked, "output": '"a"'}))
    assert [(r.query, r.context, r.answer) for r in file.rows] == [("q", ("c", "d"), "a")]
    assert file.warnings[0].startswith("Guessed by their names: context from input.context")


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
        r"no key is chosen for the context; .*: x, y \(on the command line with --map .*context=KEY"
    )
    with pytest.raises(InputError, match=said):
        read_batch_file(path)
    table = write_table(tmp_path / "a.csv", {"context": "c", "drei": "a", "": "1"})
    said = r"a\.csv: no key is chosen for the answer; .*: context, drei \(.*--map .*answer=KEY"
    with pytest.raises(InputError, match=said):
        read_batch_file(table)
    with pytest.raises(InputError, match=r"anything under z, which is chosen for the answer.*x, y"):
        read_batch_file(path, mapping=FieldMapping(context="y", answer="z"))
    file = read_batch_file(path, mapping=FieldMapping(context="y", answer="x", label="w"))
    assert file.warnings == ("No record has anything under w, which is chosen for the label.",)


def test_texts_that_are_no_texts_and_odd_characters(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "a.jsonl",
        {**OWN, "answer": ["a", "b"]},
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
