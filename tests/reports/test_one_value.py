"""Every place that shows a cell or a sentence shows the same value, whatever was measured."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from dashboard.audit.result import cell_text
from provenance_core import DETECTORS, Audit, assemble, default_parameters
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.explain import audit_summary, sentence_reasons
from provenance_core.explain.numbers import numbers_text, own_score
from provenance_core.scoring.label_rules import LABELLED_BY
from provenance_core.types import (
    UNSUPPORTED_LABELS,
    Entailment,
    JoinedPremise,
    JudgeModel,
    JudgePrompt,
    JudgeReply,
    MeasuredSpan,
    Scores,
    SentenceLabel,
    Stance,
)
from reports.audit_report import audit_report
from reports.charts import heatmap, shown_part
from reports.quantities import Quantity, cell_tones, own_quantity, shown_quantities
from reports.side_by_side import side_by_side
from reports.tables import audit_csv, shown_sources
from reports.wording import status
from tests.conftest import hand_evidence

SENTENCES, CHUNKS = 3, 4
CASES = [
    (name, seed, mapped) for name in DETECTORS for seed in range(2) for mapped in (False, True)
]


def random_audit(detector: str, seed: int, mapped: bool) -> Audit:
    """Of random probabilities; ``mapped``: with a support that a support map measured."""
    chance = np.random.default_rng(seed)
    cells = chance.dirichlet([0.5, 0.5, 0.5], (SENTENCES, CHUNKS))
    evidence = hand_evidence(
        chance.normal(size=CHUNKS).tolist(), cells[..., 0].tolist(), cells[..., 2].tolist()
    )
    support = Scores(chance.random((SENTENCES, CHUNKS))) if mapped else evidence.support
    evidence = replace(evidence, labelled_by=LABELLED_BY, support=support)
    if detector == "grounded-in-context":
        joined = [Entailment(*row) for row in chance.dirichlet([0.5] * 3, SENTENCES).tolist()]
        pairs = [tuple(sorted({s, (s + seed) % CHUNKS})) for s in range(SENTENCES)]
        premises = tuple(map(JoinedPremise, pairs, joined))
        evidence = replace(evidence, joined_scores=premises)
    if DETECTORS[detector].traits.finds_spans:
        start = evidence.sentences[1].start
        reply = JudgeReply(JudgeModel("host", "judge", None), JudgePrompt.SUMMARIZATION, "{}", 1)
        evidence = replace(evidence, spans=(MeasuredSpan(start, start + 5, 0.9),), judge=reply)
    return assemble(evidence, default_parameters(detector=detector))


@pytest.fixture(params=CASES, ids=lambda case: "-".join(map(str, case)))
def audit(request) -> Audit:
    return random_audit(*request.param)


def test_the_stance_of_the_evidence_is_the_label(audit):
    sources = {each.chunk.index for each in audit.sources if each.selected}
    for traced in audit.sentences:
        row = audit.cells.stances[traced.sentence.index]
        if traced.label is SentenceLabel.SUPPORTED or traced.selection_miss:
            assert row[traced.evidence_chunk] is Stance.SUPPORTS
        elif traced.label is SentenceLabel.CONTRADICTED:
            assert row[traced.evidence_chunk] is Stance.CONTRADICTS
        if traced.label in UNSUPPORTED_LABELS:
            others = sources - {traced.evidence_chunk if traced.selection_miss else None}
            assert all(row[chunk] is not Stance.SUPPORTS for chunk in others)


def test_colours_sources_and_downloads_show_the_stance(audit):
    by_cell = {
        (s, c): stance for s, row in enumerate(audit.cells.stances) for c, stance in enumerate(row)
    }
    table = shown_sources(audit)
    for stance, column in ((Stance.SUPPORTS, "supports"), (Stance.CONTRADICTS, "contradicts")):
        listed = {
            (int(name[1:]) - 1, chunk)
            for chunk, names in table[column].items()
            for name in names.split(", ")
            if name
        }
        assert listed == {cell for cell, each in by_cell.items() if each is stance}
    tones = cell_tones(audit, Quantity(audit.cells.measure))
    for cell, stance in by_cell.items():
        assert (tones[cell] >= 0.4) == (stance is Stance.SUPPORTS)
        assert (tones[cell] <= -0.4) == (stance is Stance.CONTRADICTS)
    rows = list(csv.DictReader(io.StringIO(audit_csv(audit).decode("utf-8-sig"))))
    for row in rows:
        cell = int(row["sentence"]) - 1, int(row["chunk"]) - 1
        assert row["stance"] == by_cell[cell]
        assert float(row["support"]) == pytest.approx(audit.cells.support.values[cell])
    plain = json.loads(audit_to_json(audit))
    assert plain["cells"]["stances"] == [list(map(str, row)) for row in audit.cells.stances]
    assert audit_from_json(audit_to_json(audit)).cells == audit.cells
    summary = audit_summary(audit)
    for source in summary.sources:
        assert source.contradicts == audit.cells.sentences(source.chunk, Stance.CONTRADICTS)


def test_a_sentence_has_one_label_everywhere(audit):
    rows = list(csv.DictReader(io.StringIO(audit_csv(audit).decode("utf-8-sig"))))
    report, page = audit_report(audit), side_by_side(audit, sentence_reasons(audit))
    explained = {each.traced.sentence.index for each in sentence_reasons(audit)}
    for traced, summary in zip(audit.sentences, audit_summary(audit).sentences, strict=True):
        at, label = traced.sentence.index, status(traced)
        assert {row["label"] for row in rows if int(row["sentence"]) == at + 1} == {label}
        assert f"S{at + 1}: {label}" in report and f"S{at + 1}: {label}" in page
        assert summary.label is traced.label
        assert (at in explained) == (traced.label in UNSUPPORTED_LABELS)
        assert bool(summary.reason) >= (traced.label in UNSUPPORTED_LABELS)


def test_a_card_shows_the_number_of_the_cell_that_it_names(audit):
    for traced in audit.sentences:
        at, text = traced.sentence.index, numbers_text(audit, traced)
        if own_score(audit, at) is not None:
            own = f"{audit.claims[at].score:.3f}"
            assert f"score by {DETECTORS[audit.parameters.detector].title} {own}" in text
        for name, values in (
            (audit.cells.measure, audit.cells.support.values),
            ("contradiction", audit.cells.contradiction.values),
        ):
            found = re.search(rf"{name} (\d\.\d+)(?: by (C\d))?([^·]*)", text)
            if found is None or "joined" in found[3]:
                continue  # of several chunks together
            chunk = int(found[2][1:]) - 1 if found[2] else traced.evidence_chunk
            assert float(found[1]) == pytest.approx(values[at, chunk], abs=0.0011)


def test_what_supports_a_sentence_shows_no_contradiction(audit):
    for quantity in shown_quantities(audit):
        figure = heatmap(audit, shown_part(audit), quantity)
        points = figure.data[1]
        for (s, c, *_), said in zip(points.customdata, points.text, strict=True):
            if s < 0 or audit.cells.stances[s][c] is not Stance.SUPPORTS:
                continue
            assert "contradict" not in said and "contradict" not in cell_text(audit, s, c)
            assert said.startswith(f"S{s + 1} × C{c + 1}: supports")


def test_the_heatmap_prints_the_value_of_its_cell(audit):
    figure = heatmap(audit, shown_part(audit), own_quantity(audit))
    if own_quantity(audit) is Quantity.VERDICT:
        return
    for s in range(SENTENCES):
        for c in range(CHUNKS):
            written = [trace.text[s][c] for trace in figure.data[2:] if trace.text[s][c]]
            assert written == [f"{audit.cells.support.values[s, c]:.2f}"]
