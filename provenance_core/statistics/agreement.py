"""How far reviewers agree with each other and with the machine.

Cohen's kappa (Cohen 1960, A coefficient of agreement for nominal scales) on whole answers and on
their sentences; character overlap of marked spans as RAGTruth measures it (its section 5.2).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from provenance_core.review.majority import majority
from provenance_core.review.types import JudgedVerdict, Judgement, Review
from provenance_core.statistics.bootstrap import (
    group_counts,
    group_draws,
    interval_of,
    resamples_for,
)
from provenance_core.statistics.metrics import span_counts, span_figures
from provenance_core.statistics.types import Interval, SpanCounts
from provenance_core.types import HALLUCINATION_TYPES, UNSUPPORTED_LABELS, Verdict

# What most reviewers of an answer say, as a rater of its own.
MAJORITY = "majority of the reviewers"
# With fewer audits kappa jumps from one end to the other by a single verdict.
LEAST_AUDITS = 5
_CATEGORIES = tuple(JudgedVerdict)
_MACHINE = {
    Verdict.SUPPORTED: JudgedVerdict.SUPPORTED,
    Verdict.HALLUCINATED: JudgedVerdict.HALLUCINATED,
    Verdict.NOTHING_TO_CHECK: None,
}
# What both raters say of one thing: (audit, verdict of the first, verdict of the second).
_Rated = tuple[int, JudgedVerdict, JudgedVerdict]


@dataclass(frozen=True, slots=True)
class Agreement:
    """What two raters say of the ``n`` answers or sentences, of ``audits`` audits, that both rated.
    ``raw``: share of equal verdicts, in [0, 1]. ``kappa``: Cohen's, in [-1, 1]. ``interval``: of
    kappa, over audits. ``reason`` says why a figure is None. ``cannot_tell``: how many were left
    out because a reviewer cannot tell; the machine always can. ``undecided``: how many the majority
    leaves out, because as many reviewers say supported as say hallucinated."""

    n: int
    audits: int
    raw: float | None
    kappa: float | None
    interval: Interval | None
    reason: str
    cannot_tell: int = 0
    undecided: int = 0


@dataclass(frozen=True, slots=True)
class SpanAgreement:
    """Characters that two reviewers marked as hallucinated, over the ``answers`` that either
    marked. Precision: share of the second's characters that the first marked too. Recall: share of
    the first's that the second marked too. ``reason`` says why one is None."""

    answers: int
    precision: float | None
    recall: float | None
    f1: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class ReviewerPair:
    """Two reviewers. "Cannot tell" is a verdict of its own between them."""

    first: str
    second: str
    answers: Agreement
    sentences: Agreement
    spans: SpanAgreement


@dataclass(frozen=True, slots=True)
class AgainstMachine:
    """A reviewer, or the majority, against the machine's verdicts and sentence labels. Answers in
    which the machine found nothing to check are left out. ``blind``: how many of the answers in n
    the reviewer judged with the machine's view hidden. Of the majority, it counts the answers that
    every reviewer judged so."""

    reviewer: str
    answers: Agreement
    sentences: Agreement
    blind: int


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """All of it: ``audits`` with a judgement, the pairs and the reviewers in order of name, the
    majority last."""

    audits: int
    reviews: int
    pairs: tuple[ReviewerPair, ...]
    machine: tuple[AgainstMachine, ...]


def agreement_report(reviews: Iterable[Review], *, resamples: int | None = None) -> AgreementReport:
    """Measure how far reviewers agree: by the judgement in force of each reviewer of each audit.
    Agreement and its intervals, and why there are none where too few rated the same."""
    audits: dict[int, dict[str, Review]] = defaultdict(dict)
    for review in reviews:
        audits[review.audit_id][review.reviewer] = review
    names = sorted({name for by_name in audits.values() for name in by_name})
    pairs = tuple(
        _pair(first, second, audits, resamples) for first, second in combinations(names, 2)
    )
    machine = [_one_against_machine(name, audits, resamples) for name in names]
    if names:
        machine.append(_majority_against_machine(audits, resamples))
    total = sum(len(by_name) for by_name in audits.values())
    return AgreementReport(len(audits), total, pairs, tuple(machine))


