"""Agreement of reviewers, by kappas computed by hand."""

from __future__ import annotations

import pytest

from provenance_core.review.majority import majority
from provenance_core.review.types import (
    FindingType,
    JudgedSentence,
    JudgedSpan,
    JudgedVerdict,
    Judgement,
    Review,
)
from provenance_core.statistics.agreement import MAJORITY, agreement_report
from provenance_core.types import SentenceLabel, Verdict

S, H, X = JudgedVerdict.SUPPORTED, JudgedVerdict.HALLUCINATED, JudgedVerdict.CANNOT_TELL
LABELS = (SentenceLabel.SUPPORTED, SentenceLabel.CONTRADICTED, SentenceLabel.NOT_FOUND)


def review(
    audit: int,
    reviewer: str,
    verdict: JudgedVerdict,
    machine: Verdict = Verdict.SUPPORTED,
    sentences: str = "",
    spans: tuple[JudgedSpan, ...] = (),
    blind: bool = False,
) -> Review:
    """A review; ``sentences`` has a letter a sentence, '.' for one that is not judged."""
    judged = tuple(
        JudgedSentence(i, {"s": S, "h": H, "x": X}[letter])
        for i, letter in enumerate(sentences)
        if letter != "."
    )
    judgement = Judgement(verdict, sentences=judged, spans=spans, blind=blind)
    return Review(0, audit, reviewer, 1, "2026-01-01", judgement, 0.5, 0.5, machine, LABELS)


def span(start: int, end: int, kind: FindingType = FindingType.EVIDENT_CONFLICT) -> JudgedSpan:
    return JudgedSpan(start, end, kind)


def of_pair(table: list[tuple[JudgedVerdict, JudgedVerdict, int]]):
    """The agreement of ann and bob where each pair of verdicts is given so many times."""
    given, number = [], 0
    for one, other, times in table:
        for _ in range(times):
            number += 1
            given += [review(number, "ann", one), review(number, "bob", other)]
    return agreement_report(given, resamples=200).pairs[0]


def test_kappa_of_two_reviewers_by_hand():
    # 20 + 15 of 50 equal: 0.7. Chance: 25/50 * 30/50 + 25/50 * 20/50 = 0.5. (0.7 - 0.5) / 0.5.
    found = of_pair([(S, S, 20), (S, H, 5), (H, S, 10), (H, H, 15)]).answers
    assert (found.n, found.audits, found.raw) == (50, 50, 0.7)
    assert found.kappa == pytest.approx(0.4)
    assert found.interval.low < 0.4 < found.interval.high
    assert found.interval.low > 0.1 and found.interval.high < 0.7
    assert found.reason == ""


def test_cannot_tell_is_a_verdict_of_its_own_between_people():
    # Equal: 6 of 10. Chance: .5*.4 + .3*.3 + .2*.3 = 0.35. (0.6 - 0.35) / 0.65.
    table = [(S, S, 3), (S, X, 2), (H, H, 2), (H, S, 1), (X, X, 1), (X, H, 1)]
    found = of_pair(table).answers
    assert found.raw == pytest.approx(0.6)
    assert found.kappa == pytest.approx(0.25 / 0.65)
    assert found.cannot_tell == 0


def test_disagreement_beyond_chance_is_negative():
    assert of_pair([(S, H, 3), (H, S, 3)]).answers.kappa == pytest.approx(-1)


def test_one_class_has_no_kappa_and_says_why():
    found = of_pair([(S, S, 4)]).answers
    assert (found.n, found.raw, found.kappa, found.interval) == (4, 1.0, None, None)
    assert (
        found.reason == "Both say “supported” of every answer: kappa is undefined with one class."
    )


def test_one_reviewer_with_one_class_has_a_kappa_of_zero():
    found = of_pair([(S, S, 4), (S, H, 1)]).answers
    assert found.kappa == pytest.approx(0.0)


def test_nothing_in_common_says_so():
    report = agreement_report([review(1, "ann", S), review(2, "bob", S)])
    found = report.pairs[0]
    for agreement in (found.answers, found.sentences):
        assert (agreement.n, agreement.raw, agreement.kappa, agreement.interval) == (0, *[None] * 3)
    assert found.answers.reason == "No answer was judged by both."
    assert found.sentences.reason == "No sentence was judged by both."
    assert found.spans.reason and found.spans.f1 is None
    assert (report.audits, report.reviews) == (2, 2)


def test_no_review_at_all():
    report = agreement_report([])
    assert (report.audits, report.pairs, report.machine) == (0, (), ())


