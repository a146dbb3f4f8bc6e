"""What an audit sends out of this machine, said where its settings are chosen."""

from __future__ import annotations

import streamlit as st

from provenance_core import DETECTORS, Parameters
from provenance_core.detectors import unusable, what_is_sent
from reports.markup import small_text


def draw_sending(parameters: Parameters) -> None:
    """What an audit under the parameters sends and where to, or why it cannot be made as things are
    set; nothing where it sends nothing."""
    detector = DETECTORS[parameters.detector]
    if reason := unusable(parameters):
        st.warning(f"{detector.title} cannot be used with these settings.")
        st.html(small_text(reason))
    elif sent := what_is_sent(parameters):
        st.info("Texts leave this app.", icon=":material/outbound:")
        st.html(small_text(sent))
