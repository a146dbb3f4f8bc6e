"""Processes that are killed at a random moment of each kind of work."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from benchmarks.reliability.kills import CHECKS, Place, kill
from provenance_core import Provenance
from storage import AuditStore
from storage.copies import health_of

# Set it to the seed that a failure shows, and the kills fall as they did.
SEED = int(os.environ.get("PROVENANCE_KILL_SEED") or time.time_ns())
# A batch is killed in tests/storage/worker/test_batch_resume.py; a page takes seconds to open.
LONG = {"batches", "pages"}
ACTIONS = [pytest.param(each, marks=pytest.mark.slow) if each in LONG else each for each in CHECKS]


@pytest.mark.parametrize("action", ACTIONS)
def test_a_kill_loses_nothing(tmp_path: Path, provenance: Provenance, action: str) -> None:
    moment = kill(action, tmp_path, random.Random(SEED), provenance)
    assert moment.survived, f"PROVENANCE_KILL_SEED={SEED}: {moment}"


def test_what_is_lost_or_doubled_is_seen(tmp_path: Path, provenance: Provenance) -> None:
    place = Place(tmp_path)
    store = AuditStore.open(place.url)
    audit = provenance.audit(answer="Room 1 is red.", context=["Room 1 is red."])
    store.save(audit)
    store.save(audit)
    lost, doubled, problems = CHECKS["audits"](place, ["1", "7"])
    assert (lost, doubled, problems) == (1, 1, [])
    assert CHECKS["audits"](place, [])[2] == ["2 audits that nobody asked for"]
    assert not health_of(place.file).problems
    (tmp_path / "out-1.jsonl").write_text("{}\n{}\n")
    assert CHECKS["exports"](place, ["out-2.jsonl"])[0::2] == (1, ["out-1.jsonl is not whole"])
