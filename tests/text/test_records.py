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
