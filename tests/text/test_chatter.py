"""Kind words and other chatter that state nothing to check."""

from __future__ import annotations

from pathlib import Path

import pytest

from provenance_core.text.set_aside import REMARK, find_set_aside, why_set_aside
from provenance_core.types import Sentence
from training.chatter import shown

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


# Of twenty-four that the classifier was not trained on, those that are found.
CHATTER = (
    "Let me check that for you.",
    "One moment while I pull that up.",
    "Is there anything else?",
    "Happy to dig deeper if useful.",
    "Hope you found what you needed.",
    "That's a tricky one, let me think.",
    "Thanks for flagging this!",
    "Okay, so let's unpack this.",
    "Sure thing, happy to walk you through it.",
    "Let me pull that information together for you.",
    "Great, I can definitely assist with that!",
    "Before I answer, let me double-check the documents.",
    "I appreciate you asking.",
    "Hopefully that's what you were after!",
    "Have a fantastic rest of your week!",
    "Apologies for the wait!",
    "Let me gather my thoughts on this.",
    "Please consult a professional if you are unsure.",
    "Please contact our support team if the problem persists.",
    "You may want to ask at the desk.",
    "If you have further questions, please reach out.",
    "Based on the passages you sent, here is how to mend a kettle:",
    "Here is a summary of the letter in 70 words:",
    "You're asking how to sharpen a chisel.",
    "Hello, Anna.",
    "Hello Anna, thanks for getting in touch.",
)
LOOK_ALIKE = (
    "Hello, the library opens at ten.",
    "Hi Tom, your ferry leaves at noon.",
    "Good morning, the ferry leaves at noon.",
    "Thank you for waiting: the gate is open.",
    "Based on the passages you sent, the kettle was mended.",
    "The letter has 70 words.",
    "You're asking the bank for a loan.",
    "Sure, the pool is open until nine.",
    "I hope this helps: the museum closes at five.",
    "I'm sorry to say that the pool is closed.",
    "I'm happy to say the bridge is open.",
    "Thank you for asking, the library opens at nine.",
    "Don't worry, your deposit is refundable.",
    "Yes, I can confirm that dogs are allowed.",
    "Unfortunately, dogs are not allowed.",
    "I recommend the northern route.",
    "Feel free to bring your dog.",
    "Great news, the bridge is open again!",
    "Here's the answer: dogs are allowed.",
    "Happy to help, the gate opens at nine.",
    "I have cancelled your order.",
    "We will refund you.",
    "It is safe to drink.",
    "This is covered by the warranty.",
    "I think it's the blue one.",
    "Let it cool.",
    "Take the tablets with food.",
    "You should contact your doctor if symptoms persist.",
    "You should take 2 tablets.",
    "You should take two tablets.",
    "You should seek medical help immediately.",
    "Consult your physician before use.",
    "If symptoms persist, consult your physician.",
    "Please see the warden before you light a fire.",
    "It is best to consult a lawyer before you sign.",
    "Make sure you speak to your employer first.",
    "You should be careful with the hot plate.",
    "You should check the expiry date.",
    "Ask for Anna.",
    "I can't swim.",
    "Lyon",
    "Tarn.",
    "Red wine.",
    "Nine",
    "Cologne and Munich",
    "New York City",
    "The northern hall",
    "By train and bus.",
    "Blue, green and red.",
    "A pair of gloves",
)


def test_the_page_has_the_tables_that_the_command_prints():
    page = (Path(__file__).parents[2] / "docs/explanation/chatter.md").read_text(encoding="utf-8")
    assert all(each in page for each in shown().split("\n\n"))


@pytest.mark.parametrize("text", CHATTER)
def test_chatter_is_set_aside(text):
    assert why_set_aside(text) is not None


@pytest.mark.parametrize("text", LOOK_ALIKE)
def test_what_looks_like_chatter_and_states_something_is_a_claim(text):
    assert why_set_aside(text) is None


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


@pytest.mark.parametrize(
    "sentence",
    [
        "Unfortunately, we cannot refund used tickets.",
        "Sorry, we do not ship to Chile.",
        "Unfortunately, I can't refund the ticket because it was used.",
        "We have no rooms left.",
        "Please contact the embassy to renew your passport.",
        "You're welcome to use the kitchen until ten.",
        "I hope that the bridge opens in May.",
        "Please contact us at 555-0199.",
    ],
)
def test_what_begins_as_a_remark_or_an_abstention_and_states_something_is_a_claim(sentence):
    assert why_set_aside(sentence) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "I'm sorry, I can't help with that.",
        "Unfortunately, I do not have access to your account.",
        "Sorry, we could not find any information on that.",
        "We don't have any information about parking.",
        "As an AI language model, I do not have opinions.",
        "Please feel free to ask if you have further questions.",
    ],
)
def test_what_says_nothing_of_the_subject_is_set_aside(sentence):
    assert why_set_aside(sentence) is not None
