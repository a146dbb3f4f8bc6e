"""What a reviewer entered and did not save survives a reload of the page.

The browser keeps it in the session storage of its tab, for each reviewer and answer: no server and
no address holds it, and it ends with the tab.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256

import streamlit as st

from dashboard.review.draft import Draft
from dashboard.shared.access import visitor
from dashboard.shared.components import component
from provenance_core import InputError
from provenance_core.audit.serialization import from_plain, to_plain

_KEY = "kept_draft"


def keep_draft(
    answer: tuple[str, int],
    version: int,
    draft: Draft | None,
    start: Draft,
    comment_key: str,
    take: Callable[[Draft], None],
) -> None:
    """Have the browser keep ``draft`` of an ``answer`` (reviewer and number of the audit), and call
    ``take`` with the one that it kept before the page was loaded again. ``version``: of the saved
    judgement that the draft changes, 0 where there is none; a draft of an earlier one, which was
    saved since, is not taken. ``draft``: None where
    nothing is entered over ``start``. ``comment_key``: of the comment's box."""
    named = repr((visitor().name, *answer, version))
    component(__file__, "kept_draft")(
        data={
            "key": sha256(named.encode("utf-8")).hexdigest(),
            "draft": None if draft is None else to_plain(draft),
            "start": to_plain(start),
            "comment": comment_key,
        },
        key=_KEY,
        on_found_change=lambda: _take(st.session_state[_KEY].found, take),
        height=1,
    )


def read_draft(found: object) -> Draft | None:
    """What a browser sent as a kept draft; None where it is nothing of the kind."""
    if not isinstance(found, Mapping):
        return None
    try:
        return from_plain(Draft, dict(found))
    except InputError:
        return None


def _take(found: object, take: Callable[[Draft], None]) -> None:
    if (draft := read_draft(found)) is not None:
        take(draft)
