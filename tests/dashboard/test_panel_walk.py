"""The panel beside a list of audits: the next and the previous row, without a browser."""

from __future__ import annotations

from storage import AuditStore
from tests.app_page import open_page
from tests.dashboard.test_review_page import an_audit


def test_the_panel_walks_through_the_rows_in_their_order(url):
    store = AuditStore.open(url)
    for entailment in (0.2, 0.5, 0.9):
        store.save(an_audit(entailment))
    app = open_page("history", open="3")  # the newest first
    previous, following = app.button(key="previous_open"), app.button(key="next_open")
    assert previous.disabled and not following.disabled
    assert (previous.proto.shortcut, following.proto.shortcut) == ("left", "right")
    following.click().run()
    assert app.query_params["open"] in ("2", ["2"])
    app.button(key="next_open").click().run()
    assert app.button(key="next_open").disabled
    assert "3 of 3" in [text.value for text in app.text]
    app.button(key="close_open").click().run()
    assert "open" not in app.query_params and not app.exception
