"""How a detector ranks the labelled answers at hand, where it is picked."""

from __future__ import annotations

import streamlit as st

from dashboard.shared.cache import database_key
from provenance_core.statistics.metrics import roc_auc
from provenance_core.types import Verdict
from reports.few_labels import few_labels_note
from storage import AuditFilter, ItemFilter, ItemStore, StorageError

_WEAK = 0.7
_MOST_DIGITS = 9


def draw_detector_figure(detector: str) -> None:
    """The AUC of a detector on the labelled answers of the run that the page shows, else on all
    that it scored, with n; nothing without labels of both kinds."""
    named = st.query_params.get("run", "")
    is_number = named.isascii() and named.isdigit() and len(named) <= _MOST_DIGITS
    run = int(named) if is_number else None
    try:
        found = _figure(database_key(detector, run), detector, run)
        if found is None and run is not None:
            run, found = None, _figure(database_key(detector, None), detector, None)
    except StorageError:
        return  # the page says so where it lists
    if found is None:
        return
    auc, n = found
    text = figure_text(auc, n, "labelled answers of this run" if run is not None else "")
    (st.warning if auc < _WEAK else st.caption)(text)


def figure_text(auc: float, n: int, answers: str = "") -> str:
    """What an AUC over n answers says of a detector."""
    on = f"On {n:,} {answers or 'labelled answers that it scored'}: AUC {auc:.3f}"
    weak = "Weak on your data. " if auc < _WEAK else ""
    few = few_labels_note(n)
    chance = " (0.5 is chance, 1 is perfect)" if weak else ""
    return f"{weak}{on}{chance}{f'; {few}' if few else ''}."


@st.cache_data(max_entries=32, show_spinner=False)
def _figure(key: str, _detector: str, _run: int | None) -> tuple[float, int] | None:
    """AUC and n. The state of the database is part of the cache's key."""
    chosen = ItemFilter(
        runs=() if _run is None else (_run,),
        audits=AuditFilter(detector=_detector),
        labelled_or_judged=True,
    )
    labels, scores = [], []
    for item in ItemStore.open().labels(chosen):
        label = item.label if item.label is not None else item.opinion
        if label is not None and item.verdict is not Verdict.NOTHING_TO_CHECK:
            labels.append(label)
            scores.append(item.score)
    auc = roc_auc(labels, scores)
    return None if auc is None else (auc, len(labels))
