"""Copied n-grams, and sentences that stand in a text word for word."""

import pytest

from provenance_core.findings.copied import copied_shares, stands_verbatim

CONTEXT = [
    "The old bridge, which opened in 1932, is 8.5 km long.",
    "A new bridge stands beside it.",
    "Rules\nNobody may\nwalk on it. “Is it very safe now?” Few say it is safe by night. "
    "If it rains, the bridge is closed.\n- Cars are not allowed here\n- Bicycles",
]


def test_shares_of_one_text_and_of_several():
    claim = "The new bridge opened in 1932."
    assert copied_shares(claim, CONTEXT[:1]) == (5 / 6, 2 / 5, 1 / 4, 0.0)
    assert copied_shares(claim, CONTEXT[1:2]) == (2 / 6, 1 / 5, 0.0, 0.0)
    assert copied_shares(claim, CONTEXT[:2]) == (1.0, 3 / 5, 1 / 4, 0.0)


def test_no_run_spans_two_texts():
    assert copied_shares("long a new bridge", CONTEXT)[3] == 0.0
    assert copied_shares("long a new bridge", [" ".join(CONTEXT[:2])])[3] == 1.0


def test_short_and_empty_claims():
    assert copied_shares("Bridge 9", CONTEXT[:1]) == (0.5, 0.0, 0.0, 0.0)
    assert copied_shares("1932", CONTEXT[:1]) == (1.0, 1.0, 1.0, 1.0)
    assert copied_shares("...", CONTEXT[:1]) == (0.0, 0.0, 0.0, 0.0)
    assert copied_shares("bridge", []) == (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("sentence", "stands"),
    [
        ("A new bridge stands beside it.", True),
        ("  3. a NEW  bridge\nstands beside it!", True),
        ("“The old bridge, which opened in 1932, is 8.5 km long”", True),
        ("Nobody may walk on it.", True),
        ("Cars are not allowed here.", True),
        ("the old bridge, which opened in 1932", False),  # goes on
        ("It is safe by night.", False),  # denied
        ("The bridge is closed now.", False),
        ("the bridge is closed", False),  # on a condition
        ("It is very safe now.", False),
        ("is it very safe now", False),  # asked
        ("The old bridge which opened in 1932", False),  # a comma may change what is said
        ("new bridge stands", False),  # too short to say
        ("which opened in 1932, is 8", False),  # of 8.5
        ("A new bridge stands beside i", False),
        ("It is not so here.", False),
    ],
)
def test_standing_verbatim(sentence, stands):
    assert any(stands_verbatim(sentence, text) for text in CONTEXT) is stands
