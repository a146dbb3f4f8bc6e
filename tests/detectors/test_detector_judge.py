"""The judge against a real HTTP server that speaks chat completions, and RAGTruth's appendix C."""

from __future__ import annotations

import json
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from provenance_core import DETECTORS, Parameters, assemble, default_parameters, recompute
from provenance_core.audit.digest import evidence_digest, measurement_digest
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.cli.main import main
from provenance_core.detectors.judge.client import MAX_REPLIES, MAX_RETRIES, ask_judge
from provenance_core.detectors.judge.prompts import choose_prompt, fill_prompt
from provenance_core.detectors.judge.reply import MalformedReply, read_reply
from provenance_core.detectors.judge.settings import (
    JUDGE_SETTINGS,
    judge_settings_help,
    read_judge_settings,
    what_is_sent,
)
from provenance_core.errors import InputError, JudgeError, JudgeReplyError, ModelError
from provenance_core.evaluation.scorers import DetectorScorer
from provenance_core.types import (
    FindingType,
    JudgeModel,
    JudgePrompt,
    JudgeReply,
    MeasuredSpan,
    SentenceLabel,
    SetAside,
    Verdict,
)
from storage import AuditStore
from tests.commands import run_command
from tests.conftest import hand_evidence
from tests.judge_server import KEY, Endpoint, Reply, environment, forget_endpoint, serving

REPOSITORY = Path(__file__).parents[2]
QUERY = "When was the bridge opened?"
CONTEXT = ["The bridge was opened in 1932.", "It took eight years to build."]
ANSWER = "The bridge was opened in 1932. It took nine years to build."
CLEAN = json.dumps({"hallucination_detected": "no", "hallucinated_span": ""})
NINE = json.dumps({"hallucination_detected": "yes", "hallucinated_span": ["nine years"]})


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch):
    """Nothing of the tester's own is used, nor a proxy asked for an address of this machine."""
    forget_endpoint(monkeypatch)
    # What the client would take for itself, though it is meant for another endpoint.
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-endpoint")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another-endpoint")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Mine: header-of-another-endpoint")


@pytest.fixture
def endpoint(monkeypatch):
    """An endpoint that finds nothing, set as the judge."""
    with serving([Reply(CLEAN)]) as running:
        for name, value in environment(running.url).items():
            monkeypatch.setenv(name, value)
        yield running


def ask(replies, prompt="Judge this.", answer=ANSWER, **others):
    """What comes of one question to an endpoint with these replies, and the endpoint."""
    with serving(replies) as running:
        settings = read_judge_settings(environment(running.url, **others))
        return ask_judge(settings, prompt, answer, lambda done: None), running


def refused(replies, kind=JudgeError, **others) -> tuple[str, Endpoint]:
    """The message of the error, and the endpoint."""
    with serving(replies) as running:
        settings = read_judge_settings(environment(running.url, **others))
        with pytest.raises(kind) as caught:
            ask_judge(settings, "Judge this.", ANSWER, lambda done: None)
        assert KEY not in str(caught.value)
        assert running.host in str(caught.value)
        return str(caught.value), running


def audit(provenance, **others):
    given = {"query": QUERY, "answer": ANSWER, "context": CONTEXT, **others}
    return provenance.audit(parameters=default_parameters(detector="llm-judge"), **given)


# Settings


def test_off_until_endpoint_and_model_are_set(provenance):
    with pytest.raises(JudgeError, match=r"JUDGE_URL and PROVENANCE_JUDGE_MODEL are not set"):
        read_judge_settings({})
    with pytest.raises(JudgeError, match="PROVENANCE_JUDGE_MODEL is not set"):
        read_judge_settings({"PROVENANCE_JUDGE_URL": "http://localhost/v1"})
    assert "PROVENANCE_JUDGE_URL" in DETECTORS["llm-judge"].unavailable()
    with pytest.raises(ModelError, match="The judge is off"):
        audit(provenance)


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ({"url": "localhost:8000"}, "not an http or https URL"),
        ({"url": "http://"}, "not an http or https URL"),
        ({"url": "http://host:port/v1"}, "not an http or https URL"),
        ({"url": "https://me:hunter2@host/v1"}, "user name or password"),
        ({"url": "https://host/v1?key=hunter2"}, "after '\\?'"),
        ({"url": "https://host/v1/chat/completions"}, "leave out '/chat/completions'"),
        ({"KEY": "sk-hunter2 hunter2"}, "holds a character that no key has"),
        ({"TEMPERATURE": "cold"}, "PROVENANCE_JUDGE_TEMPERATURE is 'cold'"),
        ({"TEMPERATURE": "nan"}, "at least 0"),
        ({"TIMEOUT": "0"}, "PROVENANCE_JUDGE_TIMEOUT is '0'"),
    ],
)
def test_wrong_settings_are_named(others, message):
    with pytest.raises(JudgeError, match=message) as caught:
        read_judge_settings(environment(**{"url": "https://host/v1", **others}))
    assert "hunter2" not in str(caught.value)


