"""The rounds of a cross-examination, as the two models wrote them."""

from __future__ import annotations

import streamlit as st

from provenance_core.types import Audit


def draw_examination(audit: Audit) -> None:
    """Every question and reply, and the conclusion; nothing where no model was questioned."""
    turns, judge = audit.evidence.examination, audit.evidence.judge
    if not turns or judge is None:
        return
    count = "1 round" if len(turns) == 1 else f"{len(turns)} rounds"
    with st.expander(f"The cross-examination: {count} and the conclusion"):
        st.caption(
            "The examiner has the sentences of the answer, and the examinee has the context. "
            "Neither sees what the other has."
        )
        for number, turn in enumerate(turns, start=1):
            st.markdown(f"**Round {number}: questions**")
            st.text(turn.questions)
            st.markdown("**Replies from the context alone**")
            st.text(turn.replies)
        st.markdown("**Conclusion**")
        st.text(judge.text)
