"""Audits from any program: the checks, scores and messages of the pages."""

from __future__ import annotations

import json
import threading

import pytest
from fastapi.testclient import TestClient
from starlette.applications import Starlette
from starlette.routing import Mount

from api.app import under_its_own_prefix
from api.scoring import ScoringQueue
from provenance_core import default_parameters
from provenance_core.audit.serialization import to_plain
from provenance_core.explain.summary import audit_summary
from storage import AuditStore, PresetStore
from storage.actions import action_log
from storage.presets import PresetEvidence
from tests.api.conftest import BRIDGE, wrong


def test_an_audit_is_that_of_the_library_and_is_kept(client, url, provenance):
    response = client.post("/api/v1/audits", json=BRIDGE)
    assert response.status_code == 201
    kept = response.json()
    assert response.headers["location"] == f"http://127.0.0.1/api/v1/audits/{kept['id']}"
    assert client.get(response.headers["location"]).json() == kept
    assert [item["text"] for item in kept["context"]] == BRIDGE["context"]
    same = provenance.audit(**BRIDGE)
    assert kept["audit"]["score"] == pytest.approx(same.score, abs=1e-12)
    assert kept["audit"]["sentences"] == json.loads(
        json.dumps(to_plain(audit_summary(same))["sentences"])
    )
    assert kept["audit"].keys() == to_plain(audit_summary(same)).keys()
    assert AuditStore.open(url).load(kept["id"]).audit.evidence.answer == BRIDGE["answer"]
    lines = [json.loads(line) for line in action_log().read_text(encoding="utf-8").splitlines()]
    assert [(line["action"], line["numbers"]) for line in lines] == [("save an audit", [1])]


def test_mounted_beside_the_pages_it_has_the_same_addresses(client):
    around = Starlette(routes=[Mount("/api", under_its_own_prefix(client.app))])
    beside = TestClient(around, base_url="http://127.0.0.1")
    response = beside.post("/api/v1/audits", json=BRIDGE)
    assert response.headers["location"] == "http://127.0.0.1/api/v1/audits/1"
    assert beside.get(response.headers["location"]).json() == response.json()


def test_parameters_names_and_empty_texts_are_those_of_the_library(client):
    body = {
        **BRIDGE,
        "context": [{"text": BRIDGE["context"][0], "name": "a.txt"}, ""],
        "parameters": {"detector": "summac", "granularity": "document", "threshold": 0.1},
    }
    audit = client.post("/api/v1/audits", json=body).json()["audit"]
    assert audit["parameters"]["detector"] == "summac"
    assert audit["parameters"]["granularity"] == "document"
    assert (audit["threshold"], audit["sources"][0]["name"]) == (0.1, "a.txt")
    assert [notice["code"] for notice in audit["notices"]] == ["empty_items"]


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        ({"answer": " "}, "body.answer", "The answer is empty. Enter the text"),
        ({"context": []}, "body.context", "Enter at least one context item"),
        ({"query": "q" * 20_001}, "body.query", "at most 20,000 can be audited"),
        ({"answer": 7}, "body.answer", "valid string"),
        ({"anwser": "a"}, "body.anwser", "There is no such field."),
        ({"parameters": {"top_p": 3}}, "body.parameters", "top_p must be in (0, 1], not 3.0."),
        ({"parameters": {"detector": "x"}}, "body.parameters", "Choose one of two-stage,"),
        ({"parameters": {"detector": "llm-judge"}}, "body.parameters", "PROVENANCE_JUDGE"),
        ({"parameters": {"aggregation": "sum"}}, "body.parameters.aggregation", "'min'"),
        ({"profile": "x"}, "body.profile", "Known profiles: embedded,"),
    ],
)
def test_what_cannot_be_audited_says_where_and_how_to_mend_it(client, url, change, where, message):
    response = client.post("/api/v1/audits", json={**BRIDGE, **change})
    assert response.status_code == 422
    assert message in wrong(response)[where]
    assert AuditStore.open(url).count() == 0


def test_every_place_that_is_wrong_is_told_and_none_is_kept(client, url):
    audits = [BRIDGE, {**BRIDGE, "answer": ""}, {"answer": "a", "context": [""]}]
    response = client.post("/api/v1/audits/batch", json={"audits": audits})
    assert response.status_code == 422
    assert list(wrong(response)) == ["body.audits.1.answer", "body.audits.2.context"]
    assert AuditStore.open(url).count() == 0
    response = client.post("/api/v1/audits/batch", json={"audits": audits[:1] * 2})
    assert [each["id"] for each in response.json()["audits"]] == [1, 2]


def test_a_retry_under_a_key_returns_the_same_audit(client, url):
    key = {"Idempotency-Key": "7b1c"}
    first = client.post("/api/v1/audits", json=BRIDGE, headers=key)
    again = client.post("/api/v1/audits", json=BRIDGE, headers=key)
    assert (again.status_code, again.json()) == (201, first.json())
    assert AuditStore.open(url).count() == 1
    other = client.post("/api/v1/audits", json={**BRIDGE, "query": ""}, headers=key)
    assert "Use a new key" in wrong(other)[""]
    # What was refused may be fixed and sent again under its key.
    key = {"Idempotency-Key": "8"}
    assert client.post("/api/v1/audits", json={**BRIDGE, "answer": ""}, headers=key).is_error
    assert client.post("/api/v1/audits", json=BRIDGE, headers=key).status_code == 201
    key = {"Idempotency-Key": "9"}
    body = {"audits": [BRIDGE, BRIDGE]}
    first = client.post("/api/v1/audits/batch", json=body, headers=key).json()
    assert client.post("/api/v1/audits/batch", json=body, headers=key).json() == first
    assert AuditStore.open(url).count() == 4