def test_settings_and_their_defaults():
    found = read_judge_settings(environment("https://Host.example:8443/v1/"))
    assert (found.url, found.host) == ("https://Host.example:8443/v1", "host.example:8443")
    assert (found.temperature, found.timeout) == (0.0, 60.0)
    assert KEY not in repr(found)
    assert read_judge_settings(environment("https://host", TEMPERATURE="none")).temperature is None


def test_what_is_sent_is_said():
    said = what_is_sent(read_judge_settings(environment("http://host.example/v1")))
    for part in ("host.example", "judge-1", "query", "context", "answer", "unencrypted"):
        assert part in said
    assert KEY not in said
    assert "unencrypted" not in what_is_sent(read_judge_settings(environment("https://host/v1")))
    local = read_judge_settings(environment("http://127.0.0.1:1/v1", KEY=""))
    assert "machine that Provenance runs on" in what_is_sent(local)
    assert "No key" in what_is_sent(local)


def test_documents_and_help_have_the_table():
    page = (REPOSITORY / "docs" / "llm-judge.md").read_text(encoding="utf-8")
    for setting in JUDGE_SETTINGS:
        shown = f"`{setting.default}`" if setting.default else "-"
        assert f"| `{setting.variable}` | {setting.meaning} | {shown} |" in page
        assert f"{setting.variable}: {setting.meaning}" in judge_settings_help()


# Prompts


def test_the_prompt_follows_the_texts():
    assert choose_prompt("When?", ["Text."]) is JudgePrompt.QUESTION_ANSWERING
    assert choose_prompt(" ", ["Text."]) is JudgePrompt.SUMMARIZATION
    assert choose_prompt("", ['{"name": "Bar"}', " "]) is JudgePrompt.DATA_TO_TEXT
    assert choose_prompt("", ['{"name": "Bar"}', "Text."]) is JudgePrompt.SUMMARIZATION
    assert choose_prompt("", ["1932"]) is JudgePrompt.SUMMARIZATION


def test_the_prompt_is_appendix_c_around_the_texts_as_they_are():
    found = fill_prompt(JudgePrompt.SUMMARIZATION, "", ["An {answer}\\1."], "A {context}.")
    assert found.startswith(
        "Article: An {answer}\\1.\nSummary: A {context}.\nPlease analyze the provided summary and "
        "indicate whether there are any hallucinated (invented or incorrect) parts."
    )
    assert found.endswith(
        '{"hallucination_detected": "yes/no",\n"hallucinated_span": "If yes, the exact span of '
        'every hallucinated text part in list format; if no, leave this empty."}'
    )
    asked = fill_prompt(JudgePrompt.QUESTION_ANSWERING, "Q?", ["One.", "", "Two."], "A.")
    assert asked.startswith(
        "Passages: passage 1:One.\n\npassage 2:Two.\nQuestion: Q?\nAnswer: A.\n"
    )
    data = fill_prompt(JudgePrompt.DATA_TO_TEXT, "", ['{"a": 1}'], "A.")
    assert data.startswith('Information: {"a": 1}\nOverview: A.\n')


# Replies


