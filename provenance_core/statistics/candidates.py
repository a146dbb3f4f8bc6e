"""Several answers to one source: which to choose, and what the choice saves.

After RAGTruth's experiment on hallucination suppression (its section 6.3, Table 7), whose
detected spans are here the sentences that are traced as not supported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from provenance_core.statistics.bootstrap import interval_of, resampled_means, resamples_for
from provenance_core.statistics.types import Interval


class Strategy(StrEnum):
    """How an answer is chosen among several. A draw decides among equals. ``HIGHEST_SCORE``: the
    highest factuality score. ``FEWEST_SPANS``: the fewest sentences that are not supported.
    ``NO_SPANS``: an answer without such a sentence; a source that has none gets no answer."""

    HIGHEST_SCORE = "highest_score"
    FEWEST_SPANS = "fewest_spans"
    NO_SPANS = "no_spans"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer to a source, without its text. ``spans``: sentences traced as not supported.
    ``label``: 1 = supported, 0 = hallucinated, None where nobody has said."""

    audit_id: int
    score: float
    spans: int
    label: int | None


@dataclass(frozen=True, slots=True)
class CandidateSource:
    """The answers to one query and context; ``group`` names the source document."""

    source: str
    group: str
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class StrategyRates:
    """Hallucination rates with and without choosing, over ``sources`` sources of which the
    strategy chose an answer; of ``without`` others it chose none.

    ``before``: mean over all answers of a source, over these sources. ``after``: mean over those
    that the strategy may choose. ``suppressed``: 1 - after / before, None where nothing is
    hallucinated; RAGTruth divides by the rate over all sources instead, those without a choice
    included. Rates are None without a source, intervals with one group; ``reason`` says so.
    ``answers``: labelled answers of these sources together."""

    strategy: Strategy
    sources: int
    without: int
    answers: int
    before: float | None
    after: float | None
    interval: Interval | None
    suppressed: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CandidateRates:
    """``before``: hallucination rate, mean over the answers of a source, then over ``sources``
    sources with several labelled answers (``answers`` together). ``left_out``: sources with
    several answers, fewer than two of them labelled. ``groups``: source documents."""

    sources: int
    answers: int
    left_out: int
    groups: int
    before: float | None
    interval: Interval | None
    strategies: tuple[StrategyRates, ...]
    reason: str = ""


_KEYS: dict[Strategy, Callable[[Candidate], float]] = {
    Strategy.HIGHEST_SCORE: lambda candidate: candidate.score,
    Strategy.FEWEST_SPANS: lambda candidate: -candidate.spans,
    Strategy.NO_SPANS: lambda candidate: -candidate.spans,
}


def eligible(candidates: Sequence[Candidate], strategy: Strategy) -> tuple[Candidate, ...]:
    """Name the answers that a strategy may choose. Several equal ones; none where none fits."""
    if strategy is Strategy.NO_SPANS:
        candidates = [candidate for candidate in candidates if candidate.spans == 0]
    if not candidates:
        return ()
    key = _KEYS[strategy]
    best = max(map(key, candidates))
    return tuple(candidate for candidate in candidates if key(candidate) == best)


def ranked(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Order answers: the highest factuality score first; of equal ones the fewest spans, then the
    first."""
    return tuple(sorted(candidates, key=lambda c: (-c.score, c.spans, c.audit_id)))


def candidate_rates(
    sources: Sequence[CandidateSource], *, resamples: int | None = None
) -> CandidateRates:
    """Compute hallucination rates before and after choosing, with intervals drawn over groups. Only
    labelled answers compete. A source with one answer does not count. Rates in [0, 1], of each
    strategy."""
    labelled = [
        [candidate for candidate in source.candidates if candidate.label is not None]
        for source in sources
    ]
    kept = [
        CandidateSource(source.source, source.group, tuple(candidates))
        for source, candidates in zip(sources, labelled, strict=True)
        if len(candidates) > 1
    ]
    several = sum(len(source.candidates) > 1 for source in sources)
    answers = sum(len(source.candidates) for source in kept)
    resamples = resamples_for(answers) if resamples is None else resamples
    groups = [source.group or source.source for source in kept]
    rates = [_rate(source.candidates) for source in kept]
    reason = _reason(kept, groups)
    return CandidateRates(
        sources=len(kept),
        answers=answers,
        left_out=several - len(kept),
        groups=len(set(groups)),
        before=float(np.mean(rates)) if rates else None,
        interval=interval_of(resampled_means(rates, groups, resamples=resamples)),
        strategies=tuple(_rates(kept, strategy, resamples) for strategy in Strategy),
        reason=reason,
    )


def _rates(sources: Sequence[CandidateSource], strategy: Strategy, resamples: int) -> StrategyRates:
    chosen = [(source, eligible(source.candidates, strategy)) for source in sources]
    chosen = [(source, picks) for source, picks in chosen if picks]
    groups = [source.group or source.source for source, _ in chosen]
    before = [_rate(source.candidates) for source, _ in chosen]
    after = [_rate(picks) for _, picks in chosen]
    rate = float(np.mean(before)) if before else None
    left = float(np.mean(after)) if after else None
    return StrategyRates(
        strategy,
        sources=len(chosen),
        without=len(sources) - len(chosen),
        answers=sum(len(source.candidates) for source, _ in chosen),
        before=rate,
        after=left,
        interval=interval_of(resampled_means(after, groups, resamples=resamples)),
        suppressed=1 - left / rate if rate and left is not None else None,
        reason=_reason([source for source, _ in chosen], groups)
        or ("" if rate else "nothing to suppress: no answer is hallucinated"),
    )


def _rate(candidates: Sequence[Candidate]) -> float:
    """Share of hallucinated ones: what a draw among them gives on average."""
    labels = [c.label for c in candidates if c.label is not None]
    return (len(labels) - sum(labels)) / len(labels)


def _reason(sources: Sequence[CandidateSource], groups: Sequence[str]) -> str:
    if not sources:
        return "no rate: no source has several answers with a label"
    if len(set(groups)) < 2:
        return "no interval: all answers come from one source document"
    return ""
