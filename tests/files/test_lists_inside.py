"""A document with several lists of records: one is read, the others are said and can be chosen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from provenance_core.errors import InputError
from provenance_core.files.batch import BatchOptions, inspect_batch_file, read_batch_file
from provenance_core.files.types import Unit
from tests.files.written import OWN, write

ROWS = [{**OWN, "answer": f"a{i}"} for i in range(3)]
NAMED = [{"prompt": "q", "docs": ["c"], "completion": f"b{i}"} for i in range(2)]


@pytest.mark.parametrize(
    ("document", "taken", "left"),
    [
        ({"train": ROWS, "test": ROWS[:2]}, "train (3)", "test (2)"),
        ({"train": NAMED, "test": NAMED[:1]}, "train (2)", "test (1)"),
        ({"scores": [{"s": 1}] * 4, "data": {"rows": ROWS}}, "data.rows (3)", "scores (4)"),
        (
            {"results": ROWS, "relevancy": [{"score": 1}], "notes": []},
            "results (3)",
            "relevancy (1)",
        ),
    ],
)
def test_what_was_read_and_what_was_left_is_said(
    tmp_path: Path, document: dict[str, object], taken: str, left: str
) -> None:
    path = write(tmp_path / "a.json", json.dumps(document))
    file = read_batch_file(path)
    name, count = taken.split()
    assert file.warnings[0] == (
        f"Only the list under {taken} was read, not {left}; choose another by its name "
        "(--sheet NAME)."
    )
    assert len(file.rows) == int(count.strip("()"))
    assert file.unit is Unit.RECORD
    assert inspect_batch_file(path).sheets[0] == name


def test_another_list_is_read_by_its_name(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", json.dumps({"train": ROWS, "test": NAMED}))
    other = BatchOptions(sheet="test")
    assert [row.answer for row in read_batch_file(path, options=other).rows] == ["b0", "b1"]
    # The default stays the first, whichever is chosen.
    assert inspect_batch_file(path, other).sheets == ("train", "test")
    mapping = inspect_batch_file(path, other).mapping
    assert len(read_batch_file(path, mapping=mapping, options=other).rows) == 2
    with pytest.raises(InputError, match="no list is called 'dev'; its lists: train, test"):
        read_batch_file(path, options=BatchOptions(sheet="dev"))
