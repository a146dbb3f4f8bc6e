"""The form of an audit: context, query and answer, kept in the session."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from provenance_core import ContextItem, Evidence, InputError

from .examples import EXAMPLES, Example
from .readers import FILE_TYPES, read_context_file, split_paragraphs

ONE_TEXT, BOXES = "one text", "a box an item"
# More boxes than this make the page slow.
MOST_BOXES = 30


def start_form() -> None:
    """Initial values, before any widget is drawn."""
    for key, value in (
        ("query", ""),
        ("answer", ""),
        ("context_text", ""),
        ("context_mode", ONE_TEXT),
        ("boxes", [0]),
        ("box_names", {}),
        ("uploads", 0),
    ):
        st.session_state.setdefault(key, value)


def fill_boxes(items: Sequence[ContextItem]) -> None:
    """Show ``items`` a box each."""
    numbers = range(len(items))
    st.session_state.boxes = list(numbers)
    st.session_state.box_names = {n: items[n].name for n in numbers}
    for n in numbers:
        st.session_state[f"box_{n}"] = items[n].text


def fill_context(items: Sequence[ContextItem]) -> None:
    """Put ``items`` into the form so that reading it gives them back exactly."""
    joined = "\n\n".join(item.text for item in items)
    plain = split_paragraphs(joined) == [item.text for item in items]
    if len(items) > MOST_BOXES or (plain and not any(item.name for item in items)):
        st.session_state.context_mode = ONE_TEXT
        st.session_state.context_text = joined
    else:
        st.session_state.context_mode = BOXES
        fill_boxes(items)


def fill_from_audit(evidence: Evidence) -> None:
    """Show a saved audit's inputs."""
    st.session_state.query = evidence.query
    st.session_state.answer = evidence.answer
    fill_context(evidence.context)


def _fill_from_example(example: Example) -> None:
    st.session_state.query = example.query
    st.session_state.answer = example.answer
    fill_context([ContextItem(i, text) for i, text in enumerate(example.context)])
    st.query_params.clear()


def _add_box() -> None:
    st.session_state.boxes = [*st.session_state.boxes, max(st.session_state.boxes, default=-1) + 1]


def _remove_box(number: int) -> None:
    st.session_state.boxes = [n for n in st.session_state.boxes if n != number]


def _switch_mode() -> None:
    # What was typed in one form is carried over into the other.
    if st.session_state.context_mode == BOXES:
        texts = split_paragraphs(st.session_state.context_text) or [""]
        fill_boxes([ContextItem(i, text) for i, text in enumerate(texts)])
    else:
        texts = [st.session_state.get(f"box_{n}", "") for n in st.session_state.boxes]
        st.session_state.context_text = "\n\n".join(text for text in texts if text.strip())


def _read_uploads() -> None:
    """Append the uploaded files' items to the context; say what could not be read."""
    uploaded = st.session_state.get(f"files_{st.session_state.uploads}") or []
    read: list[ContextItem] = []
    problems: list[str] = []
    for file in uploaded:
        try:
            found = read_context_file(file.name, file.getvalue())
            read.extend(found.items)
            problems.extend(notice.message for notice in found.notices)
        except InputError as error:
            problems.append(str(error))
    if read:
        items = [i for i in current_context() if i.text.strip()] + read
        fill_context([ContextItem(n, i.text, i.name) for n, i in enumerate(items)])
        shown = len(current_context())
        if shown != len(items):
            problems.append(
                f"{len(items)} items are too many for a box each, so they are shown as one text. "
                f"Some hold blank lines, which separate items there: that makes {shown} items."
            )
    st.session_state.upload_problems = problems
    st.session_state.uploads += 1  # A new uploader, so that no file is read twice.


def current_context() -> list[ContextItem]:
    """The context items as the form has them now."""
    state = st.session_state
    if state.context_mode == ONE_TEXT:
        return [ContextItem(i, t) for i, t in enumerate(split_paragraphs(state.context_text))]
    return [
        ContextItem(i, state.get(f"box_{n}", ""), state.box_names.get(n, ""))
        for i, n in enumerate(state.boxes)
    ]


def draw_form() -> bool:
    """Draw the form; True when its button was pressed."""
    state = st.session_state
    columns = st.columns(len(EXAMPLES))
    for column, example in zip(columns, EXAMPLES, strict=True):
        column.button(
            example.name,
            help=example.about,
            on_click=_fill_from_example,
            args=(example,),
            width="stretch",
            icon=":material/lightbulb:",
        )
    left, right = st.columns(2, gap="large")
    with left:
        st.segmented_control(
            "Context",
            [ONE_TEXT, BOXES],
            key="context_mode",
            required=True,
            on_change=_switch_mode,
        )
        if state.context_mode == ONE_TEXT:
            st.text_area(
                "Context, items separated by a blank line",
                key="context_text",
                height=260,
                placeholder="Paste the passages that the answer was made from.",
            )
        else:
            for position, n in enumerate(state.boxes):
                box, button = st.columns([12, 1], vertical_alignment="bottom")
                name = state.box_names.get(n, "")
                label = f"Context item {position + 1}"
                box.text_area(label, key=f"box_{n}", height=100, help=name or None)
                button.button(
                    "✕",
                    key=f"remove_{n}",
                    help=f"Remove context item {position + 1}",
                    on_click=_remove_box,
                    args=(n,),
                )
            st.button("Add an item", on_click=_add_box, icon=":material/add:")
        st.file_uploader(
            "Add files to the context",
            type=list(FILE_TYPES),
            accept_multiple_files=True,
            key=f"files_{state.uploads}",
            on_change=_read_uploads,
        )
        for problem in state.pop("upload_problems", []):
            st.warning("A file needs your attention:")
            st.text(problem)
    with right:
        st.text_area(
            "Query",
            key="query",
            height=90,
            placeholder="The question that was asked. Leave empty for a summary.",
        )
        st.text_area(
            "Answer", key="answer", height=200, placeholder="The answer that is to be checked."
        )
        return st.button("Audit", type="primary", width="stretch", icon=":material/fact_check:")
