"""The constants of the spans detector: ``python -m training.span_constants``.

Answers are made of held-out passages, which neither the encoder nor its span head saw: sentences
shortened (supported), with a number, name or detail exchanged, with a foreign clause, of another
passage, and of a part of the passage that the context lacks. What was changed is known, so every
character has a label. Held-out claims of documents that support them are added as they are. Half
the answers, by passage, fit the weights of the phrase map (printed as they stand in
``provenance_core/detectors/spans.py``); the other half gives character-level precision, recall
and F1 at each threshold, beside those of the sentences without support, narrowed or whole, and of
whole sentences by the paper's threshold.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from provenance_core import Parameters, Provenance, default_parameters
from provenance_core.audit.assembly import assemble
from provenance_core.detectors import get_detector
from provenance_core.detectors import spans as detector
from provenance_core.detectors._second_reading import with_support
from provenance_core.detectors._span_measurement import (
    PhraseReading,
    SentenceReading,
    read_sentences,
)
from provenance_core.evaluation.scorers import unsupported_spans
from provenance_core.scoring.support import sentence_support
from provenance_core.statistics.metrics import span_counts, span_figures
from provenance_core.statistics.types import SpanCounts
from provenance_core.text.checked_texts import check_texts
from provenance_core.types import Evidence, SelectionStrategy
from training.answer_styles import detail_pairs
from training.calibrate import ANSWER_LIKE, read
from training.data_folder import add_data_option
from training.minimal_pairs import NEUTRAL, inside, names_in, sentences_of, swapped
from training.nli_data import SEED, held_out, passage_rows
from training.rewrites import shortened
from training.span_head import PASSAGES, changed_span

# Made answers to each supported claim.
MADE_A_CLAIM = 3
# The sign of each of :func:`features`: 1 where it speaks for an unsupported phrase, -1 against.
SIGNS = (-1, 1, 1)
THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_JOINTS = (", and ", ", which means that ", " because ", ", while ")


@dataclass(frozen=True, slots=True)
class MadeAnswer:
    """``spans``: the parts of ``answer`` that ``context`` does not support. ``fitted``: whether
    it is of the half that the weights are fitted on."""

    context: str
    answer: str
    spans: tuple[tuple[int, int], ...]
    fitted: bool


def _wrong(
    sentence: str, passage: str, foreign: str, rng: random.Random, names: list[str]
) -> tuple[str, tuple[int, int]] | None:
    """``sentence`` with something unsupported in it, and where."""
    right = shortened(sentence, rng)
    roll = rng.random()
    if roll < 0.45:
        changed = swapped(right, passage, rng, names)
        span = changed_span(right, changed) if changed else None
        return (changed, span) if changed and span and not inside(changed, passage) else None
    if roll < 0.6:
        for pair in detail_pairs(sentence, foreign, rng):
            span = changed_span(sentence, pair.hypothesis)
            if pair.label == NEUTRAL and span:
                return pair.hypothesis, span
        return None
    clauses = [s for s in sentences_of(foreign) if len(s.split()) <= 18 and not inside(s, passage)]
    if not clauses:
        return None
    clause = shortened(rng.choice(clauses), rng)
    if roll < 0.75:
        return clause, (0, len(clause))
    joint = rng.choice(_JOINTS)
    start = right.rstrip(". ") + joint
    wrong = start + clause
    return wrong, (len(start), len(wrong))


def made_answers(data: Path, rng: random.Random, most: int) -> Iterator[MadeAnswer]:
    """Answers of two to four sentences, about a third of which are not wholly supported; at most
    ``most`` of each set of passages."""
    for name in PASSAGES:
        loaded, _ = passage_rows(data, name, rng)
        names = sorted(names_in(" ".join(row["passage"] for row in loaded[:400])))
        seen: set[str] = set()
        for index, row in enumerate(loaded):
            passage = " ".join(row["passage"].split()[:220])
            if len(seen) == most:
                break
            if passage in seen or not held_out(passage, 20):
                continue
            sentences = sentences_of(passage)
            short = [s for s in sentences if 6 <= len(s.split()) <= 40]
            if len(short) < 3:
                continue
            seen.add(passage)
            chosen = rng.sample(short, min(len(short) - 1, rng.choice((2, 3, 4))))
            left_out: set[str] = set()
            parts: list[str] = []
            spans: list[tuple[int, int]] = []
            for sentence in chosen:
                at = sum(len(part) + 1 for part in parts)
                text, span = shortened(sentence, rng), None
                roll = rng.random()
                if roll < 0.28:
                    found = _wrong(sentence, passage, loaded[index - 1]["passage"], rng, names)
                    text, span = found or (text, None)
                elif roll < 0.36:
                    left_out.add(sentence)
                    span = (0, len(text))
                if span:
                    spans.append((at + span[0], at + span[1]))
                parts.append(text)
            context = " ".join(s for s in sentences if s not in left_out)
            yield MadeAnswer(context, " ".join(parts), tuple(spans), held_out(f"h{passage}", 2))


def supported_claims(runs: Path) -> Iterator[MadeAnswer]:
    """Held-out claims of documents that support them."""
    for row in read(runs / "nli_calibration.jsonl"):
        if row["kind"] in ANSWER_LIKE and row["label"] in ("supported", "entailment"):
            claim = row["hypothesis"]
            yield MadeAnswer(row["premise"], claim, (), held_out(f"h{claim}", 2))


@dataclass(frozen=True, slots=True)
class Measured:
    """An answer as measured for the detector, and its readings."""

    made: MadeAnswer
    evidence: Evidence
    readings: tuple[SentenceReading, ...]
    supports: tuple[float, ...]  # of each sentence, by the support map

    def counts(self, found: list[tuple[int, int]]) -> SpanCounts:
        return span_counts(len(self.made.answer), self.made.spans, found)


def features(phrase: PhraseReading) -> list[float]:
    """What the phrase map weighs."""
    return [
        detector.logit(phrase.alone),
        detector.logit(phrase.rest),
        float(phrase.missing),
    ]


def phrase_rows(measured: list[Measured]) -> tuple[np.ndarray, np.ndarray]:
    """Features of every phrase, (P, 3), and whether half of it or more is unsupported, (P,)."""
    x, y = [], []
    for item in measured:
        for reading in item.readings:
            for phrase in reading.phrases:
                wrong = sum(
                    max(0, min(b, phrase.end) - max(a, phrase.start)) for a, b in item.made.spans
                )
                x.append(features(phrase))
                y.append(2 * wrong >= phrase.end - phrase.start)
    return np.array(x), np.array(y)


def fitted(x: np.ndarray, y: np.ndarray) -> tuple[float, ...]:
    """The weight of each column of ``x`` and the intercept, by logistic regression.

    A weight whose sign says the opposite of what its column means is noise of few answers beside
    a correlated column: it is 0, and the others are fitted again.
    """
    kept = list(range(x.shape[1]))
    while True:
        model = LogisticRegression(C=1.0).fit(x[:, kept], y)
        weights = dict(zip(kept, model.coef_[0].tolist(), strict=True))
        wrong = [column for column in kept if weights[column] * SIGNS[column] < 0]
        if not wrong:
            found = [weights.get(column, 0.0) for column in range(x.shape[1])]
            return (*found, float(model.intercept_[0]))
        kept.remove(min(wrong, key=lambda column: weights[column] * SIGNS[column]))


def figures(counts: list[SpanCounts]) -> str:
    """Precision, recall and F1 in characters."""
    found = span_figures(counts)
    if found is None:
        return "no span"
    return f"precision {found.precision:.3f}  recall {found.recall:.3f}  F1 {found.f1:.3f}"


def main() -> None:
    """Runs the command that the module describes."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    parser.add_argument("--answers", type=int, default=360, help="made answers (%(default)s)")
    arguments = parser.parse_args()
    rng = random.Random(SEED + 9)
    made = list(made_answers(arguments.data, rng, -(-arguments.answers // len(PASSAGES))))
    claims = list(supported_claims(arguments.runs))
    made += rng.sample(claims, min(arguments.answers // MADE_A_CLAIM, len(claims)))
    measured = measure(made)
    x, y = phrase_rows([item for item in measured if item.made.fitted])
    values = [round(value, 2) for value in fitted(x, y)]
    print("ALONE, REST, MISSING, INTERCEPT =", *values)
    rest = [item for item in measured if not item.made.fitted]
    x, y = phrase_rows(rest)
    refitted = np.array(values[:-1])
    shipped = np.array([detector.ALONE, detector.REST, detector.MISSING])
    print(
        f"{len(made)} answers; other half: {len(rest)} answers, {len(y)} phrases, "
        f"{100 * y.mean():.0f} % unsupported; AUC of the support alone "
        f"{100 * roc_auc_score(y, -x[:, 0]):.1f}, with the weights above "
        f"{100 * roc_auc_score(y, x @ refitted):.1f}, with those in use "
        f"{100 * roc_auc_score(y, x @ shipped):.1f}"
    )
    (detector.ALONE, detector.REST, detector.MISSING, detector.INTERCEPT) = values
    print_thresholds(rest)
    print_narrowed(rest)
    print_whole(rest)


def measure(made: Sequence[MadeAnswer]) -> list[Measured]:
    """Each made answer as the models read it: the detector's matrix, without its arithmetic."""
    models = Provenance.load()
    measured = []
    for number, each in enumerate(made):
        if number % 20 == 0:
            print(f"{number} of {len(made)} answers", file=sys.stderr, flush=True)
        evidence = models.measure(
            check_texts(answer=each.answer, context=[each.context]),
            Parameters(detector="nli-matrix"),
        )
        readings = read_sentences(evidence, models, lambda done: None).sentences
        support = sentence_support(with_support(evidence, models, lambda done: None)).max(axis=1)
        measured.append(Measured(each, evidence, readings, tuple(support.tolist())))
    return measured


def print_thresholds(rest: Sequence[Measured]) -> None:
    """The figures of phrases over each threshold."""
    spans = get_detector("spans")
    for unsupported in THRESHOLDS:
        chosen = Parameters(detector="spans", threshold=1.0 - unsupported)
        counts = []
        right = 0
        for item in rest:
            parts = [part for reading in item.readings for part in detector.measured_spans(reading)]
            parts.sort(key=lambda part: (part.start, -part.end))
            found = spans.spans(replace(item.evidence, spans=tuple(parts)), chosen)
            counts.append(item.counts([(span.start, span.end) for span in found]))
            right += bool(found) == bool(item.made.spans)
        print(f"over {unsupported}: {figures(counts)}; right verdict {right / len(rest):.3f}")


def print_narrowed(rest: Sequence[Measured]) -> None:
    """The figures of unsupported sentences, narrowed to their phrases over each threshold."""
    spans = get_detector("spans")
    chosen = Parameters(detector="spans", threshold=1.0 - detector.NARROWED_FROM)
    for unsupported in THRESHOLDS:
        detector.SPAN_THRESHOLD = unsupported
        counts = []
        for item in rest:
            parts = [
                part
                for reading, support in zip(item.readings, item.supports, strict=True)
                for part in detector.narrowed(detector.measured_spans(reading), 1.0 - support)
            ]
            parts.sort(key=lambda part: (part.start, -part.end))
            found = spans.spans(replace(item.evidence, spans=tuple(parts)), chosen)
            counts.append(item.counts([(span.start, span.end) for span in found]))
        print(f"unsupported sentences, narrowed to parts over {unsupported}: {figures(counts)}")


def print_whole(rest: Sequence[Measured]) -> None:
    """The figures of whole sentences: those that the second reading does not support, and those
    that the two-stage detector does not."""
    flagged = [
        item.counts(
            [
                (reading.start, reading.end)
                for reading, support in zip(item.readings, item.supports, strict=True)
                if support < detector.NARROWED_FROM
            ]
        )
        for item in rest
    ]
    print(f"unsupported sentences, whole: {figures(flagged)}")
    every_chunk = replace(
        default_parameters(), selection=SelectionStrategy.TOP_K, top_k=sys.maxsize
    )
    whole = [
        item.counts(list(unsupported_spans(assemble(item.evidence, every_chunk)))) for item in rest
    ]
    print(f"whole sentences: {figures(whole)}")


if __name__ == "__main__":
    main()
