"""What the browser kept of a form is read with care: it may be anything."""

import pytest
from inline_snapshot import snapshot

from dashboard.audit.form import MOST_BOXES
from dashboard.audit.kept_form import read_kept
from provenance_core import ContextItem

FORM = {
    "query": "How tall?", "answer": "3 m.", "context": "It is 3 m.", "boxes": False, "items": [],
    "whole": True,
}  # fmt: skip


def test_a_form_comes_back_as_it_was():
    kept = read_kept(FORM)
    assert kept is not None and kept.whole and kept.items is None
    assert (kept.query, kept.answer, kept.context) == snapshot(("How tall?", "3 m.", "It is 3 m."))
    items = [{"text": "one", "name": "a.txt"}, {"text": "", "name": ""}]
    boxes = read_kept({**FORM, "boxes": True, "context": "", "items": items})
    assert boxes is not None
    assert boxes.items == (ContextItem(0, "one", "a.txt"), ContextItem(1, ""))


@pytest.mark.parametrize(
    "found",
    [
        None,
        "form",
        {},
        {**FORM, "query": 3},
        {**FORM, "items": {"text": "a"}},
        {**FORM, "items": ["a"]},
        {**FORM, "items": [{"text": "a", "name": None}]},
    ],
)
def test_what_is_no_form_is_not_read(found):
    assert read_kept(found) is None


def test_no_more_boxes_come_back_than_the_form_has():
    items = [{"text": "a", "name": "n" * 1_000}] * (MOST_BOXES + 5)
    kept = read_kept({**FORM, "boxes": True, "items": items})
    assert kept is not None and kept.items is not None
    assert len(kept.items) == MOST_BOXES and len(kept.items[0].name) < 1_000
