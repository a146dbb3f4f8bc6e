"""The review of one answer: what is shown of it, and what the reviewer enters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import streamlit as st

from dashboard.review import markup as markup
from dashboard.review import queue as queue
from dashboard.review.correction import draw_correction
from dashboard.review.draft import (
    Draft,
    add_span,
    draft_of,
    judgement_of,
    mark_span,
    next_type,
    remove_span,
    toggle_chunk,
    toggle_label,
    toggle_sentence,
    type_sentence,
)
from dashboard.review.kept_draft import keep_draft
from dashboard.review.key_queue import queue_keys
from dashboard.review.marking import dragged_span, follow_answer
from dashboard.shared.access import Role, allowed
from dashboard.shared.seen_audits import has_seen, note_seen
from provenance_core import Audit, InputError
from provenance_core.detectors import chunk_name
from provenance_core.explain.names import sentence_name
from provenance_core.explain.sentences import foreign_sentences
from provenance_core.review.checks import MOST_COMMENT_CHARACTERS
from provenance_core.review.types import ChunkMark, JudgedVerdict, Review
from provenance_core.types import HALLUCINATION_TYPES, FindingType
from reports.glossary import GLOSSARY
from reports.review_wording import (
    CHUNK_KEYS,
    CHUNK_MARKS,
    JUDGED,
    SENTENCE_KEYS,
    TYPES,
    VERDICT_KEYS,
    Key,
)
from storage import AuditStore, Opinion, OwnLabelStore, ReviewStore, StorageError, database_url

# More chunks than this make the page slow.
_MOST_CHUNKS = 40
_Option = TypeVar("_Option")
_NOTHING_BEFORE = "This is the first answer of this session."


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """An answer that a reviewer has open. ``mine``: the reviewer's own judgement in force, if there
    is one. ``opinions``: how many judgements its queue wants; None without a queue. ``hidden``:
    whether the machine's view is hidden. ``seen_before``: in blind mode, whether it is not, because
    the reviewer saw it before. ``elsewhere``: what was said of the answer in other audits of it;
    nothing while it is hidden."""

    audit_id: int
    audit: Audit
    reviewer: str
    mine: Review | None
    opinions: int | None
    hidden: bool
    seen_before: bool
    elsewhere: tuple[Opinion, ...] = ()

    @property
    def reservable(self) -> int | None:
        """The judgements wanted while the answer is to be kept for this reviewer: until it is
        judged."""
        return self.opinions if self.mine is None else None

    @property
    def by_relevance(self) -> list[int]:
        """The chunks' indices, the most relevant first."""
        return sorted(
            range(len(self.audit.sources)),
            key=lambda c: self.audit.sources[c].probability,
            reverse=True,
        )


def start_task(
    audit_id: int, audit: Audit, reviewer: str, *, opinions: int | None, blind: bool
) -> ReviewTask:
    """The task, with the widgets filled with what was entered before. StorageError when the
    reviewer's judgement cannot be read."""
    state = st.session_state
    mine = ReviewStore.open().mine(audit_id, reviewer)
    hidden = blind and mine is None and not has_seen(reviewer, _of_same_answer(audit_id))
    if not hidden:
        note_seen([audit_id], reviewer)
    task = ReviewTask(
        audit_id,
        audit,
        reviewer,
        mine,
        opinions,
        hidden,
        blind and mine is None and not hidden,
        () if hidden else ReviewStore.open().elsewhere(audit_id),
    )
    shown = (reviewer, audit_id)
    if state.get("review_shown") != shown:
        state.review_shown = shown
        state.review_sentence = 0
        state.review_chunk = task.by_relevance[0]
        _follow_evidence(task)
        state[_span_key(task)] = ""
        state[_comment_key(task)] = _draft(task).comment
    return task


def _of_same_answer(audit_id: int) -> list[int]:
    others = AuditStore.open().others_of_answers([audit_id])
    return [audit_id, *(other.id for other in others.get(audit_id, ()))]


