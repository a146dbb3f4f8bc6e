"""Plotly shows a quotation mark as it is, and no tag of a user's text."""

from __future__ import annotations

from dataclasses import replace

from inline_snapshot import snapshot

from dashboard.compare.charts import score_scatter
from provenance_core import Parameters, assemble
from reports.charts import heatmap, shown_part
from reports.plot_text import plot_text
from reports.quantities import Quantity
from tests.conftest import hand_evidence

SAID = 'He said "<b>no</b>" & isn\'t'


def test_quotation_marks_of_the_texts_are_no_entities_in_a_heatmap():
    evidence = hand_evidence([1.0], [[0.9]])
    chunk = replace(evidence.chunks[0], text=SAID)
    sentence = replace(evidence.sentences[0], text=SAID)
    audit = assemble(
        replace(evidence, chunks=(chunk,), sentences=(sentence,)),
        Parameters(),
    )
    figure = heatmap(audit, shown_part(audit), Quantity.SUPPORT)
    hover = figure.data[1].customdata[0][2:]
    for text in (*hover, *figure.layout.xaxis.ticktext, *figure.layout.yaxis.ticktext):
        assert "&quot;" not in text and "&#x27;" not in text
        assert "<b>" not in text
    assert hover[0] == hover[1] == plot_text(SAID)


def test_quotation_marks_of_the_names_of_runs_are_no_entities():
    assert score_scatter([], 0, 1, ('a "b"', "c")).layout.xaxis.title.text == snapshot(
        'score in a "b"'
    )
