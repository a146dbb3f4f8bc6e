"""What is said of text that is no JSON and of rows that are no CSV."""

from __future__ import annotations

import csv
import json

import pytest

from provenance_core.files.csv_rows import csv_fault
from provenance_core.files.json_faults import fault_position, json_fault


@pytest.mark.parametrize(
    ("text", "fault", "place"),
    [
        ('{"answer": "Red.}', "the text that begins here has no closing quotation mark", (1, 12)),
        ('{"a": 1 "b": 2}', "a comma or a closing bracket is missing here", (1, 9)),
        ("{'a': 1}", "JSON knows no single quotation marks; write double ones", (1, 2)),
    ],
)
def test_a_fault_of_json_is_named_with_its_place(text, fault, place):
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(text)
    assert (json_fault(caught.value), fault_position(caught.value)) == (fault, place)


def test_a_cell_that_nothing_closes_is_named():
    said = csv_fault(csv.Error("unexpected end of data"))
    assert said == "no quotation mark closes a cell that one opened"
