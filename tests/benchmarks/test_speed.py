"""The speed benchmark's helpers, on models that answer at once: nothing is timed here."""

from __future__ import annotations

from benchmarks import speed
from provenance_core import Parameters, assemble
from tests.conftest import hand_evidence


class TenItemsInThirteenChunks:
    """Stands for the models: its audits have more chunks than the context has items."""

    def audit(self, **given: object):
        return assemble(hand_evidence([0.1] * 13, [[0.5] * 13]), Parameters())


def test_the_chunks_said_are_those_of_the_audit_and_not_its_items(monkeypatch):
    monkeypatch.setattr(speed, "AUDITS", 1)
    monkeypatch.setattr(speed.Provenance, "load", TenItemsInThirteenChunks)
    warm, cold, chunks = speed.audit_seconds("Q?", "A.", ["word " * 100] * 10)
    assert chunks == 13
    assert warm >= 0
    assert cold >= 0


def test_a_probe_that_fails_says_why():
    said = speed.peak_mebibytes("raise SystemExit('no {query}')", "models", "A.", [])
    assert said.endswith(("no models", "no /proc"))


def test_a_folder_without_data_has_no_rows(tmp_path):
    assert speed.real_rows(tmp_path) == []
