"""The interface in process, with the shipped models."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from api import runs
from api.app import create_app
from api.guard import Guard
from api.scoring import ScoringQueue
from api.settings import api_limits
from provenance_core.audit.shared_models import shared_models
from storage.worker.process import this_worker
from storage.worker.rows import Stores, work

BRIDGE = {
    "query": "When was the bridge opened?",
    "answer": "It was opened in 1932.",
    "context": ["The Sydney Harbour Bridge was opened on 19 March 1932."],
}


@pytest.fixture(scope="session")
def program() -> FastAPI:
    """The interface, made once: making its addresses takes a third of a second."""
    return create_app(Guard(lambda: "127.0.0.1", lambda: ()))


@pytest.fixture
def client(program, url, loaded_once, provenance, monkeypatch) -> TestClient:
    """A program on this machine, without sign-in. Runs are worked on in this process."""
    shared_models.cache_clear()

    def work_here(number: int) -> None:
        work(Stores.open(url), number, this_worker(), load=lambda profile: provenance)

    monkeypatch.setattr(runs, "start_worker", work_here)
    program.state.guard = Guard(lambda: "127.0.0.1", lambda: ())
    program.state.limits = api_limits()
    program.state.queue = ScoringQueue(program.state.limits.waiting)
    return TestClient(program, base_url="http://127.0.0.1", raise_server_exceptions=False)


def wrong(response) -> dict[str, str]:
    """What a problem says of each place."""
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == response.status_code
    assert problem["detail"]
    return {each["where"]: each["message"] for each in problem["errors"]}
