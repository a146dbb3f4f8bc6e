"""The figures by which the number of selected chunks was chosen."""

from __future__ import annotations

import json

import pytest

from provenance_core.audit.serialization import audit_to_plain
from training.selected_chunks import ScoredRow, figures, scored


def test_the_figures_are_of_each_set_alike():
    rows = [
        *(ScoredRow("a", label, 0.9 * label, 0) for label in (0, 1, 1, 1)),
        ScoredRow("b", 1, 0.1, 1),
        ScoredRow("b", 0, 0.2, 1),
    ]
    # The first set is ranked right, the second wrong; 3 of 4 supported and both others are right.
    assert figures(rows) == "AUC 50.0 balanced accuracy 87.5 misses 2"


def test_rows_without_a_second_reading_are_refused(tmp_path, provenance):
    audit = provenance.audit(answer="It is red.", context=["It is red."])
    row = {"dataset": "summac_a", "label": 1, "audit": audit_to_plain(audit)}
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"run training\.second_rows first"):
        scored(file, audit.evidence.nli_model.support)
