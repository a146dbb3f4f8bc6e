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
