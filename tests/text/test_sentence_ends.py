"""Where a sentence ends, and where a full stop or three do not end it."""

import pytest

from provenance_core.text.splitting import sentence_bounds


def split(text):
    return [text[a:b].strip() for a, b in sentence_bounds(text)]


@pytest.mark.parametrize(
    "text",
    [
        "The trail is approx. 12 km long.",
        "It is told in Vol. 3 of the series.",
        "It made 3 bn. dollars last year.",
        "The firm lost $5 bn. in May.",
        "See No. 7 and Nos. 8 to 9.",
        "Eat fruit, e.g. Apples or pears.",
        "He paid it, i.e. He gave the money.",
        "It dates from ca. 1900 and was est. 1950 again.",
        "Berg et al. 2020 say so in Sec. 4 and Fig. II here.",
        "The U.S. economy grew.",
    ],
)
def test_an_abbreviation_ends_no_sentence(text):
    assert split(text) == [text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("He waited… Then he left.", ["He waited…", "Then he left."]),
        ("She said… well, nothing.", ["She said… well, nothing."]),
        ("“Well…” He stopped.", ["“Well…”", "He stopped."]),
        ("No. It is not.", ["No.", "It is not."]),
        ("It fell in the U.S. It rose here.", ["It fell in the U.S.", "It rose here."]),
        ("It is 3 km. The other is 5.", ["It is 3 km.", "The other is 5."]),
    ],
)
def test_a_new_sentence_begins_behind_a_mark(text, parts):
    assert split(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "Am 11. Januar 2017 eröffnete das Werk.",
        "Vom 3. bis 5. September 2020 war es zu.",
        "Der Bau begann am 5. April und endete bald.",
        "Im 19. Jahrhundert wuchs die Stadt.",
        "Der 1. FC Köln gewann im 3. Stock.",
        "Ludwig XIV. war König.",
        "Der Umsatz stieg auf 3,7 Mio. € im Jahr.",
        "Das kostet 5 Mrd. Euro oder 5 Mrd. EUR im Jahr.",
        "Es kamen 2 Mio. Menschen.",
        "Siehe Nr. 5, Abb. 4 und Bd. 3 auf S. 12, vgl. Kapitel 2.",
        "Es sind ca. 30 Tiere, z. B. Hunde, d. h. Alle sind da.",
        "Um 50 v. Chr. kamen sie an.",
        "M. Dupont voit env. 20 personnes et Mme. Curie.",
        "Cela date de 50 av. J.-C. et dure encore.",
        "El Sr. García y la Sra. López ven aprox. 30 casas.",
        "La casa núm. 4 costó 3 mill. de euros en EE. UU. y es roja.",
        "Il sig. Rossi arrivò ieri.",
        "Den 3. januar 2017 kom han.",
        "Dne 5. ledna 2017 přišel.",
        "It has approx. 30 rooms, see No. 5, est. 1920 or c. 1850.",
        "It began on Jan. 5, Smith vs. Jones, as Apple Inc. reported.",
    ],
)
def test_dates_amounts_and_abbreviations_of_other_languages_end_no_sentence(text):
    assert [text[a:b] for a, b in sentence_bounds(text)] == [text]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Er kam am 2.", "Er blieb."),
        ("Wir trafen uns im 5.", "Dann ging er."),
        ("Es war 1990.", "Januar war kalt."),
        ("Er wurde 30.", "Sie wurde 20."),
        ("Der Umsatz war 3,7 Mio.", "Das Werk wuchs."),
        ("Es gibt Hunde, Katzen usw.", "Er mag sie."),
        ("He was 12.", "March was cold."),
        ("The score was 5.", "April followed."),
        ("I am 12.", "My brother is 9."),
        ("It made $3 bn.", "The firm grew."),
        ("It rose by 3 mn.", "USA grew too."),
        ("He saw Apple Inc.", "He reported it."),
    ],
)
def test_a_sentence_that_ends_with_a_number_or_an_amount_ends(first, second):
    text = f"{first} {second}"
    assert [text[a:b] for a, b in sentence_bounds(text)] == [f"{first} ", second]
