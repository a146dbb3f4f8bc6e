"""Work of models that the page waits for: a bar says how far it is, and a button stops it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.shared.problems import draw_problem
from dashboard.shared.scrolling import bring_into_view
from provenance_core import Audit, ContextItem, InputError, ModelError, Parameters
from provenance_core.audit.shared_models import shared_models
from provenance_core.progress import Progress
from provenance_core.text.checked_texts import check_texts
from storage import StorageError
from storage.pair_scores import pair_memory
from storage.worker.stoppable import StageShare, StoppableWork

ResultT = TypeVar("ResultT")

_RUNNING, _STOPPED = "audit_that_runs", "audit_was_stopped"
_LOOK_EVERY = 0.2  # seconds
_LONG = 3  # seconds from which on the bar counts them
_LEAST_DONE = 0.05  # of a stage, to tell how long the rest of it takes
_IN_MINUTES = 120  # seconds


@dataclass(frozen=True, slots=True)
class RunPlace:
    """Where a page says how far a work is. ``name``: unique on the page."""

    name: str
    room: DeltaGenerator


def run_place(name: str) -> RunPlace:
    """A place that is empty, or says what was stopped there since the page was drawn last."""
    of, stopped = st.session_state.get(_RUNNING, ("", ""))
    if of == name:
        del st.session_state[_RUNNING]
        with st.container(key=_STOPPED):
            st.info(stopped, icon=":material/stop_circle:")
            bring_into_view(_STOPPED)
    return RunPlace(name, st.empty())


def audited_with_bar(
    profile: str,
    query: str,
    answer: str,
    context: Sequence[ContextItem],
    parameters: Parameters,
    *,
    failure: str,
    stopped: str,
    place: RunPlace,
) -> Audit | None:
    """Audit the answer. None where it cannot be audited: the page says ``failure`` and why.
    ``stopped`` and ``place`` as for :func:`wait_with_bar`."""
    with problems_at(place, failure):
        # Before the models are loaded, which an empty box need not wait for.
        texts = check_texts(answer=answer, context=context, query=query)
        return wait_with_bar(
            lambda progress: shared_models().audit(
                texts, profile, parameters, progress, pair_memory()
            ),
            stopped,
            place,
        )
    return None


@contextmanager
def problems_at(place: RunPlace, failure: str) -> Iterator[None]:
    """Show ``failure`` in the place of a work, and why, when the block raises one of our errors."""
    try:
        yield
    except (InputError, ModelError, StorageError) as error:
        with place.room.container():
            draw_problem(failure, error)


def wait_with_bar(work: Callable[[Progress], ResultT], stopped: str, place: RunPlace) -> ResultT:
    """What ``work`` returns, which runs in a thread of its own without the session; raises what it
    raises. ``place``: for the bar and the button. The button ends the run of the page as every
    other widget does, and with it the wait here. When the page is drawn again, the place says
    ``stopped``."""
    with place.room.container(
        horizontal=True, vertical_alignment="center", gap="small", key=_RUNNING
    ):
        bar = st.progress(0.0, text="Starting", width="stretch")
        st.button("Stop", icon=":material/stop_circle:", key="stop_audit")
        bring_into_view(_RUNNING)
    # Said beforehand: when its run is ended, a page can change the session no more.
    st.session_state[_RUNNING] = place.name, stopped
    running = StoppableWork(work)
    begun = since = time.monotonic()
    stage = running.progress.stage
    try:
        while not running.wait(_LOOK_EVERY):
            now = time.monotonic()
            if running.progress.stage != stage:
                stage, since = running.progress.stage, now
            said = progress_text(running.progress, now - begun, now - since)
            # Where Streamlit ends the run of the page.
            bar.progress(min(running.progress.share, 1.0), text=said)
    finally:
        running.cancel()
    del st.session_state[_RUNNING]
    return running.result()


def progress_text(progress: StageShare, seconds: float, of_stage: float) -> str:
    """Name the stage, how long all has taken, and how long the stage will take by what is done of
    it. ``seconds``: since the work began; ``of_stage``: since its stage did."""
    if seconds < _LONG:
        return progress.stage
    text = f"{progress.stage} · {seconds:.0f} seconds so far"
    if of_stage < _LONG or not _LEAST_DONE <= progress.share < 1:
        return text
    left = of_stage * (1 - progress.share) / progress.share
    return f"{text}, about {duration_text(left)} left of this step"


def duration_text(seconds: float) -> str:
    """Write a duration in seconds, or from two minutes on in minutes.

    >>> duration_text(80), duration_text(1000)
    ('80 seconds', '17 minutes')
    """
    if seconds >= _IN_MINUTES:
        return f"{seconds / 60:.0f} minutes"
    whole = max(1, round(seconds))
    return f"{whole} second{'' if whole == 1 else 's'}"
