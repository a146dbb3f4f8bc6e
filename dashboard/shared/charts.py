"""Charts as every page draws them: words in the ink of the page and large enough to be read."""

from __future__ import annotations

import plotly.graph_objects as go

from dashboard.shared.chart_room import is_dark
from reports.colours import PAGE_INK

_SIZE = 13  # pixels, of axes, legends and notes; what a figure sets itself is not smaller


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
