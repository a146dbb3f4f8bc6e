"""Where a claim gives one row of a table the value of another."""

from __future__ import annotations

import pytest

from provenance_core.text.records import find_other_record

TABLE = """The cities of the county:

| City | People | Mayor | Port |
|---|---|---|---|
| Brix | 48,200 | Lena Holt | yes |
| Tarn | 12,750 | Otto Reys | no |
| Velden | 103,000 | Mia Sand | no |
"""
LIST = """In row 1 (Brix), city is Brix.
In row 1 (Brix), mayor is Lena Holt.
In row 2 (Tarn), city is Tarn.
In row 2 (Tarn), mayor is Otto Reys."""


@pytest.mark.parametrize(
    ("claim", "before", "context", "pair"),
    [
        ("Brix has 103,000 inhabitants.", "", TABLE, ("103,000", "48,200")),
        ("Brix has 103000 inhabitants.", "", TABLE, ("103000", "48,200")),
        ("The mayor of Tarn is Mia Sand.", "", TABLE, ("Mia Sand", "Otto Reys")),
        ("Lena Holt.", "Who is the mayor of Tarn?", TABLE, ("Lena Holt", "Otto Reys")),
        ("Lena Holt runs Tarn.", "", LIST, ("Lena Holt", "Otto Reys")),
        ("Lena Holt runs Tarn.", "", LIST.replace("row", "entry"), ("Lena Holt", "Otto Reys")),
        # Audits of before say so.
        ("Lena Holt runs Tarn.", "", LIST.replace("row", "item"), ("Lena Holt", "Otto Reys")),
    ],
)
def test_a_value_of_another_row(claim, before, context, pair):
    (found,) = find_other_record(claim, ["It rained.", context], before)
    assert found.premise == 1
    assert (
        claim[found.start : found.end],
        context[found.other_start : found.other_end],
    ) == pair


@pytest.mark.parametrize(
    ("claim", "before"),
    [
        ("Brix has 48,200 inhabitants.", ""),
        ("Otto Reys.", "Who is the mayor of Tarn?"),
        ("Lena Holt.", "Who is the mayor?"),
        ("Brix and Velden have 48,200 and 103,000 inhabitants.", ""),
        ("Brix has fewer people than the 103,000 of Velden.", ""),
        ("Brix has 48,200 people, and there is no other port.", ""),
        ("No, Tarn is small.", ""),
        ("", ""),
    ],
)
def test_nothing_is_of_another_row(claim, before):
    assert not find_other_record(claim, [TABLE, LIST], before)


PACKS = """| Pack | Weight | Walk |
|---|---|---|
| Brix | 4 kg | 90 minutes |
| Tarn | 4,000 g | 2 hours |
| Velden | 9 kg | 3 hours |
"""


@pytest.mark.parametrize(
    ("claim", "pair"),
    [
        ("Brix weighs 4 kg.", None),
        ("Brix weighs 4,000 g.", None),
        ("Tarn weighs 4 kg.", None),
        ("Brix weighs 4000 grams.", None),
        ("Brix takes an hour and a half.", None),
        ("Brix weighs 9 kg.", ("9 kg", "4 kg")),
        ("Brix weighs 9,000 g.", ("9,000 g", "4 kg")),
        ("Brix takes 120 minutes.", ("120 minutes", "90 minutes")),
    ],
)
def test_values_of_rows_are_equal_in_other_units(claim, pair):
    said = [
        (claim[e.start : e.end], PACKS[e.other_start : e.other_end])
        for e in find_other_record(claim, [PACKS])
    ]
    assert said == ([] if pair is None else [pair])
