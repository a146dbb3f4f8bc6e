"""Readiness and metrics: all is well, and each part that is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from provenance_core import Parameters, assemble
from provenance_core.cli.health_command import find_health, metrics_text, respond
from storage import AuditStore
from tests.commands import run_command
from tests.conftest import hand_evidence


@pytest.fixture(autouse=True)
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PROVENANCE_PROFILE", "embedded")
    address = f"sqlite:///{tmp_path / 'a.db'}"
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", address)
    return address


def answer(path: str) -> tuple[str, bytes]:
    said: list[str] = []
    body = respond({"PATH_INFO": path}, lambda status, headers: said.append(status))  # type: ignore
    return said[0], b"".join(body)


def test_all_is_ready(url: str) -> None:
    AuditStore.open(url).save(assemble(hand_evidence([1.0], [[0.9]]), Parameters()))
    status, body = answer("/ready")
    assert (status, json.loads(body)) == ("200 OK", {"ready": True, "problems": {}})
    status, body = answer("/metrics")
    assert status == "200 OK"
    assert b"provenance_ready 1.0" in body
    assert b"provenance_audits 1.0" in body
    assert answer("/other")[0] == "404 Not Found"
    done = run_command("health")
    assert (done.returncode, json.loads(done.stdout)["ready"]) == (0, True)


def test_what_cannot_be_used_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", f"sqlite:///{tmp_path}")
    status, body = answer("/ready")
    assert status == "503 Service Unavailable"
    assert list(json.loads(body)["problems"]) == ["database"]
    assert run_command("health").returncode == 1
    assert b"provenance_ready 0.0" in metrics_text(find_health(), 0.1)


def test_a_full_disk_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.readiness.LEAST_FREE_BYTES", 10**18)
    assert "disk" in dict(find_health().problems)


def test_a_port_that_is_taken_is_a_message() -> None:
    assert "Port 99999 cannot be used" in run_command("health", "--serve", "99999").stderr
