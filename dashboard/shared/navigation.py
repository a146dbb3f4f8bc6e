"""The pages of the app, and the guard that lets none of them run outside it."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import Page

from dashboard.shared.access import Role, admit, require
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
# In a narrow window the menu lies over the page, and Streamlit leaves it open, and remembers that.
# The path makes the browser run this again on another page alone.
_CLOSE_MENU = """<script>
/* {path} */
if (window.innerWidth < 768) {{
  window.setTimeout(() => document.querySelector(
    "[data-testid=stSidebar][data-collapsed=false] [data-testid=stSidebarCollapseButton] button"
  )?.click(), 50);
}}
</script>"""
# A click gives the page itself the focus, and the next key would frame it: the frame is for those
# who move by Tab.
_NOTE_POINTER = """<script>
/* pointer or Tab */
if (!window.pvNotesPointer) {
  window.pvNotesPointer = true;
  const root = document.documentElement;
  document.addEventListener("pointerdown", () => { root.dataset.pvBy = "pointer"; }, true);
  document.addEventListener(
    "keydown", (event) => { if (event.key === "Tab") delete root.dataset.pvBy; }, true
  );
}
</script>"""
# A table that gets the focus chooses its first cell. A click on a heading gives it the focus too,
# and is to sort, not to open the first row.
_SORT_ALONE = """<script>
/* headings sort */
if (!window.pvSortsAlone) {
  window.pvSortsAlone = true;
  const HEADING = 36;
  let heading = false;
  window.addEventListener("pointerdown", (event) => {
    const table = event.target.closest?.("[data-testid=stDataFrame]");
    heading = Boolean(table) && event.clientY - table.getBoundingClientRect().top < HEADING;
  }, true);
  window.addEventListener("keydown", () => { heading = false; }, true);
  window.addEventListener("focusin", (event) => {
    if (heading && event.target.matches?.("[data-testid=stDataFrame] canvas")) {
      event.stopImmediatePropagation();
    }
  }, true);
}
</script>"""
# A table that has the focus keeps the arrow keys for its cells: left and right are for the panel
# beside it, as they are outside the table.
_WALK_PANEL = """<script>
/* arrows walk */
if (!window.pvArrowsWalk) {
  window.pvArrowsWalk = true;
  const WAYS = { ArrowLeft: "previous", ArrowRight: "next" };
  window.addEventListener("keydown", (event) => {
    const way = WAYS[event.key];
    const other = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (!way || other || !event.target.closest?.("[data-testid=stDataFrame]")) return;
    const room = event.target.closest("[class*=st-key-audits_]");
    const button = room?.querySelector(`[class*=st-key-${way}_] button`);
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    button.click();
  }, true);
}
</script>"""
# Where a browser turns dark or light, no chart is drawn again: its words follow by themselves, and
# so does the ground of those that stand over a line.
_CHART_STYLE = f"""<style>
.stPlotlyChart :is(.xtick,.ytick,.infolayer) text{{fill:currentColor!important}}
.stPlotlyChart .annotation rect.bg{{fill:light-dark({PAGE[False]},{PAGE[True]})!important}}
</style>"""
# Streamlit says to its page alone whether it is dark or light. What opens over the page stands
# beside it in the document, and is told here. A heatmap is a picture, which no style reaches: the
# hidden button has it drawn again, once nothing runs or is open that this would end.
_FOLLOW_SCHEME = """<script>
/* dark or light */
if (!window.pvFollowsScheme) {
  window.pvFollowsScheme = true;
  const root = document.documentElement;
  const page = document.querySelector(".stApp");
  let waits = 0;
  const drawAgain = () => {
    const rests = document.querySelector("[data-test-script-state=notRunning]");
    const busy = !rests || document.querySelector("[role=dialog]");
    if (busy) waits = window.setTimeout(drawAgain, 500);
    else document.querySelector(".st-key-draw_again button")?.click();
  };
  const follow = () => {
    const was = root.style.colorScheme;
    root.style.colorScheme = getComputedStyle(page).colorScheme;
    if (!was || was === root.style.colorScheme) return;
    window.clearTimeout(waits);
    waits = window.setTimeout(drawAgain, 300);
  };
  follow();
  new MutationObserver(follow).observe(page, { attributes: true, attributeFilter: ["class"] });
}
</script>"""
# White on the lighter blue of the dark theme cannot be read.
_INK_STYLE = """<style>
[data-testid^=stBaseButton-primary]:enabled,[data-testid^=stBaseButton-primary]:enabled *,
[data-testid=stMultiSelect] span[title]{color:light-dark(#fff,#06222c)!important}
/* Streamlit darkens a button under the pointer: dark words on it cannot be read. */
[data-testid^=stBaseButton-primary]:enabled:is(:hover,:active){
 background-color:light-dark(#053342,#7cc9e0)!important;
 border-color:light-dark(#053342,#7cc9e0)!important}
</style>"""


def run_app() -> None:
    """Draw the navigation and run the page that was asked for."""
    st.session_state[_IN_APP] = True
    page = _navigation()
    if note_page(page.url_path):
        forget_address()
    st.html(_STYLE + _CHART_STYLE + _INK_STYLE)
    with st.container(key="close_menu"):
        st.html(_CLOSE_MENU.format(path=page.url_path), unsafe_allow_javascript=True)
        st.html(_NOTE_POINTER, unsafe_allow_javascript=True)
        st.html(_SORT_ALONE, unsafe_allow_javascript=True)
        st.html(_WALK_PANEL, unsafe_allow_javascript=True)
        st.html(_FOLLOW_SCHEME, unsafe_allow_javascript=True)
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
