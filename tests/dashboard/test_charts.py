"""The words of a chart can be read on the page."""

import json

import plotly.graph_objects as go
import pytest

from dashboard.benchmarks.charts import forest
from dashboard.benchmarks.opening import measured_sets
from dashboard.compare.charts import score_scatter
from dashboard.shared import charts
from dashboard.thresholds.charts import histogram_figure
from provenance_core import Parameters, assemble
from provenance_core.evaluation.report import read_results
from provenance_core.statistics.comparison import ComparedItem, ComparedRow
from provenance_core.statistics.thresholds.types import ScoreHistogram
from provenance_core.types import Verdict
from reports.charts import shown_part, source_bars
from reports.colours import PAGE, PAGE_INK, contrast, rgb_of
from reports.score_charts import score_bars
from tests.app_page import open_page
from tests.browser_app import ROOT
from tests.conftest import hand_evidence


@pytest.mark.parametrize("dark", [False, True])
def test_every_word_of_a_chart_has_the_ink_of_the_page(dark, monkeypatch):
    monkeypatch.setattr(charts, "is_dark", lambda: dark)
    figure = go.Figure(go.Bar(x=["a"], y=[1]))
    figure.add_vline(x=0, annotation_text="line")
    figure.update_layout(coloraxis={"colorbar": {"title": "bar"}})
    figure.update_yaxes(title="share", tickfont={"size": 12})
    layout = charts.readable(figure).layout
    fonts = (
        layout.font,
        layout.legend.font,
        layout.xaxis.tickfont,
        layout.yaxis.tickfont,
        layout.yaxis.title.font,
        layout.coloraxis.colorbar.tickfont,
        layout.coloraxis.colorbar.title.font,
        layout.annotations[0].font,
    )
    assert {font.color for font in fonts} == {PAGE_INK[dark]}
    assert min(font.size for font in fonts) == layout.yaxis.tickfont.size == 12
    assert layout.yaxis.title.text == "share"
    assert contrast(rgb_of(PAGE_INK[dark]), rgb_of(PAGE[dark])) >= 7


@pytest.mark.parametrize("dark", [False, True])
def test_points_and_bars_stand_out_from_the_page(dark):
    rows = [
        ComparedRow(i, i, "a", "a", "a", "a", label, 0.4, 0.5, Verdict.HALLUCINATED)
        for i, label in enumerate((0, 1))
    ]
    items = [ComparedItem((row, row), (row.label, row.label), True, False) for row in rows]
    audit = assemble(hand_evidence([1.0], [[0.9]]), Parameters())
    figures = (
        score_scatter(items, 0, 1, ("a", "b")),
        histogram_figure(ScoreHistogram((0.0, 0.5, 1.0), (2, 1), (1, 2)), 0.5),
        source_bars(audit, shown_part(audit)),
        score_bars(audit),
        forest(measured_sets(read_results(ROOT / "benchmarks"))),
    )
    for figure in figures:
        assert figure.data
        for trace in figure.data:
            assert trace.marker.opacity in (None, 1), "a colour that shines through is paler"
            colour = trace.marker.line.color or trace.marker.color  # a mark may be all line
            for each in [colour] if isinstance(colour, str) else colour:
                assert contrast(rgb_of(each), rgb_of(PAGE[dark])) >= 3


def test_every_chart_of_the_demonstration_and_of_the_benchmarks_is_readable(url):
    for app in (open_page(demo="3"), open_page("benchmarks")):
        drawn = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
        assert {chart["layout"]["font"]["color"] for chart in drawn} <= {PAGE_INK[False]}
    assert drawn


def test_the_curve_of_the_benchmarks_has_the_detector_s_title(url):
    charts_drawn = [json.loads(c.proto.spec) for c in open_page("benchmarks").get("plotly_chart")]
    names = [trace.get("name", "") for chart in charts_drawn for trace in chart["data"]]
    assert any(name.startswith("Two-stage ") for name in names)
    assert not any(name.startswith("provenance") for name in names)
