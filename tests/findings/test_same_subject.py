"""Whether one sentence can stand for another."""

import pytest

from provenance_core.findings.same_subject import is_of_the_same, says_the_same_of_it


@pytest.mark.parametrize(
    ("sentence", "other", "same"),
    [
        ("The Øresund Bridge carries no railway.", "The Øresund Bridge is a railway bridge.", True),
        # The same subject, another predicate.
        ("Instagram was started in Oslo by two bakers.", "Instagram was founded in 2010.", True),
        # No subject of the kind, but a quarter of the words, in other forms.
        ("It opens at nine each morning.", "The museum is opening at nine.", True),
        (
            "A pair of Eurasian bitterns raised three chicks for the first time.",
            "The county wildlife trust bought the first 80 hectares in 1991.",
            False,
        ),
        ("The ferries leave every ten minutes.", "Entry costs 12 euros.", False),
        ("", "Entry costs 12 euros.", False),
        ("It is so.", "", False),
    ],
)
def test_sentences_of_the_same(sentence, other, same):
    assert is_of_the_same(sentence, other) is same


@pytest.mark.parametrize(
    ("sentence", "other", "same"),
    [
        # A word of what is said, in any form.
        ("The bridge carries no railway.", "Two railway tracks cross the bridge.", True),
        ("The drug cured every patient.", "The drug helped 12 of 40 patients.", True),
        ("Members can borrow any book.", "Members may borrow twelve books.", True),
        # Who, from where, until when; where by name, when by number.
        ("The school was set up by bakers.", "The school was founded by Clara Lindgren.", True),
        ("The ferry leaves from the pier.", "The ferry departs from the harbour.", True),
        ("The museum is in Oslo.", "The museum stands in Bergen.", True),
        ("The museum burned in 1950.", "The museum opened in 1932.", True),
        ("The museum burned in 1950.", "The museum stands in Bergen.", False),
        ("The lamp glows in the dark.", "The lamp comes in two colours.", False),
        # Nothing but the subject.
        ("Harrow Mill Library lends bicycles.", "Harrow Mill Library opened in 1954.", False),
        ("The school teaches Latin.", "Clara Lindgren founded the school in 1894.", False),
        ("Instagram sells umbrellas.", "Facebook bought Instagram in 2012.", False),
        ("The guarantee was signed by the king.", "The guarantee covers two years.", False),
        ("", "Entry costs 12 euros.", False),
    ],
)
def test_sentences_that_say_the_same_kind_of_thing(sentence, other, same):
    assert says_the_same_of_it(sentence, other) is same
