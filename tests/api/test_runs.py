"""Runs from any program: started, followed, stopped and read."""

from __future__ import annotations

import json

import pytest

from api import runs
from reports.listed_audits import listed
from storage import ItemFilter, ItemOrder, ItemStore, RunStatus, RunStore
from storage.actions import action_log
from storage.errors import StorageError
from tests.api.conftest import BRIDGE, wrong

ROWS = [
    {**BRIDGE, "label": 1, "id": "a"},
    {**BRIDGE, "answer": "It was opened in 1923.", "label": 0, "id": "b"},
    {**BRIDGE, "answer": ""},
]


@pytest.fixture
def waiting(monkeypatch) -> list[int]:
    """Runs whose worker was asked for, and has not come yet."""
    asked: list[int] = []
    monkeypatch.setattr(runs, "start_worker", asked.append)
    return asked


def events(text: str) -> list[tuple[str, dict]]:
    """Name and data of each event of a stream."""
    blocks = [
        dict(line.split(": ", 1) for line in block.splitlines() if line[:1] != ":")
        for block in text.strip().split("\n\n")
    ]
    return [(block["event"], json.loads(block["data"])) for block in blocks if block]


def test_a_run_is_started_followed_and_read(client):
    response = client.post("/api/v1/runs", json={"name": "first", "rows": ROWS})
    assert response.status_code == 202
    run = response.json()
    here = response.headers["location"]
    assert client.get(here).json() == run
    assert run["status"] == "done"
    assert run["progress"] == {"total": 2, "done": 2, "failed": 0, "rejected": 1}
    with client.stream("GET", f"{here}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert events(stream.read().decode()) == [("end", run)]
    items = client.get(f"{here}/results").json()["items"]
    assert [(item["row_id"], item["label"]) for item in items] == [("a", 1), ("b", 0)]
    lowest = client.get(f"{here}/results", params={"order": "lowest_score"}).json()["items"]
    assert [item["row_id"] for item in lowest] == ["b", "a"]
    (rejected,) = client.get(f"{here}/rejected").json()["rows"]
    assert rejected["line"] == 3
    assert "answer" in rejected["reason"]
    assert client.get(f"{here}/failed").json() == {"rows": [], "total": 0}
    file = client.get(f"{here}/file").json()
    assert (file["read"], file["rows"], file["without_label"]) == (3, 2, 0)
    assert [group["lines"] for group in file["refused"]] == [[3]]
    assert file["refused"][0]["what"].startswith("no answer")
    assert client.get("/api/v1/runs").json()["total"] == 1


def test_a_run_is_followed_while_it_goes_on(client, waiting, url, monkeypatch):
    monkeypatch.setattr(runs, "_LOOK_AGAIN", 0.0)
    number = client.post("/api/v1/runs", json={"name": "first", "rows": ROWS}).json()["id"]
    assert waiting == [number]
    store = RunStore.open(url)
    told, get = [], RunStore.get

    def changing(self: RunStore, wanted: int):
        told.append(wanted)
        if len(told) == 3:
            store.cancel(number)
        return get(self, wanted)

    monkeypatch.setattr(RunStore, "get", changing)
    found = events(client.get(f"/api/v1/runs/{number}/events").text)
    assert [(name, run["status"]) for name, run in found] == [
        ("progress", "queued"), ("end", "cancelled"),
    ]  # fmt: skip


def test_a_run_is_stopped_and_taken_up_again(client, waiting, url):
    number = client.post("/api/v1/runs", json={"name": "first", "rows": ROWS}).json()["id"]
    assert client.post(f"/api/v1/runs/{number}/cancel").json()["status"] == "cancelled"
    assert client.post(f"/api/v1/runs/{number}/resume").json()["status"] == "queued"
    # One that waits for its worker is not given another.
    assert client.post(f"/api/v1/runs/{number}/resume").json()["status"] == "queued"
    assert waiting == [number, number]
    assert RunStore.open(url).get(number).status is RunStatus.QUEUED


def test_a_run_is_renamed_and_keeps_its_number(client, waiting, url, tmp_path):
    numbers = [
        client.post("/api/v1/runs", json={"name": name, "rows": ROWS}).json()["id"]
        for name in ("first", "second")
    ]
    here = f"/api/v1/runs/{numbers[0]}"
    renamed = client.patch(here, json={"name": " third "})
    assert (renamed.status_code, renamed.json()["name"], renamed.json()["id"]) == (
        200, "third", numbers[0],
    )  # fmt: skip
    assert client.get(here).json() == renamed.json()
    for name, said in (("second", "called 'second' already"), (" ", "no name"), ("x" * 201, "201")):
        refused = client.patch(here, json={"name": name})
        assert refused.status_code == 422
        assert said in wrong(refused)["body.name"]
    assert client.patch("/api/v1/runs/99", json={"name": "x"}).status_code == 404
    last = json.loads(action_log(url).read_text(encoding="utf-8").splitlines()[-1])
    assert (last["action"], last["numbers"]) == ("rename a run", [numbers[0]])


def test_a_retry_under_a_key_starts_no_second_run(client):
    body, key = {"name": "first", "rows": ROWS}, {"Idempotency-Key": "7b1c"}
    first = client.post("/api/v1/runs", json=body, headers=key).json()
    assert client.post("/api/v1/runs", json=body, headers=key).json() == first
    taken = client.post("/api/v1/runs", json=body)
    assert wrong(taken)["body.name"].endswith("(done, of request.jsonl). Choose another name.")


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        ({"name": " "}, "body.name", "Give it one"),
        ({"rows": []}, "body.rows", "at least 1 item"),
        ({"rows": [{"x": 1}]}, "body.rows", "x"),
        ({"rows": [{**BRIDGE, "answer": ""}]}, "body.rows", "No row can be audited (row 1: "),
        ({"format": "nothing"}, "body.rows", "nothing"),
        ({"mapping": {"answr": "a"}}, "body.mapping.answr", ""),
        ({"parameters": {"top_k": 0}}, "body.parameters", "top_k must be at least 1"),
    ],
)
def test_rows_that_cannot_be_used_say_so(client, url, change, where, message):
    response = client.post("/api/v1/runs", json={"name": "first", "rows": ROWS, **change})
    assert response.status_code == 422
    assert message in wrong(response)[where]
    assert "/tmp" not in response.text
    assert RunStore.open(url).page().total == 0


