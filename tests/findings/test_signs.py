"""The sign of a number: what is a minus, what rises or falls, and which values it sets apart."""

import pytest

from provenance_core.findings.details import DetailStatus, compare_details
from provenance_core.findings.quantities import find_quantities
from provenance_core.findings.same_writing import as_context_writes
from provenance_core.findings.signs import Sign

TABLE = "| Region | Change |\n|---|---|\n| East | −5.3 % |\n| West | +2.1 % |"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("| East | -5.3 % |", "-5.3 %"),
        ("East: −5.3 %", "−5.3 %"),
        ("It was about -5 °C.", "-5 °C"),
        ("It was minus 5 degrees.", "minus 5 degrees"),
        ("a result of -$5 million", "-$5 million"),
        ("-5.3 %", "-5.3 %"),
    ],
)
def test_a_minus_belongs_to_its_number(text, written):
    (found,) = find_quantities(text)
    assert found.sign is Sign.MINUS
    assert text[found.start : found.end] == written
    assert found.value == 5 * (1e6 if "million" in text else 1) + 0.3 * ("5.3" in text)


@pytest.mark.parametrize(
    "text",
    [
        "a walk of 5-6 km",
        "between 5 −6 %",
        "the A-320 has 150 seats",
        "COVID-19",
        "1990-1995",
        "2020-05-03",
        "pages 12–15",
        "3 km – 5 km",
        "10 minus 5",
        "222 births minus 154 deaths",
        "-5 apples\n-6 pears",
        "- 5 apples",
        "a 5-day trip",
    ],
)
def test_a_hyphen_a_range_a_date_and_a_list_have_none(text):
    found = find_quantities(text)
    assert not any(each.sign is Sign.MINUS for each in found)
    assert not any(text[each.start] in "-–−" for each in found)


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("East fell by 5.3 %.", Sign.DOWN),
        ("East fell by more than 5.3 %.", Sign.DOWN),
        ("a 5.3 % decline", Sign.DOWN),
        ("East grew by about 5.3 %.", Sign.PLUS),
        ("West +2.1 %", Sign.PLUS),
        ("It fell to 5.3 %.", Sign.UNSURE),
        ("The share is 5.3 %.", Sign.NONE),
        ("It rose to 5.3 %.", Sign.NONE),
    ],
)
def test_words_beside_a_number_say_up_or_down(text, sign):
    (found,) = find_quantities(text)
    assert found.sign is sign


@pytest.mark.parametrize(
    ("claim", "premise", "other"),
    [
        ("East grew by 5.3 %.", TABLE, "−5.3 %"),
        ("East grew by 5.3 %.", "Region: East; Change: -5.3 %", "-5.3 %"),
        ("Sales in East grew by 5.3 %.", "Sales in East fell by 5.3 %.", "fell by 5.3 %"),
        ("Sales in East fell by 5.3 %.", "East had a 5.3 % growth of sales.", "5.3 % growth"),
        ("East changed by -5.3 %.", "Region: East; Change: 5.3 %", "Change: 5.3 %"),
        ("It was 5 °C in Brenna.", "It was −5 °C in Brenna.", "−5 °C"),
        ("It was over 5 °C in Brenna.", "It was −6 °C in Brenna.", "−6 °C"),
    ],
)
def test_the_other_sign_is_in_conflict(claim, premise, other):
    (found,) = [
        each
        for each in compare_details(claim, [premise])
        if each.status is DetailStatus.CONFLICTING
    ]
    assert found.other == other
    assert found.text != other


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("East fell by 5.3 %.", TABLE),
        ("East fell by more than 5 %.", TABLE),
        ("East saw a 5.3 % decline.", TABLE),
        ("East changed by −5.3 %.", "East changed by minus 5.3 %."),
        ("West grew by 2.1 %.", TABLE),
        ("It is below −2 °C.", "It is −5 °C."),
        ("It is 5 to 6 km long.", "It is 5-6 km long."),
        ("Sales lost 5 %.", "Sales: -5 %"),
        ("East grew by 5 % and West fell by 5 %.", "East fell by 5 %. West fell by 5 %. Up 5 %."),
        ("Profits fell 12 percent.", "Sales rose 12% in May."),  # another thing
    ],
)
def test_the_same_sign_or_none_is_stated(claim, premise):
    assert {each.status for each in compare_details(claim, [premise])} <= {
        DetailStatus.STATED,
        DetailStatus.MISSING,  # a name
    }


def test_a_fall_is_not_written_with_a_minus():
    assert as_context_writes("East fell by 5.3 %.", ["East: −5.3 %"]) == "East fell by 5.3 %."
