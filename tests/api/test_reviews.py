"""Judgements from any program, beside the machine's score."""

from __future__ import annotations

import pytest

from tests.api.conftest import BRIDGE, wrong
from tests.changed_mind import FIRST, OPINIONS, SECOND, judged_twice


@pytest.fixture
def number(client) -> int:
    return int(client.post("/api/v1/audits", json=BRIDGE).json()["id"])


def test_a_judgement_is_kept_beside_the_score(client, number):
    here = f"/api/v1/audits/{number}"
    before = client.get(here).json()
    judgement = {
        "verdict": "hallucinated",
        "comment": "another bridge",
        "sentences": [{"index": 0, "verdict": "hallucinated", "type": "evident_conflict"}],
        "chunks": [{"index": 0, "mark": "irrelevant"}],
        "spans": [{"start": 17, "end": 21, "type": "evident_conflict"}],
    }
    body = {"reviewer": "Ann", "judgement": judgement}
    review = client.post(f"{here}/reviews", json=body).json()
    assert (review["reviewer"], review["version"]) == ("Ann", 1)
    assert review["judgement"] == {**judgement, "type": None, "blind": False, "labels": []}
    client.post(f"{here}/reviews", json={"reviewer": "Ann", "judgement": {"verdict": "supported"}})
    listed = client.get(f"{here}/reviews").json()["reviews"]
    assert [(each["version"], each["judgement"]["verdict"]) for each in listed] == [
        (1, "hallucinated"), (2, "supported"),
    ]  # fmt: skip
    assert client.get(here).json() == before
    found = client.get("/api/v1/reviews", params={"reviewed": "reviewed"}).json()
    assert [(item["audit_id"], item["reviews"]) for item in found["items"]] == [(number, 1)]
    assert client.get("/api/v1/reviews", params={"reviewed": "unreviewed"}).json()["total"] == 0
    assert client.get("/api/v1/reviews", params={"run": 1}).json()["total"] == 0


@pytest.mark.parametrize(
    ("body", "where", "message"),
    [
        ({"judgement": {"verdict": "supported"}}, "body", "Enter who judges."),
        ({"reviewer": "Ann"}, "body.judgement", "Add it."),
        ({"reviewer": "Ann", "judgement": {"verdict": "good"}}, "body.judgement.verdict", "'supp"),
        (
            {
                "reviewer": "Ann",
                "judgement": {
                    "verdict": "supported",
                    "sentences": [{"index": 7, "verdict": "supported"}],
                },
            },
            "body",
            "There is no sentence 8",
        ),
    ],
)
def test_what_cannot_be_kept_says_why(client, number, body, where, message):
    response = client.post(f"/api/v1/audits/{number}/reviews", json=body)
    assert response.status_code == 422
    assert message in wrong(response)[where]
    assert client.get(f"/api/v1/audits/{number}/reviews").json()["reviews"] == []


def test_an_audit_that_is_not_there(client):
    body = {"reviewer": "Ann", "judgement": {"verdict": "supported"}}
    assert client.post("/api/v1/audits/7/reviews", json=body).status_code == 404
    assert client.get("/api/v1/audits/7/reviews").status_code == 404


@pytest.fixture
def judged_in_two(url) -> None:
    judged_twice(url)


def test_both_audits_of_an_answer_have_the_same_label(client, judged_in_two):
    for run, audit in ((1, FIRST), (2, SECOND)):
        (item,) = client.get("/api/v1/reviews", params={"run": run, "reviewed": "reviewed"}).json()[
            "items"
        ]
        assert item["audit_id"] == audit
        assert (item["reviewers"], item["supported"], item["hallucinated"]) == (3, 2, 1)
        found = client.get(f"/api/v1/audits/{audit}/reviews").json()
        assert found["label"] == 1
        assert len(found["reviews"]) == 2, "those of the audit, as they were given"
        counted = {each["reviewer"]: each["verdict"] for each in found["elsewhere"]}
        for review in found["reviews"]:
            counted.setdefault(review["reviewer"], review["judgement"]["verdict"])
        assert counted == {name: str(verdict) for _, name, verdict in OPINIONS}


def test_a_gold_label_settles_an_answer_beside_its_judgements(client, judged_in_two):
    made = client.post(
        f"/api/v1/audits/{FIRST}/gold", json={"decided_by": "Cy", "verdict": "hallucinated"}
    )
    assert made.status_code == 201 and made.json()["decided_by"] == "Cy"
    found = client.get(f"/api/v1/audits/{FIRST}/reviews").json()
    assert [each["verdict"] for each in found["gold"]] == ["hallucinated"]
    assert found["label"] == 0 and found["reviews"]
    refused = client.post(
        f"/api/v1/audits/{FIRST}/gold", json={"decided_by": "", "verdict": "supported"}
    )
    assert refused.status_code == 422


def test_shares_of_a_run_are_assigned_and_listed(client, judged_in_two):
    body = {"reviewers": ["Ann", "Dan"], "judgements": 2}
    dealt = client.put("/api/v1/runs/1/shares", json=body).json()
    assert {each["reviewer"] for each in dealt} == {"ann", "Dan"}, "a known reviewer's spelling"
    assert len({each["assigned"] for each in dealt}) == 1 and dealt[0]["assigned"] > 0
    assert client.get("/api/v1/runs/1/shares").json() == dealt
    assert client.put("/api/v1/runs/1/shares", json={**body, "judgements": 3}).status_code == 422
    assert client.get("/api/v1/runs/9/shares").status_code == 404
    assert client.get("/api/v1/labels").json() == []