def test_spans_are_found_exactly():
    assert read_reply(CLEAN, ANSWER).spans == ()
    (bounds,) = read_reply(f"```json\n{NINE}\n```", ANSWER).spans
    assert ANSWER[slice(*bounds)] == "nine years"
    both = {"hallucination_detected": "Yes", "hallucinated_span": ["a b", "b c", "b c"]}
    found = read_reply(json.dumps(both), "x a b c. b c")
    assert found.spans == ((2, 7), (9, 12))
    assert found.repeated == ("b c",)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "not JSON"),
        ("There are no hallucinations.", "not JSON"),
        (f"Sure: {NINE}", "not JSON"),
        (NINE[:-5], "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a JSON object"),
        ("{}", "neither"),
        ('{"hallucination_detected": "maybe", "hallucinated_span": []}', "neither"),
        ('{"hallucination_detected": true, "hallucinated_span": []}', "neither"),
        ('{"hallucination_detected": "no", "hallucinated_span": ["nine"]}', "yet spans"),
        ('{"hallucination_detected": "yes", "hallucinated_span": []}', "not a list"),
        ('{"hallucination_detected": "yes", "hallucinated_span": "nine"}', "not a list"),
        ('{"hallucination_detected": "yes", "hallucinated_span": [9]}', "not a text"),
        ('{"hallucination_detected": "yes", "hallucinated_span": [" "]}', "not a text"),
        ('{"hallucination_detected": "yes", "hallucinated_span": ["ten years"]}', "ten years"),
        ('{"hallucination_detected": "yes", "hallucinated_span": ["Nine years"]}', "Nine"),
    ],
)
def test_anything_else_is_malformed(reply, reason):
    with pytest.raises(MalformedReply, match=reason):
        read_reply(reply, ANSWER)


# The endpoint


def test_a_good_reply_and_what_was_asked():
    found, running = ask([Reply(NINE)], prompt="Judge this.")
    assert (found.text, found.attempts) == (NINE, 1)
    ((path, headers, body),) = running.requests
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body["model"] == "judge-1"
    assert body["temperature"] == 0
    assert body["messages"] == [{"role": "user", "content": "Judge this."}]


def test_nothing_meant_for_another_endpoint_is_sent():
    _, running = ask([Reply(CLEAN)], KEY="", TEMPERATURE="none")
    ((_, headers, body),) = running.requests
    assert "another-endpoint" not in json.dumps(headers)
    assert "authorization" not in headers
    assert not [name for name in headers if name.startswith(("x-", "openai"))]
    assert "temperature" not in body


@pytest.mark.parametrize("bad", ["Hmm.", NINE.replace("nine", "ten"), None])
def test_a_malformed_reply_is_sent_back_with_the_reason(bad):
    found, running = ask([Reply(bad), Reply(NINE)])
    assert (found.attempts, found.text) == (2, NINE)
    messages = running.requests[1][2]["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert messages[1]["content"] == (bad or "")
    assert "cannot be used: " in messages[2]["content"]


def test_always_malformed_is_an_error_with_the_start_of_the_reply():
    message, running = refused([Reply("I would say " + "x" * 1000)], JudgeReplyError)
    assert len(running.requests) == MAX_REPLIES
    assert "it is not JSON" in message
    assert "I would say xxx" in message
    assert "xxx...'" in message
    assert len(message) < 700


def test_a_span_that_the_answer_lacks_is_never_guessed():
    message, running = refused([Reply(NINE.replace("nine", "ten"))], JudgeReplyError)
    assert len(running.requests) == MAX_REPLIES
    assert "the answer does not hold this span exactly: ten years" in message


def test_a_refused_key():
    body = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}."}})
    message, running = refused([Reply(status=401, body=body)])
    assert len(running.requests) == 1
    assert "401 (Incorrect API key provided: [key])" in message
    assert "Set PROVENANCE_JUDGE_KEY" in message


SOON = {"retry-after-ms": "1"}


def test_too_many_requests_then_good():
    found, running = ask([Reply(status=429, headers=SOON), Reply(NINE)])
    assert (found.attempts, len(running.requests)) == (1, 2)


