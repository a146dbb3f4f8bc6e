"""The cells of the heatmap that were not computed, computed when asked."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dashboard.audit.audit_run import RunPlace, audited_with_bar, run_place
from dashboard.audit.save_audit import keep_audit
from dashboard.shared.access import Role, allowed
from provenance_core import Audit
from provenance_core.text.structured_context import given_context
from provenance_core.types import Cells
from reports.cells_read import cells_text

COMPUTE = "Compute the other cells"


def draw_other_cells(audit: Audit, corrected_from: int | None) -> None:
    """How many cells were computed, and a button that audits again with all of them and opens that
    audit; nothing where all cells of ``audit``, as it was made, were computed.

    ``corrected_from``: the number of the audit whose answer is corrected in it; the new audit is
    linked with the same one.
    """
    said = cells_text(audit)
    if not said:
        return
    st.caption(f"{said} The button makes an audit of its own with all of them and opens that one.")
    pressed = st.button(
        COMPUTE,
        key="compute_cells",
        icon=":material/grid_on:",
        help="Audits the same answer again and reads every chunk. Pairs that were read before are "
        "not read again. It is kept as an audit of its own, and this audit stays as it is.",
    )
    place = run_place("other_cells")
    if pressed:
        _compute(audit, corrected_from, place)


@allowed(Role.REVIEWER, "audit an answer")
def _compute(audit: Audit, corrected_from: int | None, place: RunPlace) -> None:
    evidence = audit.evidence
    found = audited_with_bar(
        evidence.profile,
        evidence.query,
        evidence.answer,
        given_context(evidence),
        replace(audit.parameters, cells=Cells.ALL),
        failure="The other cells were not computed. This audit is as it was.",
        stopped="Stopped. Nothing was saved, and this audit is as it was.",
        place=place,
    )
    if found is not None:
        keep_audit(found, corrected_from, of_form=False)
        st.rerun()
