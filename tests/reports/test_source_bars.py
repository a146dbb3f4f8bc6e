"""The chart of what each source gives."""

from __future__ import annotations

from provenance_core import Parameters, assemble
from reports.charts import shown_part, source_bars
from reports.score_charts import score_bars
from tests.conftest import hand_evidence


def test_the_legend_stands_above_the_bars_however_many_lines_it_has():
    audit = assemble(hand_evidence([2.0, 1.0], [[0.9, 0.2]]), Parameters())
    legend = source_bars(audit, shown_part(audit)).layout.legend
    assert legend.yanchor == "bottom" and legend.y > 1


def test_names_stand_level_beside_their_bars_and_each_has_room():
    audit = assemble(hand_evidence([2.0, 1.0], [[0.9, 0.2], [0.1, 0.3]]), Parameters())
    for figure in (source_bars(audit, shown_part(audit)), score_bars(audit)):
        rows = {bar.y for bar in figure.data}
        assert all(bar.orientation == "h" for bar in figure.data)
        assert len(rows) == 1 and figure.layout.height > 26 * len(rows.pop())
        assert figure.layout.yaxis.autorange == "reversed", "the first stands at the top"
    assert list(score_bars(audit).data[0].y) == ["S1", "S2", "answer"]


def test_relevance_that_was_not_measured_has_no_bars():
    evidence = hand_evidence([2.0, 1.0], [[0.9, 0.2]])
    for detector, shown in (("two-stage", True), ("nli-matrix", False)):
        audit = assemble(evidence, Parameters(detector=detector))
        names = [bar.name for bar in source_bars(audit, shown_part(audit)).data]
        assert ("relevance probability" in names) is shown
        assert names[-3:] == ["weight", "factuality", "contribution"]
