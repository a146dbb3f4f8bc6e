"""Cells that were not computed, on the pages: shown as that, and computed when asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dashboard.audit.other_cells import COMPUTE
from dashboard.shared.sidebar import selection_problem, under_settings
from provenance_core import assemble, default_parameters
from provenance_core.files.types import BatchRow
from provenance_core.types import Cells
from reports.cells_read import NOT_COMPUTED
from storage import AuditStore, NewRun, RunStore
from tests.app_page import open_page
from tests.conftest import hand_evidence, press, shown_html
from tests.partly_read import partly_read

CONTEXT = [
    "The bridge was opened in 1932. It is 500 metres long.",
    "Tea is served at five in the hall.",
    "The ferry stopped in 1932, when the bridge opened.",
]
SOURCES = replace(default_parameters("embedded"), top_k=2, cells=Cells.SOURCES)


@pytest.fixture
def saved(url, provenance) -> int:
    """The number of an audit that read two of three chunks."""
    audit = provenance.audit(
        query="When was the bridge opened?",
        answer="It was opened in 1932. Tea is served at five.",
        context=CONTEXT,
        parameters=SOURCES,
    )
    assert audit.evidence.chunks_read.count(True) == 2
    return AuditStore.open(url).save(audit)


def captions(app) -> str:
    return "\n".join(each.value for each in app.caption)


def test_the_other_cells_are_computed_as_an_audit_of_its_own(saved, url):
    app = open_page("audit", audit=str(saved))
    assert "4 of 6 cells were computed" in captions(app)
    assert f"{NOT_COMPUTED}: whether a chunk that was not selected" in shown_html(app)
    before = AuditStore.open(url).load(saved).audit
    press(app, COMPUTE)
    assert app.query_params["audit"] == str(saved + 1)
    after = AuditStore.open(url).load(saved + 1).audit
    assert after.parameters == replace(before.parameters, cells=Cells.ALL)
    assert not after.evidence.chunks_read
    assert AuditStore.open(url).load(saved).audit == before
    app.run()
    assert not app.exception
    assert not [button for button in app.button if button.label == COMPUTE]
    assert NOT_COMPUTED not in captions(app)
    # Pairs that were read before were not read again: both have the very same scores.
    read = before.evidence.read
    assert (
        after.evidence.sentence_scores.values[:, read]
        == before.evidence.sentence_scores.values[:, read]
    ).all()


def test_the_audit_with_all_cells_of_a_corrected_answer_stays_linked(saved, url):
    store = AuditStore.open(url)
    corrected = store.save(store.load(saved).audit, corrected_from=saved)
    app = open_page("audit", audit=str(corrected))
    press(app, COMPUTE)
    assert app.query_params["audit"] == str(corrected + 1)
    assert store.rows([corrected + 1])[0].corrected_from == saved


def test_a_selection_of_chunks_that_were_not_read_is_refused_and_says_what_helps(saved):
    app = open_page("audit", audit=str(saved))
    assert not app.warning
    app.slider(key="top_k").set_value(3).run()
    assert not app.exception
    (said,) = (each.value for each in app.warning)
    assert "did not read C" in said
    assert "shown with its own selection" in said
    app.slider(key="top_k").set_value(1).run()
    assert not app.warning and not app.exception


def test_other_settings_than_the_selection_are_shown_all_the_same():
    evidence = hand_evidence([3.0, 2.0, 0.0], [[0.9, 0.1, 0.2]])
    audit = assemble(partly_read(evidence, [0, 1]), SOURCES)
    shown = replace(SOURCES, top_k=3, threshold=0.95)
    assert selection_problem(audit, shown)
    found = under_settings(audit, shown).parameters
    assert (found.top_k, found.threshold) == (2, 0.95)
    assert selection_problem(audit, replace(shown, top_k=2)) == ""


def test_the_sidebar_offers_it_where_the_detector_reads_it(url):
    app = open_page("audit")
    assert app.selectbox(key="cells").value == Cells.ALL
    app.selectbox(key="relevance_method").set_value("cosine").run()
    assert "cells" not in [each.key for each in app.selectbox]
    app.selectbox(key="relevance_method").set_value("cross_encoder").run()
    app.selectbox(key="detector").set_value("summac").run()
    assert "cells" not in [each.key for each in app.selectbox]


def test_thresholds_say_which_audits_cannot_be_scored_under_another_selection(url):
    runs = RunStore.open(url)
    number = runs.create(
        NewRun("first", "rows.jsonl", "rows", (), "embedded", SOURCES),
        [BatchRow(i, "q", ("a",), "x", label=i % 2, group=f"g{i}") for i in range(40)],
        [],
    )
    runs.take(number, "w")
    for i in range(40):
        evidence = hand_evidence([3.0, 2.0, 0.0], [[0.3 + i / 100, 0.1, 0.2]])
        runs.finish(runs.next_row(number).id, "w", assemble(partly_read(evidence, [0, 1]), SOURCES))
    app = open_page("thresholds")
    assert "40" in [metric.value for metric in app.metric]
    app.slider(key="score_top_k").set_value(1).run()
    assert "40" in [metric.value for metric in app.metric]
    app.slider(key="score_top_k").set_value(3).run()
    assert not app.exception
    (said,) = (each.value for each in app.warning)
    assert "cannot be computed under these score settings" in said
    assert "40 audits" in "\n".join(each.value for each in app.text)
