"""A correction that a reviewer types: audited next to the original, without a browser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provenance_core import Parameters, assemble
from provenance_core.review.types import JudgedVerdict, Judgement
from storage import AuditStore, ReviewStore
from tests.conftest import hand_evidence, shown_html
from tests.dashboard.test_review_page import an_audit, page, said


@pytest.fixture
def store(url) -> AuditStore:
    store = AuditStore.open(url)
    store.save(an_audit(0.2))
    return store


def test_a_typed_correction_is_audited_and_stands_next_to_the_original(store, monkeypatch):
    original = store.load(1).audit
    asked: list[str] = []

    def audited(profile, query, answer, context, parameters, **rest):
        asked.append(answer)
        assert (query, parameters) == (original.evidence.query, original.parameters)
        evidence = hand_evidence([0.1, 0.7], [[0.9, 0.1], [0.9, 0.2]])
        return assemble(replace(evidence, query=query), Parameters(threshold=0.5))

    monkeypatch.setattr("dashboard.review.correction.audited_with_bar", audited)
    app = page("Ann", audit="1")
    assert app.button(key="audit_correction_1").disabled, "nothing is changed yet"
    app.text_area(key="typed_correction_1").set_value("Claim number 7.").run()
    app.button(key="audit_correction_1").click().run()
    assert not app.exception and asked == ["Claim number 7."]
    made = store.corrections(1).corrected
    assert [row.corrected_from for row in made] == [1]
    assert store.corrected_by([made[0].id]) == {made[0].id: "Ann"}
    assert store.load(1).audit == original
    assert f"Audit {made[0].id} by Ann" in shown_html(app)


def test_a_blind_reviewer_judges_before_correcting(store, url):
    app = page("Ann", audit="1", blind="true")
    assert "Save your judgement first" in said(app)
    assert not [box for box in app.text_area if box.label == "Corrected answer"]
    ReviewStore.open(url).save(1, "Ann", Judgement(JudgedVerdict.SUPPORTED))
    app.run()
    assert [box for box in app.text_area if box.label == "Corrected answer"]
