"""What a program names reaches no file, no model and no address unless an admin allowed it."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from provenance_core.detectors.judge.settings import JUDGE_SETTINGS
from tests.api.conftest import BRIDGE, wrong
from tests.exports_data import exported
from tests.hostile.reached import reached

# A word of its own, so that it is known wherever it turns up.
WORD = "zanzibar-typed"
NAMES = [
    f"/tmp/{WORD}",
    f"../../{WORD}",
    f"~/{WORD}\\x\x00",
    f"file:///{WORD}",
    f"http://{WORD}.invalid/v1",
    f"{WORD}/model@main",
    f"custom-{WORD}/../..",
]
FIELDS = ("detector", "relevance_method", "granularity", "encoder", "model", "endpoint", "url")


def opened(seen: list[str]) -> list[str]:
    return [each for each in seen if WORD in each]


def test_what_is_opened_and_asked_is_seen(tmp_path, monkeypatch) -> None:
    import socket

    with reached() as seen:
        (tmp_path / WORD).write_text("x", encoding="utf-8")
        with pytest.raises(OSError):
            socket.create_connection((f"{WORD}.invalid", 80), timeout=1)
    assert {each.split()[0] for each in opened(seen)} >= {"open", "socket.getaddrinfo"}
    with reached() as seen:
        str(WORD)
    assert not opened(seen)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_that_nobody_allowed_is_neither_opened_nor_asked_for(
    client: TestClient, name: str
) -> None:
    with reached() as seen:
        for where, body in (
            ("audits", {**BRIDGE, "profile": name}),
            ("runs", {"name": "r", "rows": [BRIDGE], "profile": name}),
        ):
            said = wrong(client.post(f"/api/v1/{where}", json=body))
            assert set(said) == {"body.profile"}
            assert "profile" in said["body.profile"]
    assert not opened(seen)


@pytest.mark.parametrize("name", NAMES)
def test_no_parameter_names_a_model_or_an_address(client: TestClient, name: str) -> None:
    with reached() as seen:
        for field in FIELDS:
            response = client.post("/api/v1/audits", json={**BRIDGE, "parameters": {field: name}})
            assert all(where.startswith("body.parameters") for where in wrong(response))
            response = client.post("/api/v1/audits", json={**BRIDGE, field: name})
            assert f"body.{field}" in wrong(response)
    assert not opened(seen)


@pytest.mark.parametrize("name", NAMES)
def test_the_judge_asks_the_address_of_the_settings_alone(
    client: TestClient, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for setting in JUDGE_SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
    judge = {"detector": "llm-judge"}
    with reached() as seen:
        body = {**BRIDGE, "parameters": judge, "query": name, "answer": f"It is {name}."}
        assert (
            "The judge is off" in wrong(client.post("/api/v1/audits", json=body))["body.parameters"]
        )
    assert not opened(seen)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_runs_items_formats_and_keys_are_texts(client: TestClient, name: str) -> None:
    row = {**BRIDGE, "id": name, "file": name, "path": name, "source_model": name}
    with reached() as seen:
        client.post("/api/v1/runs", json={"name": name, "rows": [row]})
        client.post("/api/v1/runs", json={"name": "f", "rows": [row], "format": name})
        mapping = {"query": name, "context": name, "answer": name}
        client.post("/api/v1/runs", json={"name": "m", "rows": [row], "mapping": mapping})
        item = {"text": BRIDGE["context"][0], "name": name}
        client.post("/api/v1/audits", json={**BRIDGE, "context": [item]})
        headers = {"Idempotency-Key": "".join(c for c in name if c.isprintable())}
        client.post("/api/v1/audits", json=BRIDGE, headers=headers)
        judged = {"reviewer": name, "judgement": {"verdict": "supported", "comment": name}}
        client.post("/api/v1/audits/1/reviews", json=judged)
        for place in ("audits", "runs", "presets"):
            client.get(f"/api/v1/{place}/{quote(name)}")
            client.get(f"/api/v1/{place}", params={"text": name, "offset": name})
    assert not opened(seen)


@pytest.mark.parametrize("name", NAMES)
def test_an_imported_audit_names_no_model_that_is_opened(
    client: TestClient, url: str, name: str
) -> None:
    from storage.imports import Importer

    client.post("/api/v1/audits", json=BRIDGE)
    line = json.loads(exported(url))
    line["audit"]["evidence"]["profile"] = name
    with reached() as seen:
        result = Importer.open(url).read([json.dumps(line).encode()])
    assert (result.imported, len(result.rejected)) == (0, 1)
    assert "profile" in result.rejected[0].reason
    assert not opened(seen)