def draw_task(task: ReviewTask) -> None:
    """The whole of it, on one screen."""
    st.session_state.review_shortcuts, st.session_state.review_unavailable = {}, {}
    st.html(
        markup.hidden_markup()
        if task.hidden
        else markup.machine_markup(task.audit, seen_before=task.seen_before)
        + markup.elsewhere_markup(task.elsewhere)
    )
    # Two rows, so that the evidence comes next to the answer where the window is narrow.
    left, right = st.columns(2, gap="small")
    with left:
        _draw_answer(task)
    with right:
        _draw_chunks(task)
    left, right = st.columns(2, gap="small")
    with left:
        _draw_sentence_marks(task)
        _draw_verdict(task)
        _draw_labels(task)
        _draw_span_box(task)
    with right:
        _draw_chunk_marks(task)
        st.text_area(
            "Comment",
            key=_comment_key(task),
            height=68,
            max_chars=MOST_COMMENT_CHARACTERS,
            label_visibility="collapsed",
            placeholder=f"Comment ({Key.COMMENT})",
            on_change=_keep_comment,
            args=(task,),
            persist_state="session",
        )
        _draw_actions(task)
    state = st.session_state
    st.html(
        markup.scroll_to_focus(task.audit_id, state.review_sentence, state.review_chunk),
        unsafe_allow_javascript=True,
    )
    with st.container(key="kept_draft_room"):
        follow_answer(
            task.audit_id,
            lambda sentence: _choose_sentence(task, sentence),
            lambda given: _mark_dragged(task, given),
        )
        keep_draft(
            _key(task),
            0 if task.mine is None else task.mine.version,
            state.get("review_drafts", {}).get(_key(task)),
            _saved(task),
            _comment_key(task),
            lambda draft: _take_kept(task, draft),
        )
    queue_keys(state.review_shortcuts, refused=state.pop("review_refused", False))


def _key(task: ReviewTask) -> tuple[str, int]:
    return task.reviewer, task.audit_id


def _comment_key(task: ReviewTask) -> str:
    """Each answer has its own box: a box that stayed would take the next keys as text."""
    return f"review_comment_{task.audit_id}"


def _span_key(task: ReviewTask) -> str:
    return f"review_words_{task.audit_id}"


def _draft(task: ReviewTask) -> Draft:
    """What is entered: in this session, or else saved before."""
    drafts: dict[tuple[str, int], Draft] = st.session_state.get("review_drafts", {})
    draft = drafts.get(_key(task))
    return _saved(task) if draft is None else draft


def _saved(task: ReviewTask) -> Draft:
    """What was saved before."""
    return Draft() if task.mine is None else draft_of(task.mine.judgement)


def _take_kept(task: ReviewTask, draft: Draft) -> None:
    """Show the draft that the browser kept."""
    _keep(task, draft)
    st.session_state[_comment_key(task)] = draft.comment


def _keep(task: ReviewTask, draft: Draft) -> None:
    drafts = st.session_state.get("review_drafts", {})
    st.session_state.review_drafts = {**drafts, _key(task): draft}


def _change(task: ReviewTask, edit: Callable[..., Draft], *given: object) -> None:
    """Keep what ``edit`` makes of the draft."""
    _keep(task, edit(_draft(task), *given))


def _keep_comment(task: ReviewTask) -> None:
    _keep(task, replace(_draft(task), comment=st.session_state[_comment_key(task)]))


def _keep_type(task: ReviewTask, kind: FindingType | None) -> None:
    _keep(task, replace(_draft(task), type=kind))


def _draw_answer(task: ReviewTask) -> None:
    st.html(markup.query_markup(task.audit.evidence.query))
    with st.container(height=markup.TEXT_HEIGHT, key="review_answer"):
        st.html(
            markup.sentences_markup(
                task.audit, _draft(task), st.session_state.review_sentence, machine=not task.hidden
            )
        )


def _draw_chunks(task: ReviewTask) -> None:
    order = task.by_relevance
    focus = st.session_state.review_chunk
    shown = order[:_MOST_CHUNKS]
    if focus not in shown:
        shown.append(focus)
    left_out = len(order) - len(shown)
    count = "1 chunk" if len(order) == 1 else f"{len(order)} chunks, the most relevant first"
    hidden = f"; {left_out} are not drawn until chosen below" if left_out else ""
    st.caption(f"{count}{hidden}")
    with st.container(height=markup.TEXT_HEIGHT, key="review_chunks"):
        st.html(
            markup.chunks_markup(
                task.audit,
                shown,
                _draft(task),
                focus,
                st.session_state.review_sentence,
                machine=not task.hidden,
                foreign=frozenset() if task.hidden else _foreign(*_same_audit(task)),
            )
        )


