"""The library's first calls: one answer, many, as a model writes them, and what comes of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from provenance_core import (
    Auditor,
    InputError,
    ModelError,
    Parameters,
    Provenance,
    default_parameters,
)
from provenance_core.audit.serialization import to_plain
from provenance_core.audit.shared_models import shared_models
from provenance_core.explain import verdict_sentence
from provenance_core.explain.summary import audit_summary

BRIDGE = "The Sydney Harbour Bridge was opened on 19 March 1932. It carries rail and road traffic."
WRONG = "The bridge was opened in 1932. It was opened in the year 1890."
SHIPPED = ["embedded", "cascade", "embedded-large"]
QUERY = "When was the bridge opened?"


@pytest.fixture(autouse=True)
def models(loaded_once: None) -> Iterator[None]:
    """The models of the session, and none of another test."""
    shared_models.cache_clear()
    yield
    shared_models.cache_clear()


@pytest.fixture
def auditor() -> Auditor:
    return Auditor("embedded")


def test_a_check_is_the_audit_of_the_deeper_layer(auditor, provenance):
    result = auditor.check(WRONG, [BRIDGE], QUERY)
    audit = Provenance.audit(
        provenance, answer=WRONG, context=[BRIDGE], query=QUERY,
        parameters=default_parameters("embedded"),
    )  # fmt: skip
    assert (result.verdict, result.score) == (audit.verdict, audit.score)
    assert result.reason == verdict_sentence(audit)
    assert result.audit.parameters == audit.parameters
    first, second = result.sentences
    assert first.text + second.text == WRONG
    assert (first.label, first.reason) == ("supported", "")
    assert second.label == "contradicted" and "1890" in second.reason
    assert second.evidence.item == 0
    assert BRIDGE[second.evidence.start : second.evidence.end] == second.evidence.text


def test_a_text_and_a_list_are_the_same_context(auditor):
    one, other = auditor.check(WRONG, BRIDGE), auditor.check(WRONG, [BRIDGE])
    assert one.score == other.score and one.summary.sentences == other.summary.sentences


def test_json_is_that_of_the_command_line(auditor):
    result = auditor.check(WRONG, BRIDGE)
    plain = result.to_dict()
    assert plain == json.loads(result.to_json())
    assert plain == json.loads(json.dumps(to_plain(audit_summary(result.audit))))
    assert type(plain["verdict"]) is str
    assert plain["reason"] == result.reason


def test_the_repr_is_one_short_line(auditor):
    result = auditor.check(WRONG, BRIDGE)
    assert repr(result) == (
        f"Result({result.verdict}, score {result.score:.3f}, 1 of 2 sentences not supported)"
    )
    assert repr(result.audit) == repr(result).replace("Result", "Audit")
    assert repr(result.audit.evidence) == "Evidence(2 sentences, 1 chunks)"
    assert len(repr(result.sentences[0])) < 1_000
    assert repr(auditor) == f"Auditor('embedded', {auditor.parameters.detector})"


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.titles: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.titles += [value or "" for name, value in attrs if name == "title"]
        assert {name for name, _ in attrs} <= {"style", "title"}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_notebook_shows_the_coloured_answer_and_runs_nothing_of_it(auditor):
    answer = 'It was opened in 1890 by "<script>alert(1)</script>" & <b onload=x>Ann</b>.'
    result = auditor.check(answer, BRIDGE)
    read = _Tags()
    read.feed(result._repr_html_())
    assert set(read.tags) == {"div", "b", "br", "p", "span"}
    assert answer in read.text and result.reason in read.text
    (title,) = read.titles
    assert title.startswith(str(result.sentences[0].label).replace("_", " "))


def test_parameters_by_name_start_from_those_of_detector_and_profile():
    assert Auditor("embedded").parameters == default_parameters("embedded")
    changed = Auditor("embedded", top_k=3).parameters
    usual = default_parameters("embedded")
    assert changed.top_k == 3
    assert (changed.threshold, changed.claim_aggregation) == (
        usual.threshold,
        usual.claim_aggregation,
    )
    assert Auditor("embedded", detector="summac").parameters.threshold == 0.7


@pytest.mark.parametrize("profile", SHIPPED)
def test_parameters_made_by_hand_are_those_of_the_default_detector(profile):
    assert Parameters() == default_parameters(profile)
    assert Parameters(top_k=3) == replace(default_parameters(profile), top_k=3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"treshold": 0.6}, "no parameter treshold. There are: selection, "),
        ({"threshold": 2}, r"threshold must be in \[0, 1\], not 2"),
        ({"detector": "nli-matrix", "top_k": 3}, "top_k would change nothing"),
        ({"detector": "none"}, "There is no detector 'none'"),
        ({"selection": "best"}, "'best' is not a valid SelectionStrategy"),
    ],
)
def test_a_parameter_that_cannot_be_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        Auditor("embedded", **given)


def test_a_profile_that_is_not_there_is_said_at_once():
    with pytest.raises(ModelError, match="none"):
        Auditor("none")


ROWS = [
    {"answer": "It was opened in 1932.", "context": BRIDGE, "query": QUERY},
    {"answer": "It was opened in 1890.", "context": [BRIDGE]},
    ("It carries rail traffic.", BRIDGE),
    ("It was opened in 1932.", [BRIDGE], QUERY),
]


@pytest.mark.parametrize("rows", [ROWS, ROWS[::-1], [ROWS[1], *ROWS]])
def test_many_answers_are_those_of_single_checks_in_order(auditor, rows):
    many = list(auditor.check_many(rows))
    alone = [auditor.check(**row) if isinstance(row, dict) else auditor.check(*row) for row in rows]

    def told(results):
        return [
            (
                each.audit.evidence.answer,
                each.verdict,
                each.reason,
                [s.label for s in each.sentences],
            )
            for each in results
        ]

    assert told(many) == told(alone)
    # The engines round the activations of another batch in other groups.
    assert [each.score for each in many] == pytest.approx([each.score for each in alone], abs=1e-3)
    assert {str(each.verdict) for each in many} == {"supported", "hallucinated"}


def test_a_pair_of_texts_is_scored_once_for_all_rows(auditor, provenance, monkeypatch):
    scored: list[tuple[str, str]] = []
    predict = type(provenance.nli).predict

    def counted(self, pairs, progress=None):
        if self is provenance.nli:
            scored.extend(pairs)
        return predict(self, pairs, progress)

    monkeypatch.setattr(type(provenance.nli), "predict", counted)
    assert len(list(auditor.check_many([ROWS[0]] * 3))) == 3
    assert scored and len(scored) == len(set(scored))


def test_many_come_one_by_one(auditor):
    taken = []

    def rows():
        for row in ROWS:
            taken.append(row)
            yield row

    results = auditor.check_many(rows())
    next(results)
    assert len(taken) == 1
    next(results)
    assert len(taken) == 3  # two are read together


BAD = [
    (("", BRIDGE), "answer is empty"),
    ({"answer": "a"}, "it has no context; a row has answer, context, query"),
    (("a", BRIDGE, "b", "c"), "it has 4 values; give answer, context and query"),
    (("a", []), "context is empty"),
    ("ab", "it is one text; give a row of answer, context, query"),
]


@pytest.mark.parametrize(("row", "message"), BAD, ids=range(len(BAD)))
def test_a_row_that_cannot_be_checked_is_named(auditor, row, message):
    with pytest.raises(InputError, match=rf"rows\[1\]: .*{message}"):
        list(auditor.check_many([ROWS[0], row, ROWS[1]]))
    failed = []
    results = list(
        auditor.check_many(
            [ROWS[0], row, ROWS[1]], on_error=lambda number, error: failed.append((number, error))
        )
    )
    assert [result.audit.evidence.answer for result in results] == [
        "It was opened in 1932.",
        "It was opened in 1890.",
    ]
    ((number, error),) = failed
    assert number == 1 and message in str(error)


def test_an_error_that_nobody_foresaw_fails_its_row_alone(auditor, provenance, monkeypatch):
    predict = type(provenance.nli).predict

    def fail(self, pairs, progress=None):
        if any("1890" in text for pair in pairs for text in pair):
            raise ZeroDivisionError
        return predict(self, pairs, progress)

    monkeypatch.setattr(type(provenance.nli), "predict", fail)
    failed = []
    results = list(auditor.check_many(ROWS, on_error=lambda *given: failed.append(given)))
    assert len(results) == 3
    ((number, error),) = failed
    assert number == 1 and "nobody foresaw (ZeroDivisionError in test_auditor.py" in str(error)


def test_progress_is_a_bar_of_the_rows(auditor, capsys):
    list(auditor.check_many(ROWS[:2]))
    assert capsys.readouterr().err == ""
    list(auditor.check_many([ROWS[0], BAD[0][0]], progress=True, on_error=lambda *_: None))
    assert "2/2" in capsys.readouterr().err
    list(auditor.check_many((row for row in ROWS[:2]), progress=True))
    assert "2 answers" in capsys.readouterr().err


def test_a_stream_labels_each_sentence_once_it_has_ended(auditor):
    stream = auditor.stream(BRIDGE, QUERY)
    assert stream.write("The bridge was ") == ()
    assert stream.write("opened in 1932. ") == ()
    (first,) = stream.write("It was opened")
    assert (first.text, first.label) == ("The bridge was opened in 1932. ", "supported")
    assert stream.write(" in the year 1890") == ()
    result = stream.result()
    assert result.audit.evidence.answer == WRONG.rstrip(".")
    assert [each.label for each in result.sentences] == ["supported", "contradicted"]


def test_whole_sentences_have_their_label_at_once(auditor):
    stream = auditor.stream([BRIDGE])
    (first,) = stream.add("The bridge was opened in 1932.")
    (second,) = stream.add("It was opened in the year 1890.")
    assert (first.label, second.label) == ("supported", "contradicted")
    assert stream.result().audit.evidence.answer == WRONG


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_pieces_of_any_length_have_the_sentences_of_the_whole(auditor, size):
    pieces = [WRONG[at : at + size] for at in range(0, len(WRONG), size)]
    stream = auditor.stream(BRIDGE)
    labelled = list(stream.read(pieces))
    whole = auditor.check(WRONG, BRIDGE)
    assert [(each.start, each.end, each.label) for each in labelled] == [
        (each.start, each.end, each.label) for each in whole.sentences
    ]
    assert stream.result().score == pytest.approx(whole.score)


def test_a_stream_without_a_word_labels_nothing(auditor):
    assert list(auditor.stream(BRIDGE).read(["", "  \n"])) == []


def test_servers_check_without_holding_up_others(auditor):
    async def both() -> list[str]:
        async def tokens():
            yield "It was opened "
            yield "in 1932."

        one = await auditor.check_async("It was opened in 1932.", BRIDGE)
        many = [each async for each in auditor.check_many_async(ROWS[:2])]
        labels = [each async for each in auditor.stream(BRIDGE).read_async(tokens())]
        return [
            *(str(each.verdict) for each in (one, *many)),
            *(str(each.label) for each in labels),
        ]

    assert asyncio.run(both()) == ["supported", "supported", "hallucinated", "supported"]


def test_threads_share_an_auditor(auditor):
    answers = ["It was opened in 1932.", "It was opened in 1890."] * 3
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda answer: auditor.check(answer, BRIDGE).score, answers))
    assert found[0::2] == [found[0]] * 3 and found[1::2] == [found[1]] * 3
    assert found[0] > found[1]
