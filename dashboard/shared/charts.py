"""Charts as every page draws them: words in the ink of the page and large enough to be read."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from reports.colours import PAGE_INK

_SIZE = 13  # pixels, of axes, legends and notes; what a figure sets itself is not smaller
# Keys reach what scrolls by something in it that takes the focus.
_HINT = '<p class="pv-sideways" tabindex="0">Scroll sideways to see every column.</p>'


def is_dark() -> bool:
    """Whether the page is drawn in its dark theme."""
    return st.context.theme.type == "dark"


def draw_chart(
    figure: go.Figure, key: str, place: DeltaGenerator | None = None, **options: Any
) -> Any:
    """Draw a figure without Plotly's own bar, and return what was chosen in it where ``options`` of
    Streamlit ask for that. ``key``: unique on the page."""
    config = {"displayModeBar": False, "scrollZoom": False}
    draw = st.plotly_chart if place is None else place.plotly_chart
    return draw(readable(figure), key=key, config=config, **options)


def heatmap_room() -> DeltaGenerator:
    """A container for a heatmap: its labels need more width than a narrow window has, where it
    scrolls sideways."""
    room = st.container(key="heatmap_room")
    room.html(_HINT)
    return room


def readable(figure: go.Figure) -> go.Figure:
    """``figure`` with its words in the ink of the page. Streamlit's own theme writes them in a
    grey of 11 pixels that is too pale on white."""
    font = {"color": PAGE_INK[is_dark()], "size": _SIZE}
    axis = {"tickfont": font, "title_font": font}
    figure.update_layout(font=font, legend_font=font)
    for each in (figure.layout.xaxis, figure.layout.yaxis):
        own = each.tickfont.size
        each.update(axis)
        if own:
            each.tickfont.size = own
    figure.update_layout(coloraxis_colorbar_tickfont=font, coloraxis_colorbar_title_font=font)
    figure.for_each_annotation(
        lambda note: note.update(font={**font, "size": note.font.size or _SIZE})
    )
    return figure
