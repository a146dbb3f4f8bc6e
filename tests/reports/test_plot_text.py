"""Plotly shows a quotation mark as it is, and no tag of a user's text."""

from __future__ import annotations

from dataclasses import replace

from inline_snapshot import snapshot

from dashboard.audit.result import chunk_choice
from dashboard.compare.charts import score_scatter
from provenance_core import Parameters, assemble
from reports.charts import heatmap, shown_part, source_bars
from reports.markup import cell_markup
from reports.plot_text import plot_text
from reports.quantities import Quantity
from reports.tables import shown_sources
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


def test_the_title_of_a_context_item_stands_wherever_its_chunk_is_chosen_or_drawn():
    evidence = hand_evidence([1.0, 0.5], [[0.9, 0.1]])
    named = replace(evidence.context[0], name="<b>Hours</b> of all the libraries in town")
    audit = assemble(replace(evidence, context=(named, evidence.context[1])), Parameters(top_k=1))
    shown = shown_part(audit)
    hover = [point[3] for point in heatmap(audit, shown, Quantity.SUPPORT).data[1].customdata]
    title = "&lt;b&gt;Hours&lt;/b&gt; of all the libraries in town"
    assert hover == [f"<i>{title}</i><br>Chunk number 0.", "Chunk number 1."]
    assert f"C1, context item 1 (<bdi>{title}</bdi>)" in cell_markup(audit, 0, 0, 0, 5)
    assert source_bars(audit, shown).data[0].y == ("C1 &lt;b&gt;Hours&lt;/b&gt; of …",)
    assert [chunk_choice(audit, at) for at in (0, 1)] == [f"C1 {named.name}", "C2 (dropped)"]
    assert list(shown_sources(audit)["title"]) == [named.name, ""]
    assert "title" not in shown_sources(assemble(evidence, Parameters()))