def test_a_deleted_audit_is_not_made_again_under_its_key(client, url):
    key = {"Idempotency-Key": "7b1c"}
    AuditStore.open(url).delete(
        client.post("/api/v1/audits", json=BRIDGE, headers=key).json()["id"]
    )
    again = client.post("/api/v1/audits", json=BRIDGE, headers=key)
    assert again.status_code == 404
    assert "deleted" in wrong(again)[""]


def test_the_default_preset_counts_as_on_the_pages(client, url):
    presets = PresetStore.open(url)
    evidence = PresetEvidence("", "", "reviews", 10, 0.5, "", ())
    parameters = default_parameters("embedded", "summac")
    number = presets.save("strict", "embedded", parameters, evidence)
    assert client.get("/api/v1/presets").json()["readable"][0]["name"] == "strict"
    assert client.get(f"/api/v1/presets/{number}").json()["parameters"]["detector"] == "summac"
    assert client.get("/api/v1/presets/9").status_code == 404

    def detector(**settings) -> str:
        response = client.post("/api/v1/audits", json={**BRIDGE, **settings})
        return str(response.json()["audit"]["parameters"]["detector"])

    assert detector() == "two-stage"
    assert detector(preset=number) == "summac"
    presets.set_default(number)
    assert detector() == "summac"
    assert detector(parameters={"detector": "two-stage"}) == "two-stage"
    refused = client.post("/api/v1/audits", json={**BRIDGE, "preset": 9})
    assert "There is no preset 9." in wrong(refused)["body.preset"]
    refused = client.post("/api/v1/audits", json={**BRIDGE, "preset": number, "profile": "cascade"})
    assert "is for the profile embedded" in wrong(refused)["body.profile"]


def test_the_list_is_filtered(client):
    for answer in ("It was opened in 1932.", "It was opened in 1923."):
        client.post("/api/v1/audits", json={**BRIDGE, "answer": answer})
    assert client.get("/api/v1/audits").json()["total"] == 2
    found = client.get("/api/v1/audits", params={"text": "1923", "limit": 1}).json()
    assert [row["answer"] for row in found["rows"]] == ["It was opened in 1923."]
    assert client.get("/api/v1/audits", params={"since": "2999-01-01"}).json()["total"] == 0
    assert "query.limit" in wrong(client.get("/api/v1/audits", params={"limit": 0}))


def test_limits_of_one_request(client, monkeypatch):
    limits = client.app.state.limits
    monkeypatch.setattr(client.app.state, "limits", type(limits)(limits.body, 1, 1, 1))
    many = client.post("/api/v1/audits/batch", json={"audits": [BRIDGE, BRIDGE]})
    assert many.status_code == 413
    assert "PROVENANCE_API_AUDITS" in wrong(many)["body.audits"]
    body = b"x" * (limits.body + 1)
    large = client.post("/api/v1/audits", content=body)
    assert large.status_code == 413
    assert "PROVENANCE_API_BODY_MB" in wrong(large)["body"]
    # One that does not say its length.
    json_type = {"Content-Type": "application/json"}
    large = client.post("/api/v1/audits", content=iter([body]), headers=json_type)
    assert large.status_code == 413
    assert "PROVENANCE_API_BODY_MB" in wrong(large)[""]


def test_who_waits_too_long_in_line_is_told_to_come_back(client, monkeypatch):
    monkeypatch.setattr(client.app.state, "queue", queue := ScoringQueue(1))
    with queue.place():
        response = client.post("/api/v1/audits", json=BRIDGE)
    assert (response.status_code, response.headers["retry-after"]) == (503, "10")
    assert "Try again in 10 s" in wrong(response)[""]
    assert client.post("/api/v1/audits", json=BRIDGE).status_code == 201


def test_two_requests_at_once_load_the_models_once(client, provenance, monkeypatch):
    loads = []
    load = type(provenance).load
    monkeypatch.setattr(type(provenance), "load", lambda name: loads.append(name) or load(name))
    found = []

    def ask() -> None:
        found.append(client.post("/api/v1/audits", json=BRIDGE).status_code)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (found, loads) == ([201] * 3, ["embedded"])


def test_a_form_of_another_site_and_what_is_no_json_are_no_requests(client):
    """A browser sends a form without asking first."""
    text = client.post(
        "/api/v1/audits", content=json.dumps(BRIDGE), headers={"Content-Type": "text/plain"}
    )
    assert text.status_code == 422
    json_type = {"Content-Type": "application/json"}
    bytes_alone = client.post("/api/v1/audits", content=b"\xff", headers=json_type)
    assert bytes_alone.status_code == 422
    assert "The body is no text in UTF-8. Send JSON in UTF-8." in wrong(bytes_alone)["body"]
    picture = client.post("/api/v1/audits", content=b"\x89PNG\r\n", headers=json_type)
    assert picture.status_code == 422
    assert wrong(picture)["body"] == "The body is a PNG image, not a text. Send JSON in UTF-8."
    broken = client.post("/api/v1/audits", content=b"{", headers=json_type)
    assert any("The body is not JSON" in message for message in wrong(broken).values())
    for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}):
        assert client.get("/api/v1/audits", headers=headers).status_code == 403
    assert client.get("/api/v1/audits", headers={"Origin": "http://localhost:8501"}).is_success
    assert "/api/v1/openapi.json" in wrong(client.get("/api/v1/nowhere"))[""]
    assert "takes" in wrong(client.put("/api/v1/audits"))[""]
