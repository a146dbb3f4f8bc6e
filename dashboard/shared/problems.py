"""What a part of a page shows in its place when it cannot be drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from provenance_core.errors import ProvenanceError


@contextmanager
def shown_problems(what: str, then: Callable[[], object] | None = None) -> Iterator[None]:
    """Show ``what`` as an error, and the reason below it, when the part raises one of our errors.
    ``then`` draws what follows the reason. The page goes on after the part; anything else that is
    raised passes through."""
    try:
        yield
    except ProvenanceError as error:
        draw_problem(what, error)
        if then is not None:
            then()


def draw_problem(what: str, reason: object) -> None:
    """``what`` as an error; the reason below it as plain text, since it may quote a user's."""
    st.error(what)
    st.text(str(reason))
