"""Dates as German writes them, "11. Januar 2017", beside other writings."""

from __future__ import annotations

import pytest

from provenance_core.findings.details import DetailStatus, compare_details


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("It opened on 11. Januar 2017.", "It opened on 11 January 2017."),
        ("Am 3. März 1998 brannte es.", "It burned on March 3, 1998."),
        ("Das Werk schloss am 24. Dezember.", "Das Werk schloss am 24. Dezember 2004."),
    ],
)
def test_the_same_day_is_stated(claim: str, context: str) -> None:
    found = [each for each in compare_details(claim, [context]) if each.kind.value == "date"]
    assert [each.status for each in found] == [DetailStatus.STATED]


def test_another_day_or_month_is_in_conflict() -> None:
    context = "Das Werk wurde am 11. Januar 2017 eröffnet."
    for day in ("12. Januar 2017", "11. Februar 2017"):
        claim = f"Das Werk wurde am {day} eröffnet."
        (found,) = [each for each in compare_details(claim, [context]) if each.text == day]
        assert (found.status, found.other) == (DetailStatus.CONFLICTING, "11. Januar 2017")
