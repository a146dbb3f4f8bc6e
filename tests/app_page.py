"""Pages of the app, as a test opens them."""

from __future__ import annotations

import re
from html import unescape

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Dataframe

from tests.conftest import APP, shown_html

# Seconds. A page needs a few; a busy machine is no fault of the page.
PATIENCE = 300


def open_page(name: str = "", **query: str | list[str]) -> AppTest:
    """The page of ``pages`` with this name ("": the one that the app begins with), drawn from an
    address with this ``query``."""
    app = AppTest.from_file(APP, default_timeout=PATIENCE)
    if name:
        app.switch_page(f"pages/{name}.py")
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def text_tables(app: AppTest) -> list[list[dict[str, str]]]:
    """The tables that the page shows as HTML: of each row its cells by their headings."""
    cell = re.compile(r'<td data-name="([^"]*)"[^>]*>(.*?)</td>', re.DOTALL)
    return [
        [
            {unescape(name): unescape(said) for name, said in cell.findall(row)}
            for row in body.split("<tr>")
            if "<td" in row
        ]
        for body in shown_html(app).split("<tbody>")[1:]
    ]


def tables(app: AppTest) -> list[Dataframe]:
    """The tables that a wide window shows, in order; a narrow one shows another form of some."""
    return [table for table in app.dataframe if " narrow" not in table.proto.id]
