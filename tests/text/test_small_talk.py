"""Kind words that state nothing to check."""

from __future__ import annotations

import pytest

from provenance_core.text.set_aside import REMARK, find_set_aside, why_set_aside
from provenance_core.types import Sentence

KIND_WORDS = (
    "Lucky you, Luden sounds lovely!",
    "Oh no, that sounds annoying!",
    "Happy belated birthday to her!",
    "She's a fascinating figure!",
    "Glad I could help!",
    "Not silly at all!",
    "It's natural to feel a little nervous.",
    "What a lovely idea!",
    "Ask as many as you like!",
    "That sounds stressful!",
    "It's well worth a look!",
    "Great choice!",
    "Wow, that's impressive!",
    "No worries!",
    "Don't worry!",
    "Congratulations on your new home!",
    "I understand your concern.",
    "I understand how frustrating this can be.",
    "That's a great idea!",
    "Sounds good!",
    "Oh dear!",
    "Hi!",
    "Well ask away!",
    "Enjoy your stay at the castle!",
)
CLAIMS = (
    "Don't panic, your notes are safe!",
    "No need to worry: your parcel has reached the regional hub.",
    "The castle is closed on Mondays!",
    "It is open every day!",
    "Oh, the castle is closed on Mondays!",
    "She is a great queen of Morvia.",
    "It's worth a visit.",
    "It is worth 40 euros!",
    "What a tourist needs is a ticket.",
    "Happy still rides free.",
    "Good news for drivers: the road is open.",
    "I understand that the pool closes in May.",
    "It is hard.",
    "He is happy that it worked in 1990.",
    "This is a perfect square!",
    "They are smart watches.",
    "It is interesting that the mill burned.",
    "Happy to hear that the museum opened a second branch in Tarn.",
    "Ask the pharmacist about it.",
    "It sounds like a horn!",
    "That is a good place to see seals!",
    "Glad that they could leave, the crew sold the ship.",
    "Not a single question was asked.",
    "Nice choice of wines at the bar.",
    "Welcome is the name of the ship!",
    "Good point of view.",
)


@pytest.mark.parametrize("text", KIND_WORDS)
def test_a_kind_word_is_set_aside(text):
    assert why_set_aside(text) is not None


@pytest.mark.parametrize("text", CLAIMS)
def test_what_states_something_is_a_claim(text):
    assert why_set_aside(text) is None


def test_the_sentence_behind_a_kind_word_is_still_checked():
    parts = ("That sounds stressful! ", "Your landlord has to give you 48 hours' notice.")
    answer = "".join(parts)
    middle = len(parts[0])
    sentences = (Sentence(0, 0, middle, parts[0]), Sentence(1, middle, len(answer), parts[1]))
    found = find_set_aside(answer, sentences)
    assert [(each.sentence, each.reason) for each in found] == [(0, REMARK)]
