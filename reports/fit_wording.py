"""A fit to labels in words and tables: for the Thresholds page and the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provenance_core.statistics.own_fit.fit import LEAST_ANSWERS, LEAST_OF_A_LABEL
from provenance_core.statistics.own_fit.types import FitComparison, FitFigure, KindCount
from provenance_core.statistics.thresholds.types import Estimate
from provenance_core.statistics.types import SkipReason
from provenance_core.types import AnswerKind, SupportMap, SupportTerm

FIT_FIGURES = {
    FitFigure.AUC: "ROC AUC",
    FitFigure.BALANCED_ACCURACY: "Balanced accuracy",
    FitFigure.CALIBRATION_ERROR: "Calibration error (less is better)",
}
TERMS = {
    SupportTerm.ENTAILMENT: "the chunk entails the sentence",
    SupportTerm.SENTENCE: "one sentence of the chunk entails it",
    SupportTerm.CONTRADICTION: "the closest sentence does not contradict it",
    SupportTerm.COPIED: "its words are copied from the context",
    SupportTerm.COPIED_PAIRS: "its pairs of words stand in the context",
    SupportTerm.MISSING_DETAILS: "no number, date or name is missing from the context",
    SupportTerm.CONFLICTING_DETAILS: "no number, date or name differs from the context's",
    SupportTerm.MISSING_WORDS: "no word is missing from the context",
    SupportTerm.UNENTAILED_WORDS: "no word is missing, or the chunk entails the sentence",
    SupportTerm.SECOND_ENTAILMENT: "second model: the chunk entails it",
    SupportTerm.SECOND_SENTENCE: "second model: one sentence of the chunk entails it",
    SupportTerm.SECOND_CONTRADICTION: "second model: the closest sentence does not contradict it",
    SupportTerm.CONTRADICTION_ANYWHERE: "the chunk entails it, or no chunk contradicts it",
    SupportTerm.SECOND_CONTRADICTION_ANYWHERE: (
        "second model: the chunk entails it, or no chunk contradicts it"
    ),
    SupportTerm.SECOND_WINDOW: "second model: the passages together entail it",
    SupportTerm.SECOND_WHOLE: "second model: the context entails the whole answer",
}
_KINDS = {
    AnswerKind.CLAIM: "claims",
    AnswerKind.REPLY: "replies to a query",
    AnswerKind.SUMMARY: "summaries",
}


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of text: ``head`` has as many cells as each of ``rows``."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def verdict_on_fit(comparisons: Sequence[FitComparison], better: bool) -> str:
    """What the figures say of a fit."""
    gained = [FIT_FIGURES[each.figure].split(" (")[0] for each in comparisons if each.better]
    lost = [FIT_FIGURES[each.figure].split(" (")[0] for each in comparisons if each.worse]
    if better:
        return (
            f"The fit is better on unseen answers: {', '.join(gained)}. It is not worse on any "
            "measure by more than chance."
        )
    if lost:
        return (
            f"The fit is worse on unseen answers: {', '.join(lost)}. Keep the "
            "built-in profile, and label more."
        )
    return (
        "On unseen answers, the fit is not better than the built-in profile by more than "
        "chance. Keep the built-in profile, or label more."
    )


def figures_table(comparisons: Sequence[FitComparison]) -> TextTable:
    """Make a table of a fit's figures: built-in, fitted, and the gain with its interval."""
    return TextTable(
        ("On unseen answers", "Built-in", "Fitted", "Gain"),
        tuple(
            (
                FIT_FIGURES[each.figure],
                _text(each.before),
                _text(each.after),
                _text(each.gain, sign="+"),
            )
            for each in comparisons
        ),
    )


def weights_table(before: SupportMap, after: SupportMap) -> TextTable:
    """Make a table of the coefficients that a fit changed, by the kinds of answer whose map was
    fitted."""
    rows: list[tuple[str, ...]] = []
    for kind in AnswerKind:
        old, new = before.of_kind(kind), after.of_kind(kind)
        if (old.intercept, old.weights) == (new.intercept, new.weights):
            continue
        known = [{e.term: e.weight for e in each.weights} for each in (old, new)]
        rows.append((_KINDS[kind], "intercept", f"{old.intercept:.3f}", f"{new.intercept:.3f}"))
        for term in SupportTerm:
            values = [each.get(term, 0.0) for each in known]
            if any(values):
                rows.append((_KINDS[kind], TERMS[term], *(f"{value:.3f}" for value in values)))
    return TextTable(("For", "Evidence for support", "Built-in", "Fitted"), tuple(rows))


def sample_text(n: int, supported: int, documents: int) -> str:
    """How many answers a fit is of."""
    return (
        f"n = {n:,} labelled answers from {documents:,} source documents: {supported:,} supported "
        f"({100 * supported / n:.1f} %), {n - supported:,} hallucinated."
    )


def kinds_text(kinds: Sequence[KindCount]) -> str:
    """Which kinds of answers a fit is of, and for which it is untested; "" where the kinds are not
    known."""
    if not kinds:
        return ""
    counts = ", ".join(f"{_KINDS[each.kind]} {each.n:,}" for each in kinds)
    said = f"The figures hold for answers like the labelled ones: {counts}."
    few = [
        _KINDS[each.kind]
        for each in kinds
        if each.n < LEAST_ANSWERS or min(each.supported, each.n - each.supported) < LEAST_OF_A_LABEL
    ]
    if few:
        said += (
            f" For {' and '.join(few)} the fit is untested: that needs {LEAST_ANSWERS} labels of "
            f"the kind, {LEAST_OF_A_LABEL} of them supported and {LEAST_OF_A_LABEL} hallucinated. "
            "The fitted threshold counts for every kind."
        )
    return said


def strength_text(strength: float | None) -> str:
    """How far a fit let the map go."""
    if strength is None:
        return "No other map did better inside the cross-validation: only the threshold moved."
    return (
        f"The weights are held near the built-in map with strength {strength:g}, chosen inside "
        "the cross-validation."
    )


def left_out_text(left_out: Sequence[SkipReason]) -> str:
    """A line for each reason why answers were left out of a fit."""
    return "\n".join(f"Left out: {each.rows:,} × {each.reason}." for each in left_out)


def _text(estimate: Estimate, sign: str = "") -> str:
    if estimate.value is None:
        return f"– ({estimate.reason})"
    value = f"{estimate.value:{sign}.3f}"
    if estimate.interval is None:
        return value
    return f"{value} ({estimate.interval.low:{sign}.3f} to {estimate.interval.high:{sign}.3f})"
