"""Where a claim says of one what the premise says of the other."""

from __future__ import annotations

import pytest

from provenance_core.text import roles
from provenance_core.text.roles import find_exchanged_roles


@pytest.mark.parametrize(
    ("claim", "premise", "agent"),
    [
        ("Bo sued Al.", "Al sued Bo.", "Bo"),
        ("The council sued the works.", "The works, which later sued the council, closed.",
         "council"),
        ("Bo hides Al.", "Al, a beekeeper, who hides the deserter Bo, is well.", "Bo"),
        ("Bo bought Al Ltd.", "In 2016 it was bought by Al Ltd.", "Bo"),
        ("Bo was bought by Al Ltd.", "Bo bought Al Ltd.", "Al Ltd"),
        ("The town gave the mill to Al.", "Al gave it to the town.", "town"),
        ("Bo, a small firm, took over Cy Air.", "The airline took over Bo.", "Bo"),
        ("Bo Bane proposed the tax.", "Cy Dale proposed a tax. Bo Bane was there.", "Bo Bane"),
    ],
)  # fmt: skip
def test_an_agent_on_the_other_side_of_the_verb(claim, premise, agent):
    (found,) = find_exchanged_roles(claim, ["It rained.", premise])
    assert claim[found.start : found.end] == agent
    assert found.premise == 1
    assert 0 <= found.other_start < found.other_end <= len(premise)


def test_a_pronoun_does_what_the_name_before_it_does():
    premise = "Bo Falk was second. Al Orme was third. Orme had led until the last climb."
    claim = "She had led until the last climb."
    (found,) = find_exchanged_roles(claim, [premise], "Bo Falk came second.")
    assert claim[found.start : found.end] == "She"
    assert not find_exchanged_roles(claim, [premise], "Al Orme came third.")
    assert not find_exchanged_roles(claim, [premise], "The race was long.")
    assert not find_exchanged_roles(claim, ["She had led until the last climb."], "Bo Falk ran.")


def test_a_pronoun_stands_for_what_the_sentence_before_names():
    premise = "The bridge was designed by the engineer Al Berg. Bo works made the steel."
    claim = "It was designed by Bo works."
    assert not find_exchanged_roles(claim, [premise])
    assert find_exchanged_roles(claim, [premise], "The long bridge carries a road.")
    assert not find_exchanged_roles(claim, [premise], "The steel is from abroad.")


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Bo sued Al.", "Bo sued Al."),
        ("Al was sued by Bo.", "Bo sued Al."),
        ("Bo sued Al.", "Al was sued by Bo in May."),
        ("Bo sued Al.", "Al sued Bo. Then Bo sued Al."),
        ("Bo met Al.", "Al met Bo."),
        ("Bo married Al.", "Al married Bo."),
        ("Bo leased the land to Cy Ltd.", "Cy Ltd built on land leased from Bo."),
        ("The pillars were built by Bo.", "It has pillars built in 1494 by Bo to hold the roof."),
        ("Bo introduced a bill.", "Cy introduced his act, and Bo was there."),
        ("Bo sued Al.", "Nothing is known of Al and Bo."),
        ("The leased land is flat.", "Bo leased the land."),
        ("Sued.", "Bo sued Al."),
        ("", ""),
    ],
)
def test_nothing_is_exchanged(claim, premise):
    assert not find_exchanged_roles(claim, [premise])


@pytest.mark.parametrize("joined_by", [" while ", " and "])
def test_a_sentence_with_thousands_of_verbs_is_read_in_linear_time(monkeypatch, joined_by):
    counted = []
    counts = roles._counts
    monkeypatch.setattr(roles, "_counts", lambda token: counted.append(1) or counts(token))

    def tokens_looked_at(verbs):
        counted.clear()
        text = joined_by.join(f"Mill{number} sold Farm{number}" for number in range(verbs))
        deeds = roles._deeds(text)
        assert len(deeds) > verbs / 2 or joined_by == " and "
        return len(counted)

    assert tokens_looked_at(800) < 4.4 * tokens_looked_at(200)
