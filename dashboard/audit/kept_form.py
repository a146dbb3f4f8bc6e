"""What is typed into the form and not audited yet survives a reload of the page.

The browser keeps it in the session storage of its tab: nobody else sees it, no server and no
address holds it, and it ends with the tab. What a person who signed in left there, another one
does not get.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

import streamlit as st

from dashboard.audit.form import (
    BOXES,
    MOST_BOXES,
    ONE_TEXT,
    current_context,
    fill_boxes,
    keep_late_text,
)
from dashboard.shared.access import visitor
from dashboard.shared.components import component
from provenance_core import ContextItem

_KEY = "kept_form"
_MOST_NAME = 300  # characters


@dataclass(frozen=True, slots=True)
class KeptForm:
    """A form as the browser kept it. ``items``: of a context with a box for each, else None.
    ``whole``: whether the context is with it; a very long one the browser does not keep."""

    query: str
    answer: str
    context: str
    items: tuple[ContextItem, ...] | None
    whole: bool


def keep_form(audit_id: int | None) -> None:
    """Have the browser keep the form, and fill it with what was kept. ``audit_id``: of the audit
    that the form was filled from; None without one. Called where the form is drawn; what was kept
    is there when the page is drawn next."""
    state = st.session_state
    component(__file__, "kept_form")(
        data={
            "audit": str(audit_id or ""),
            "owner": sha256(visitor().id.encode("utf-8")).hexdigest(),
            "boxes": list(state.boxes),
            "uploads": state.uploads,
            "names": {str(number): name for number, name in state.box_names.items()},
        },
        key=_KEY,
        on_found_change=lambda: _take(state[_KEY].found, from_audit=audit_id is not None),
        on_late_change=lambda: _take_late(state[_KEY].late),
        height=1,
    )


def _take_late(late: object) -> None:
    """Keep a context that was typed and not sent when the items of files took its place."""
    if isinstance(late, str) and late != st.session_state.replaced_text:
        keep_late_text(late)


def read_kept(found: object) -> KeptForm | None:
    """What a browser says that it kept; None where it is nothing of the kind."""
    if not isinstance(found, Mapping):
        return None
    texts = [found.get(name) for name in ("query", "answer", "context")]
    given = found.get("items")
    if not all(isinstance(text, str) for text in texts) or not isinstance(given, list):
        return None
    items = [_item(index, each) for index, each in enumerate(given[:MOST_BOXES])]
    if any(item is None for item in items):
        return None
    query, answer, context = (str(text) for text in texts)
    of_boxes = tuple(item for item in items if item is not None)
    return KeptForm(
        query,
        answer,
        context,
        of_boxes if found.get("boxes") is True and of_boxes else None,
        found.get("whole") is True,
    )


def _item(index: int, found: object) -> ContextItem | None:
    if not isinstance(found, Mapping):
        return None
    text, name = found.get("text"), found.get("name")
    if not isinstance(text, str) or not isinstance(name, str):
        return None
    return ContextItem(index, text, name[:_MOST_NAME])


def _take(found: object, *, from_audit: bool) -> None:
    """Fill the form with what was kept; not over what this session has in it already."""
    kept, state = read_kept(found), st.session_state
    if kept is None or (not from_audit and _is_filled()):
        return
    state.query, state.answer = kept.query, kept.answer
    if not kept.whole:
        state.upload_problems = [
            "The context was too long for the browser to keep while the page reloaded. "
            "Paste it again."
        ]
    elif kept.items is None:
        state.context_mode, state.context_text = ONE_TEXT, kept.context
    else:
        state.context_mode = BOXES
        fill_boxes(kept.items)


def _is_filled() -> bool:
    state = st.session_state
    return bool(state.query or state.answer or any(item.text for item in current_context()))
