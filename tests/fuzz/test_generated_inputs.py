"""2,000 generated inputs for importers, splitter, offsets, corrections and audits, 500 of them in
every run of the tests.

``python -m benchmarks.reliability fuzz`` tries many more. What must hold: no error that is not
ours, offsets exact, weights that sum to 1, sentences that tile the answer, an error that names
file, line and column, and an end.
"""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from tests.fuzz.properties import PROPERTIES
from tests.fuzz.property import Property


def test_two_thousand_inputs_are_shared_out() -> None:
    assert sum(each.share for each in PROPERTIES) == pytest.approx(2000, abs=10)


@pytest.mark.parametrize("part", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("each", PROPERTIES, ids=lambda each: each.name)
def test_property(each: Property, part: int) -> None:
    each.try_inputs(each.share // part, 0)


def test_an_input_that_breaks_a_property_is_found() -> None:
    def check(number: int) -> None:
        assert number != 7

    broken = Property("no seven", check, {"number": st.integers(0, 9)}, 100)
    with pytest.raises(AssertionError) as found:
        broken.try_inputs(100, 0)
    assert "{'number': 7}" in "\n".join(found.value.__notes__)
    assert 1 <= broken.tried.inputs <= 200
