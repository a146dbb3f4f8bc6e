"""The audits of the same inputs by several detectors beside each other, and those still to make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

import streamlit as st

from dashboard.shared.access import Role, allowed
from dashboard.shared.audit_run import RunPlace, run_place, wait_with_bar
from dashboard.shared.links import open_link
from dashboard.shared.problems import draw_problem
from provenance_core import (
    DETECTORS,
    Audit,
    InputError,
    ModelError,
    SentenceLabel,
    default_parameters,
)
from provenance_core.audit.mitigation import has_evidence
from provenance_core.audit.shared_models import shared_models
from provenance_core.detectors import CONTEXT
from provenance_core.explain.names import detector_title, sentence_name
from provenance_core.progress import Progress
from provenance_core.text.checked_texts import check_texts
from provenance_core.text.structured_context import given_context
from provenance_core.types import VerdictState, verdict_state
from reports.charts import MOST_SENTENCES
from reports.glossary import tooltip
from reports.markup import STYLE, small_text
from reports.style_sheets import style_sheet
from reports.wording import LABELS, STATES
from storage import AuditNotFound, AuditRow, AuditStore, SavedAudit, StorageError, database_url
from storage.pair_scores import pair_memory

_PROBLEMS = "run_all_problems"
_RUNS = "run_all_runs"
# The worst of several labels stands for them; one that was set aside stands for nothing.
_WORST_FIRST = (SentenceLabel.CONTRADICTED, SentenceLabel.NOT_FOUND, SentenceLabel.SUPPORTED)
_STYLE = style_sheet(__file__)


@dataclass(frozen=True, slots=True)
class MethodResult:
    """What one detector says of the inputs. ``labels``: of the sentences of the shown audit, in
    their order; None for one that it set aside or does not know."""

    id: int
    detector: str
    score: float
    threshold: float
    state: VerdictState
    labels: tuple[SentenceLabel | None, ...]


def left_to_run(audit: Audit, done: Sequence[str]) -> tuple[str, ...]:
    """The detectors that apply to the inputs of ``audit`` and are not in ``done``: those that
    read a context; none where those are something else, as answers of other systems."""
    if not has_evidence(audit):
        return ()
    return tuple(
        name
        for name, detector in DETECTORS.items()
        if detector.traits.context == CONTEXT and str(name) not in done
    )


@allowed(Role.REVIEWER, "audit by every detector")
def _run_all(audit: Audit, names: Sequence[str], place: RunPlace) -> list[str]:
    return wait_with_bar(
        lambda report: _run_each(audit, names, report),
        "You stopped the detectors. The audits made so far are saved.",
        place,
    )


def _run_each(audit: Audit, names: Sequence[str], progress: Progress) -> list[str]:
    """Audit the inputs of ``audit`` by each detector with its own default settings and save each;
    why some could not be made, one line for each detector. Needs no session."""
    evidence, problems = audit.evidence, []
    texts = check_texts(
        answer=evidence.answer, context=given_context(evidence), query=evidence.query
    )
    memory = pair_memory()
    for place, name in enumerate(names):
        title = detector_title(name)

        def show(stage: str, done: float, place: int = place, title: str = title) -> None:
            share = (place + min(done, 1.0)) / len(names)
            progress.stage(f"{title}: {stage.lower()}")(share)

        try:
            parameters = replace(
                default_parameters(evidence.profile, name),
                chunk_tokens=audit.parameters.chunk_tokens,
                overlap_sentences=audit.parameters.overlap_sentences,
            )
            found = shared_models().audit(
                texts, evidence.profile, parameters, Progress(show), memory
            )
            AuditStore.open().save(found)
        except (InputError, ModelError, StorageError) as error:
            problems.append(f"{title}: {error}")
    return problems


def draw_methods(saved: SavedAudit) -> None:
    """A table of the detectors that audited these inputs, and a button that runs the others.
    StorageError is shown, so that the audit itself can still be read."""
    try:
        rows = AuditStore.open().same_inputs(saved)
        results = [] if len(rows) < 2 else _results(saved, rows)
    except StorageError as error:
        what = "The audits of the same inputs by other detectors cannot be read."
        draw_problem(what, error, st.warning)
        return
    if results:
        _draw_table(saved, results)
    if problems := st.session_state.pop(_PROBLEMS, []):
        st.warning("Some detectors could not audit these inputs.")
        st.text("\n".join(problems))
    left = left_to_run(saved.audit, [row.detector for row in rows])
    sending = [name for name in left if DETECTORS[name].traits.sends_texts]
    usable = [name for name in sending if not DETECTORS[name].unavailable()]
    if len(left) == len(sending) and not usable:
        return
    ticked = [name for name in usable if _draw_tick(name)]
    chosen = [name for name in left if name not in sending or name in ticked]
    titles = ", ".join(detector_title(name) for name in chosen)
    label = "Run the other detectors" if results else "Run all detectors"
    if not results:
        st.caption(
            "Other ways to score the same answer, side by side. Each is saved as a separate "
            "audit; this audit does not change."
        )
    pressed = st.button(
        label,
        key="run_all",
        icon=":material/splitscreen:",
        disabled=not chosen,
        help=f"{tooltip('detector')} Audits the same query, answer and context by {titles}, each "
        "with its own default settings. Each is saved as a separate audit."
        if chosen
        else None,
    )
    place = run_place("detectors")
    if pressed:
        st.session_state[_PROBLEMS] = _run_all(saved.audit, chosen, place)
        # A new box, which is not ticked: it was for this run.
        st.session_state[_RUNS] = st.session_state.get(_RUNS, 0) + 1
        st.rerun()


def _draw_tick(name: str) -> bool:
    """Whether a detector that sends the texts away is to be run too, this time."""
    runs = st.session_state.get(_RUNS, 0)
    ticked = st.checkbox(f"Run {detector_title(name)} too, this time", key=f"run_{name}_{runs}")
    st.html(small_text(DETECTORS[name].what_is_sent()))
    return ticked


def _results(saved: SavedAudit, rows: Sequence[AuditRow]) -> list[MethodResult]:
    """In the order of the registry; audits by detectors that this version does not know, or that
    were deleted meanwhile, are left out."""
    bounds = tuple((t.sentence.start, t.sentence.end) for t in saved.audit.sentences)
    found = []
    for row in rows:
        if row.detector not in DETECTORS:
            continue
        try:
            if row.id == saved.id:
                labels = tuple(_label(saved.audit, start, end) for start, end in bounds)
            else:
                labels = _stored_labels(database_url(), row.id, row.created_at, bounds)
        except AuditNotFound:
            continue
        name = row.detector
        state = verdict_state(row.verdict, row.unsupported_sentences)
        found.append(MethodResult(row.id, name, row.score, row.threshold, state, labels))
    order = list(DETECTORS)
    return sorted(found, key=lambda result: order.index(result.detector))


@st.cache_data(max_entries=64, show_spinner=False)
def _stored_labels(
    url: str, number: int, created_at: str, bounds: tuple[tuple[int, int], ...]
) -> tuple[SentenceLabel | None, ...]:
    """The labels that a saved audit gives the parts of the answer with these bounds; an audit
    never changes, and its number with its time is never given again."""
    audit = AuditStore.open().load(number).audit
    return tuple(_label(audit, start, end) for start, end in bounds)


def _label(audit: Audit, start: int, end: int) -> SentenceLabel | None:
    """The worst label of the sentences that lie in ``answer[start:end]`` or overlap it; detectors
    may cut an answer in other places."""
    labels = {t.label for t in audit.sentences if t.sentence.start < end and t.sentence.end > start}
    return next((label for label in _WORST_FIRST if label in labels), None)


def methods_table(results: Sequence[MethodResult], shown: int) -> str:
    """HTML: one row for each detector with verdict, score, threshold and sentence labels.
    ``shown``: the number of the audit that is shown."""
    sentences = range(min(len(results[0].labels), MOST_SENTENCES))
    names = ("detector", "verdict", "score", "threshold", *map(sentence_name, sentences))
    head = "".join(f"<th>{name}</th>" for name in names)
    lines = []
    for result in results:
        symbol, state = STATES[result.state]
        cells = "".join(_label_cell(i, result.labels[i]) for i in sentences)
        here = ' class="shown"' if result.id == shown else ""
        note = " (this audit, as it was made)" if result.id == shown else ""
        lines.append(
            f"<tr{here}><th>{escape(detector_title(result.detector))}{note}</th>"
            f'<td class="{result.state}">{symbol} {state.lower()}</td>'
            f'<td data-name="score">{result.score:.3f}</td>'
            f'<td data-name="threshold">{result.threshold:.3f}</td>{cells}</tr>'
        )
    return (
        f'{STYLE}{_STYLE}<div class="pv-wide"><table class="pv-methods pv-detectors"><thead><tr>'
        f"{head}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def _label_cell(sentence: int, label: SentenceLabel | None) -> str:
    named = f'data-name="{sentence_name(sentence)}"'
    if label is None:
        return f"<td {named}>– set aside</td>"
    symbol, name = LABELS[label]
    return f'<td {named} class="{label}">{symbol} {name}</td>'


def passing_text(results: Sequence[MethodResult]) -> tuple[str, ...]:
    """A line for each detector that flags sentences and calls the answer supported: what its score
    is made from, since not every score counts what no source states."""
    return tuple(
        f"{detector_title(result.detector)} flags sentences, but its score reaches its threshold. "
        f"How it scores: {DETECTORS[result.detector].explanation}"
        for result in results
        if result.state is VerdictState.FLAGGED
    )


def _draw_table(saved: SavedAudit, results: Sequence[MethodResult]) -> None:
    st.header("Detectors side by side")
    st.html(methods_table(results, saved.id))
    supported = sum(result.state is VerdictState.SUPPORTED for result in results)
    st.caption(
        f"{supported} of {len(results)} call every sentence supported. Scores of different "
        "detectors are on different scales: compare each with its own threshold."
    )
    for line in passing_text(results):
        st.caption(line)
    if len(results[0].labels) > MOST_SENTENCES:
        st.caption(f"The first {MOST_SENTENCES} sentences are shown; each audit has all of them.")
    others = [result for result in results if result.id != saved.id]
    for column, result in zip(st.columns(max(len(others), 4)), others, strict=False):
        open_link(column, result.id, f"Open {detector_title(result.detector)}")