@pytest.mark.parametrize(
    ("status", "requests", "kind", "hint"),
    [
        (429, MAX_RETRIES + 1, JudgeError, "Wait and try again"),
        (500, MAX_RETRIES + 1, JudgeError, "Try again later"),
        (404, 1, JudgeError, "Correct PROVENANCE_JUDGE_URL"),
        (307, 1, JudgeError, "were not sent there"),
        (418, 1, JudgeError, "Check PROVENANCE_JUDGE_URL"),
        (400, 1, JudgeReplyError, "shorten them"),
    ],
)
def test_statuses_say_what_to_do(status, requests, kind, hint):
    with serving([Reply(CLEAN)]) as elsewhere:
        headers = {**SOON, "Location": f"{elsewhere.url}/chat/completions"}
        message, running = refused([Reply(status=status, headers=headers)], kind)
        assert elsewhere.requests == []
    assert len(running.requests) == requests
    assert f"status {status}" in message
    assert hint in message


@pytest.mark.parametrize(
    "reply",
    [
        Reply(body="<html>Hello</html>", headers={"Content-Type": "text/html"}),
        Reply(body="{"),
        Reply(body="{}"),
        Reply(body="[]"),
        Reply(body='{"choices": []}'),
        Reply(body='{"choices": [{}]}'),
    ],
)
def test_what_is_no_chat_completion(reply):
    with serving([reply]) as running:
        settings = read_judge_settings(environment(running.url))
        with pytest.raises((JudgeError, JudgeReplyError)) as caught:
            ask_judge(settings, "Judge this.", ANSWER, lambda done: None)
    assert running.host in str(caught.value)


def test_no_reply_in_time():
    message, running = refused([Reply(hangs=True)], TIMEOUT="0.2")
    assert len(running.requests) == MAX_RETRIES + 1
    assert "no reply within 0.2 seconds" in message
    assert "PROVENANCE_JUDGE_TIMEOUT" in message


def test_a_refused_connection():
    with socket.socket() as taken:  # bound and not listening
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(JudgeError, match=r"cannot be reached .*PROVENANCE_JUDGE_URL") as caught:
            ask_judge(read_judge_settings(environment(url)), "Q", ANSWER, lambda done: None)
    assert KEY not in str(caught.value)


def test_who_waits_can_give_up():
    class Gone(Exception):
        pass

    def leave(done):
        raise Gone

    with serving([Reply(CLEAN)]) as running, pytest.raises(Gone):
        ask_judge(read_judge_settings(environment(running.url)), "Q", ANSWER, leave)


# The audit


def judged(spans, contradiction=0.0):
    """Two sentences, "Claim number 0. Claim number 1. ", of which ``spans`` are marked."""
    evidence = hand_evidence(
        [1.0, 0.0], [[0.9, 0.1], [0.8, 0.2]], [[0.0, 0.0], [contradiction, 0.0]]
    )
    return replace(
        evidence,
        spans=tuple(MeasuredSpan(a, b, 1.0) for a, b in spans),
        judge=JudgeReply(JudgeModel("host", "judge-1", 0.0), JudgePrompt.SUMMARIZATION, "{}", 1),
    )


def by_judge(evidence):
    return assemble(evidence, default_parameters(detector="llm-judge"))


def test_the_score_is_the_share_of_characters_outside_the_spans():
    # "number 1" has 7 of the 26 characters that are no white space.
    found = by_judge(judged([(22, 30)], contradiction=0.2))
    assert found.evidence.answer[22:30] == "number 1"
    assert found.score == pytest.approx(1 - 7 / 26)
    assert [claim.score for claim in found.claims] == pytest.approx([1, 1 - 7 / 13])
    assert found.verdict is Verdict.HALLUCINATED
    labels = [sentence.label for sentence in found.sentences]
    assert labels == [SentenceLabel.SUPPORTED, SentenceLabel.NOT_FOUND]
    assert [(s.start, s.end, s.type) for s in found.spans] == [
        (22, 30, FindingType.EVIDENT_BASELESS)
    ]
    # Sources are shown, but the score is not made of them.
    assert sum(source.weight for source in found.sources) == pytest.approx(1)
    assert [source.contribution for source in found.sources] == [0, 0]


def test_a_span_that_a_chunk_contradicts_is_a_conflict():
    found = by_judge(judged([(22, 30)], contradiction=0.6))
    assert found.sentences[1].label is SentenceLabel.CONTRADICTED
    assert found.spans[0].type is FindingType.EVIDENT_CONFLICT


def test_no_span_is_supported_and_any_span_is_not():
    assert by_judge(judged([])).score == 1.0
    assert by_judge(judged([])).verdict is Verdict.SUPPORTED
    assert by_judge(judged([(0, 1)])).verdict is Verdict.HALLUCINATED