def _same_audit(task: ReviewTask) -> tuple[str, Audit]:
    """The audit, and a key that no other has: numbers are never given again."""
    named = (database_url(), task.audit_id, task.audit.parameters.detector, task.audit.created_at)
    return repr(named), task.audit


@st.cache_data(max_entries=256, show_spinner=False)
def _foreign(key: str, _audit: Audit) -> frozenset[int]:
    """:func:`foreign_sentences`, once for an audit and not at every key that is pressed."""
    return foreign_sentences(_audit)


def _button(
    task: ReviewTask, label: str, key: str, shortcut: str, on_click: Callable[..., None],
    *args: object, chosen: bool = False, disabled: bool = False, help: str | None = None,
) -> None:  # fmt: skip
    st.session_state.review_shortcuts[str(shortcut)] = f"review_{key}"
    if disabled:
        st.session_state.review_unavailable[str(shortcut)] = help or ""
    st.button(
        label,
        key=f"review_{key}",
        shortcut=str(shortcut),
        on_click=_press,
        args=(task, on_click, args),
        type="primary" if chosen else "secondary",
        disabled=disabled,
        help=help,
    )


def _press(task: ReviewTask, action: Callable[..., None], args: tuple[object, ...]) -> None:
    """Do what a button is for, where its answer is the one that is open still."""
    if task.opinions is None or queue.is_open(task.audit_id):
        action(*args)
        return
    st.session_state.review_problem = (
        "The last keypress was ignored.",
        "It came before the next answer was ready. Press it again.",
    )


def _draw_sentence_marks(task: ReviewTask) -> None:
    draft, index = _draft(task), st.session_state.review_sentence
    judged = draft.sentence(index)
    with st.container(horizontal=True, gap="xxsmall"):
        _moved_box(
            "Sentence in focus",
            range(len(task.audit.sentences)),
            index,
            sentence_name,
            lambda chosen: _choose_sentence(task, chosen),
            76,  # beside a scroll bar the row keeps to one line
        )
        _button(
            task, "↑", "previous_sentence", Key.PREVIOUS_SENTENCE, _move_sentence, task, -1,
            help="Previous sentence",
        )  # fmt: skip
        _button(
            task, "↓", "next_sentence", Key.NEXT_SENTENCE, _move_sentence, task, 1,
            help="Next sentence",
        )  # fmt: skip
        for verdict, key in SENTENCE_KEYS.items():
            symbol, name = JUDGED[verdict]
            _button(
                task, symbol, f"sentence_{verdict}", key, _mark_sentence, task, verdict,
                chosen=judged is not None and judged.verdict is verdict,
                help=f"The sentence in focus: {name.lower()}",
            )  # fmt: skip
        _button(
            task, "next type", "sentence_type", Key.SENTENCE_TYPE, _next_sentence_type, task,
            disabled=judged is None,
            help="The next type of the sentence in focus, once it is marked",
        )  # fmt: skip
    words = {key.value: JUDGED[verdict][1].lower() for verdict, key in SENTENCE_KEYS.items()}
    st.html(markup.legend_markup("Sentence", words))


def _moved_box(
    label: str,
    options: Sequence[_Option],
    shown: _Option,
    named: Callable[[_Option], str],
    choose: Callable[[_Option], None],
    width: int,
) -> None:
    """A box of choices that keys change, too. Its key has the choice in it: the next press may come
    before the browser's box has what the server chose, and would send the choice of before."""
    key = f"review_{label} {shown}".lower().replace(" ", "_")
    st.selectbox(
        label,
        options,
        options.index(shown),
        format_func=named,
        key=key,
        label_visibility="collapsed",
        width=width,
        required=True,
        on_change=lambda: choose(st.session_state[key]),
    )


def _move_sentence(task: ReviewTask, step: int) -> None:
    state = st.session_state
    last = len(task.audit.sentences) - 1
    state.review_sentence = min(max(state.review_sentence + step, 0), last)
    _follow_evidence(task)


def _choose_sentence(task: ReviewTask, sentence: int) -> None:
    if 0 <= sentence < len(task.audit.sentences):
        st.session_state.review_sentence = sentence
        _follow_evidence(task)


def _follow_evidence(task: ReviewTask) -> None:
    """The chunk in focus follows the sentence, where the machine's view may be seen."""
    if not task.hidden:
        traced = task.audit.sentences[st.session_state.review_sentence]
        st.session_state.review_chunk = traced.evidence_chunk


