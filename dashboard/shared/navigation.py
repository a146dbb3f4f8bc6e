"""The pages of the app, and the guard that lets none of them run outside it."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import Page

from dashboard.shared.access import Role, admit, require
from dashboard.shared.components import script
from dashboard.shared.filter_state import note_page
from dashboard.shared.settings import forget_address
from dashboard.shared.warm_up import delete_by_age, import_ahead
from reports.colours import PAGE
from reports.style_sheets import style_sheet

_IN_APP = "in_app"
_TYPED = "audit"  # the path of Audit's second address
# Streamlit's own margins leave a laptop's screen too little room for tables.
# Above, its header takes 60 pixels.
_STYLE = style_sheet(__file__)
# The ground of the page, for what stands over it: it may turn dark without being drawn again.
_PAGE = f"<style>:root{{--pv-page:light-dark({PAGE[False]},{PAGE[True]})}}</style>"


def run_app() -> None:
    """Draw the navigation and run the page that was asked for."""
    st.session_state[_IN_APP] = True
    page = _navigation()
    if note_page(page.url_path):
        forget_address()
    st.html(_STYLE + _PAGE)
    with st.container(key="close_menu"):
        st.html(script(__file__, "close_menu", path=page.url_path), unsafe_allow_javascript=True)
        for name in ("note_pointer", "sort_alone", "walk_panel", "follow_scheme"):
            st.html(script(__file__, name), unsafe_allow_javascript=True)
    page.run()
    # After the page, which does not need them.
    import_ahead()
    delete_by_age()


def require_app(role: Role = Role.VIEWER) -> None:
    """Called first by every page; it is drawn for those with ``role`` alone. The first request to a
    new server, if it is for a page's own link, is taken by Streamlit for an app of the older kind,
    because a folder is called ``pages``: it runs the page alone, without app.py. Naming the
    navigation ends that, and the second run goes through app.py."""
    if _IN_APP not in st.session_state:
        _navigation()
        st.rerun()
    admit()
    require(role)
    with st.container(key="draw_again_room"):
        st.button("Draw again", key="draw_again")


def _navigation() -> Page:
    page = st.navigation(_pages())
    if page.url_path != _TYPED:
        return page
    # The menu marks the page that is shown, and has Audit once.
    return st.navigation(_pages(typed=True))


def _pages(*, typed: bool = False) -> list[Page]:
    """All pages. Audit is at the app's own address and at ``/audit``, which people type; the menu
    links to the second if it was ``typed``."""
    # No icons: the browser would fetch the picture of a page's ":material/" icon, for its tab, from
    # another host; many machines have no letters for emoji.
    return [
        st.Page(
            "pages/audit.py",
            title="Audit",
            url_path="start",  # is not shown, but has to be another than that of the next
            default=True,
            visibility="hidden" if typed else "visible",
        ),
        st.Page(
            "pages/audit.py",
            title="Audit",
            url_path=_TYPED,
            visibility="visible" if typed else "hidden",
        ),
        st.Page("pages/batch.py", title="Batch"),
        st.Page("pages/review.py", title="Review"),
        st.Page("pages/history.py", title="History"),
        st.Page("pages/thresholds.py", title="Thresholds"),
        st.Page("pages/compare.py", title="Compare"),
        st.Page("pages/benchmarks.py", title="Benchmarks"),
        st.Page("pages/models.py", title="Models"),
        st.Page("pages/glossary.py", title="Glossary"),
    ]