def test_without_a_reply_there_is_no_verdict():
    evidence = replace(judged([]), judge=None)
    with pytest.raises(InputError, match="No judge was asked"):
        by_judge(evidence)


def test_a_judge_is_not_said_to_read_english_alone(provenance, endpoint):
    endpoint.replies[:] = [Reply('{"hallucination_detected": "no", "hallucinated_span": []}')]
    german = "Die Brücke wurde im Jahr 1932 für den Verkehr geöffnet."
    found = audit(provenance, answer=german, context=[german])
    assert "not_english" not in [notice.code for notice in found.evidence.notices]


def test_an_audit_keeps_who_judged_and_what_was_replied(provenance, endpoint, tmp_path):
    endpoint.replies[:] = [Reply("Hmm."), Reply(NINE)]
    found = audit(provenance)
    kept = found.evidence.judge
    assert kept == JudgeReply(
        JudgeModel(endpoint.host, "judge-1", 0.0), JudgePrompt.QUESTION_ANSWERING, NINE, 2
    )
    assert found.verdict is Verdict.HALLUCINATED
    assert [ANSWER[s.start : s.end] for s in found.spans] == ["nine years"]
    assert "judged" in [notice.code for notice in found.evidence.notices]
    asked = endpoint.requests[0][2]["messages"][0]["content"]
    for text in (QUERY, *CONTEXT, ANSWER):
        assert text in asked
    assert found.evidence.relevance != (0.0, 0.0)

    written = audit_to_json(found)
    assert KEY not in written
    assert audit_from_json(written) == found
    store = AuditStore.open(f"sqlite:///{tmp_path / 'judge.db'}")
    assert store.load(store.save(found)).audit == found


def test_a_key_in_the_reply_and_half_a_character_are_not_kept(provenance, endpoint):
    endpoint.replies[:] = [Reply('{"hallucination_detected": "no", "why": "' + KEY + '\ud800"}')]
    kept = audit(provenance).evidence.judge.text
    assert kept == '{"hallucination_detected": "no", "why": "[key]\ufffd"}'


def test_a_repeated_span_is_marked_everywhere_and_said(provenance, endpoint):
    text = "It opened in 1932. It closed in 1932."
    endpoint.replies[:] = [Reply(NINE.replace("nine years", "1932"))]
    found = audit(provenance, answer=text)
    assert [s.start for s in found.spans] == [13, 32]
    assert "span_repeated" in [notice.code for notice in found.evidence.notices]


def test_what_states_nothing_to_check_does_not_count():
    evidence = replace(judged([(22, 30)]), set_aside=(SetAside(1, "a question"),))
    found = by_judge(evidence)
    assert (found.score, found.verdict, found.spans) == (1.0, Verdict.SUPPORTED, ())
    assert [each.label for each in found.sentences] == [
        SentenceLabel.SUPPORTED,
        SentenceLabel.SET_ASIDE,
    ]
    counted = recompute(found, count_set_aside=True)
    assert (counted.score, counted.verdict) == (pytest.approx(1 - 7 / 26), Verdict.HALLUCINATED)
    every = replace(evidence, set_aside=(SetAside(0, "a greeting"), SetAside(1, "a question")))
    assert by_judge(every).verdict is Verdict.NOTHING_TO_CHECK


def test_scores_of_two_judges_are_not_shared(provenance, monkeypatch):
    evidence = replace(judged([]), measured_by=DETECTORS["llm-judge"].measured_by)
    parameters = default_parameters(detector="llm-judge")
    other = replace(evidence, judge=replace(evidence.judge, model=JudgeModel("host", "b", 0.0)))
    elsewhere = replace(evidence, judge=replace(evidence.judge, model=JudgeModel("c", "b", 0.0)))
    digests = [evidence_digest(each, parameters) for each in (evidence, other, elsewhere)]
    assert len(set(digests)) == 3
    # As a batch run knows it before it asks.
    texts = (evidence.query, evidence.answer, [item.text for item in evidence.context])
    models = (evidence.relevance_model, evidence.nli_model)
    before = measurement_digest(*texts, parameters, models, JudgeModel("host", "judge-1", 0.0))
    assert before == digests[0]

    fingerprints = set()
    for model in ("a", "b"):
        for name, value in environment("http://localhost/v1", MODEL=model).items():
            monkeypatch.setenv(name, value)
        fingerprints.add(DetectorScorer(provenance, parameters).fingerprint)
    assert len(fingerprints) == 2


