"""Whether one sentence can stand for another."""

import pytest

from provenance_core.text.same_subject import is_of_the_same


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
