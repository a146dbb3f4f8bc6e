"""The form of an audit: context, query and answer, kept in the session."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape

import streamlit as st

from dashboard.audit.examples import EXAMPLES, Example
from dashboard.audit.offered import Offer, draw_offers, forget_offers, take_asked
from dashboard.shared.audit_run import RunPlace, run_place
from dashboard.shared.problems import draw_notes
from dashboard.shared.sidebar import draw_settings_owner
from provenance_core import DETECTORS, ContextItem, Evidence, InputError, Parameters
from provenance_core.files.uploaded_context import (
    FILE_TYPES,
    pasted_items,
    pasted_texts,
    read_context_file,
)
from provenance_core.text.input_checks import MAX_CONTEXT_CHARACTERS
from provenance_core.text.structured_context import given_context
from reports.directions import without_turns

ONE_TEXT, BOXES = "one text", "one box for each item"
# More boxes than this make the page slow.
MOST_BOXES = 30
_FOLDED = 120  # characters of query or answer
_SIGNS = re.compile(r"[!-/:-@\[-`{-~]")
# Alone in an address, they keep Markdown from making a link of it; nobody sees them.
_WORD_JOINER = "\u2060"
_IN_ADDRESSES = ":.@"


def start_form() -> None:
    """Initial values, before any widget is drawn."""
    for key, value in (
        ("query", ""),
        ("answer", ""),
        ("context_text", ""),
        ("context_mode", ONE_TEXT),
        # What the one text was when boxes or files took its place.
        ("replaced_text", ""),
        ("boxes", [0]),
        ("box_names", {}),
        ("uploads", 0),
    ):
        st.session_state.setdefault(key, value)


def fill_boxes(items: Sequence[ContextItem]) -> None:
    """Show each of ``items`` in a box of its own."""
    st.session_state.replaced_text = st.session_state.get("context_text", "")
    numbers = range(len(items))
    st.session_state.boxes = list(numbers)
    st.session_state.box_names = {n: items[n].name for n in numbers}
    for n in numbers:
        st.session_state[f"box_{n}"] = items[n].text


def fill_context(items: Sequence[ContextItem]) -> None:
    """Put ``items`` into the form so that reading it gives them back exactly."""
    joined = "\n\n".join(item.text for item in items)
    plain = pasted_texts(joined) == [item.text for item in items]
    if len(items) > MOST_BOXES or (plain and not any(item.name for item in items)):
        st.session_state.replaced_text = st.session_state.get("context_text", "")
        st.session_state.context_mode = ONE_TEXT
        st.session_state.context_text = joined
    else:
        st.session_state.context_mode = BOXES
        fill_boxes(items)


def fill_from_audit(evidence: Evidence) -> None:
    """Show a saved audit's inputs."""
    forget_offers()
    st.session_state.query = evidence.query
    st.session_state.answer = evidence.answer
    context = given_context(evidence)
    fill_context(context)
    if st.session_state.context_mode == ONE_TEXT:
        st.session_state.upload_problems = _lost_in_one_text(context)


def _fill_from_example(example: Example) -> None:
    forget_offers()
    st.session_state.query = example.query
    st.session_state.answer = example.answer
    fill_context([ContextItem(i, text) for i, text in enumerate(example.context)])
    st.query_params.clear()
    st.session_state.pop("unsaved_audit", None)
    st.session_state.audit_now = True


def start_new() -> None:
    """An empty form without a result."""
    state = st.session_state
    forget_offers()
    state.query = state.answer = ""
    state.context_mode = ONE_TEXT
    state.context_text = ""
    state.pop("unsaved_audit", None)
    st.query_params.clear()


