"""Older audits whose NLI model read only the chunks that were selected stay readable."""

from __future__ import annotations

import json

import pytest

from provenance_core import default_parameters, recompute
from provenance_core.audit.assembly import assemble
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.errors import NotReadError
from provenance_core.types import SentenceLabel
from reports.audit_report import audit_report
from reports.tables import audit_csv
from reports.wording import UNREAD
from tests.conftest import hand_evidence


def an_older_audit() -> str:
    """With two of three chunks read, as ``cells=sources`` made it."""
    evidence = hand_evidence([3.0, 2.0, 0.0], [[0.9, 0.1, 0.2], [0.1, 0.2, 0.9]])
    raw = json.loads(audit_to_json(assemble(evidence, default_parameters())))
    for name in ("claim_scores", "sentence_scores"):
        for row in raw["evidence"][name]:
            row[2] = None
    raw["evidence"]["chunks_read"] = [True, True, False]
    raw["parameters"] |= {"cells": "sources", "top_k": 2}
    return json.dumps(raw)


def test_it_has_its_score_and_no_number_of_what_was_not_read():
    audit = audit_from_json(an_older_audit())
    assert audit.evidence.read.tolist() == [[True, True, False]] * 2
    assert [source.factuality is None for source in audit.sources] == [False, False, True]
    assert audit.sentences[1].label is SentenceLabel.NOT_FOUND
    assert audit_from_json(audit_to_json(audit)) == audit
    assert UNREAD in audit_report(audit)
    assert audit_csv(audit)


def test_a_selection_of_what_was_not_read_is_refused():
    audit = audit_from_json(an_older_audit())
    assert recompute(audit, top_k=1).score <= 1
    with pytest.raises(NotReadError, match=r"did not read C3, .* Audit the answer again"):
        recompute(audit, top_k=3)
