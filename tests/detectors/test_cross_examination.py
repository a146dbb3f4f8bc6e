"""Cross-examination of two models, against a real HTTP server that speaks chat completions."""

from __future__ import annotations

import json

import pytest

from provenance_core import DETECTORS, default_parameters, recompute
from provenance_core.audit.digest import evidence_digest
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.detectors.judge.examination import MOST_TURNS, read_decision
from provenance_core.detectors.judge.reply import MalformedReply
from provenance_core.errors import JudgeReplyError
from provenance_core.types import ExaminationTurn, SentenceLabel, Verdict
from tests.judge_server import KEY, Reply, environment, forget_endpoint, serving

QUERY = "When was the bridge opened?"
CONTEXT = ["The bridge was opened in 1932.", "It took eight years to build."]
ANSWER = "The bridge was opened in 1932. It took nine years to build."
ASKED, REPLIED = "How long did the bridge take to build?", "It took eight years."


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch):
    forget_endpoint(monkeypatch)


def decided(*numbers: object) -> str:
    return json.dumps({"incorrect_statements": list(numbers)})


def audit(provenance, monkeypatch, replies, answer=ANSWER, **others):
    """The audit, and the requests that the endpoint got."""
    with serving([Reply(text) for text in replies]) as running:
        for name, value in environment(running.url, **others).items():
            monkeypatch.setenv(name, value)
        chosen = default_parameters(detector="cross-examination")
        given = {"query": QUERY, "answer": answer, "context": CONTEXT}
        return provenance.audit(parameters=chosen, **given), running.requests


def test_it_is_off_until_an_endpoint_is_set():
    assert "PROVENANCE_JUDGE_URL" in DETECTORS["cross-examination"].unavailable()


def test_the_sentence_that_the_replies_do_not_bear_out_is_the_span(provenance, monkeypatch):
    replies = [ASKED, REPLIED, "DONE", decided(2)]
    found, requests = audit(provenance, monkeypatch, replies, EXAMINEE="witness-1")
    assert found.verdict is Verdict.HALLUCINATED
    first, second = found.sentences
    assert (first.label, second.label) != (second.label, first.label)
    assert first.label is SentenceLabel.SUPPORTED
    assert [ANSWER[span.start : span.end] for span in found.spans] == [second.sentence.text]
    assert found.evidence.examination == (ExaminationTurn(ASKED, REPLIED),)
    assert found.evidence.judge.text == decided(2)
    # The examiner never has the context, and the examinee never the answer.
    models = [body["model"] for _, _, body in requests]
    assert models == ["judge-1", "witness-1", "judge-1", "judge-1"]
    opening, testimony = (requests[at][2]["messages"][0]["content"] for at in (0, 1))
    assert "nine years" in opening and "eight years" not in opening
    assert "eight years" in testimony and "nine years" not in testimony
    assert all(KEY not in json.dumps(body) for _, _, body in requests)


def test_nothing_incorrect_is_supported_and_one_model_can_do_both(provenance, monkeypatch):
    found, requests = audit(provenance, monkeypatch, [ASKED, REPLIED, "DONE.", decided()])
    assert (found.verdict, found.score, found.spans) == (Verdict.SUPPORTED, 1.0, ())
    assert {body["model"] for _, _, body in requests} == {"judge-1"}


def test_the_rounds_end(provenance, monkeypatch):
    turn = [ASKED, REPLIED]
    found, requests = audit(provenance, monkeypatch, [*turn * MOST_TURNS, decided()])
    assert len(found.evidence.examination) == MOST_TURNS
    assert REPLIED in requests[-1][2]["messages"][-1]["content"]


def test_a_conclusion_that_cannot_be_read_is_sent_back(provenance, monkeypatch):
    found, requests = audit(
        provenance, monkeypatch, [ASKED, REPLIED, "DONE", "The second.", decided(2)]
    )
    assert found.evidence.judge.attempts == 2
    assert "is not JSON" in requests[-1][2]["messages"][-1]["content"]
    with pytest.raises(JudgeReplyError, match="none of 3 replies"):
        audit(provenance, monkeypatch, [ASKED, REPLIED, "DONE", "The second."])


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("[]", "not a JSON object"),
        ("{}", "not a list"),
        (decided(3), "no statement 3"),
        (decided(0), "no statement 0"),
        (decided(True), "no statement true"),
        (decided("1"), 'no statement "1"'),
    ],
)
def test_no_conclusion_is_guessed(reply, reason):
    with pytest.raises(MalformedReply, match=reason):
        read_decision(reply, count=2)


def test_it_is_kept_whole_and_told_from_another_pair_of_models(provenance, monkeypatch):
    replies = [ASKED, REPLIED, "DONE", decided(2)]
    one, _ = audit(provenance, monkeypatch, replies)
    again = audit_from_json(audit_to_json(one))
    assert again.evidence.examination == one.evidence.examination
    assert recompute(again, threshold=0.0).verdict is Verdict.SUPPORTED
    other, _ = audit(provenance, monkeypatch, replies, EXAMINEE="witness-1")
    digests = {evidence_digest(each.evidence, each.parameters) for each in (one, other)}
    assert len(digests) == 2


def test_what_states_nothing_is_not_asked_about(provenance, monkeypatch):
    answer = "Hello! The bridge was opened in 1932."
    found, requests = audit(
        provenance, monkeypatch, [ASKED, REPLIED, "DONE", decided(1)], answer=answer
    )
    opening = requests[0][2]["messages"][0]["content"]
    aside = {each.sentence for each in found.evidence.set_aside}
    for sentence in found.evidence.sentences:
        assert (sentence.text in opening) == (sentence.index not in aside)
    assert [answer[span.start : span.end] for span in found.spans] == [
        "The bridge was opened in 1932."
    ]