def folded_line() -> str:
    """Query and answer of the form in one line of Markdown, in which no character of them is a
    sign of Markdown, no address a link, and none turns the direction of the rest."""
    parts = []
    for name in ("query", "answer"):
        text = " ".join(without_turns(st.session_state[name]).split())
        if text:
            short = text if len(text) <= _FOLDED else text[:_FOLDED] + "…"
            parts.append(f"**{name.capitalize()}:** {_SIGNS.sub(_escaped, short)}")
    return " · ".join(["**Edit**", *parts])


def _escaped(sign: re.Match[str]) -> str:
    joiner = _WORD_JOINER if sign[0] in _IN_ADDRESSES else ""
    return f"{joiner}\\{sign[0]}"


def _add_box() -> None:
    number = max(st.session_state.boxes, default=-1) + 1
    st.session_state.boxes = [*st.session_state.boxes, number]
    # The session still keeps the text of an earlier box of this number.
    st.session_state[f"box_{number}"] = ""


def _remove_box(number: int) -> None:
    st.session_state.boxes = [n for n in st.session_state.boxes if n != number]
    # Its number may be given to a new box, which holds another text.
    st.session_state.box_names.pop(number, None)
    st.session_state.pop(f"box_{number}", None)


def _switch_mode() -> None:
    """Carry what was typed in one form over into the other."""
    state = st.session_state
    if state.context_mode == BOXES:
        items = pasted_items(state.context_text) or [ContextItem(0, "")]
        if len(items) > MOST_BOXES:
            state.context_mode = ONE_TEXT
            state.upload_problems = [
                f"The context has {len(items)} items. More than {MOST_BOXES} stay in one text, "
                "because that many boxes make the page slow. Nothing was changed."
            ]
        else:
            fill_boxes(items)
        return
    if state.context_text != state.replaced_text:
        # No person's wish: the browser sent text that it had before it heard of the boxes.
        state.context_mode = BOXES
        keep_late_text(state.context_text)
        return
    kept = [item for item in _box_items() if item.text.strip()]
    state.context_text = "\n\n".join(item.text for item in kept)
    state.upload_problems = _lost_in_one_text(kept)


def keep_late_text(late: str) -> None:
    """Keep what was typed into the one text while files were read: it stands before their items,
    in place of the text that was there when they were."""
    state = st.session_state
    before = pasted_texts(state.replaced_text)
    shown = [item for item in current_context() if item.text.strip()]
    same = [item.text for item in shown[: len(before)]] == before
    items = [*pasted_items(late), *(shown[len(before) :] if same else shown)]
    state.context_text = late
    fill_context([replace(item, index=n) for n, item in enumerate(items)])


def _lost_in_one_text(items: Sequence[ContextItem]) -> list[str]:
    """What one text cannot say of ``items``: inner blank lines, and names."""
    problems = []
    shown = len(pasted_texts("\n\n".join(item.text for item in items)))
    if shown != len(items):
        problems.append(
            f"The {len(items)} items are now one text. Some are empty or contain blank lines, "
            f"which separate items there, so the text has {shown} items."
        )
    named = sum(bool(item.name) for item in items)
    if named:
        problems.append(
            f"A single text cannot keep the names (file, page, line) of {named} items: its "
            "audit names no files."
        )
    return problems


def _read_uploads() -> None:
    """Append the uploaded files' items to the context, and take the query and the first answer of a
    file that holds answers; say what could not be read."""
    uploaded = st.session_state.get(f"files_{st.session_state.uploads}") or []
    read: list[ContextItem] = []
    asked: list[Offer] = []
    problems: list[str] = []
    for file in uploaded:
        try:
            found = read_context_file(file.name, file.getvalue())
            read.extend(found.items)
            if found.asked is not None:
                asked.append(Offer(found.name, found.asked))
            problems.extend(notice.message for notice in found.notices)
        except InputError as error:
            problems.append(str(error))
    if read:
        items = [i for i in current_context() if i.text.strip()] + read
        length = sum(len(item.text) for item in items)
        if length > MAX_CONTEXT_CHARACTERS:
            problems.append(
                f"With these files the context has {length:,} characters; at most "
                f"{MAX_CONTEXT_CHARACTERS:,} can be audited. They were not added. Upload fewer, "
                "or only the parts that the answer is based on."
            )
        else:
            fill_context([ContextItem(n, i.text, i.name) for n, i in enumerate(items)])
            if st.session_state.context_mode == ONE_TEXT:
                problems += _lost_in_one_text(items)
    take_asked(asked)
    st.session_state.upload_problems = problems
    st.session_state.uploads += 1  # A new uploader, so that no file is read twice.


