"""What stands for a value of a claim is a value of the same thing."""

import pytest

from provenance_core.findings.same_subject import is_of_the_same_thing

CLIMB = "The cable car climbs 1,498 metres from the valley station to the summit."
USERS = "The company had 30 million users at that time, and 13 employees."
SHUTS = "The hall shuts on Mondays and has no bar."
BOUGHT = "Facebook bought Instagram in 2012."


def of_the_same(claim, piece, source, other, **more):
    span, place = (
        (text.index(part), text.index(part) + len(part))
        for text, part in ((claim, piece), (source, other))
    )
    return is_of_the_same_thing(claim, span, source, place, **more)


@pytest.mark.parametrize(
    ("claim", "piece", "source", "other"),
    [
        ("The cable car climbs 1,540 metres.", "1,540", CLIMB, "1,498"),
        ("The museum has 63 ship models.", "63", "It keeps 36 ship models of the museum.", "36"),
        ("Entry is free under 16.", "16", "Entry costs 9 euros and is free under 12.", "12"),
        (
            "Staff get 90 days of paid leave after 12 months.",
            "90",
            "Staff who have worked for 12 months are entitled to 60 days of paid leave.",
            "60",
        ),
        ("The bridge was built in 1872.", "1872", "In 1871, the bridge was built.", "1871"),
        ("Entry is free, and the hall shuts on Sundays.", "Sundays", SHUTS, "Mondays"),
        ("The painter Ida Lund made it.", "Ida Lund", "It was made by Jan Hoff.", "Jan Hoff"),
        ("It was designed by Ida Lund.", "Ida Lund", "It was designed by Jan Hoff.", "Jan Hoff"),
    ],
)
def test_values_of_the_same_thing(claim, piece, source, other):
    assert of_the_same(claim, piece, source, other)


@pytest.mark.parametrize(
    ("claim", "piece", "source", "other"),
    [
        ("The valley station lies at 1,540 metres.", "1,540", CLIMB, "1,498"),  # another side of it
        ("Brenna has 500 inhabitants.", "500", "Lomma has 310 inhabitants.", "310"),  # of another
        ("Valve 25 holds 90 bar.", "90", "Valve 81 holds 250 bar.", "81"),  # another kind
        ("Valve 25 holds 90 bar.", "90", "Valve 81 holds 250 bar.", "250"),  # beside another number
        ("The child is 12 years old.", "12", "The child is under 15 years old.", "15"),  # a limit
        ("The car opened in 1961 and is red.", "1961", "The car, red in 1987, is old.", "1987"),
    ],
)
def test_values_of_something_else(claim, piece, source, other):
    assert not of_the_same(claim, piece, source, other)


def test_the_sentence_before_names_what_the_source_speaks_of():
    claim = "Instagram had 69 million users when Facebook bought it in 2012."
    assert not of_the_same(claim, "69 million", USERS, "30 million")
    assert of_the_same(claim, "69 million", USERS, "30 million", lead=BOUGHT)
    other = "Lomma has 310 inhabitants."
    claim = "Brenna has 500 inhabitants."
    assert not of_the_same(claim, "500", other, "310", lead="Brenna has 90 inhabitants.")


def test_a_reply_is_about_what_its_query_asks():
    query = "How many users had Instagram when Facebook bought it?"
    assert of_the_same("69 million.", "69 million", USERS, "30 million", lead=BOUGHT, query=query)
    assert not of_the_same("69.", "69", USERS, "13", lead=BOUGHT, query=query)
    assert not of_the_same("69 million.", "69 million", USERS, "30 million", query=query)


def test_what_the_context_has_nowhere_need_not_stand_beside_it():
    claim = "The hall opened in 1964 with 9,000 books."
    source = "The hall opened in 1954 with 3,000 books."
    assert not of_the_same(claim, "1964", source, "1954")
    assert of_the_same(claim, "1964", source, "1954", wrong=[(28, 33)])
