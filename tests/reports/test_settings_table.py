"""How an audit was made, as rows to read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from provenance_core import DETECTORS, Parameters, assemble
from provenance_core.parameters import PARAMETERS
from provenance_core.types import PairScores, SecondReading, SupportMap
from reports.items_report import build_items_report, items_report
from reports.settings_table import figure_rows, model_row, model_rows, setting_rows
from reports.wording import depends_on, moment_text
from storage import AuditStore, ItemFilter, ItemStore
from tests.conftest import hand_evidence


@pytest.mark.parametrize("detector", ["two-stage", "nli-matrix", "summac"])
def test_every_setting_that_counts_has_a_row_with_what_it_means(detector):
    audit = assemble(hand_evidence([0.0], [[0.9]]), Parameters(detector=detector))
    rows = {row.name: row for row in setting_rows(audit)}
    assert rows["Detector"].value == DETECTORS[detector].title
    assert rows["Threshold"].value == "0.500"
    for name, info in PARAMETERS.items():
        assert (info.label in rows) == depends_on(audit.parameters, name), name
    assert all(row.value and row.meaning.endswith(".") for row in rows.values())


def test_a_chosen_value_says_what_that_value_does():
    audit = assemble(hand_evidence([0.0], [[0.9]]), Parameters(aggregation="min"))
    (row,) = [row for row in setting_rows(audit) if row.name == "Aggregation"]
    assert row.value == "min" and row.meaning.startswith("A claim counts as little as its worst")


def test_models_and_figures_have_rows(provenance):
    audit = provenance.audit(query="How tall?", answer="It is 3 m tall.", context=["It is 3 m."])
    models = model_rows(audit)
    assert [row.name for row in models] == ["Relevance model", "NLI model"]
    assert models[1].value.startswith(audit.evidence.nli_model.model_id)
    figures = {row.name: row.value for row in figure_rows(audit)}
    assert figures["Made at"] == moment_text(audit.created_at)
    assert figures["Pairs read"].startswith(f"{audit.evidence.tokens.pairs}, ")
    untold = replace(
        audit, evidence=replace(audit.evidence, tokens=replace(audit.evidence.tokens, pairs=0))
    )
    assert "Pairs read" not in {row.name for row in figure_rows(untold)}


def test_a_run_names_the_model_that_reads_again(url):
    evidence = hand_evidence([0.0], [[0.9]])
    again = replace(evidence.nli_model, model_id="larger")
    read = PairScores(np.array([[[0.8, 0.1, 0.1]]]))
    second = SecondReading(again, SupportMap(0.0, ()), read, ())
    AuditStore.open(url).save(assemble(replace(evidence, second=second), Parameters()))
    AuditStore.open(url).save(assemble(evidence, Parameters()))
    made = ItemStore.open(url).made_with(ItemFilter())
    assert sorted(each.second_model.model_id if each.second_model else "" for each in made) == [
        "", "larger",
    ]  # fmt: skip
    page = items_report(build_items_report(ItemFilter(), url=url))
    assert page.count("Second NLI model") == 1 and "larger 1" in page


def test_a_name_that_turns_the_writing_turns_nothing_beside_it():
    model = replace(hand_evidence([0.0], [[0.9]]).nli_model, model_id="\u202egnp.exe")
    assert model_row(model).value.startswith("gnp.exe")
