"""A bare yes or no is read as the statement that it makes of the query."""

from __future__ import annotations

import pytest

from provenance_core.text.yes_no import answers_nothing, statement_of


@pytest.mark.parametrize(
    ("query", "answer", "statement"),
    [
        ("Is the bridge longer than 400 metres?", "Yes.", "The bridge is longer than 400 metres."),
        ("Can I cancel for free?", "No.", "I cannot cancel for free."),
        ("Does the leader approve leave?", "Yes.", "The leader approves leave."),
        ("Does she carry a lamp?", "Yes, she does.", "She carries a lamp."),
        ("Does the Tarn Bridge carry a railway?", "Yes.", "The Tarn Bridge carries a railway."),
        ("Does this phone lack a jack?", "No.", "This phone does not lack a jack."),
        ("Does this work?", "Yes.", "This works."),
        ("Is this phone waterproof?", "Yes.", "This phone is waterproof."),
        ("Do dogs have to be on a lead?", "Yes.", "Dogs have to be on a lead."),
        ("Did the film win any awards?", "Yes.", "The film did win awards."),
        ("Did the film win any awards?", "No.", "The film did not win any awards."),
        ("Has the museum ever been closed?", "Yes.", "The museum has been closed."),
        ("Was anyone killed in 1954?", "No.", "No one was killed in 1954."),
        ("Was anyone killed in 1954?", "Yes.", "Someone was killed in 1954."),
        ("Can anyone join the club?", "Yes.", "Anyone can join the club."),
        ("Does anything happen on Sundays?", "No.", "Nothing happens on Sundays."),
        ("Will spending on roads rise?", "No.", "Spending on roads will not rise."),
        ("Does the train to York stop here?", "Yes.", "The train to York stops here."),
    ],
)
def test_a_bare_answer_makes_a_statement_of_the_query(
    query: str, answer: str, statement: str
) -> None:
    assert statement_of(query, answer) == statement


@pytest.mark.parametrize(
    ("query", "statement"),
    [
        ("Is the reading room open on Mondays?", "The reading room is not open on Mondays."),
        ("Is the listed building private?", "The listed building is not private."),
        ("Is the closing date 5 May?", "The closing date is not 5 May."),
        ("Was the old station torn down?", "The old station was not torn down."),
        ("Have the geese left the lake?", "The geese have not left the lake."),
        ("Is the hall accessible by lift?", "The hall is not accessible by lift."),
        ("Is smoking forbidden on deck?", "Smoking is not forbidden on deck."),
        ("Can dogs ride on the tram?", "Dogs cannot ride on the tram."),
        ("Did the ship sink?", "The ship did not sink."),
        ("Must visitors book a guide?", "Visitors need not book a guide."),
        ("Are all rooms heated?", "Not all rooms are heated."),
        ("Does every room have a bath?", "Not every room has a bath."),
    ],
)
def test_a_no_denies_what_is_asked(query: str, statement: str) -> None:
    assert statement_of(query, "No.") == statement


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("Is it red or blue?", "Yes."),  # a choice
        ("Were any trees cut?", "No."),  # "no trees were" takes more than a word
        ("Why is it closed?", "No."),
        ("Is it closed?", "Yes, since the fire of 1990."),  # says more than yes
        ("Did the report on work in the mines change how trains run?", "No."),  # which is the verb?
    ],
)
def test_where_the_wording_does_not_show_it_nothing_is_made_up(query: str, answer: str) -> None:
    assert statement_of(query, answer) is None


@pytest.mark.parametrize(
    ("query", "answer", "expected"),
    [
        ("When did the bridge open?", "Yes.", True),
        ("In which year did the bridge open", "no", True),
        ("How long is it?", "Nope!", True),
        ("Did the bridge open in 1911?", "Yes.", False),
        ("What about dogs?", "No.", False),
        ("How about Tuesday?", "Yes.", False),
        ("When it rains, is the bridge closed?", "Yes.", False),
        ("Where is it? Is it open?", "Yes.", False),
        ("When did the bridge open?", "Yes, in 1911.", False),
        ("", "Yes.", False),
    ],
)
def test_a_yes_to_a_query_that_asks_for_more_states_nothing(
    query: str, answer: str, expected: bool
) -> None:
    assert answers_nothing(query, answer) is expected
