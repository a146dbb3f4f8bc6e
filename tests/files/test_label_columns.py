"""Columns that may hold labels are named where none is recognised; ids and counts are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from provenance_core.errors import InputError
from provenance_core.files.batch import inspect_batch_file, read_batch_file
from provenance_core.files.labelled import read_labelled_file
from tests.files.written import write_lines, write_table

ROW = {"query": "q", "context": "The tower is red.", "answer": "a"}
OFFERED = "No column was recognised as the label; {0} looks like one (--map label={0})."


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("is_correct", (1, 0)), ("isCorrect", (1, 1)), ("human_annotation", (0, 0)),
        ("rater_1", ("yes", "no")), ("ok", (1, 0)), ("approved", ("true", "false")),
        ("review", ("pass", "fail")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_column_of_judgements_is_named(
    tmp_path: Path, key: str, values: tuple[object, ...], suffix: str
) -> None:
    rows = [{"request_id": i, "turn": i, **ROW, key: each} for i, each in enumerate(values)]
    write = write_table if suffix == "csv" else write_lines
    path = write(tmp_path / f"a.{suffix}", *rows)
    file = read_batch_file(path)
    assert file.warnings == (OFFERED.format(key),)
    # The page gives the mapping that was proposed.
    assert read_batch_file(path, mapping=inspect_batch_file(path).mapping).warnings == file.warnings


@pytest.mark.parametrize("key", ["request_id", "requestId", "user_id", "chunk_index", "k", "turn"])
@pytest.mark.parametrize("values", [(0, 1), (1, 1)])
def test_an_id_is_no_label(tmp_path: Path, key: str, values: tuple[int, int]) -> None:
    path = write_table(tmp_path / "a.csv", *({**ROW, key: each} for each in values))
    assert read_batch_file(path).warnings == ()


@pytest.mark.parametrize(
    ("key", "values"), [("faithfulness", (0.25, 1)), ("human_score", (1, 5)), ("rating", (2, 3))]
)
def test_scores_are_named_with_what_to_do(
    tmp_path: Path, key: str, values: tuple[float, float]
) -> None:
    rows = ({**ROW, key: each, "similarity": each} for each in values)
    (said,) = read_batch_file(write_table(tmp_path / "a.csv", *rows)).warnings
    assert said.startswith(f"{key} holds scores from {values[0]:g} to {values[1]:g}, which are no")


def test_the_figures_of_a_tool_are_no_labels_of_people(tmp_path: Path) -> None:
    row = {"user_input": "q", "retrieved_contexts": ["The tower is red."], "response": "a"}
    rows = ({**row, "faithfulness": i, "correctness": i, "expert_1": i} for i in (0, 1))
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", *rows))
    assert file.format == "ragas" and file.warnings == (OFFERED.format("expert_1"),)


def test_evaluate_names_the_columns_that_it_misses(tmp_path: Path) -> None:
    rows = ({"question": "q", "docs": ["c"], "response": "a", "is_correct": i} for i in (0, 1))
    with pytest.raises(InputError, match="may have them as docs, response and is_correct"):
        read_labelled_file(write_lines(tmp_path / "a.jsonl", *rows))
