"""The list of batch runs: how far each is, and what can be done with it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from html import escape

import streamlit as st

from dashboard.shared.access import Role, allowed
from dashboard.shared.links import page_links
from dashboard.shared.paging import draw_pager, page_offset
from dashboard.shared.problems import draw_outcome, kept_problems, shown_problems
from provenance_core.statistics.eta import Pace, measured_pace
from reports.directions import apart, without_turns
from reports.wording import parameters_text, profile_title
from storage import Run, RunStatus, RunStore
from storage.runs import LONGEST_NAME
from storage.worker.process import (
    dead_worker,
    has_died,
    is_active,
    is_starting,
    log_path,
    start_worker,
)

OUTCOME = "batch"  # the place of what a button of a run did
RUNS_A_PAGE = 10
POLL_SECONDS = 2.0
# The pace of the last minute counts: a run may have slept for hours before.
_PACE_SECONDS = 60.0
_STATUS = {
    RunStatus.QUEUED: "… queued",
    RunStatus.RUNNING: "▶ running",
    RunStatus.DONE: "✓ done",
    RunStatus.CANCELLED: "■ cancelled",
    RunStatus.STOPPED: "⚠ stopped by an error",
}


def status_text(run: Run) -> str:
    """The status in words; a run whose worker is dead is said to be interrupted."""
    return "⚠ interrupted: its worker has ended" if has_died(run) else _STATUS[run.status]


def draw_runs() -> None:
    """The runs, newest first, kept up to date while one of them is worked on."""
    total = RunStore.open().page(limit=0).total
    if not total:
        if "batch_uploads" in st.session_state:
            st.info("No run yet. Start audits the rows of the file above.")
        else:
            st.info("No run yet. Upload a file above, or try the sample file.")
        return
    draw_pager("runs_page", total, RUNS_A_PAGE)
    offset = page_offset("runs_page", total, RUNS_A_PAGE)
    polled = any_active(RunStore.open().page(offset, RUNS_A_PAGE).runs)
    st.fragment(_draw_page, run_every=POLL_SECONDS if polled else None)(offset, polled)


def any_active(runs: Iterable[Run]) -> bool:
    """Whether one of them is worked on, or waits for its worker."""
    return any(map(is_active, runs))


def _draw_page(offset: int, polled: bool) -> None:
    with shown_problems("The runs cannot be listed."):
        draw_listed(RunStore.open().page(offset, RUNS_A_PAGE).runs, polled)


def draw_listed(runs: Sequence[Run], polled: bool) -> None:
    """Progress and buttons of ``runs``, in a fragment that is drawn again and again where it is
    ``polled``, as it is while one of them is worked on."""
    if any_active(runs) != polled:
        # Redraws the whole page to begin or end polling, and to update the chosen run's figures;
        # before a card is drawn, which would stand over the old one until then.
        st.rerun()
    draw_outcome(OUTCOME, "The run was not changed.")
    for run in runs:
        _draw_run(run)


def _draw_run(run: Run) -> None:
    """The card of a run: of one that is done in another place, so that the card with its progress
    goes at once, and not when all of the page is drawn."""
    if run.status is RunStatus.DONE and not run.progress.failed:
        st.empty()
        with st.container(border=True):
            _draw_done(run)
        return
    _draw_unfinished(run)
    st.empty()


def _draw_unfinished(run: Run) -> None:
    progress = run.progress
    with st.container(border=True):
        text, open_column = st.columns([8, 1], vertical_alignment="center")
        text.html(
            f"{_named(run)}<br><small>{_origin(run)}<br>{parameters_text(run.parameters)}</small>"
        )
        with open_column:
            _draw_rows_link(run)
        finished = progress.total - progress.left
        said = f"{finished:,} / {progress.total:,} rows"
        if progress.failed:
            said += f" · failed: {progress.failed:,}"
        if progress.rejected:
            said += f" · rejected from the file: {progress.rejected:,}"
        if run.status is RunStatus.RUNNING and not has_died(run):
            pace = _pace(run.id, finished, progress.left)
            said += f" · {pace}" if pace else " · measuring the pace"
        st.progress(finished / progress.total if progress.total else 1.0, text=said)
        if run.message:
            st.text(run.message)
        _draw_buttons(run)


def _draw_done(run: Run) -> None:
    """A run of which nothing is left to do, in few lines: its rows are what follows."""
    progress = run.progress
    said = f"{progress.total:,} row{'' if progress.total == 1 else 's'}"
    if progress.rejected:
        said += f" · rejected from the file: {progress.rejected:,}"
    text, actions = st.columns([5, 3], vertical_alignment="center")
    made = f"{_origin(run)} · {parameters_text(run.parameters)}"
    text.html(f"{_named(run)} · {said}<br><small>{made}</small>")
    with actions.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="small"
    ):
        _draw_rows_link(run)
        _draw_actions(run)
    if run.message:
        st.text(run.message)
    _draw_asked(run)


def _named(run: Run) -> str:
    """HTML of name, status and number."""
    return f"<b>{apart(escape(run.name))}</b> · {status_text(run)} · run {run.id}"


def _origin(run: Run) -> str:
    """HTML of the file, and of when and with which models it is audited."""
    return (
        f"{escape(without_turns(run.file_name))} · {escape(run.format)} · "
        f"{apart(escape(profile_title(run.profile)))} · "
        f"{escape(run.created_at[:16].replace('T', ' '))} UTC"
        + (
            f" · the rows of run {run.verdicts_of} under the threshold {run.parameters.threshold:g}"
            if run.verdicts_of
            else ""
        )
    )


def _draw_rows_link(run: Run) -> None:
    """The way to the rows, where they are not shown already."""
    if st.query_params.get("run") != str(run.id):
        st.page_link(
            "pages/batch.py",
            label="Rows",
            icon=":material/arrow_forward:",
            query_params={"run": str(run.id)},
            width="content",
        )


def _pace(run_id: int, finished: int, left: int) -> Pace | None:
    """From what this session has seen of the run in the last minute."""
    now = time.monotonic()
    seen: dict[int, list[tuple[float, int]]] = st.session_state.setdefault("batch_seen", {})
    samples = [s for s in seen.get(run_id, []) if now - s[0] <= _PACE_SECONDS]
    seen[run_id] = [*samples, (now, finished)]
    first_time, first = seen[run_id][0]
    return measured_pace(finished - first, now - first_time, left)


def _draw_buttons(run: Run) -> None:
    with st.container(horizontal=True, gap="small"):
        _draw_actions(run)
    _draw_asked(run)


def _draw_asked(run: Run) -> None:
    """The new name, or whether to delete the run, where either was asked for."""
    number = run.id
    _draw_rename(run)
    if not st.session_state.get(f"batch_delete_{number}"):
        return
    active = is_active(run)
    st.text(
        f"Delete run {number} with its {run.progress.total:,} rows and the labels of its file? "
        "Its audits stay in the History with their judgements, which still count for other "
        "audits of the same answers. This cannot be undone."
        + (f" The {run.progress.left:,} remaining rows will not be audited." if active else "")
    )
    page_links("history")
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Delete the run",
            type="primary",
            key=f"delete_sure_{number}",
            on_click=_delete,
            args=(number,),
        )
        st.button(
            "Keep it",
            key=f"delete_not_{number}",
            on_click=st.session_state.pop,
            args=(f"batch_delete_{number}", None),
        )


def _renaming(number: int) -> str:
    """The key under which the session has whether a run is being renamed."""
    return f"batch_rename_{number}"


def _draw_rename(run: Run) -> None:
    """The new name of a run, where it was asked for."""
    if not st.session_state.get(_renaming(run.id)):
        return
    given = f"batch_new_name_{run.id}"
    st.text_input(
        "New name of the run",
        run.name,
        max_chars=LONGEST_NAME,
        key=given,
        help="Its number, rows and audits stay the same. Files exported under the old name "
        "still match the run.",
    )
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Save the name",
            type="primary",
            key=f"rename_sure_{run.id}",
            on_click=_rename,
            args=(run.id, given),
        )
        st.button(
            "Keep the old name",
            key=f"rename_not_{run.id}",
            on_click=st.session_state.pop,
            args=(_renaming(run.id), None),
        )


def _draw_actions(run: Run) -> None:
    number = run.id
    if is_active(run):
        st.button("Cancel", key=f"cancel_{number}", on_click=_cancel, args=(number,))
    waits = run.status is not RunStatus.RUNNING or has_died(run)
    if run.status is not RunStatus.DONE and waits and not is_starting(run):
        queued = run.status is RunStatus.QUEUED
        st.button(
            "Start a worker" if queued else "Resume",
            key=f"resume_{number}",
            on_click=_resume,
            args=(number, dead_worker(run)),
            help="A run has one worker; a second one stops at once." if queued else None,
        )
    if run.progress.failed and not run.status.active:
        st.button(
            f"Run the failed rows again ({run.progress.failed:,})",
            key=f"retry_{number}",
            on_click=_retry,
            args=(number,),
            help="Their reasons are under Rows, with the status “failed”.",
        )
    if not st.session_state.get(_renaming(number)):
        st.button(
            "Rename",
            key=f"rename_{number}",
            on_click=st.session_state.__setitem__,
            args=(_renaming(number), True),
        )
    asked = f"batch_delete_{number}"
    if not st.session_state.get(asked):
        st.button(
            "Delete",
            key=f"delete_{number}",
            on_click=st.session_state.__setitem__,
            args=(asked, True),
        )


@allowed(Role.REVIEWER, "cancel a run")
def _cancel(number: int) -> None:
    with kept_problems(OUTCOME):
        RunStore.open().cancel(number)


@allowed(Role.REVIEWER, "resume a run")
def _resume(number: int, dead: str | None) -> None:
    with kept_problems(OUTCOME):
        RunStore.open().resume(number, dead)
        start_worker(number)


@allowed(Role.REVIEWER, "retry a run")
def _retry(number: int) -> None:
    with kept_problems(OUTCOME):
        if RunStore.open().retry_failed(number):
            start_worker(number)


@allowed(Role.REVIEWER, "rename a run")
def _rename(number: int, given: str) -> None:
    with kept_problems(OUTCOME):  # what was typed stays, to be fixed
        RunStore.open().rename(number, st.session_state.get(given, ""))
        st.session_state.pop(_renaming(number), None)


@allowed(Role.ADMIN, "delete a run")
def _delete(number: int) -> None:
    st.session_state.pop(f"batch_delete_{number}", None)
    with kept_problems(OUTCOME):
        RunStore.open().delete(number)
        if st.query_params.get("run") == str(number):
            del st.query_params["run"]
        # What is left of a log that cannot be removed is harmless.
        with suppress(OSError):
            log_path(number).unlink(missing_ok=True)
