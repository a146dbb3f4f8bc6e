"""The pages of the app, and the guard that lets none of them run outside it."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import Page

from dashboard.shared.access import Role, admit, require
from dashboard.shared.filter_state import note_page
from dashboard.shared.settings import forget_address
from dashboard.shared.warm_up import delete_by_age, import_ahead
from reports.colours import PAGE

_IN_APP = "in_app"
_TYPED = "audit"  # the path of Audit's second address
# Streamlit's own margins leave a laptop's screen too little room for tables.
# Above, its header takes 60 pixels.
_STYLE = """<style>
.stMainBlockContainer{padding:3.9rem 2.5rem 3rem}
[data-testid=stHtml]{overflow-wrap:anywhere}
[data-testid=stMain] h1{font-size:1.7rem;padding:.2rem 0}
[data-testid=stMain] h2{font-size:1.35rem;padding:.5rem 0 .3rem}
/* Streamlit's captions and names of keys are too faint to be read by all. */
[data-testid=stCaptionContainer],[data-testid=stCaptionContainer] p{color:inherit}
[data-testid=stCaptionContainer]{opacity:.86}
/* What a closed box has no room for is seen to be cut. */
[data-testid=stSelectbox] input{text-overflow:ellipsis}
/* Which files an upload takes is read whole. */
[data-testid=stFileUploaderDropzoneInstructions] span{white-space:normal;overflow:visible}
/* A box that cannot be empty need not say that it must not be. */
[data-testid=stSelectbox] [data-testid=stWidgetLabelRequired]{display:none}
[class*=st-key-audit_that_runs],[class*=st-key-audit_was_stopped]{scroll-margin-block:4.5rem 1rem}
button kbd{color:inherit!important;opacity:1!important}
.st-key-form_open summary p{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.st-key-form_open summary [data-testid=stMarkdownContainer]{min-width:0}
[data-testid=stLayoutWrapper]:has(>.st-key-close_menu),
[data-testid=stLayoutWrapper]:has(>.st-key-draw_again_room),
[data-testid=stElementContainer]:has(>[data-testid=stHtml]>.pv-to-top),
[data-testid=stLayoutWrapper]:has(>.st-key-follow_answer_room),
[data-testid=stLayoutWrapper]:has(>.st-key-settings_room),
[data-testid=stLayoutWrapper]:has(>.st-key-review_keys_room),
[data-testid=stLayoutWrapper]:has(>.st-key-kept_draft_room),
[data-testid=stLayoutWrapper]:has(>.st-key-kept_form_room){display:none}
[data-pv-by=pointer] .stMain:focus-visible::before{box-shadow:none}
/* A heading leaves what follows it little room, as suits a text; a link has a ground of its own. */
[class*=st-key-below_heading_]{padding-top:.6rem}
/* The icons of a table stand above it: what is above leaves them room. */
[data-testid=stLayoutWrapper]:has(>[class*=st-key-found_]):has(
 +[data-testid=stLayoutWrapper]>[class*=st-key-audits_]){margin-bottom:1.8rem}
@media (max-width:640px){[data-testid=stLayoutWrapper]:has(>.st-key-column_choice){display:none}}
/* Each list of audits is there in two forms; a narrow window has room for the few columns that
 matter most. */
@media (max-width:640px){[data-testid=stLayoutWrapper]:has(>[class*=st-key-wide_audits_]){
 display:none}}
@media (min-width:641px){[data-testid=stLayoutWrapper]:has(>[class*=st-key-narrow_audits_]){
 display:none}}
/* The names of chosen runs are not cut: the box grows with them. */
[data-testid=stMultiSelect] .react-aria-ComboBox,
[data-testid=stMultiSelect] .react-aria-ComboBox>div,
[data-testid=stMultiSelectTagsContainer]{
 height:auto!important;max-height:none!important;min-height:2.45rem}
[data-testid=stMultiSelectTagsContainer]{flex-wrap:wrap!important;overflow:visible!important;
 mask-image:none!important;-webkit-mask-image:none!important;
 align-items:center;align-content:center;padding-block:.25rem}
[data-testid=stMultiSelect] [data-tag]{height:auto;min-height:1.75rem;max-width:100%}
[data-testid=stMultiSelect] [data-tag] span[title]{white-space:normal;overflow-wrap:anywhere}
/* Filters stand two in a row where the window is narrow. */
@media (max-width:640px){
 .st-key-filter_boxes [data-testid=stColumn],.st-key-more_filter_boxes [data-testid=stColumn]{
  min-width:calc(50% - 1rem);flex:1 1 calc(50% - 1rem);width:calc(50% - 1rem)}
 /* Half a window has no room for the name of a run beside the box's buttons. */
 .st-key-filter_boxes [data-testid=stColumn]:has([data-testid=stMultiSelect]){
  min-width:100%;flex:1 1 100%;width:100%}
 .st-key-filter_boxes [data-testid=stColumn]:first-child:nth-last-child(odd){min-width:100%}
 .st-key-filter_boxes [data-testid=stHorizontalBlock]{align-items:flex-end}
 /* Nor for a whole date beside the box's buttons. */
 .st-key-filter_boxes [data-testid=stColumn]:has([data-testid=stDateInput]),
 .st-key-more_filter_boxes [data-testid=stColumn]:has([data-testid=stDateInput]){
  min-width:100%;flex:1 1 100%;width:100%}
}
/* A strip of tabs that scrolls stops where its arrows hide nothing of the chosen one. */
[data-testid=stTabs] [role=tablist]{scroll-padding-inline:2.5rem}
[data-testid=stTabs] [role=tab]{flex-shrink:0}
/* Three in a row on a tablet, where five are too narrow for what they hold. */
@media (min-width:641px) and (max-width:1100px){
 .st-key-filter_boxes [data-testid=stColumn]{
  min-width:calc(33.3% - 1rem);flex:1 1 calc(33.3% - 1rem)}
 .st-key-filter_boxes [data-testid=stHorizontalBlock]{flex-wrap:wrap;align-items:flex-end}
}
/* A choice that is wider than its box ends in an ellipsis there, and is read whole in the menu. */
[data-testid=stSelectbox] input,[role=option] [data-item-hl]{text-overflow:ellipsis}
@media (min-width:641px){
 [data-testid=stSelectboxVirtualDropdown]{width:max-content!important;
  min-width:var(--trigger-width);max-width:max(var(--trigger-width),20rem)}
}
</style>"""
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
        st.html(_FOLLOW_SCHEME, unsafe_allow_javascript=True)
    page.run()
    # After the page, which does not need them.
    import_ahead()
    delete_by_age()


def require_app(role: Role = Role.VIEWER) -> None:
    """Called first by every page; it is drawn for those with ``role`` alone.

    The first request to a new server, if it is for a page's own link, is taken by Streamlit for
    an app of the older kind, because a folder is called ``pages``: it runs the page alone, without
    app.py. Naming the navigation ends that, and the second run goes through app.py.
    """
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
