"""A detector of one module is audited, drawn, listed and kept without an edit anywhere else."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from provenance_core import InputError, Provenance, assemble, default_parameters
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.cli.audit_text import audit_text
from provenance_core.cli.given_settings import check_read, parameters_from
from provenance_core.cli.options import settings_of
from provenance_core.detectors import (
    DETECTORS,
    AnswerScore,
    Detector,
    MeasurementPlan,
    Quantity,
    Traits,
    register,
    registry,
)
from provenance_core.evaluation.scorers import DetectorScorer
from provenance_core.files.types import LabelledRow
from provenance_core.scoring.tracing import trace_sentences
from provenance_core.types import Audit, ClaimForm, ClaimResult, Evidence, Parameters
from reports.audit_report import audit_report
from reports.formulas import formula_lines
from storage import AuditStore
from tests.app_page import open_page
from tests.commands import parsed, run_command
from tests.conftest import hand_evidence

APP = Path(__file__).parents[2] / "app.py"


class FirstChunkDetector(Detector):
    """What the first chunk entails of each claim; the answer's score is the lowest."""

    name = "first-chunk"
    title = "First chunk"
    explanation = "Asks whether the first chunk entails every sentence."
    source = "this test"
    traits = Traits(uses=("granularity",), quantity=Quantity.ENTAILMENT)

    def plan(self, parameters: Parameters) -> MeasurementPlan:
        return MeasurementPlan(ClaimForm.SENTENCES, parameters.granularity, relevance=False)

    def threshold(self, profile: str) -> float:
        return 0.6

    def score(self, evidence: Evidence, parameters: Parameters) -> AnswerScore:
        factuality = evidence.claim_scores.entailment
        claims = factuality[:, 0]
        shares = (claims == claims.min()) / (claims == claims.min()).sum()
        weights = [1.0, *[0.0] * (len(evidence.chunks) - 1)]
        return AnswerScore(
            factuality=factuality,
            probabilities=weights,
            selected=(0,),
            weights=weights,
            claims=claims,
            decided_by=(0,) * len(claims),
            shares=shares,
            score=float(claims.min()),
        )

    def trace(self, evidence, parameters, scored):
        return trace_sentences(evidence, [0], parameters.threshold)

    def claim_formula(self, audit: Audit, result: ClaimResult) -> str:
        return "entailment by the first chunk"

    def answer_formula(self, audit: Audit) -> str:
        return "lowest of all"


@pytest.fixture
def own(monkeypatch) -> FirstChunkDetector:
    """The detector, registered for one test."""
    for name, kept in dict(registry._registered).items():
        monkeypatch.setitem(registry._registered, name, kept)
    detector = FirstChunkDetector()
    register(detector)
    yield detector
    registry._registered.pop(detector.name, None)


@pytest.fixture
def offered(own) -> FirstChunkDetector:
    """The detector, when the commands are imported: the registry is full by then."""
    import_commands_again()
    yield own
    registry._registered.pop(own.name)
    import_commands_again()


def import_commands_again() -> None:
    for name in ("options", "audit_command", "evaluate_command", "batch_command"):
        importlib.reload(importlib.import_module(f"provenance_core.cli.{name}"))


def by_hand(own) -> Audit:
    evidence = hand_evidence([0.0, 0.0], [[0.9, 0.1], [0.7, 0.8]])
    return assemble(evidence, default_parameters(detector=own.name))


def test_its_formula_and_its_report_are_drawn(own):
    audit = by_hand(own)
    assert formula_lines(audit) == [
        "claim 1 = entailment by the first chunk = 0.900",
        "claim 2 = entailment by the first chunk = 0.700",
        "score = lowest of all = 0.700",
        "0.700 ≥ threshold 0.600 → supported",
    ]
    report = audit_report(audit)
    assert "First chunk" in report and "lowest of all" in report
    assert "First chunk: Asks whether" in " ".join(audit_text(audit).split())


def test_it_audits_with_the_models_and_scores_rows(own, provenance: Provenance):
    parameters = default_parameters(detector=own.name)
    given = {"answer": "The sky is blue.", "context": ["The sky is blue."]}
    audit = provenance.audit(**given, parameters=parameters)
    assert (audit.verdict, audit.parameters.threshold) == ("supported", 0.6)
    row = LabelledRow(1, "", tuple(given["context"]), given["answer"], 1)
    scorer = DetectorScorer(provenance, parameters)
    assert scorer.method == own.name
    assert scorer.score(row).scores == (pytest.approx(audit.score),)


def test_it_is_kept_and_read_again(own, url):
    audit = by_hand(own)
    assert audit_from_json(audit_to_json(audit)) == audit
    store = AuditStore.open(url)
    assert store.load(store.save(audit)).audit == audit


def test_the_command_line_lists_it_with_the_parameters_that_it_reads(offered):
    for command in ("audit", "evaluate", "batch"):
        text = " ".join(run_command(command, "--help").stdout.split())
        assert "first-chunk" in text
        assert "summac and first-chunk: what of the context is a premise" in text
    settings = settings_of(
        parsed("audit", "--answer=a", "--context=c", "--method", offered.name, "--top-k=2")
    )
    with pytest.raises(InputError, match="--top-k would change nothing: the method first-chunk"):
        check_read(settings, parameters_from(settings, default_parameters(detector=offered.name)))


def test_the_sidebar_offers_it_with_its_parameter(own, url):
    app = open_page()
    app.selectbox(key="detector").set_value(own.name).run()
    assert not app.exception
    keys = {str(each.key) for each in (*app.selectbox, *app.radio)}
    assert "granularity" in keys and "selection" not in keys
    assert app.slider(key="threshold").value == 0.6


def test_a_name_is_given_once_and_reads_known_parameters_alone(own):
    with pytest.raises(ValueError, match="a detector 'first-chunk' already"):
        register(own)
    other = FirstChunkDetector()
    other.name, other.traits = "other", Traits(uses=("colour",))
    with pytest.raises(ValueError, match="other reads colour: no such parameter"):
        register(other)
    assert "other" not in DETECTORS


def test_an_audit_of_a_detector_that_is_not_there_says_which_are(url):
    with pytest.raises(InputError, match=r"no detector 'first-chunk'. Choose one of two-stage"):
        default_parameters(detector="first-chunk")
