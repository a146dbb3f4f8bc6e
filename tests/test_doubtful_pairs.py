"""Fourth stage of the NLI training: which rewritten pairs are dropped, and chunks of documents."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from training.minimal_pairs import ENTAILMENT, NOT_SUPPORTED, Pair
from training.nli_fourth import chunks_of, doubtful


def pair(kind: str, premise: str, hypothesis: str) -> Pair:
    label = NOT_SUPPORTED if kind == "roles" else ENTAILMENT
    return Pair(premise, hypothesis, label, kind, premise)


@pytest.mark.parametrize(
    ("kind", "premise", "hypothesis"),
    [
        # What was cut off limited what was said.
        ("short", "The vaccine works in adults with no symptoms.", "The vaccine works in adults."),
        ("reply", "It can fly only in good weather.", "yes , it can fly in good weather ."),
        (
            "summary",
            "The players who missed the bus paid a fine of ten pounds.",
            "The players paid a fine of ten pounds.",
        ),
        (
            "reordered",
            "Ann Lee and Bob Roe won gold and silver respectively.",
            "Bob Roe and Ann Lee won gold and silver respectively.",
        ),
        # The members of a list are in no order.
        (
            "roles",
            "The judges were Tom Burlinson , Red Symons and Dannii Minogue .",
            "The judges were Red Symons , Tom Burlinson and Dannii Minogue .",
        ),
    ],
)
def test_doubtful_pairs_are_recognised(kind, premise, hypothesis):
    assert doubtful(pair(kind, premise, hypothesis))


@pytest.mark.parametrize(
    ("kind", "premise", "hypothesis"),
    [
        (
            "short",
            "The bridge, which opened in 1932, carries eight lanes of cars.",
            "The bridge carries eight lanes of cars.",
        ),
        ("reply", "The lake lies near Bern.", "wow , the lake lies near bern ."),
        ("roles", "Ann Lee met Bob Roe in Paris .", "Bob Roe met Ann Lee in Paris ."),
        ("swap", "It can fly only in good weather.", "It can fly in good weather."),
    ],
)
def test_sound_pairs_are_kept(kind, premise, hypothesis):
    assert not doubtful(pair(kind, premise, hypothesis))


def test_chunks_end_at_sentence_ends_and_share_one_sentence():
    text = "One two three four. Five six seven eight. Nine ten eleven twelve."
    assert chunks_of(text, 8) == [
        "One two three four. Five six seven eight.",
        "Five six seven eight. Nine ten eleven twelve.",
    ]
    assert chunks_of(text, 100) == [text]
    assert chunks_of("", 8) == []
