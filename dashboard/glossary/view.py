"""The terms of the pages, by topic."""

from __future__ import annotations

from html import escape

import streamlit as st

from reports.glossary import TOPICS, terms_of


def draw_glossary() -> None:
    """Every term with its meaning."""
    for topic in TOPICS:
        st.header(topic)
        terms = "".join(
            f"<dt><b>{escape(term.name)}</b></dt>"
            f'<dd style="margin:0 0 .6rem">{escape(term.meaning)}</dd>'
            for term in terms_of(topic)
        )
        st.html(f'<dl style="margin:0;max-width:46rem">{terms}</dl>')