def test_digests_of_other_detectors_stay():
    evidence = hand_evidence([0.0], [[0.5]])
    texts = (evidence.query, evidence.answer, [item.text for item in evidence.context])
    models = (evidence.relevance_model, evidence.nli_model)
    for name in ("two-stage", "summac"):
        parameters = Parameters(detector=name)
        found = measurement_digest(*texts, parameters, models)
        todays = replace(evidence, measured_by=DETECTORS[name].measured_by)
        assert evidence_digest(todays, parameters) == found


# The command line


def test_audit_by_command(tmp_path):
    context = tmp_path / "context.txt"
    context.write_text("\n".join(CONTEXT), encoding="utf-8")
    given = ("audit", "--method", "llm-judge", "--query", QUERY, "--answer", ANSWER)
    given = (*given, "--context", str(context), "--json")
    off = run_command(*given)
    assert off.returncode == 1
    assert "PROVENANCE_JUDGE_URL" in off.stderr
    with serving([Reply(NINE)]) as running:
        done = run_command(*given, variables=environment(running.url))
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["verdict"] == "hallucinated"
    assert found["judge"]["model"] == {
        "host": running.host, "model_id": "judge-1", "temperature": 0.0
    }  # fmt: skip
    assert KEY not in done.stdout


def test_evaluate_needs_the_endpoint_and_all_goes_without(tmp_path, capsys, monkeypatch):
    rows = tmp_path / "rows.jsonl"
    row = {"query": QUERY, "context": CONTEXT, "answer": ANSWER, "label": 0}
    rows.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert main(["evaluate", str(rows), "--method", "llm-judge"]) == 1
    assert "The judge is off" in capsys.readouterr().err

    assert main(["evaluate", str(rows), "--method", "all"]) == 0
    printed = capsys.readouterr()
    assert "llm-judge is left out. The judge is off" in printed.err
    assert "summac" in printed.out
    assert "llm-judge" not in printed.out


def test_evaluate_leaves_out_a_row_that_was_not_judged(tmp_path, capsys, endpoint):
    endpoint.replies[:] = [Reply(CLEAN), Reply("Hmm.")]
    rows = tmp_path / "rows.jsonl"
    written = [
        {"query": QUERY, "context": CONTEXT, "answer": text, "label": 1}
        for text in ("In 1932.", "In 1931.")
    ]
    rows.write_text("".join(json.dumps(row) + "\n" for row in written), encoding="utf-8")
    assert main(["evaluate", str(rows), "--method", "llm-judge"]) == 0
    assert "none of 3 replies" in capsys.readouterr().err


def test_a_batch_run_asks_the_judge_row_by_row(tmp_path, capsys, monkeypatch, endpoint):
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", f"sqlite:///{tmp_path / 'batch.db'}")
    rows = tmp_path / "rows.jsonl"
    written = [
        {"query": QUERY, "context": CONTEXT, "answer": text}
        for text in ("In 1932.", "In 1932.", "In 1931.")
    ]
    rows.write_text("".join(json.dumps(row) + "\n" for row in written), encoding="utf-8")
    # The second row shares the audit of the first: it is not asked about again.
    endpoint.replies[:] = [Reply(CLEAN), Reply("Hmm."), Reply("Hmm."), Reply("Hmm."), Reply(CLEAN)]
    given = ["batch", str(rows), "--run", "judged", "--method", "llm-judge"]
    assert main(given) == 4
    assert "2 audited, 1 failed" in capsys.readouterr().out
    assert len(endpoint.requests) == 1 + MAX_REPLIES

    monkeypatch.delenv("PROVENANCE_JUDGE_URL")
    assert main([*given[:3], "off", *given[4:]]) == 1
    assert "PROVENANCE_JUDGE_URL is not set" in capsys.readouterr().err
    main(["batch", "--list"])
    listed = capsys.readouterr().out
    assert "judged" in listed
    assert "off" not in listed
