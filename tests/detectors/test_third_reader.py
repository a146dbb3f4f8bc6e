"""A language model as third reader, against a real HTTP server that speaks chat completions."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from inline_snapshot import snapshot

from provenance_core import Audit, Parameters, assemble, default_parameters, recompute
from provenance_core.audit.digest import evidence_digest, measurement_digest
from provenance_core.audit.serialization import (
    audit_from_json,
    audit_from_plain,
    audit_to_json,
    audit_to_plain,
)
from provenance_core.detectors import asked_model, unusable, what_is_sent
from provenance_core.detectors.judge.third_reader import DOUBTFUL, MOST_ASKED, doubtful_sentences
from provenance_core.detectors.judge.yes_or_no import Token, claim_prompt, read_yes_or_no
from provenance_core.errors import ModelError
from provenance_core.explain import audit_summary
from provenance_core.explain.numbers import numbers_text
from provenance_core.types import (
    UNSUPPORTED_LABELS,
    Evidence,
    JudgeModel,
    ModelAnswer,
    PassagePlace,
    SentenceLabel,
    SetAside,
    ThirdReading,
    Verdict,
)
from reports.audit_report import audit_report
from reports.formulas import formula_lines
from reports.markup import evidence_markup
from tests.commands import run_command
from tests.conftest import hand_evidence
from tests.judge_server import KEY, Endpoint, Reply, environment, forget_endpoint, serving

CONTEXT = ["The bridge cost 40 million crowns.", "A tunnel cost twice as much."]
ANSWER = "The tunnel cost 80 million crowns."
LIKELY = Reply("Yes", tokens=[("Yes", [("Yes", math.log(0.9)), ("No", math.log(0.1))])])


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch):
    forget_endpoint(monkeypatch)


@pytest.fixture
def all_in_doubt(monkeypatch):
    """Whatever the models here say is in doubt."""
    monkeypatch.setattr("provenance_core.detectors.judge.third_reader.DOUBTFUL", (0.0, 1.01))


def audited(
    provenance, monkeypatch, replies, answer: str = ANSWER, **others: str
) -> tuple[Audit, Endpoint]:
    parameters = replace(default_parameters("embedded"), third_reader=True)
    with serving(replies) as running:
        for name, value in environment(running.url, **others).items():
            monkeypatch.setenv(name, value)
        return provenance.audit(answer=answer, context=CONTEXT, parameters=parameters), running


# --- an audit ------------------------------------------------------------------------------


def test_the_probability_of_yes_becomes_the_support(provenance, monkeypatch, all_in_doubt):
    audit, endpoint = audited(provenance, monkeypatch, [LIKELY])
    third = audit.evidence.third
    assert third is not None
    (answer,) = third.answers
    assert answer.probability == pytest.approx(0.9)
    assert answer.by_tokens and answer.text == "Yes"
    assert audit.score == pytest.approx(0.9)
    assert audit.verdict is Verdict.SUPPORTED
    # "80 million" stands nowhere in the context: that is flagged whoever found it supported.
    assert audit.sentences[0].label in UNSUPPORTED_LABELS
    assert audit.sentences[0].support == pytest.approx(0.9)
    assert sum(source.contribution for source in audit.sources) == pytest.approx(audit.score)
    path, headers, body = endpoint.requests[0]
    assert path == "/v1/chat/completions" and len(endpoint.requests) == 1
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body["logprobs"] is True and body["temperature"] == 0.0
    (message,) = body["messages"]
    assert "Claim: " in message["content"] and ANSWER in message["content"]
    # A context that fits is sent whole, items in order.
    assert all(text in message["content"] for text in CONTEXT)
    assert [place.item for place in answer.passages] == [0, 1]


def test_every_place_says_who_read_the_sentence(provenance, monkeypatch, all_in_doubt):
    audit, endpoint = audited(provenance, monkeypatch, [LIKELY])
    assert f"judge-1 at {endpoint.host} read the sentence" in audit.evidence.notices[-1].message
    assert "support 0.900 by judge-1" in numbers_text(audit, audit.sentences[0])
    assert formula_lines(audit)[0].startswith("claim 1 = P(yes) by judge-1")
    assert audit_summary(audit).third == audit.evidence.third


def test_an_audit_is_redrawn_without_the_endpoint(provenance, monkeypatch, all_in_doubt):
    audit, _ = audited(provenance, monkeypatch, [LIKELY])
    assert audit_from_json(audit_to_json(audit)) == audit
    assert recompute(audit, threshold=0.95).verdict is Verdict.HALLUCINATED
    mean = recompute(audit, claim_aggregation="mean")
    assert mean.score == pytest.approx(0.9)


def test_an_audit_of_before_has_no_third_reading(provenance):
    audit = provenance.audit(answer=ANSWER, context=CONTEXT)
    raw = audit_to_plain(audit)
    assert raw["evidence"].pop("third") is None
    assert raw["parameters"].pop("third_reader") is False
    assert audit_from_plain(raw) == audit


def test_a_word_counts_where_the_endpoint_gives_no_tokens(provenance, monkeypatch, all_in_doubt):
    audit, endpoint = audited(provenance, monkeypatch, [Reply("<think>80?</think>\nNo.")])
    (answer,) = audit.evidence.third.answers
    assert (answer.probability, answer.by_tokens) == (0.0, False)
    assert audit.verdict is Verdict.HALLUCINATED
    assert len(endpoint.requests) == 1


def test_an_endpoint_that_refuses_log_probabilities_is_asked_without(
    provenance, monkeypatch, all_in_doubt
):
    reply = Reply("Yes", without_tokens=True)
    audit, endpoint = audited(
        provenance, monkeypatch, [reply], "The tunnel cost 80 million. The bridge cost a lot."
    )
    assert [each.probability for each in audit.evidence.third.answers] == [1.0, 1.0]
    assert ["logprobs" in body for _, _, body in endpoint.requests] == [True, False, False]


def test_nothing_is_sent_where_the_models_are_sure(provenance, monkeypatch):
    audit, endpoint = audited(provenance, monkeypatch, [LIKELY], CONTEXT[0])
    assert not endpoint.requests
    assert audit.evidence.third.answers == ()
    assert "was asked nothing" in audit.evidence.notices[-1].message


def read_by(name: str, probability: float) -> Audit:
    """An audit by a model without a support map, of which ``name`` read the sentence."""
    answer = ModelAnswer(0, 0.5, (PassagePlace(0, 0, 5),), probability, True, "Yes")
    third = ThirdReading(JudgeModel("host", name, 0.0), 0.4, 0.7, (answer,), (), "")
    evidence = replace(hand_evidence([0.0], [[0.5]]), third=third)
    return assemble(evidence, Parameters(third_reader=True))


@pytest.mark.parametrize("probability", [0.1, 0.49, 0.5, 0.9])
def test_label_score_and_verdict_follow_the_answer_without_a_support_map_too(probability):
    audit = read_by("judge-1", probability)
    supported = probability >= audit.parameters.threshold
    assert audit.score == pytest.approx(probability)
    assert audit.sentences[0].support == pytest.approx(probability)
    assert (audit.verdict is Verdict.SUPPORTED) == supported
    assert (audit.sentences[0].label is SentenceLabel.SUPPORTED) == supported


def test_the_name_of_the_model_is_escaped_wherever_it_is_shown():
    audit = read_by("<script>alert(1)</script>", 0.9)
    report = audit_report(audit)
    assert "alert(1)" in report and "<script>alert(1)" not in report
    shown = evidence_markup(audit, audit.sentences[0])
    assert "alert(1)" in shown and "<script>" not in shown


# --- failures ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "others", "said"),
    [
        (Reply("Perhaps it is so."), {}, "begins with neither yes nor no"),
        (Reply(status=401), {}, "PROVENANCE_JUDGE_KEY"),
        (Reply(body="{"), {}, "did not reply as a chat completions endpoint"),
        (Reply(hangs=True), {"TIMEOUT": "0.05"}, "gave no reply within 0.05 seconds"),
        (Reply(status=400), {}, "status 400"),
    ],
)
def test_a_failure_leaves_the_reading_of_the_models_here(
    provenance, monkeypatch, all_in_doubt, reply, others, said
):
    monkeypatch.setattr("provenance_core.detectors.judge.client.MAX_RETRIES", 0)
    audit, _ = audited(provenance, monkeypatch, [reply], **others)
    alone = provenance.audit(answer=ANSWER, context=CONTEXT)
    assert audit.score == alone.score
    assert audit.evidence.third.unread == (0,)
    notice = audit.evidence.notices[-1].message
    assert said in notice and "kept the reading of the models here" in notice
    # It is measured again where an audit with the language model is wanted.
    texts = ("", ANSWER, CONTEXT, audit.parameters)
    models = audit.evidence.models
    wanted = measurement_digest(*texts, models, audit.evidence.third.model)
    assert evidence_digest(audit.evidence, audit.parameters) != wanted


def test_junk_about_one_sentence_leaves_the_others(provenance, monkeypatch, all_in_doubt):
    two = "The tunnel cost 80 million crowns. The bridge cost little."
    audit, endpoint = audited(provenance, monkeypatch, [Reply("Hm."), LIKELY], two)
    third = audit.evidence.third
    assert (len(third.answers), len(third.unread), len(endpoint.requests)) == (1, 1, 2)


def test_an_endpoint_that_fails_is_not_asked_on(provenance, monkeypatch, all_in_doubt):
    two = "The tunnel cost 80 million crowns. The bridge cost little."
    audit, endpoint = audited(provenance, monkeypatch, [Reply(status=401)], two)
    assert len(endpoint.requests) == 1 and len(audit.evidence.third.unread) == 2


def test_without_an_endpoint_the_audit_says_what_to_set(provenance):
    parameters = replace(default_parameters("embedded"), third_reader=True)
    assert "PROVENANCE_JUDGE_URL" in unusable(parameters)
    assert unusable(replace(parameters, third_reader=False)) == ""
    assert asked_model(replace(parameters, third_reader=False)) is None
    with pytest.raises(ModelError, match="PROVENANCE_JUDGE_URL"):
        provenance.audit(answer=ANSWER, context=CONTEXT, parameters=parameters)


def test_the_command_line_asks_it_with_an_option(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_text(CONTEXT[0])
    given = ("audit", "--profile", "embedded", "--third-reader", "--answer", "It rains.")
    off = run_command(*given, "--context", path)
    assert off.returncode == 1 and "PROVENANCE_JUDGE_URL" in off.stderr
    unread = run_command(*given, "--context", path, "--method", "summac")
    assert unread.returncode == 2 and "--third-reader would change nothing" in unread.stderr


def test_it_is_said_before_what_is_sent_and_how_many_questions(monkeypatch):
    for name, value in environment("http://127.0.0.1:8080/v1").items():
        monkeypatch.setenv(name, value)
    assert what_is_sent(Parameters()) == ""
    assert what_is_sent(Parameters(third_reader=True)) == snapshot(
        "Each sentence of the answer whose support lies between 0.4 and 0.7 goes to "
        "127.0.0.1:8080 with the passages of the context closest to it (up to about 1,000 "
        "tokens), to be read by the model judge-1. That is at most one question for each "
        "sentence, and 20 in an audit. That is an address of the machine that Provenance runs "
        "on. The key in PROVENANCE_JUDGE_KEY goes with them; it is not stored or shown. Names "
        "of files, scores and reviews are not sent. The reply is kept with the audit."
    )


def test_a_detector_that_asks_no_third_reader_asks_none(monkeypatch):
    given = Parameters(detector="summac", third_reader=True)
    assert unusable(given) == "" and asked_model(given) is None and what_is_sent(given) == ""


def test_the_digest_names_the_language_model(provenance, monkeypatch, all_in_doubt):
    audit, _ = audited(provenance, monkeypatch, [LIKELY])
    texts, models = ("", ANSWER, CONTEXT, audit.parameters), audit.evidence.models
    version = audit.evidence.measured_by
    found = evidence_digest(audit.evidence, audit.parameters)
    model = audit.evidence.third.model
    assert found == measurement_digest(*texts, models, model, version)
    assert found != measurement_digest(*texts, models, None, version)


# --- which sentences, and what is read of a reply --------------------------------------------


def in_doubt(scores: list[float], evidence: Evidence | None = None) -> list[int]:
    evidence = evidence or hand_evidence([0.0], [[score] for score in scores])
    return doubtful_sentences(evidence, np.array(scores), Parameters())


def test_sentences_in_doubt_come_closest_to_even_first():
    low, high = DOUBTFUL
    assert in_doubt([low - 0.01, low, 0.5, high - 0.01, high]) in ([2, 1, 3], [2, 3, 1])


def test_what_is_set_aside_is_not_in_doubt():
    evidence = replace(hand_evidence([0.0], [[0.5], [0.5]]), set_aside=(SetAside(0, "a title"),))
    assert in_doubt([0.5, 0.5], evidence) == [1]


def test_no_more_are_asked_about_than_is_said(provenance, monkeypatch, all_in_doubt):
    many = " ".join(f"Bridge {number} cost {number + 3} crowns." for number in range(22))
    audit, endpoint = audited(provenance, monkeypatch, [LIKELY], many)
    assert len(endpoint.requests) == MOST_ASKED
    assert len(audit.evidence.third.unread) == len(audit.sentences) - MOST_ASKED


@pytest.mark.parametrize(
    ("text", "tokens", "probability", "by_tokens"),
    [
        ("Yes", [], 1.0, False),
        ("**No**, it does not.", [], 0.0, False),
        ("yes", [Token("yes", (("yes", math.log(0.6)), ("No", math.log(0.2))))], 0.75, True),
        # Writings of one word count together.
        (
            " No",
            [Token(" No", ((" No", math.log(0.3)), ("no", math.log(0.1)), ("Yes", math.log(0.1))))],
            0.2,
            True,
        ),
        # The word stands behind what the model thought aloud.
        (
            "<think>No, wait.</think>Yes",
            [
                Token("<think>No, wait.</think>", (("No", 0.0),)),
                Token("Yes", (("Yes", math.log(0.8)), ("No", math.log(0.2)))),
            ],
            0.8,
            True,
        ),
        # A token that begins otherwise tells nothing.
        ("Yes", [Token("Yes", (("Y", 0.0),))], 1.0, False),
    ],
)
def test_yes_or_no(text, tokens, probability, by_tokens):
    found = read_yes_or_no(text, tokens)
    assert found.probability == pytest.approx(probability)
    assert found.by_tokens is by_tokens


@pytest.mark.parametrize("text", ["", "Perhaps", "Yesterday", "The answer is yes", "Nobody"])
def test_another_answer_is_refused(text):
    with pytest.raises(ValueError, match="begins with neither"):
        read_yes_or_no(text, ())


def test_minicheck_is_asked_in_its_own_form():
    assert (
        claim_prompt("bespoke-minicheck:7b", "A {claim}.", "B.")
        == "Document: A {claim}.\nClaim: B."
    )
    assert claim_prompt("qwen3:8b", "A.", "B.").startswith("Document: A.\nClaim: B.\n\nIs ")
