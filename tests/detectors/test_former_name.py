"""The name that the default detector had before is accepted wherever a name is given."""

from __future__ import annotations

import sqlite3

import pytest

from provenance_core import Auditor, Parameters, assemble, default_parameters
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.cli.evaluate_command import evaluate
from provenance_core.cli.values import detector
from provenance_core.detectors import get_detector
from provenance_core.evaluation.scoring import read_scored_set
from provenance_core.evaluation.types import Column
from storage import AuditFilter, AuditStore, ItemFilter, ItemStore
from tests.conftest import hand_evidence, write_hand_scores

FORMER, TODAY = "provenance", "two-stage"


def test_in_the_library():
    assert Parameters(detector=FORMER) == Parameters()
    assert get_detector(FORMER) is get_detector(TODAY)
    assert default_parameters(detector=FORMER) == default_parameters(detector=TODAY)
    assert Auditor(detector=FORMER).parameters == Auditor().parameters


def test_in_the_json_of_an_audit():
    audit = assemble(hand_evidence([0.0], [[0.5]]), Parameters())
    text = audit_to_json(audit)
    before = text.replace(f'"detector": "{TODAY}"', f'"detector": "{FORMER}"')
    assert before != text
    assert audit_from_json(before) == audit


def test_on_the_command_line():
    (method,) = (each for each in evaluate.params if each.name == "method")
    assert detector(FORMER) == method.type(FORMER) == TODAY


@pytest.mark.parametrize("name", [FORMER, TODAY])
def test_in_filters_of_a_database(url, name):
    """A row of before and one of today are found by either name, and shown by today's."""
    store = AuditStore.open(url)
    audit = assemble(hand_evidence([0.0], [[0.5]]), Parameters())
    store.save(audit)
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        (stored,) = connection.execute("SELECT DISTINCT detector FROM audits").fetchone()
    assert stored == FORMER, "else the rows of earlier databases are another detector's"
    page = store.page(AuditFilter(detector=name))
    assert [row.detector for row in page.rows] == [TODAY]
    assert ItemStore.open(url).detectors(ItemFilter(audits=AuditFilter(detector=name))) == (TODAY,)


def test_in_kept_scores(tmp_path):
    read = []
    for path in (write_hand_scores(tmp_path) / "scores").glob(f"*{TODAY}*"):
        path.write_text(path.read_text().replace(f'"{TODAY}', f'"{FORMER}'))
        read.append(read_scored_set(path).method)
        assert read_scored_set(path).columns[0] == Column(TODAY, 0.5, True)
    assert set(read) == {TODAY, f"{TODAY}@embedded"}