def _pair(
    first: str, second: str, audits: Mapping[int, Mapping[str, Review]], resamples: int | None
) -> ReviewerPair:
    answers: list[_Rated] = []
    sentences: list[_Rated] = []
    spans: list[SpanCounts] = []
    for number, by_name in audits.items():
        if first not in by_name or second not in by_name:
            continue
        one, other = by_name[first].judgement, by_name[second].judgement
        answers.append((number, one.verdict, other.verdict))
        judged = _sentence_verdicts(other)
        sentences += [
            (number, s.verdict, judged[s.index]) for s in one.sentences if s.index in judged
        ]
        marked, found = _hallucinated_spans(one), _hallucinated_spans(other)
        if marked or found:
            length = max(end for _, end in (*marked, *found))
            spans.append(span_counts(length, marked, found))
    return ReviewerPair(
        first,
        second,
        _agreement(answers, "answer", resamples),
        _agreement(sentences, "sentence", resamples),
        _span_agreement(first, second, spans),
    )


def _one_against_machine(
    name: str, audits: Mapping[int, Mapping[str, Review]], resamples: int | None
) -> AgainstMachine:
    answers: list[_Rated] = []
    sentences: list[_Rated] = []
    blind = 0
    for number, by_name in audits.items():
        if (review := by_name.get(name)) is None:
            continue
        judgement = review.judgement
        machine = _machine_verdict(review)
        if machine is not None:
            answers.append((number, judgement.verdict, machine))
            blind += judgement.blind and judgement.verdict is not JudgedVerdict.CANNOT_TELL
        sentences += _traced(number, _sentence_verdicts(judgement), review)
    return AgainstMachine(
        name,
        _agreement_with_machine(answers, "answer", resamples),
        _agreement_with_machine(sentences, "sentence", resamples),
        blind,
    )


def _majority_against_machine(
    audits: Mapping[int, Mapping[str, Review]], resamples: int | None
) -> AgainstMachine:
    answers: list[_Rated] = []
    sentences: list[_Rated] = []
    undecided = undecided_sentences = blind = 0
    for number, by_name in audits.items():
        given = list(by_name.values())
        said, machine = majority(r.judgement.verdict for r in given), _machine_verdict(given[-1])
        if said is None:
            undecided += 1
        elif machine is not None:
            answers.append((number, said, machine))
            blind += said is not JudgedVerdict.CANNOT_TELL and all(
                review.judgement.blind for review in given
            )
        each: dict[int, list[JudgedVerdict]] = defaultdict(list)
        for review in given:
            for index, verdict in _sentence_verdicts(review.judgement).items():
                each[index].append(verdict)
        found = {index: majority(verdicts) for index, verdicts in each.items()}
        undecided_sentences += sum(verdict is None for verdict in found.values())
        decided = {index: verdict for index, verdict in found.items() if verdict is not None}
        sentences += _traced(number, decided, given[-1])
    return AgainstMachine(
        MAJORITY,
        _agreement_with_machine(answers, "answer", resamples, undecided),
        _agreement_with_machine(sentences, "sentence", resamples, undecided_sentences),
        blind,
    )


def _machine_verdict(review: Review) -> JudgedVerdict | None:
    """What the machine called the answer; None where it found nothing to check."""
    return _MACHINE[review.machine_verdict]


def _sentence_verdicts(judgement: Judgement) -> dict[int, JudgedVerdict]:
    return {sentence.index: sentence.verdict for sentence in judgement.sentences}


def _traced(number: int, verdicts: Mapping[int, JudgedVerdict], review: Review) -> list[_Rated]:
    """Verdicts of sentences beside what the machine traces: supported, or else hallucinated."""
    return [
        (
            number,
            verdict,
            JudgedVerdict.HALLUCINATED
            if review.machine_labels[index] in UNSUPPORTED_LABELS
            else JudgedVerdict.SUPPORTED,
        )
        for index, verdict in sorted(verdicts.items())
        if index < len(review.machine_labels)
    ]


