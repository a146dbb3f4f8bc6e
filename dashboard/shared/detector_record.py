"""How a detector does on a person's own labels, said where it is chosen."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dashboard.shared.cache import database_key
from provenance_core.statistics.metrics import roc_auc
from reports.markup import small_text
from reports.wording import FEW_LABELS
from storage import RunStore, StorageError

WEAK = 0.7
_NEWEST = 50  # runs among which one by the detector is looked for


@dataclass(frozen=True, slots=True)
class DetectorRecord:
    """The AUC of a detector on the ``n`` labelled rows of a run."""

    run: str
    auc: float
    n: int

    @property
    def weak(self) -> bool:
        """Whether its score says little about these labels."""
        return self.auc < WEAK

    @property
    def said(self) -> str:
        """Sentences of plain text."""
        uncertain = f" With fewer than {FEW_LABELS} labels this is uncertain."
        few = uncertain if self.n < FEW_LABELS else ""
        return f"AUC {self.auc:.3f} on your run “{self.run}” (n = {self.n:,}; 0.5 is chance).{few}"


def draw_record(detector: str, profile: str) -> None:
    """The AUC of the detector, with the models of the profile, on the newest run that has labels;
    nothing where there is none."""
    try:
        record = _record(database_key(detector, profile), detector, profile)
    except StorageError:
        return  # the choice of the preset says so
    if record is None:
        return
    if record.weak:
        st.warning("This detector is weak on your data.", icon=":material/trending_down:")
    st.html(small_text(record.said))


@st.cache_data(max_entries=32, show_spinner=False)
def _record(key: str, _detector: str, _profile: str) -> DetectorRecord | None:
    store = RunStore.open()
    for run in store.page(limit=_NEWEST).runs:
        if (run.profile, run.parameters.detector) != (_profile, _detector):
            continue
        found = store.labelled_scores(run.id)
        auc = roc_auc(found.labels, found.scores) if found.labels else None
        if auc is not None:
            return DetectorRecord(run.name, auc, len(found.labels))
    return None
