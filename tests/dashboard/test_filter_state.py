"""Filters go along from page to page, and every list can be exported."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.app_page import open_page


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


def test_a_filter_goes_along_to_other_pages(app):
    opened(app, "history").text_input(key="text").set_value("claim number 2").run()
    assert opened(app, "compare").text_input(key="text").value == "claim number 2"
    app.text_input(key="text").set_value("").run()
    assert opened(app, "history").text_input(key="text").value == ""
