"""A cell that was not computed has no number in any view, report or export, and each says why."""

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from dashboard.audit.result import cell_text
from provenance_core import Parameters, default_parameters
from provenance_core.audit.assembly import assemble
from provenance_core.audit.serialization import audit_to_json
from provenance_core.cli.audit_text import audit_text
from provenance_core.explain.sentences import sentence_reasons
from provenance_core.explain.summary import audit_summary
from provenance_core.types import Cells
from reports.audit_report import audit_report
from reports.cells_read import NOT_COMPUTED, NOT_COMPUTED_WHY, cells_text
from reports.charts import heatmap, heatmap_rows, shown_part, source_bars, stars_text
from reports.formulas import formula_lines
from reports.markup import badges
from reports.quantities import Quantity, cell_tones, cell_values
from reports.score_steps import answer_text
from reports.settings_table import figure_rows
from reports.side_by_side import evidence_shown, side_by_side
from reports.tables import audit_csv, shown_sources, sources_table
from reports.wording import MISS_NOT_COMPUTED, SELECTION_MISS, status
from tests.conftest import hand_evidence
from tests.partly_read import partly_read

NAN = re.compile(r"\b(nan|none|null)\b", re.IGNORECASE)


@pytest.fixture
def audit():
    """Three chunks, of which two are sources; S2 is supported by none of them."""
    evidence = hand_evidence([3.0, 2.0, 0.0], [[0.9, 0.1, 0.2], [0.1, 0.2, 0.9]])
    given = replace(default_parameters(), top_k=2, cells=Cells.SOURCES)
    return assemble(partly_read(evidence, [0, 1]), given)


@pytest.fixture
def every():
    """The same, with all cells."""
    evidence = hand_evidence([3.0, 2.0, 0.0], [[0.9, 0.1, 0.2], [0.1, 0.2, 0.9]])
    return assemble(evidence, replace(default_parameters(), top_k=2))


def test_a_star_behind_a_chunk_is_explained_where_one_is_drawn():
    many = assemble(hand_evidence([3.0] * 13, [[0.9] * 13]), Parameters(top_k=5))
    assert stars_text(many, range(13)) == "* marks a chunk that is not a source."
    assert stars_text(many, range(12)) == ""
    every = assemble(hand_evidence([3.0] * 13, [[0.9] * 13]), Parameters(top_k=13))
    assert stars_text(every, range(13)) == ""


def test_the_count_of_cells_is_said_and_nothing_where_all_were_computed(audit, every):
    said = cells_text(audit)
    assert "2 of 3 chunks" in said
    assert "4 of 6 cells were computed" in said
    assert cells_text(every) == ""
    assert answer_text(audit) == f"{answer_text(every)} {said}"
    rows = {row.name: row.value for row in figure_rows(replace_pairs(audit))}
    assert rows["Cells computed"] == "4 of 6 (2 × 3)"


def replace_pairs(audit):
    """The audit, with a count of the pairs that were read."""
    evidence = audit.evidence
    return replace(audit, evidence=replace(evidence, tokens=replace(evidence.tokens, pairs=4)))


@pytest.mark.parametrize("quantity", list(Quantity))
def test_no_quantity_has_a_value_or_a_colour_there(audit, every, quantity):
    values = cell_values(audit, quantity)
    assert np.isnan(values[:, 2]).all()
    assert np.array_equal(values[:, :2], cell_values(every, quantity)[:, :2])
    if quantity is not Quantity.VERDICT:
        assert np.isnan(cell_tones(audit, quantity)[:, 2]).all()
    for row in heatmap_rows(audit, shown_part(audit), quantity):
        assert row.numbers(2) == (NOT_COMPUTED,)


