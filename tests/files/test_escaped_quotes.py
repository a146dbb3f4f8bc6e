"""Tables whose quotation marks are escaped by a backslash: read right or refused, never torn."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from provenance_core.errors import InputError
from provenance_core.files.batch import read_batch_file
from tests.files.written import reasons, write

HEADING = "query,context,answer\n"
ROW = ('He said "hi", then?', 'In C:\\new is \\frac, "x"', 'It ends with "')
_ESCAPING = {"escapechar": "\\", "doublequote": False}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({}, False),
        (_ESCAPING, True),
        ({**_ESCAPING, "quoting": csv.QUOTE_ALL}, True),
        ({**_ESCAPING, "quoting": csv.QUOTE_NONE}, True),
    ],
)
def test_what_a_writer_escapes_is_read(
    tmp_path: Path, written: dict[str, object], said: bool
) -> None:
    path = tmp_path / "a.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, **written).writerows([HEADING.strip().split(","), ROW, ("q", "c", "a")])
    file = read_batch_file(path)
    assert [(row.query, *row.context, row.answer) for row in file.rows] == [ROW, ("q", "c", "a")]
    assert any('written as \\"' in each for each in file.warnings) == said


def test_a_writer_that_escapes_quotation_marks_alone(tmp_path: Path) -> None:
    text = (
        HEADING + '"He said \\"hi\\", then?","In C:\\new is \\frac, \\"x\\"","It ends with \\""\n'
    )
    (row,) = read_batch_file(write(tmp_path / "a.csv", text)).rows
    assert (row.query, *row.context, row.answer) == ROW


def test_two_ways_in_one_file_refuse_it_whole(tmp_path: Path) -> None:
    text = HEADING + '"He said \\"hi\\"?",c,a\n"a ""b"" \\""",c,a\n'
    with pytest.raises(InputError, match=r"a\.csv, line 2: a quotation mark .* in some rows and"):
        read_batch_file(write(tmp_path / "a.csv", text))


def test_json_in_cells_is_none_of_these_and_a_damaged_row_costs_itself(tmp_path: Path) -> None:
    text = HEADING + 'q,"[""say \\""hi\\"" now""]",a\nq,c\n'
    file = read_batch_file(write(tmp_path / "a.csv", text))
    assert [row.context for row in file.rows] == [('say "hi" now',)] and not file.warnings
    assert [line for line, _ in reasons(file)] == [3]
