"""Signs that turn the direction of writing: what a text shows of them."""

from __future__ import annotations

from reports.directions import shown_turns
from reports.markup import marked_text, spanned_text
from reports.tables import shortened

TURNED = "opened \u202ein 1900\u202c"
SHOWN = "opened [U+202E]in 1900[U+202C]"


def test_a_text_is_read_in_the_order_of_its_letters():
    assert shown_turns(TURNED) == SHOWN
    assert shortened(f" {TURNED}\n") == SHOWN
    assert shown_turns("\u0627\u0641 1987") == "\u0627\u0641 1987", "letters keep their direction"


def test_marks_stay_at_their_words():
    assert marked_text(TURNED, [(11, 15, "")]) == "opened [U+202E]in <mark>1900</mark>[U+202C]"
    assert spanned_text(TURNED, 0, ()) == SHOWN
