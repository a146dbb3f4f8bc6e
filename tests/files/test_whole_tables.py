"""Tables that one JSON object holds: every row of them is read."""

from __future__ import annotations

import json
from pathlib import Path

import pandas
import pytest

from provenance_core.files.batch import read_batch_file
from tests.files.written import write

ROWS = [
    {"question": "How high?", "contexts": ["It is 40 m high.", "It is red."], "answer": "40 m."},
    {"question": "How old?", "contexts": ["It was built in 1911."], "answer": "From 1911."},
]
WANTED = [(each["question"], tuple(each["contexts"]), each["answer"]) for each in ROWS]


@pytest.mark.parametrize("orient", ["columns", "index", "split", "table", "records"])
def test_what_pandas_writes_as_json(tmp_path: Path, orient: str) -> None:
    text = pandas.DataFrame(ROWS).to_json(orient=orient)
    file = read_batch_file(write(tmp_path / "answers.json", text))
    assert [(row.query, row.context, row.answer) for row in file.rows] == WANTED


@pytest.mark.parametrize(
    "document",
    [
        {key: [row[key] for row in ROWS] for key in ROWS[0]} | {"model": "m"},
        {"first": ROWS[0], "second": ROWS[1]},
    ],
)
def test_lists_of_columns_and_rows_under_their_names(
    tmp_path: Path, document: dict[str, object]
) -> None:
    file = read_batch_file(write(tmp_path / "answers.json", json.dumps(document)))
    assert [(row.query, row.context, row.answer) for row in file.rows] == WANTED
    assert {row.source_model for row in file.rows} in ({"m"}, {""})


@pytest.mark.parametrize(
    "document",
    [
        {"input": {"query": "Q?", "context": "It is red."}, "output": {"answer": "Red."}},
        {"query": "Q?", "context": ["It is red.", "It is long."], "answer": "Red."},
        {"query": "Q?", "docs": [{"content": "It is red."}], "replies": ["Red."]},
    ],
)
def test_one_record_stays_one(tmp_path: Path, document: dict[str, object]) -> None:
    file = read_batch_file(write(tmp_path / "answer.json", json.dumps(document)))
    assert [row.answer for row in file.rows] == ["Red."]


def _viewed(at: int, row: dict[str, object], *cut: str) -> dict[str, object]:
    return {"row_idx": at, "row": row, "truncated_cells": list(cut)}


@pytest.mark.parametrize("alone", [False, True])
def test_pages_of_the_dataset_viewer(tmp_path: Path, alone: bool) -> None:
    rows = [_viewed(7, ROWS[0]), _viewed(8, ROWS[1]), _viewed(9, ROWS[1], "contexts")]
    page = {"features": [{"name": "question"}], "rows": rows, "num_rows_total": 900}
    path = write(tmp_path / "page.json", json.dumps(rows if alone else page))
    file = read_batch_file(path)
    assert [(row.query, row.context, row.answer) for row in file.rows] == WANTED
    assert (file.format, [row.id for row in file.rows]) == ("ragas", ["7", "8"])
    (refused,) = file.rejected
    assert refused.line == 3 and "the dataset viewer cut contexts short" in refused.reason
    said = "The dataset viewer gave 3 of 900 rows; the Parquet files of the data set have all."
    assert file.warnings == (() if alone else (said,))
