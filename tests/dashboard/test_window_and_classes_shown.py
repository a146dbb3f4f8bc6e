"""What a reader is shown of token counts, cuts, and a model that measures no contradiction."""

from __future__ import annotations

import io
from dataclasses import replace

import pandas as pd
import pytest
from inline_snapshot import snapshot

from provenance_core import InputError, Parameters, assemble
from provenance_core.audit.serialization import to_plain
from provenance_core.cli.audit_text import audit_text
from provenance_core.explain.summary import audit_summary
from provenance_core.types import Cut, CutKind, PairTokens
from reports.audit_report import audit_report
from reports.charts import heatmap, shown_part
from reports.pair_tokens import cut_lines, longest_pairs, pair_size
from reports.quantities import Quantity, shown_quantities
from reports.tables import audit_csv, sources_table
from tests.conftest import hand_evidence
from tests.wording import assert_shows


@pytest.fixture
def evidence():
    found = hand_evidence([1.0, 2.0], [[0.9, 0.1], [0.2, 0.3]])
    return replace(
        found,
        pair_tokens=PairTokens((9, 9), ((11, 12), (13, 14)), ((11, 12), (15, 14)), (10, 20), (8,)),
        cuts=(Cut(CutKind.CONTEXT_ITEM, 0, 400, 128, 4), Cut(CutKind.QUERY, 0, 300, 100, 3)),
    )


@pytest.fixture
def untold(evidence):
    return replace(evidence, nli_model=replace(evidence.nli_model, tells_contradiction=False))


def test_every_pair_has_its_tokens(evidence):
    assert longest_pairs(evidence) == (15, 20)
    assert pair_size(evidence, 1, 0) == snapshot("15 of 256 tokens")
    audit = assemble(evidence, Parameters())
    shown = sources_table(audit).sort_values("chunk")
    assert shown["longest pair (tokens)"].tolist() == [15, 20]
    assert 'data-name="longest pair">15 tokens' in audit_report(audit)
    assert to_plain(audit_summary(audit))["pair_tokens"]["claims"] == [[11, 12], [13, 14]]


def test_cuts_are_said(evidence):
    lines = cut_lines(evidence)
    assert lines[0] == snapshot("context item 1: 400 tokens in 4 parts of at most 128")
    assert lines[1].startswith("what relevance was scored for: 300 tokens in 3")
    audit = assemble(evidence, Parameters())
    assert all(line in audit_report(audit) for line in lines)
    assert [cut["tokens"] for cut in to_plain(audit_summary(audit))["cuts"]] == [400, 300]


def test_audits_of_before_show_no_tokens(evidence):
    audit = assemble(replace(evidence, pair_tokens=None, cuts=()), Parameters())
    assert "longest pair (tokens)" not in sources_table(audit)
    assert "longest pair" not in audit_report(audit)
    assert pair_size(audit.evidence, 0, 0) == ""


def test_contradiction_that_was_not_measured_is_no_figure(evidence, untold):
    known, audit = assemble(evidence, Parameters()), assemble(untold, Parameters())
    assert "contradiction not measured" in audit_text(audit)
    assert "contradiction not measured" not in audit_text(known)
    assert to_plain(audit_summary(audit))["sentences"][0]["contradiction"] is None
    assert to_plain(audit_summary(known))["sentences"][0]["contradiction"] == 0.0
    assert pd.read_csv(io.BytesIO(audit_csv(audit)))["contradiction"].isna().all()
    assert "contradiction not measured" in audit_report(audit)
    assert shown_quantities(audit) == (Quantity.SUPPORT, Quantity.ENTAILMENT)
    assert shown_quantities(known) == tuple(Quantity)
    points = heatmap(audit, shown_part(audit), Quantity.ENTAILMENT).data[1].text
    assert points[0].endswith("entailment 0.900)")


@pytest.mark.parametrize("name", ["nli-matrix", "selfcheck"])
def test_no_score_is_made_of_contradictions_that_were_not_measured(untold, name):
    with pytest.raises(InputError, match="measures none"):
        assemble(untold, Parameters(detector=name))


def test_the_text_names_public_models_and_where_they_ran(evidence):
    public = replace(
        evidence.nli_model,
        model_id="owner/\x1bnli",
        revision="a" * 40,
        device="cpu (x86_64)",
        precision="float32",
    )
    text = audit_text(assemble(replace(evidence, nli_model=public), Parameters()))
    assert_shows(text, snapshot("nli: owner/\\u001bnli (aaaaaaa) on cpu (x86_64), in float32"))
    assert "relevance: " not in text[text.index("Models") :]
    assert "Models\n" not in audit_text(assemble(evidence, Parameters()))