def test_against_the_machine_cannot_tell_is_left_out_and_counted():
    up, down = Verdict.SUPPORTED, Verdict.HALLUCINATED
    given = [(S, up)] * 3 + [(H, down)] * 2 + [(H, up)] * 2 + [(S, down)] + [(X, up)] * 4
    report = agreement_report(
        [review(i, "ann", said, machine, blind=i < 5) for i, (said, machine) in enumerate(given)],
        resamples=200,
    )
    ann, most = report.machine
    # 5 of 8 equal. Chance: 4/8 * 5/8 + 4/8 * 3/8 = 0.5. (0.625 - 0.5) / 0.5.
    assert (ann.answers.n, ann.answers.cannot_tell, ann.blind) == (8, 4, 5)
    assert ann.answers.raw == 0.625
    assert ann.answers.kappa == pytest.approx(0.25)
    assert ann.answers.interval.low < 0.25 < ann.answers.interval.high
    assert most.reviewer == MAJORITY and most.answers == ann.answers, "there is one reviewer"


def test_only_cannot_tell_leaves_nothing_and_says_so():
    ann = agreement_report([review(1, "ann", X)]).machine[0]
    assert (ann.answers.n, ann.answers.cannot_tell) == (0, 1)
    assert ann.answers.reason == "No answer that both judged has a verdict to compare."


@pytest.mark.parametrize(
    ("said", "expected"),
    [([S, S, H], S), ([H, X], H), ([S, H], None), ([X, X], X), ([S, H, X], None)],
)
def test_majority(said, expected):
    assert majority(said) is expected


def test_the_majority_against_the_machine():
    given = [
        *[review(1, name, said) for name, said in zip("abc", (S, S, H), strict=True)],
        *[review(n, name, H, Verdict.HALLUCINATED) for n in range(2, 6) for name in "abc"],
        review(6, "a", S),
        review(6, "b", H),
    ]
    most = agreement_report(given, resamples=50).machine[-1]
    assert (most.answers.n, most.answers.raw, most.answers.kappa) == (5, 1.0, pytest.approx(1.0))
    assert most.answers.undecided == 1


def test_sentences_both_judged():
    given = [
        review(first + number, name, H, sentences=said)
        for first in (0, 2, 4)
        for number, name, said in (
            (1, "ann", "sh."), (1, "bob", "ssh"), (2, "ann", "hh"), (2, "bob", "hh"),
        )
    ]  # fmt: skip
    report = agreement_report(given, resamples=50)
    found = report.pairs[0].sentences
    # ann: s h h h, bob: s s h h. Chance: 1/4 * 2/4 + 3/4 * 2/4 = 0.5; (0.75 - 0.5) / 0.5.
    assert (found.n, found.audits, found.raw) == (12, 6, 0.75)
    assert found.kappa == pytest.approx(0.5)
    # The machine traces s h h: ann says s h, h h.
    ann = report.machine[0].sentences
    assert (ann.n, ann.raw) == (12, 0.75)
    assert ann.kappa == pytest.approx((0.75 - (1 / 4 * 2 / 4 + 3 / 4 * 2 / 4)) / 0.5)
    # Of the majority every first audit's S2 is undecided, S3 is bob's alone.
    most = report.machine[-1].sentences
    assert (most.n, most.undecided) == (12, 3)


def test_sentences_of_one_answer_have_no_kappa_and_say_why():
    given = [review(1, "ann", S, sentences="sh"), review(1, "bob", S, sentences="sh")]
    found = agreement_report(given).pairs[0].sentences
    assert (found.n, found.raw, found.kappa, found.interval) == (2, 1.0, None, None)
    assert found.reason == "Too few for kappa: 1 answer is judged by both, and it needs 5."


def test_four_answers_have_no_kappa_and_five_have():
    given = [review(i, "ann", said, Verdict.SUPPORTED) for i, said in enumerate((S, S, S, H, S))]
    found = agreement_report(given[:4]).machine[0].answers
    assert (found.raw, found.kappa, found.interval) == (0.75, None, None)
    assert found.reason == "Too few for kappa: 4 answers are judged by both, and it needs 5."
    assert agreement_report(given).machine[0].answers.kappa == 0.0


def test_spans_are_compared_character_by_character():
    given = [
        review(1, "ann", H, spans=(span(0, 10), span(5, 12))),
        review(1, "bob", H, spans=(span(6, 18),)),
        review(2, "ann", H, spans=(span(0, 8),)),
        review(2, "bob", S),
        review(3, "ann", S),
        review(3, "bob", S, spans=(span(0, 50, FindingType.ABSTENTION),)),
    ]
    found = agreement_report(given, resamples=10).pairs[0].spans
    # ann 12 + 8, bob 12, both 6; what is no hallucination is left out.
    assert found.answers == 2
    assert found.precision == pytest.approx(6 / 12)
    assert found.recall == pytest.approx(6 / 20)
    assert found.f1 == pytest.approx(2 * 6 / 32)


@pytest.mark.parametrize(("marker", "other"), [("ann", "bob"), ("bob", "ann")])
def test_spans_of_one_reviewer_alone_have_no_figure(marker, other):
    given = [review(1, marker, H, spans=(span(0, 4),)), review(1, other, H)]
    found = agreement_report(given).pairs[0].spans
    assert (found.answers, found.precision, found.f1) == (1, None, None)
    assert found.reason == f"{other} marked no hallucination in the answers that both judged."