def _box_items() -> list[ContextItem]:
    state = st.session_state
    return [
        ContextItem(i, state.get(f"box_{n}", ""), state.box_names.get(n, ""))
        for i, n in enumerate(state.boxes)
    ]


def current_context() -> list[ContextItem]:
    """The context items as the form has them now."""
    state = st.session_state
    if state.context_mode == ONE_TEXT:
        return pasted_items(state.context_text)
    return _box_items()


def draw_form(parameters: Parameters) -> RunPlace | None:
    """Draw the form for the detector of ``parameters``. When its button or that of an example was
    pressed, the place below it, where the audit says how far it is; else None."""
    context = DETECTORS[parameters.detector].traits.context
    _draw_examples()
    left, right = st.columns(2, gap="large")
    with left:
        _draw_context(context)
    with right:
        return _draw_question()


def _draw_examples() -> None:
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


def _draw_context(context: str) -> None:
    """The boxes for what the detector compares the answer with, which it calls ``context``."""
    state = st.session_state
    title = context[:1].upper() + context[1:]
    given = context == "context"
    st.segmented_control(
        title,
        [ONE_TEXT, BOXES],
        key="context_mode",
        required=True,
        persist_state="session",
        on_change=_switch_mode,
    )
    if state.context_mode == ONE_TEXT:
        st.text_area(
            f"{title}, items separated by a blank line",
            key="context_text",
            persist_state="session",
            height=260,
            placeholder="Paste the passages that the answer is based on."
            if given
            else "Paste what other systems answered to the same query.",
        )
    else:
        for position, n in enumerate(state.boxes):
            _draw_box(position, n, "Context item" if given else "Answer")
        st.button("Add an item", on_click=_add_box, icon=":material/add:")
    st.file_uploader(
        f"Add files to the {context}",
        type=list(FILE_TYPES),
        accept_multiple_files=True,
        key=f"files_{state.uploads}",
        on_change=_read_uploads,
    )
    draw_notes("The context needs your attention:", state.pop("upload_problems", []))


def _draw_box(position: int, number: int, kind: str) -> None:
    """The box of one item of a ``kind``, with the name of its file and a button that removes it."""
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall")
    box, button = row.container(), row.container(width="content")
    box.text_area(
        f"{kind} {position + 1}", key=f"box_{number}", height=100, persist_state="session"
    )
    if name := st.session_state.box_names.get(number, ""):
        box.html(f"<small>{escape(name)}</small>")
    button.button(
        "",
        icon=":material/close:",
        key=f"remove_{number}",
        help=f"Remove context item {position + 1}",
        on_click=_remove_box,
        args=(number,),
    )


def _draw_question() -> RunPlace | None:
    """Query, answer and the button; the place below it as :func:`draw_form` says."""
    draw_offers()
    st.text_area(
        "Query",
        key="query",
        persist_state="session",
        height=90,
        placeholder="The question that the answer replies to. Leave it empty for a summary.",
    )
    st.text_area(
        "Answer",
        key="answer",
        persist_state="session",
        height=200,
        placeholder="The answer to check.",
    )
    pressed = st.button(
        "Audit",
        type="primary",
        width="stretch",
        icon=":material/fact_check:",
        shortcut="Ctrl+Enter",
    )
    draw_settings_owner()
    place = run_place("form")
    return place if st.session_state.pop("audit_now", False) or pressed else None
