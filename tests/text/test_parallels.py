"""A value of one parallel thing given to another, in one sentence of the context."""

from __future__ import annotations

import pytest

from provenance_core.text.exchanges import find_exchanges
from provenance_core.text.parallels import find_other_parallel
from provenance_core.text.phrases import ExchangeKind

LOAVES = "The rye loaf costs 5.20 euros, the spelt loaf 6.40 euros."
GATES = "The north gate opens at 7 am and the south gate at 9 am."
HOURS = "It is open from 9 am to 7 pm on weekdays and from 10 am to 4 pm on Saturdays."
PRICES = "Adults pay 12 euros, children 6 euros."


@pytest.mark.parametrize(
    ("claim", "premise", "instead"),
    [
        ("The rye loaf costs 6.40 euros.", LOAVES, ["5.20 euros"]),
        ("The spelt loaf costs 5.20 euros.", LOAVES, ["6.40 euros"]),
        ("The north gate opens at 9 am.", GATES, ["7 am"]),
        ("It is open from 9 am to 7 pm on Saturdays.", HOURS, ["10 am", "4 pm"]),
        ("Adults pay 6 euros.", PRICES, ["12 euros"]),
    ],
)
def test_a_value_of_the_other_thing_is_found_with_what_is_stated_instead(claim, premise, instead):
    found = find_exchanges(claim, [premise])
    assert [premise[e.other_start : e.other_end] for e in found] == instead
    assert {e.kind for e in found} == {ExchangeKind.SUBJECT}


@pytest.mark.parametrize(
    ("claim", "premises"),
    [
        ("The rye loaf costs 5.20 euros.", [LOAVES]),
        ("The spelt loaf costs 6.40 euros.", [LOAVES]),
        ("The rye loaf costs 5.20 euros and the spelt loaf costs 6.40 euros.", [LOAVES]),
        ("The rye loaf costs 1.20 euros less.", [LOAVES]),
        # Another sentence may state the value of the claim's own thing.
        ("The rye loaf costs 6.40 euros.", [LOAVES, "At noon a rye loaf is 6.40 euros."]),
        ("The museum is open until 5 pm.", ["The museum opens at 9 am and closes at 5 pm."]),
        ("It is open from 10 am to 4 pm on Saturdays.", [HOURS]),
        ("Children pay 6 euros.", [PRICES]),
        (
            "The mayor opened 4 schools.",
            ["The mayor and the king opened 2 and 4 schools respectively."],
        ),
        ("The tower is 12 metres wide.", ["The tower is 40 metres high and 12 metres wide."]),
    ],
)
def test_what_may_be_right_is_left_alone(claim, premises):
    assert find_other_parallel(claim, premises) == ()
