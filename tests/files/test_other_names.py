"""A field that stands under several names: which was taken is said, and no row loses it unsaid."""

from __future__ import annotations

from pathlib import Path

import pytest

from provenance_core.files.batch import FieldMapping, inspect_batch_file, read_batch_file
from provenance_core.files.labelled import read_labelled_file
from tests.files.written import write_lines, write_table

FACT = "The tower is 330 m tall and red."
ROW = {"question": "How tall?", "context": FACT}


@pytest.mark.parametrize(
    ("fields", "taken", "left"),
    [
        ({"answer": "330 m", "response": "It is 330 m."}, "answer", "response"),
        ({"answer": "330 m", "model_answer": "It is 330 m."}, "answer", "model_answer"),
        ({"output": "It is 330 m.", "ground_truth": "330 m"}, "output", "ground_truth"),
    ],
)
def test_the_column_that_was_taken_for_the_answer_is_said(
    tmp_path: Path, fields: dict[str, str], taken: str, left: str
) -> None:
    path = write_table(tmp_path / "a.csv", {**ROW, **fields})
    file = read_batch_file(path)
    assert file.rows[0].answer == fields[taken]
    said = f"The answer was taken from {taken}, not from {left}; --map answer={left} takes that."
    assert file.warnings == (said,)
    # The page gives the mapping that was proposed; who chose another key is told nothing.
    shape = inspect_batch_file(path)
    assert read_batch_file(path, mapping=shape.mapping).warnings == (said,)
    chosen = FieldMapping("question", "context", left)
    other = read_batch_file(path, mapping=chosen)
    assert (other.rows[0].answer, other.warnings) == (fields[left], ())


@pytest.mark.parametrize(
    "fields",
    [{"context": FACT, "source": "wiki"}, {"context": FACT, "prediction": 1, "reference": ""}],
)
def test_a_name_of_a_source_and_a_verdict_are_no_rivals(
    tmp_path: Path, fields: dict[str, object]
) -> None:
    path = write_table(tmp_path / "a.csv", {"query": "q", "answer": "a", **fields})
    assert read_batch_file(path).warnings == ()


def test_evaluate_says_it_too(tmp_path: Path) -> None:
    row = {"context": FACT, "answer": "330 m", "response": "It is 330 m.", "label": 1}
    file = read_labelled_file(write_lines(tmp_path / "a.jsonl", row))
    assert file.warnings == (
        "The answer was taken from answer, not from response; rename the columns to take that.",
    )


def test_rows_whose_keys_change_keep_their_fields(tmp_path: Path) -> None:
    first = {**ROW, "answer": "330 m", "label": 1}
    later = {"query": "How red?", "contexts": [FACT], "response": "Red.", "verdict": "supported"}
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", *[first] * 25, later, later))
    assert not file.rejected
    assert {(r.query, r.texts, r.answer, r.label) for r in file.rows[25:]} == {
        ("How red?", (FACT,), "Red.", 1)
    }
    assert set(file.warnings) == {
        "The query of lines 26, 27 was read from query, where question is not given.",
        "The context of lines 26, 27 was read from contexts, where context is not given.",
        "The answer of lines 26, 27 was read from response, where answer is not given.",
        "The label of lines 26, 27 was read from verdict, where label is not given.",
    }


def test_what_stands_beside_a_field_does_not_stand_in_for_it(tmp_path: Path) -> None:
    row = {**ROW, "answer": "330 m", "summary": "A tower.", "source": f"{FACT} {FACT}"}
    lacking = {key: value for key, value in row.items() if key not in ("context", "answer")}
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", lacking, row))
    assert [each.line for each in file.rejected] == [1]


def test_an_answer_that_is_null_was_not_given(tmp_path: Path) -> None:
    row = {**ROW, "answer": "330 m"}
    other = {**ROW, "answer": None, "response": "x"}
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", row, other))
    assert [each.line for each in file.rejected] == [2]