def _mark_sentence(task: ReviewTask, verdict: JudgedVerdict) -> None:
    _change(task, toggle_sentence, st.session_state.review_sentence, verdict)


def _next_sentence_type(task: ReviewTask) -> None:
    draft, index = _draft(task), st.session_state.review_sentence
    judged = draft.sentence(index)
    if judged is not None:
        _keep(task, type_sentence(draft, index, next_type(judged.type)))


def _draw_chunk_marks(task: ReviewTask) -> None:
    mark = _draft(task).chunk(st.session_state.review_chunk)
    with st.container(horizontal=True, gap="xxsmall"):
        focus = st.session_state.review_chunk
        _moved_box("Chunk in focus", task.by_relevance, focus, chunk_name, _choose_chunk, 84)
        _button(
            task, "↑", "previous_chunk", Key.PREVIOUS_CHUNK, _move_chunk, task, -1,
            help="Previous chunk",
        )  # fmt: skip
        _button(task, "↓", "next_chunk", Key.NEXT_CHUNK, _move_chunk, task, 1, help="Next chunk")
        for one, key in CHUNK_KEYS.items():
            symbol, name = CHUNK_MARKS[one]
            _button(
                task, symbol, f"chunk_{one}", key, _mark_chunk, task, one,
                chosen=mark is one, help=f"The chunk in focus: {name}",
            )  # fmt: skip
    words = {key.value: CHUNK_MARKS[mark][1] for mark, key in CHUNK_KEYS.items()}
    st.html(markup.legend_markup("Chunk", words))


def _choose_chunk(chunk: int) -> None:
    st.session_state.review_chunk = chunk


def _move_chunk(task: ReviewTask, step: int) -> None:
    order = task.by_relevance
    place = order.index(st.session_state.review_chunk) + step
    st.session_state.review_chunk = order[min(max(place, 0), len(order) - 1)]


def _mark_chunk(task: ReviewTask, mark: ChunkMark) -> None:
    _change(task, toggle_chunk, st.session_state.review_chunk, mark)


def _draw_verdict(task: ReviewTask) -> None:
    draft = _draft(task)
    with st.container(horizontal=True, gap="xxsmall"):
        for verdict, key in VERDICT_KEYS.items():
            symbol, name = JUDGED[verdict]
            _button(
                task, f"{symbol} {name}", f"verdict_{verdict}", key, _choose_verdict, task, verdict,
                chosen=draft.verdict is verdict, help=_meaning(verdict),
            )  # fmt: skip
    with st.container(horizontal=True, gap="xxsmall"):
        _moved_box(
            "Type of the answer",
            [None, *FindingType],
            draft.type,
            lambda kind: "no type of the whole answer" if kind is None else TYPES[kind],
            lambda kind: _keep_type(task, kind),
            300,
        )
        _button(
            task, "next type", "answer_type", Key.TYPE, _next_answer_type, task,
            help="The next type of the whole answer",
        )  # fmt: skip


def _meaning(verdict: JudgedVerdict) -> str:
    """What a verdict's button says of it on hover: with its term, where the glossary has it."""
    term = GLOSSARY.get(str(verdict))
    return f"The whole answer. {term.meaning}" if term else "The whole answer"


def _choose_verdict(task: ReviewTask, verdict: JudgedVerdict) -> None:
    draft = _draft(task)
    _keep(task, replace(draft, verdict=None if draft.verdict is verdict else verdict))


def _next_answer_type(task: ReviewTask) -> None:
    _keep_type(task, next_type(_draft(task).type))


def _draw_labels(task: ReviewTask) -> None:
    """The team's own labels; also those that the answer has and the set no longer holds."""
    draft, own = _draft(task), OwnLabelStore.open().all()
    if not own and not draft.labels:
        return
    with st.container(horizontal=True, gap="xxsmall", key="own_labels"):
        for label in own:
            _button(
                task, label.name, f"label_{label.key}", label.key, _change, task, toggle_label,
                label.name, chosen=label.name in draft.labels,
            )  # fmt: skip
        for name in set(draft.labels) - {label.name for label in own}:
            st.button(
                f"Remove “{name}”",
                key=f"review_old_label_{name}",
                on_click=_change,
                args=(task, toggle_label, name),
                help="This label is no longer in the set.",
            )


