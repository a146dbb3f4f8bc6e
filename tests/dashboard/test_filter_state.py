"""Filters go along from page to page, and every list can be exported."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.app_page import PATIENCE, open_page


@pytest.fixture
def app(filled) -> AppTest:
    return open_page()


def opened(app: AppTest, page: str) -> AppTest:
    app.switch_page(f"pages/{page}.py")
    app.query_params.clear()
    app.run()
    assert not app.exception
    return app


@pytest.mark.parametrize("page", ["history", "thresholds", "compare", "review"])
def test_every_list_can_be_taken_away(app, page):
    opened(app, page)
    assert app.session_state[f"{page}_outcome"].problem == ""
    assert len(app.get("download_button")) == 1


def _two_pages() -> None:
    import streamlit as st

    from dashboard.shared.filter_state import bring_along, keep, note_page

    note_page(st.session_state.get("page", "first"))
    bring_along(("text",))
    # As a widget that is bound to the address: a test's browser has one page alone.
    if "typed" in st.session_state:
        st.session_state.text = st.session_state.pop("typed")
    elif "text" in st.query_params:
        st.session_state.text = st.query_params["text"]
    st.session_state.setdefault("text", "")
    keep(("text",))


def _text(app: AppTest, page: str, typed: str = "", **query: str) -> str:
    """What the filter of ``page`` shows, once ``typed`` was typed over it."""
    app.session_state["page"] = page
    app.query_params.clear()
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    if typed:
        app.session_state["typed"] = typed
        app.run()
    assert not app.exception
    return str(app.session_state["text"])


def test_the_filter_of_a_link_stays_on_its_page_until_a_person_changes_it():
    app = AppTest.from_function(_two_pages, default_timeout=PATIENCE).run()
    assert _text(app, "second", text="two") == "two"
    assert _text(app, "third") == ""
    assert _text(app, "second", "three", text="two") == "three"
    assert _text(app, "third") == "three"


def test_a_filter_goes_along_to_other_pages(app):
    opened(app, "history").text_input(key="text").set_value("claim number 2").run()
    assert opened(app, "compare").text_input(key="text").value == "claim number 2"
    app.text_input(key="text").set_value("").run()
    assert opened(app, "history").text_input(key="text").value == ""
