"""A sentence has one number for one thing: two that differ are named for what they are."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from dashboard.audit.result import cell_text
from provenance_core import DETECTORS, default_parameters
from provenance_core.audit.assembly import assemble
from provenance_core.cli.audit_text import audit_text
from provenance_core.explain.numbers import numbers_text, told_apart, two_numbers_text
from provenance_core.scoring.label_rules import LABELLED_BY
from provenance_core.types import Scores, SentenceLabel
from reports.audit_report import audit_report
from reports.charts import heatmap, shown_part
from reports.markup import evidence_markup
from reports.quantities import Quantity, cell_values, shown_quantities
from reports.score_charts import score_bars
from reports.side_by_side import side_by_side
from reports.tables import audit_csv
from tests.conftest import hand_evidence

# What the detectors read beside the scores of pairs needs models: they have tests of their own.
BY_HAND = ("two-stage", "nli-matrix", "summac", "selfcheck")


@pytest.mark.parametrize("name", BY_HAND)
def test_the_number_of_the_chart_stands_beside_the_sentence_with_its_name(name):
    evidence = hand_evidence([0.0, 0.0], [[0.60, 0.21], [0.90, 0.10]], [[0.30, 0.05], [0.02, 0.70]])
    audit = assemble(evidence, default_parameters("embedded", name))
    chart = score_bars(audit)
    title = DETECTORS[name].title
    assert chart.layout.xaxis.title.text == f"score by {title}"
    for traced, score in zip(audit.sentences, chart.data[0].x, strict=False):
        for card in (evidence_markup(audit, traced), side_by_side(audit, ())):
            highest = f"the highest support is {traced.support:.3f}, by C"
            assert f"support {traced.support:.3f}" in card or highest in card
            if f"{score:.3f}" != f"{traced.support:.3f}":
                assert f"score by {title} {score:.3f} · by the sources: " in card
                assert title in two_numbers_text(audit)


def test_one_number_is_not_said_twice():
    audit = assemble(hand_evidence([0.0], [[0.6]]), default_parameters("embedded"))
    card = side_by_side(audit, ())
    assert ("score by" in card) == bool(two_numbers_text(audit))


def test_a_contradicted_sentence_names_the_source_that_gives_its_support():
    evidence = hand_evidence([0.0, 0.0], [[0.20, 0.01]], [[0.05, 0.98]])
    audit = assemble(evidence, default_parameters("embedded"))
    (traced,) = audit.sentences
    assert traced.evidence_chunk == 1
    said = numbers_text(audit, traced)
    assert said == f"the highest support is {traced.support:.3f}, by C1 · contradiction 0.980"


def test_words_that_contradict_without_a_model_are_said_to():
    evidence = hand_evidence([0.0], [[0.20]], [[0.10]])
    audit = assemble(evidence, default_parameters("embedded"))
    by_words = replace(audit.sentences[0], label=SentenceLabel.CONTRADICTED)
    assert numbers_text(audit, by_words).endswith(
        "contradiction 0.100 where a model reads the whole source; the words contradict it"
    )


def mapped(support, against, **given):
    """An audit of one sentence by hand, whose support a map made."""
    evidence = hand_evidence([0.0] * len(support), [support], [against])
    return assemble(
        replace(evidence, support=Scores(np.array([support])), **given),
        default_parameters("embedded"),
    )


def test_a_contradiction_by_another_source_than_the_one_shown_names_it(monkeypatch):
    # The first chunk is the nearest; the second has more against the sentence.
    counted = np.array([[0.021, 0.206]])
    monkeypatch.setattr("provenance_core.scoring.tracing.contradiction_of", lambda _: counted)
    audit = mapped([0.30, 0.05], [0.5, 0.5])
    (traced,) = audit.sentences
    assert (traced.label, traced.evidence_chunk) == (SentenceLabel.NOT_FOUND, 0)
    assert numbers_text(audit, traced) == (
        "support 0.300 · the highest contradiction is 0.206, by C2"
    )
    assert "the highest contradiction is 0.206, by source 2)" in " ".join(audit_text(audit).split())


@pytest.mark.parametrize(
    ("against", "said"),
    [
        (0.722, "neither supports nor contradicts (support 0.100, contradiction 0.722, entailment "
         "0.100): a contradiction counts from 0.96, or where words show it"),
        (0.3, "neither supports nor contradicts (support 0.100, contradiction 0.300, entailment "
         "0.100)"),
        (0.97, "contradicts (support 0.100, contradiction 0.970, entailment 0.100)"),
    ],
)  # fmt: skip
def test_a_contradiction_that_does_not_count_says_from_where_one_does(monkeypatch, against, said):
    counted = np.array([[against]])
    monkeypatch.setattr("provenance_core.scoring.tracing.contradiction_of", lambda _: counted)
    audit = mapped([0.1], [against], labelled_by=LABELLED_BY)
    assert cell_text(audit, 0, 0) == f"S1 × C1: {said}"


@pytest.mark.parametrize("quantity", [Quantity.SUPPORT, Quantity.CONTRADICTION])
def test_a_pair_has_one_contradiction_in_panel_heatmap_report_and_csv(monkeypatch, quantity):
    # The models' reading of the whole chunk differs from the one that counted.
    counted = np.array([[0.533, 0.0]])
    monkeypatch.setattr("provenance_core.scoring.tracing.contradiction_of", lambda _: counted)
    audit = mapped([0.195, 0.030], [0.445, 0.955])
    (traced,) = audit.sentences
    assert numbers_text(audit, traced) == "support 0.195 · contradiction 0.533"
    values = cell_values(audit, quantity)[0].tolist()
    expected = {
        Quantity.SUPPORT: [0.195, 0.030],
        Quantity.CONTRADICTION: [0.533, 0.0],
    }
    assert values == pytest.approx(expected[quantity])
    hover = heatmap(audit, shown_part(audit), quantity).data[1].text
    assert "0.445" not in hover[0] and "C 0.4" not in hover[0]
    assert cell_text(audit, 0, 0) == (
        "S1 × C1: contradicts (support 0.195, contradiction 0.533, entailment 0.195)"
    )
    assert (
        'title="contradicts, support 0.195, contradiction 0.533, entailment 0.195"'
        in audit_report(audit)
    )
    row = next(csv.DictReader(io.StringIO(audit_csv(audit).decode("utf-8-sig"))))
    assert float(row["contradiction"]) == 0.533
    # The largest probability of the whole chunk would be another label than the sentence's.
    assert Quantity.VERDICT not in shown_quantities(audit)


def test_a_value_under_the_threshold_does_not_read_as_equal():
    assert told_apart(0.49994, 0.5) == ("0.4999", "0.5000")
    assert told_apart(0.31, 0.5) == ("0.310", "0.500")
    assert told_apart(0.5, 0.5) == ("0.500", "0.500")
