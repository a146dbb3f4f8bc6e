"""What a detector sends out of this machine, said where it is chosen."""

from __future__ import annotations

import streamlit as st

from provenance_core import DETECTORS
from reports.markup import small_text


def draw_sending(name: str) -> None:
    """What an audit by the detector sends and where to, or why it cannot be used as things are
    set; nothing for a detector that sends nothing."""
    detector = DETECTORS[name]
    if reason := detector.unavailable():
        st.warning(f"{detector.title} cannot be used with these settings.")
        st.html(small_text(reason))
    elif detector.traits.sends_texts:
        st.info("Texts leave this app.", icon=":material/outbound:")
        st.html(small_text(detector.what_is_sent()))
