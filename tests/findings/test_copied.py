"""Copied n-grams and runs, and sentences that stand in a text word for word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance_core.findings.copied import copied, copied_from_all, stands_verbatim

CONTEXT = [
    "The old bridge, which opened in 1932, is 8.5 km long.",
    "A new bridge stands beside it.",
    "Rules\nNobody may\nwalk on it. “Is it very safe now?” Few say it is safe by night. "
    "If it rains, the bridge is closed.\n- Cars are not allowed here\n- Bicycles",
]


def test_shares_and_runs_of_each_text_and_of_all():
    first, second, _ = copied("The new bridge opened in 1932.", CONTEXT)
    assert first.shares == (5 / 6, 2 / 5, 1 / 4, 0.0)
    assert (first.longest_run, first.run_share) == (3, 0.5)
    assert second.shares == (2 / 6, 1 / 5, 0.0, 0.0)
    whole = copied_from_all("The new bridge opened in 1932.", CONTEXT[:2])
    assert whole.shares == (1.0, 3 / 5, 1 / 4, 0.0)
    assert whole.longest_run == 3


def test_no_run_spans_two_texts():
    assert copied_from_all("8.5 km long a new bridge", CONTEXT).longest_run == 3
    assert copied_from_all("8.5 km long a new bridge", [" ".join(CONTEXT[:2])]).longest_run == 6


def test_short_and_empty_claims():
    assert copied("Bridge 9", CONTEXT)[0].shares == (0.5, 0.0, 0.0, 0.0)
    assert copied("1932", CONTEXT)[0].shares == (1.0, 1.0, 1.0, 1.0)
    assert copied("...", CONTEXT)[0].shares == (0.0, 0.0, 0.0, 0.0)
    assert copied_from_all("bridge", []).shares == (0.0, 0.0, 0.0, 0.0)


@given(
    st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcd"), max_size=12)
)
def test_the_longest_run_is_the_longest_common_sublist(ours, theirs):
    pieces = {tuple(ours[i:j]) for i in range(len(ours)) for j in range(i + 1, len(ours) + 1)} & {
        tuple(theirs[i:j]) for i in range(len(theirs)) for j in range(i + 1, len(theirs) + 1)
    }
    found = copied(" ".join(ours), [" ".join(theirs)])[0]
    assert found.longest_run == max(map(len, pieces), default=0)


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
