"""The interface as a program of its own deletes by age, as the app does."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

from fastapi.testclient import TestClient

from provenance_core import Provenance
from storage import AuditStore
from storage.retention import RETENTION_DAYS
from tests.browser_app import ROOT, environment
from tests.storage.test_retention import aged, an_audit


def soon(store: AuditStore, left: int) -> None:
    for _ in range(1200):
        if store.count() == left:
            return
        time.sleep(0.05)
    assert store.count() == left


def test_the_program_deletes_what_is_too_old(client: TestClient, url: str, provenance, monkeypatch):
    store = AuditStore.open(url)
    for days in (1, 31):
        store.save(aged(an_audit(provenance), days))
    with client:
        assert "retention" not in {each.name for each in threading.enumerate()}
    monkeypatch.setenv(RETENTION_DAYS.variable, "30")
    with client:
        soon(store, 1)
    assert [
        each for each in threading.enumerate() if each.name == "retention" and stays(each)
    ] == []


def stays(thread: threading.Thread) -> bool:
    thread.join(60)
    return thread.is_alive()


def test_serve_deletes_what_is_too_old(tmp_path: Path, provenance: Provenance) -> None:
    given = {**environment(tmp_path), RETENTION_DAYS.variable: "30"}
    store = AuditStore.open(given["PROVENANCE_DATABASE_URL"])
    for days in (1, 31):
        store.save(aged(an_audit(provenance), days))
    command = [sys.executable, "-m", "provenance_core", "serve", "--port", "0"]
    served = subprocess.Popen(command, cwd=ROOT, env=given, stdout=subprocess.PIPE, text=True)
    try:
        assert served.stdout is not None
        assert "/api/v1/openapi.json" in served.stdout.readline()
        soon(store, 1)
    finally:
        served.terminate()
        served.communicate(timeout=60)
