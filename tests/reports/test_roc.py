"""An ROC curve is drawn alike in the report of many audits and on the Thresholds page."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest

from dashboard.thresholds.charts import roc_figure
from provenance_core.statistics.metrics import roc_points
from provenance_core.statistics.thresholds.curves import curves_of
from provenance_core.statistics.thresholds.figures import figures_at
from provenance_core.statistics.thresholds.types import LabelledScores
from reports.items_report import build_items_report, items_report
from reports.roc import of_hallucinated
from storage import ItemFilter

LABELS = (1, 1, 0, 1, 0, 0, 1, 0)
SCORES = (0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.2, 0.1)


class Data(HTMLParser):
    """The text of the element with the figures."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.inside, self.text = False, ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.inside = dict(attrs).get("id") == "figures"

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        self.text += data if self.inside else ""


def page_figure():
    sample = LabelledScores(SCORES, LABELS, tuple(map(str, range(len(LABELS)))))
    (there,) = figures_at(sample, [0.4])
    return roc_figure(curves_of(sample).roc, there)


def test_axes_and_diagonal_are_the_same(filled):
    page = items_report(build_items_report(ItemFilter(runs=(1,)), url=filled))
    reported = json.loads(Data(page).text)["roc-1"]
    shown = json.loads(page_figure().to_json())
    for axis in ("xaxis", "yaxis"):
        assert reported["layout"][axis]["title"] == shown["layout"][axis]["title"]
        assert reported["layout"][axis]["range"] == shown["layout"][axis]["range"]
    assert reported["data"][0] == next(t for t in shown["data"] if t["x"] == [0, 1])


def test_the_curve_of_the_report_has_the_points_of_the_page():
    alarms, recall = of_hallucinated(roc_points(LABELS, SCORES))
    shown = next(trace for trace in page_figure().data if trace.name == "ROC")
    # The page leaves out points on a straight line between their neighbours.
    reported = {(round(x, 3), round(y, 3)) for x, y in zip(alarms, recall, strict=True)}
    assert {(round(x, 3), round(y, 3)) for x, y in zip(shown.x, shown.y, strict=True)} <= reported
    assert (alarms[0], recall[0]) == (0.0, 0.0)
    assert (alarms[-1], recall[-1]) == (1.0, 1.0)
    assert list(alarms) == sorted(alarms) and recall == pytest.approx(sorted(recall))
