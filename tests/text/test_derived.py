"""Numbers that follow from those of the context."""

from __future__ import annotations

import pytest

from provenance_core.text.derived import Derivation
from provenance_core.text.derived_reading import without_derived_numbers
from provenance_core.text.details import DetailStatus, compare_details, detail_features
from reports.score_steps import sentence_steps, sentence_text

PRICES = ["Aqua 5: noise 72 dB, price 449 euros.", "Aqua 7: noise 66 dB, price 629 euros."]
CRATES = "It sold 320 crates and 145 small crates."
STAFF = "Kessler employed 240 people in 2016 and 265 people in 2017."
LISTED = "It has 40 engineers, 25 clerks and 5 cooks."
POINTS = "It grew from 41 % to 59 %."
POWER = "In 2023 wind supplied 61%, the sun 24% and oil the rest."
ROLLS = "It baked 240 rolls on Friday and twice as many on Sunday."
GROWTH = "The staff grew from 200 to 230 people."
FALL = "The rent fell from 500 euros to 400 euros."
ROOMS = "12 of the 40 rooms are free."
PLANS = [
    "Velo Basic costs 9 euros a month.",
    "Velo Plus costs 19 euros a month.",
    "Velo Max costs 34 euros a month.",
]


@pytest.mark.parametrize(
    ("claim", "context", "how", "operands"),
    [
        ("The Aqua 7 costs 180 euros more than the Aqua 5.", PRICES, "difference", "629 449"),
        ("The Aqua 5 is 180 euros cheaper than the Aqua 7.", PRICES, "difference", "449 629"),
        ("Velo Max costs 15 euros more than Velo Plus.", PLANS, "difference", "34 19"),
        ("Kessler employed 25 more people in 2017 than in 2016.", [STAFF], "difference", "265 240"),
        (
            "Bake it for 50 minutes in total.",
            ["Bake it for 15 minutes, then for another 35 minutes."],
            "sum",
            "15 35",
        ),
        ("It has 70 people in total.", [LISTED], "sum", "40 25 5"),
        ("It grew by 18 percentage points.", [POINTS], "difference", "41 59"),
        ("Oil supplied 15% in 2023.", [POWER], "rest", "61% 24%"),
        ("The staff grew by 15%.", [GROWTH], "growth", "200 230"),
        ("The rent fell by 20 percent.", [FALL], "growth", "500 400"),
        ("It baked 480 rolls on Sunday.", [ROLLS], "product", "240 twice"),
        (
            "It sold 465 crates.",
            ["It sold 320 crates of figs and 145 crates of pears."],
            "sum",
            "320 145",
        ),
        ("Two guests pay 32 euros.", ["Guests pay 16 euros per person."], "product", "Two 16"),
        (
            "Thirty percent of the rooms are free.",
            ["Twelve of the 40 rooms are free."],
            "share",
            "Twelve 40",
        ),
        (
            "She was away for seven years.",
            ["She left in 1884. She was back from away in 1891."],
            "difference",
            "1884 1891",
        ),
    ],
)
def test_a_number_that_follows_is_neither_missing_nor_in_conflict(claim, context, how, operands):
    (found,) = [each for each in compare_details(claim, context) if each.derived is not None]
    assert found.status is DetailStatus.STATED
    assert found.derived.how is Derivation(how)
    texts = [claim if e.premise is None else context[e.premise] for e in found.derived.operands]
    said = [t[e.start : e.end] for t, e in zip(texts, found.derived.operands, strict=True)]
    assert [each.split()[0] for each in said] == operands.split()
    counts = detail_features(claim, context)
    assert (counts.missing, counts.conflicting) == (0, 0)


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("The Aqua 7 costs 120 euros more than the Aqua 5.", PRICES),
        # The wrong way round, and the number of another.
        ("The Aqua 5 costs 180 euros more than the Aqua 7.", PRICES),
        ("Velo Max costs 25 euros more than Velo Plus.", PLANS),
        ("Kessler employed 25 more people in 2016 than in 2017.", [STAFF]),
        # No word says that a sum or a difference is meant.
        ("The Aqua 7 costs 180 euros.", PRICES),
        ("The Aqua 7 costs 1078 euros.", PRICES),
        ("Bake it for 70 minutes in total.", ["Bake it for 15 minutes, then for another 35."]),
        # A part of a list, the list without a word that says so, and a comparison beside it.
        ("It has 65 people in total.", [LISTED]),
        ("It has 70 people.", [LISTED]),
        ("It has 70 people in total, three more than before.", [LISTED]),
        ("It has 70 people in total.", ["It has 40 engineers. The cook has 30 pans."]),
        # The wrong way round, two shares of two sentences, and no points.
        ("It fell by 18 percentage points.", [POINTS]),
        ("It grew by 18 percentage points.", ["It was 41 % then. It grew to 59 % of all."]),
        ("It grew by 18 percent.", [POINTS]),
        ("The staff fell by 15%.", [GROWTH]),
        ("The staff grew by 13%.", [GROWTH]),
        ("The staff has 15% women.", [GROWTH]),
        # What has a share of its own, and a rest that is another.
        ("Wind supplied 15% in 2023.", [POWER]),
        ("Oil supplied 16% in 2023.", [POWER]),
        # Another day, and another number between.
        ("It baked 480 rolls on Friday.", [ROLLS]),
        (
            "It baked 480 rolls on Sunday.",
            ["It baked 240 rolls and 50 cakes on Friday and twice as many on Sunday."],
        ),
        # A number that is a difference itself is no part of a sum.
        ("It had 2,000 staff.", ["It had 1,840 staff, 160 more than before."]),
        # The years of something else.
        ("The film came five years later.", ["It was printed in 1974.", "It won a prize in 1979."]),
        # With so many numbers some two of them make any.
        ("Bake it for 77 minutes in total.", [f"Bake it for {n} minutes." for n in range(1, 60)]),
    ],
)
def test_a_number_that_fits_by_chance_is_not_derived(claim, context):
    assert all(each.derived is None for each in compare_details(claim, context))


@pytest.mark.parametrize(
    ("claim", "context", "read"),
    [
        ("It sold 465 crates.", [CRATES], "It sold some crates."),
        ("Two guests pay 32 euros.", ["Guests pay 16 euros each."], "Two guests pay some euros."),
        ("Two guests pay €32.", ["Guests pay €16 each."], "Two guests pay some money."),
        ("30% of the rooms are free.", [ROOMS], "Some of the rooms are free."),
        ("It sold 466 crates.", [CRATES], "It sold 466 crates."),
        ("Oil supplied 15 % in 2023.", [POWER], "Oil supplied some percent in 2023."),
        ("Bake 3 inches in all.", ["Bake 1 inch, then 2 inches."], "Bake some inches in all."),
    ],
)
def test_the_models_read_some_in_its_place(claim, context, read):
    assert without_derived_numbers(claim, context) == read


def test_the_page_says_from_which_numbers_it_follows(provenance):
    audit = provenance.audit(
        answer="The Aqua 7 costs 180 euros more than the Aqua 5.", context=PRICES
    )
    assert audit.claims[0].claim.text == "The Aqua 7 costs some euros more than the Aqua 5."
    assert "No source states “180 euros”: it is the difference of “629 euros” and “449 euros”" in (
        sentence_text(audit, sentence_steps(audit, 0))
    )
