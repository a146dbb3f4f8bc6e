"""The version of the measuring code in an audit, its digest, its JSON and the database."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from provenance_core import Parameters, assemble
from provenance_core.audit.digest import evidence_digest, measurement_digest
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.detectors import DETECTORS
from storage import AuditStore
from tests.conftest import hand_evidence

# As they were before audits named the version of what measured them.
OLD_DIGESTS = {
    "two-stage": "39ce2e793fbf16a78105f2655e419f422b8030ae578d1c69de4ad3a157ea0fb5",
    "summac": "1c449fda57562ec2ab4875398121252ce51b917f195d4dbfc643287ccce533c7",
}


@pytest.mark.parametrize("name", OLD_DIGESTS)
def test_audits_of_before_keep_their_digests_and_are_not_those_of_today(name):
    evidence = replace(hand_evidence([0.0], [[0.5]]), measured_by=1)
    parameters = Parameters(detector=name)
    assert evidence_digest(evidence, parameters) == OLD_DIGESTS[name]
    today = measurement_digest(
        evidence.query,
        evidence.answer,
        [item.text for item in evidence.context],
        parameters,
        (evidence.relevance_model, evidence.nli_model),
    )
    assert today != OLD_DIGESTS[name]
    now = replace(evidence, measured_by=DETECTORS[name].measured_by)
    assert evidence_digest(now, parameters) == today


def test_the_version_is_kept_and_is_1_where_it_was_not(url):
    audit = assemble(replace(hand_evidence([0.0], [[0.5]]), measured_by=7), Parameters())
    assert audit_from_json(audit_to_json(audit)).evidence.measured_by == 7
    plain = json.loads(audit_to_json(audit))
    del plain["evidence"]["measured_by"]
    assert audit_from_json(json.dumps(plain)).evidence.measured_by == 1
    store = AuditStore.open(url)
    for version in (7, 1):
        kept = assemble(replace(audit.evidence, measured_by=version), Parameters())
        assert store.load(store.save(kept)).audit.evidence.measured_by == version


def test_an_audit_names_the_version_of_its_detector(provenance, monkeypatch):
    monkeypatch.setattr(type(DETECTORS["summac"]), "measured_by", 9)
    given = {"answer": "The sky is blue.", "context": ["The sky is blue."]}
    found = provenance.audit(**given, parameters=Parameters(detector="summac"))
    assert found.evidence.measured_by == 9
