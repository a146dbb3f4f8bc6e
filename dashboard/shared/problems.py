"""What a part of a page shows in its place when it cannot be drawn, and what a button did."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from provenance_core.errors import ProvenanceError


@contextmanager
def shown_problems(
    what: str, then: Callable[[], object] | None = None, say: Callable[[str], object] | None = None
) -> Iterator[None]:
    """Show ``what`` as an error, or by ``say``, and the reason below it, when the part raises one
    of our errors. ``then`` draws what follows the reason. The page goes on after the part; anything
    else that is raised passes through."""
    try:
        yield
    except ProvenanceError as error:
        draw_problem(what, error, say)
        if then is not None:
            then()


def draw_problem(what: str, reason: object, say: Callable[[str], object] | None = None) -> None:
    """``what`` as an error, or by ``say``; the reason below it as plain text, since it may quote a
    user's."""
    (say or st.error)(what)
    st.text(str(reason))


def draw_notes(what: str, notes: Sequence[str]) -> None:
    """``what`` above a list of notes, in one box; nothing without a note. Plain text, since they
    may quote a user's."""
    if notes:
        with st.container(border=True):
            st.markdown(f":orange[:material/warning:] {what}")
            st.text("\n".join(f"• {note}" for note in notes))


@contextmanager
def kept_problems(place: str) -> Iterator[None]:
    """In the callback of a button: keep which of our errors ended the block, for
    :func:`draw_outcome` of the ``place``, which is drawn after it."""
    try:
        yield
    except ProvenanceError as error:
        st.session_state[f"{place}_problem"] = str(error)


def keep_outcome(place: str, done: str) -> None:
    """Keep what a button did for :func:`draw_outcome`."""
    st.session_state[f"{place}_done"] = done


def draw_outcome(place: str, failed: str = "That did not work.", done: str = "Done.") -> None:
    """What the last button of the ``place`` did, or why it could not; each with its heading."""
    if said := st.session_state.pop(f"{place}_done", ""):
        st.success(done)
        st.text(said)
    if problem := st.session_state.pop(f"{place}_problem", ""):
        draw_problem(failed, problem)
