"""The chart of what each source gives."""

from __future__ import annotations

from provenance_core import Parameters, assemble
from reports.charts import shown_part, source_bars
from tests.conftest import hand_evidence


def test_the_legend_stands_above_the_bars_however_many_lines_it_has():
    audit = assemble(hand_evidence([2.0, 1.0], [[0.9, 0.2]]), Parameters())
    legend = source_bars(audit, shown_part(audit)).layout.legend
    assert legend.yanchor == "bottom" and legend.y > 1
