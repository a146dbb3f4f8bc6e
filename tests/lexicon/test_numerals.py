"""One normal form of a number, however it is written."""

import pytest

from provenance_core.findings.copied import copied_shares
from provenance_core.lexicon.numerals import normal_words


@pytest.mark.parametrize(
    ("writings", "normal"),
    [
        (["1240", "1,240", "1 240", "1\u00a0240", "1\u202f240", "1.240", "1'240", "1,240.0"],
         "1240"),
        (["12", "twelve", "Twelve", "12.0"], "12"),
        (["21", "twenty-one", "twenty one"], "21"),
        (["205", "two hundred and five"], "205"),
        (["3.5", "3.50", "3,50", "3,5"], "3.5"),
        (["1240.5", "1.240,50", "1,240.50", "1 240,5"], "1240.5"),
        (["1300000", "1.300.000", "1,300,000", "1 300 000"], "1300000"),
        (["50000", "50, 000", "50 , 000", "50,000"], "50000"),
    ],
)  # fmt: skip
def test_every_writing_has_one_normal_form(writings, normal):
    assert {normal_words(each) for each in writings} == {(normal,)}


@pytest.mark.parametrize("text", ["1,2,3", "4.5.2020", "0.125", "007", "12 345 67", "2019 240"])
def test_lists_dates_and_columns_are_not_one_number(text):
    assert normal_words(text) == tuple(text.split())


def test_two_numbers_in_words_are_two():
    assert normal_words("three and four") == ("3", "and", "4")


@pytest.mark.parametrize("written", ["1240", "1 240", "1.240"])
def test_a_number_in_another_writing_is_copied(written):
    claim = f"The hall seats {written} guests on twelve rows."
    found = copied_shares(claim, ["The hall seats 1,240 guests on 12 rows."])
    assert found == (1.0, 1.0, 1.0, 1.0)