def test_a_mapping_says_which_key_holds_which_field(client):
    rows = [{"q": "When?", "said": "It was opened in 1932.", "passage": BRIDGE["context"][0]}]
    mapping = {"query": "q", "answer": "said", "context": "passage"}
    body = {"name": "first", "rows": rows, "mapping": mapping}
    assert client.post("/api/v1/runs", json=body).json()["progress"]["done"] == 1


def test_a_run_without_its_worker_is_kept_and_says_so(client, url, monkeypatch):
    def refuse(number: int) -> None:
        raise StorageError("Run 1 was not started: no room. Make room.")

    monkeypatch.setattr(runs, "start_worker", refuse)
    response = client.post("/api/v1/runs", json={"name": "first", "rows": ROWS})
    assert response.status_code == 503
    assert "Make room." in wrong(response)[""]
    assert RunStore.open(url).named("first").status is RunStatus.QUEUED


def test_what_is_not_there(client):
    for path in ("", "/events", "/results", "/failed", "/rejected"):
        assert client.get(f"/api/v1/runs/7{path}").status_code == 404
    for path in ("cancel", "resume"):
        assert "There is no run 7." in wrong(client.post(f"/api/v1/runs/7/{path}"))[""]
    limits = client.app.state.limits
    client.app.state.limits = type(limits)(limits.body, 1, 2, 1)
    many = client.post("/api/v1/runs", json={"name": "first", "rows": ROWS})
    assert "PROVENANCE_API_ROWS" in wrong(many)["body.rows"]


def test_a_verdict_on_another_language_has_its_note_in_audit_run_and_list(client):
    german = {
        "query": "Wann wurde die Brücke eröffnet?",
        "context": ["Die Brücke wurde 1932 nach drei Jahren Bauzeit für den Verkehr eröffnet."],
        "answer": "Die Brücke wurde im Jahr 1932 nach drei Jahren eröffnet.",
    }
    audit = client.post("/api/v1/audits", json=german).json()
    assert "in German" in audit["audit"]["notices"][0]["message"]
    mixed = {**german, "answer": "The bridge was opened to traffic after three years in 1932."}
    rows = [german, *ROWS[:1], mixed]
    started = client.post("/api/v1/runs", json={"name": "both", "rows": rows})
    here = started.headers["location"]
    items = client.get(f"{here}/results").json()["items"]
    assert [item["unread_language"] for item in items] == ["German", "", "German"]
    listed_rows = listed(ItemStore.open().page(ItemFilter(runs=(1,)), ItemOrder.FILE).items)
    assert [row.unread for row in listed_rows] == [True, False, True]
    languages = client.get(f"{here}/file").json()["other_languages"]
    assert [(each["what"], each["lines"]) for each in languages] == [
        ("German", [1]), ("English, the context in German", [3]),
    ]  # fmt: skip