def _draw_span_box(task: ReviewTask) -> None:
    draft = _draft(task)
    with st.container(horizontal=True, gap="xxsmall"):
        st.text_input(
            "Span: exact words of the sentence in focus",
            key=_span_key(task),
            label_visibility="collapsed",
            placeholder="Drag over words, or type them here",
            on_change=_span_entered,
            args=(task,),
            width="stretch",
            persist_state="session",
        )
        st.selectbox(
            "Type of the span",
            HALLUCINATION_TYPES,
            format_func=TYPES.__getitem__,
            key="review_span_type",
            label_visibility="collapsed",
            width=150,
            persist_state="session",
        )
        with st.popover(f"Spans ({len(draft.spans)})", disabled=not draft.spans):
            for n, span in enumerate(draft.spans):
                st.text(f"{TYPES[span.type]}: {task.audit.evidence.answer[span.start : span.end]}")
                st.button(
                    f"Remove characters {span.start}–{span.end}",
                    key=f"review_span_{n}",
                    on_click=_change,
                    args=(task, remove_span, span),
                )


def _mark_dragged(task: ReviewTask, given: object) -> None:
    """Mark what was dragged over, with the type of the span box."""
    found = dragged_span(given, task.audit.evidence.answer)
    if found is None:
        return
    state = st.session_state
    kind: FindingType = state.get("review_span_type", HALLUCINATION_TYPES[0])
    _keep(task, mark_span(_draft(task), found.start, found.end, kind))
    middle = (found.start + found.end) // 2
    for sentence in task.audit.evidence.sentences:
        if sentence.start <= middle < sentence.end:
            _choose_sentence(task, sentence.index)


def _span_entered(task: ReviewTask) -> None:
    _mark_span(task)


def _mark_span(task: ReviewTask) -> bool:
    """Mark what is in the span box; False, and it stays there, when that cannot be done."""
    state = st.session_state
    words: str = state.get(_span_key(task), "")
    if not words.strip():
        return True
    sentence = task.audit.evidence.sentences[state.review_sentence]
    kind: FindingType = state.get("review_span_type", HALLUCINATION_TYPES[0])
    try:
        _keep(task, add_span(_draft(task), sentence, words, kind))
    except InputError as error:
        state.review_problem = ("The span was not marked.", str(error))
        return False
    state[_span_key(task)] = ""
    return True


def _draw_actions(task: ReviewTask) -> None:
    with st.container(horizontal=True, gap="xxsmall"):
        queued = task.opinions is not None
        if queued:
            _button(
                task, "Save & next", "save_next", Key.SAVE_AND_NEXT, _save, task, True, chosen=True
            )
        save_key = Key.SAVE if queued else Key.SAVE_AND_NEXT
        _button(task, "Save", "save", save_key, _save, task, False, chosen=not queued)
        # One key more than a button shows.
        st.session_state.review_shortcuts[str(Key.SAVE)] = "review_save"
        if queued:
            _button(task, "Skip", "skip", Key.SKIP, queue.skip)
            first = not queue.can_go_back()
            _button(
                task, "Previous", "previous", Key.PREVIOUS, queue.go_back,
                disabled=first, help=_NOTHING_BEFORE if first else None,
            )  # fmt: skip
        else:
            st.button("Go to the queue", on_click=queue.leave_link)
        draw_correction(task.audit_id, task.audit, task.reviewer, hidden=task.hidden)


@allowed(Role.REVIEWER, "judge an answer")
def _save(task: ReviewTask, then_next: bool) -> None:
    """Save what is entered. A refusal is kept for the page, and so is everything entered."""
    state = st.session_state
    # The boxes' own callbacks may come after this one.
    _keep_comment(task)
    failed = "The judgement was not saved. What you entered is still here."
    if not _mark_span(task):
        _, why = state.review_problem
        state.review_problem = (failed, f"{why} Or clear the span box.")
        return
    try:
        judgement = judgement_of(_draft(task), blind=task.hidden)
        reserved = task.reservable is None or ReviewStore.open().renew(
            task.audit_id, task.reviewer, task.reservable
        )
        ReviewStore.open().save(task.audit_id, task.reviewer, judgement)
    except (InputError, StorageError) as error:
        state.review_problem = (failed, str(error))
        return
    state.review_drafts = {k: d for k, d in state.review_drafts.items() if k != _key(task)}
    state.review_saved = "Judgement saved."
    if not reserved:
        state.review_warning = (
            "Your reservation of this answer had expired and another reviewer received it. Your "
            "judgement was saved; both are kept."
        )
    if then_next:
        queue.go_on()
