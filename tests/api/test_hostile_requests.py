"""Requests that no honest program sends are refused with the words of the pages, and nothing stays
open."""

from __future__ import annotations

import asyncio
import json

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from api.body_limit import BodyLimit
from api.guard import Guard
from tests.api.conftest import BRIDGE, wrong

JSON = {"content-type": "application/json"}
HALF = r"\ud800"
RUN = '{"name": "n", "rows": [{"answer": "a", "context": ["b"], "x": %s}]}'


@pytest.fixture
def local(program: FastAPI, url: str) -> TestClient:
    program.state.guard = Guard(lambda: "127.0.0.1", lambda: ())
    return TestClient(program, base_url="http://127.0.0.1")


@pytest.mark.parametrize("levels", [101, 256, 900, 5_000, 200_000])
@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/api/v1/runs", RUN),
        ("/api/v1/audits", '{"answer": "a", "context": %s}'),
        ("/api/v1/presets", '{"file": {"x": %s}}'),
    ],
)
def test_json_of_many_levels_is_called_that(local, address, body, levels):
    text = body % ("[" * levels + "]" * levels)
    response = local.post(address, content=text, headers=JSON)
    assert response.status_code == 422
    assert "levels" in wrong(response)["body"]
    assert "UTF-8" not in response.text


@pytest.mark.parametrize(
    ("address", "body", "place"),
    [
        ("/api/v1/audits", '{"answer": "a%s", "context": ["b"]}', "body.answer"),
        ("/api/v1/audits", '{"answer": "a", "context": ["b", "%s"]}', "body.context.1"),
        ("/api/v1/audits", '{"answer": "a", "context": ["b"], "profile": "%s"}', "body.profile"),
        ("/api/v1/audits", '{"answer": "a", "context": ["b"], "%s": 1}', "body"),
        (
            "/api/v1/audits",
            '{"answer": "a", "context": ["b"], "parameters": {"detector": "%s"}}',
            "body.parameters.detector",
        ),
        ("/api/v1/runs", '{"name": "n%s", "rows": [{"answer": "a"}]}', "body.name"),
        ("/api/v1/runs", '{"name": "n", "rows": [{"answer": "%s"}]}', "body.rows.0.answer"),
        ("/api/v1/runs", '{"name": "n", "rows": [{"answer": "a", "k%s": "b"}]}', "body.rows.0"),
        ("/api/v1/presets", '{"file": {"schema": "%s"}}', "body.file.schema"),
    ],
)
def test_half_of_a_character_is_named_with_its_place(local, address, body, place):
    response = local.post(address, content=body % HALF, headers=JSON)
    assert response.status_code == 422
    assert wrong(response) == {place: "The text holds half of a character. Delete it."}
    # Two halves are a character.
    assert "half" not in local.post(address, content=body % r"\ud83d\ude00", headers=JSON).text


def test_a_key_that_stands_twice_is_named(local):
    text = '{"answer": "a", "answer": "b", "context": ["c"]}'
    response = local.post("/api/v1/audits", content=text, headers=JSON)
    assert response.status_code == 422
    assert "'answer' appears twice" in wrong(response)["body"]


@pytest.mark.parametrize(
    ("place", "value"),
    [("top_k", True), ("top_p", False), ("threshold", True), ("chunk_tokens", True)],
)
def test_true_and_false_are_no_numbers(local, place, value):
    body = {**BRIDGE, "parameters": {place: value}}
    response = local.post("/api/v1/audits", json=body)
    assert response.status_code == 422
    assert "not true or false" in wrong(response)[f"body.parameters.{place}"]


def test_true_is_the_number_of_nothing(local):
    response = local.post("/api/v1/audits", json={**BRIDGE, "preset": True})
    assert "not true or false" in wrong(response)["body.preset"]
    sentences = [{"index": 0, "verdict": "supported"}, {"index": True, "verdict": "supported"}]
    judgement = {"verdict": "supported", "sentences": sentences, "blind": True}
    body = {"reviewer": "Ann", "judgement": judgement}
    response = local.post("/api/v1/audits/1/reviews", json=body)
    # A truth value stays one.
    assert [*wrong(response)] == ["body.judgement.sentences.1.index"]


@pytest.mark.parametrize("origin", ["http://[::1", "http://[", "null"])
def test_an_origin_that_is_no_address_is_refused(local, origin):
    response = local.get("/api/v1/audits", headers={"origin": origin})
    assert response.status_code == 403
    assert "another site" in wrong(response)[""]


def test_a_body_that_stops_halfway_is_given_up(program, local):
    """The answer comes, and the connection is to be closed, while the client still holds back."""
    sent: list[dict] = []
    parts = [{"type": "http.request", "body": b'{"answer": "a', "more_body": True}]

    async def receive() -> dict:
        return parts.pop() if parts else await asyncio.Event().wait()

    async def send(message: dict) -> None:
        sent.append(message)

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST",
        "scheme": "http", "path": "/api/v1/audits", "raw_path": b"/api/v1/audits",
        "query_string": b"", "root_path": "", "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "headers": [
            (b"host", b"127.0.0.1"), (b"content-type", b"application/json"),
            (b"content-length", b"100"),
        ],
    }  # fmt: skip
    asyncio.run(BodyLimit(program, most=1_000, silence=0.01)(scope, receive, send))
    start, *body = sent
    assert start["status"] == 408
    assert (b"connection", b"close") in start["headers"]
    said = json.loads(b"".join(each["body"] for each in body))
    assert said["detail"].startswith("Nothing more of the body came for 0.01 seconds.")
