"""Texts of the user in a figure."""

from __future__ import annotations

from html import escape


def plot_text(text: str) -> str:
    """Escape a text for a label of Plotly, which reads tags and a few entities. With quotation
    marks as they are: Plotly would show ``&quot;`` in so many letters."""
    return escape(text, quote=False)
