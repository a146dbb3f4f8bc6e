"""The page at its top again, after a button far below that shows something new."""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

_TO_TOP = """<span class="pv-to-top"></span><script>
document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
</script>"""


def scroll_to_top(place: DeltaGenerator) -> None:
    """Scroll the page up. ``place``: an empty one that the page always draws, so that what follows
    is not drawn anew."""
    place.html(_TO_TOP, unsafe_allow_javascript=True)