@pytest.mark.parametrize("quantity", list(Quantity))
def test_the_heatmap_names_the_cells_in_legend_and_hover(audit, every, quantity):
    figure = heatmap(audit, shown_part(audit), quantity)
    assert [row[2] for row in figure.data[0].z] == [None, None]
    (unread,) = [trace for trace in figure.data if trace.name == NOT_COMPUTED]
    assert unread.showlegend
    assert list(zip(unread.x, unread.y, strict=True)) == [(2, 0), (2, 1)]
    hover = figure.data[1].text
    assert hover[2] == f"S1 × C3: {NOT_COMPUTED_WHY}"
    assert NOT_COMPUTED not in hover[1]
    assert "nan" not in figure.to_json().lower()
    other = heatmap(every, shown_part(every), quantity)
    assert not [trace for trace in other.data if trace.name == NOT_COMPUTED]


def test_the_csv_has_no_value_and_the_reason(audit, every):
    rows = list(csv.DictReader(io.StringIO(audit_csv(audit).decode("utf-8-sig"))))
    scores = ("support", "contradiction", "chunk_entailment", "chunk_neutral")
    for row in rows:
        read = row["chunk"] != "3"
        assert row["not_computed"] == ("" if read else NOT_COMPUTED_WHY)
        assert all((row[name] != "") is read for name in scores)
    assert rows[3]["label"] == f"not found, {MISS_NOT_COMPUTED}"
    whole = csv.DictReader(io.StringIO(audit_csv(every).decode("utf-8-sig")))
    assert {row["not_computed"] for row in whole} == {""}


def test_the_html_report_says_so_in_each_table(audit):
    page = audit_report(audit)
    assert page.count(f'title="{NOT_COMPUTED_WHY}">{NOT_COMPUTED}</td>') == 2
    assert f'data-name="factuality">{NOT_COMPUTED}</td>' in page
    assert "4 of 6 cells were computed" in page
    assert not re.search(r">\s*(nan|None)\s*<", page)


def test_json_and_summary_have_null(audit):
    source = audit_summary(audit).sources[2]
    assert source.factuality is None
    assert source.contradicts is None
    assert audit_summary(audit).sentences[1].selection_miss is None
    assert json.loads(audit_to_json(audit))["claims"][0]["factuality"][2] is None


def test_the_tables_of_sources_have_no_value(audit):
    last = sources_table(audit).loc[2]
    assert np.isnan(last["factuality"])
    assert last["contradicts"] == shown_sources(audit).loc[2]["supports"] == NOT_COMPUTED
    assert sorted(source_bars(audit, shown_part(audit)).data[2].y) == ["C1", "C2"]


def test_the_terminal_says_so(audit):
    said = audit_text(audit)
    assert MISS_NOT_COMPUTED in " ".join(said.split())
    assert "4 of 6 cells were computed" in " ".join(said.split())
    assert not NAN.search(said.replace("none of", ""))
    assert not NAN.search("\n".join(formula_lines(audit)))


def test_the_numbers_of_the_sources_are_not_taken_for_those_of_a_chunk_beside_them(provenance):
    found = provenance.audit(
        query="When was bridge 3 opened?",
        answer="Bridge 3 was opened in 1933. It is 150 metres long.",
        context=[
            f"Bridge {i} was opened in 19{30 + i} and is {100 + i} metres long." for i in range(6)
        ],
        parameters=replace(default_parameters(), top_k=3, cells=Cells.SOURCES),
    )
    (reason,) = sentence_reasons(found)
    beside = evidence_shown(found, found.sentences[1], reason)
    assert not found.evidence.read[beside]  # the first that has another value
    said = f"C{beside + 1}: {NOT_COMPUTED}, its words alone were compared"
    page = side_by_side(found, (reason,))
    assert page.count(said) == 1
    assert page.count("by the sources: ") == 1


def test_a_sentence_says_that_a_miss_was_not_computed(audit, every):
    assert status(every.sentences[1]).endswith(SELECTION_MISS)
    assert status(audit.sentences[1]).endswith(MISS_NOT_COMPUTED)
    assert NOT_COMPUTED in badges(audit, audit.sentences[1])
    assert NOT_COMPUTED not in badges(audit, audit.sentences[0])
    assert cell_text(audit, 0, 2) == f"S1 × C3: {NOT_COMPUTED_WHY}"