def _hallucinated_spans(judgement: Judgement) -> list[tuple[int, int]]:
    return [(s.start, s.end) for s in judgement.spans if s.type in HALLUCINATION_TYPES]


def _agreement_with_machine(
    rated: Sequence[_Rated], unit: str, resamples: int | None, undecided: int = 0
) -> Agreement:
    told = [row for row in rated if row[1] is not JudgedVerdict.CANNOT_TELL]
    return _agreement(told, unit, resamples, len(rated) - len(told), undecided)


def _agreement(
    rated: Sequence[_Rated],
    unit: str,
    resamples: int | None,
    cannot_tell: int = 0,
    undecided: int = 0,
) -> Agreement:
    n = len(rated)
    audits = len({number for number, _, _ in rated})
    raw = sum(one is other for _, one, other in rated) / n if n else None
    kappa, interval, reason = None, None, ""
    verdicts = {said for _, one, other in rated for said in (one, other)}
    if not n:
        reason = f"No {unit} was judged by both."
        if cannot_tell or undecided:
            reason = f"No {unit} that both judged has a verdict to compare."
    elif len(verdicts) == 1:
        said = str(verdicts.pop()).replace("_", " ")
        reason = f"Both say “{said}” of every {unit}: kappa is undefined with one class."
    elif audits < LEAST_AUDITS:
        held = "1 answer is" if audits == 1 else f"{audits} answers are"
        reason = f"Too few for kappa: {held} judged by both, and it needs {LEAST_AUDITS}."
    else:
        kappa, interval = _kappa(rated), interval_of(_resampled_kappas(rated, resamples))
        if interval is None:  # pragma: no cover - a draw without a second class each time
            reason = "Every resample holds one class only: there is no interval."
    return Agreement(n, audits, raw, kappa, interval, reason, cannot_tell, undecided)


def _kappa(rated: Sequence[_Rated]) -> float:
    from sklearn.metrics import cohen_kappa_score

    return float(cohen_kappa_score([str(r[1]) for r in rated], [str(r[2]) for r in rated]))


def _resampled_kappas(rated: Sequence[_Rated], resamples: int | None) -> NDArray[np.float64]:
    """Kappa of each draw of whole audits; NaN for a draw with one class only."""
    classes = len(_CATEGORIES)
    numbers, members = np.unique([number for number, _, _ in rated], return_inverse=True)
    cells = [_CATEGORIES.index(one) * classes + _CATEGORIES.index(other) for _, one, other in rated]
    tables = group_counts(np.array(cells), members, (classes**2, len(numbers)))
    draws = resamples_for(len(rated)) if resamples is None else resamples
    kappas = []
    for times in group_draws(len(numbers), resamples=draws):
        drawn = (tables @ times.T).T.reshape(-1, classes, classes)
        total = drawn.sum(axis=(1, 2))
        same = np.trace(drawn, axis1=1, axis2=2) / total
        chance = (drawn.sum(axis=2) * drawn.sum(axis=1)).sum(axis=1) / total**2
        undefined = chance >= 1.0
        kappas.append(
            np.where(undefined, np.nan, (same - chance) / np.where(undefined, 1, 1 - chance))
        )
    return np.concatenate(kappas)


def _span_agreement(first: str, second: str, counts: Sequence[SpanCounts]) -> SpanAgreement:
    if not counts:
        none = "Neither reviewer marked a hallucination in an answer that both judged."
        return SpanAgreement(0, None, None, None, none)
    by_first, by_second = sum(c.gold for c in counts), sum(c.found for c in counts)
    figures = span_figures(counts)
    if figures is None or not by_second:
        empty = second if by_first else first
        reason = f"{empty} marked no hallucination in the answers that both judged."
        return SpanAgreement(len(counts), None, None, None, reason)
    return SpanAgreement(len(counts), figures.precision, figures.recall, figures.f1, "")
