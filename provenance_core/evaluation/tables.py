"""The tables of a report, for the document and for the Benchmarks page alike. Areas, rates and
shares x 100, rounded to one decimal; None where there is no figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from provenance_core.evaluation import published
from provenance_core.evaluation.scorers import GRID, OF_PROFILE, grid_column
from provenance_core.evaluation.types import (
    BASELINE_METHODS,
    DENSE_EXPERIMENTS,
    EvaluationResult,
    Method,
    Results,
)
from provenance_core.models.settings import PROFILE
from provenance_core.statistics.types import Figures, Interval
from provenance_core.types import DEFAULT_DETECTOR

Cell: TypeAlias = str | int | float | None
REACHED, WITHIN, BELOW = "reached", "within interval", "below"


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table; ``rows`` have one cell for each column of ``head``."""

    title: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def hundred(value: float | None) -> float | None:
    """Multiply by 100 and round to one decimal, never to -0; None of a missing figure.

    >>> hundred(0.87654)
    87.7
    """
    # Adding 0.0 takes the sign from a zero.
    return None if value is None else round(100 * value, 1) + 0.0


def ends(interval: Interval | None) -> tuple[float | None, float | None]:
    """Both ends of an interval x 100; None each where it is missing."""
    return (None, None) if interval is None else (hundred(interval.low), hundred(interval.high))


def auc_of(result: EvaluationResult, column: str) -> float | None:
    """The AUC x 100 of a column; None where there is none."""
    found = next((each for each in result.figures if each.column == column), None)
    return hundred(found.auc if found else None)


def best_baseline(result: EvaluationResult) -> tuple[Method, float]:
    """The trivial baseline that ranks a set best, and its AUC x 100, 0 where none has one."""
    return max(
        ((method, auc_of(result, method) or 0.0) for method in BASELINE_METHODS),
        key=lambda found: found[1],
    )


def of_method(results: Results, method: str) -> tuple[EvaluationResult, ...]:
    """The sets that a method scored, in order."""
    return tuple(result for result in results.sets if result.method == method)


def all_tables(results: Results) -> tuple[Table, ...]:
    """Make every table, in the order of RESULTS.md."""
    ours = of_method(results, DEFAULT_DETECTOR)
    return (
        target_table(ours),
        auc_table("ROC AUC, zero-shot sets", "", [r for r in ours if not r.training_overlap]),
        auc_table(
            "ROC AUC, sets related to the training data",
            " ".join(f"{r.dataset}: {r.training_overlap}." for r in ours if r.training_overlap),
            [r for r in ours if r.training_overlap],
        ),
        paper_table(ours),
        threshold_table(ours),
        difference_table(ours),
        grid_table(ours),
        dense_table(of_method(results, Method.DENSE), ours),
        profile_table(results),
        detector_table(results),
        spans_table(ours),
        subset_table(ours),
    )


def auc_table(title: str, caption: str, sets: Sequence[EvaluationResult]) -> Table:
    """Set the AUC with its interval beside published figures and the baselines."""
    head = (
        "set", "n", "of", "sources", "base rate", "AUC", "low", "high", "paper",
        "AlignScore-large", *BASELINE_METHODS, "average precision", "skipped",
    )  # fmt: skip
    rows = tuple(
        (
            r.dataset,
            r.n,
            r.of,
            r.groups,
            hundred(r.base_rate),
            hundred(r.figures[0].auc),
            *ends(r.figures[0].interval),
            published.PROVENANCE.get(r.dataset),
            published.ALIGNSCORE.get(r.dataset),
            *(auc_of(r, name) for name in BASELINE_METHODS),
            hundred(r.figures[0].average_precision),
            sum(reason.rows for reason in r.skipped),
        )
        for r in sets
    )
    return Table(title, caption, head, rows)


def detector_table(results: Results) -> Table:
    """Compare every detector on the same rows of every set that several have scored."""
    rows = tuple(
        (
            r.dataset,
            str(r.method),
            r.n,
            hundred(r.base_rate),
            hundred(r.figures[0].auc),
            *ends(r.figures[0].interval),
            hundred(at.balanced_accuracy if (at := r.figures[0].at_threshold) else None),
            None if at is None else hundred(at.threshold),
            hundred(r.spans.f1 if r.spans else None),
        )
        for r in results.compared
    )
    head = (
        "set", "detector", "n", "base rate", "AUC", "low", "high", "balanced accuracy",
        "threshold", "span F1",
    )  # fmt: skip
    return Table(
        "Detectors side by side",
        "On the rows that all of them scored (selfcheck on those with answers of other systems). "
        "ROC AUC; balanced accuracy at each method's own default threshold; F1 of hallucinated "
        "characters against the annotators' spans, of whole sentences where a method finds no "
        "spans.",
        head,
        rows,
    )


def profile_table(results: Results) -> Table:
    """Compare the profiles that the default detector was measured with."""
    measured = [r for r in results.sets if r.method.split(OF_PROFILE)[0] == DEFAULT_DETECTOR]
    compared = {r.dataset for r in measured if OF_PROFILE in r.method}
    rows = tuple(
        (
            r.dataset,
            r.method.partition(OF_PROFILE)[2] or PROFILE.default,
            r.n,
            hundred(r.base_rate),
            hundred(r.figures[0].auc),
            *ends(r.figures[0].interval),
            best_baseline(r)[1],
            hundred(at.balanced_accuracy if (at := r.figures[0].at_threshold) else None),
        )
        for r in sorted(measured, key=lambda r: (r.dataset, r.method))
        if r.dataset in compared and r.figures[0].auc is not None
    )
    head = (
        "set", "profile", "n", "base rate", "AUC", "low", "high", "best baseline",
        "balanced accuracy",
    )  # fmt: skip
    return Table(
        "Profiles side by side",
        "The default detector with the models of each profile. ROC AUC; the best trivial "
        "baseline on the same rows; balanced accuracy at the default threshold. SPEED.md has the "
        "seconds of an audit with each profile.",
        head,
        rows,
    )


def target_table(sets: Sequence[EvaluationResult]) -> Table:
    """Hold each set against the best trivial baseline, its target and the published figures. The
    table, one row for a set that has a target, and the mean of those of AlignScore-large."""
    rows: list[tuple[Cell, ...]] = []
    shared: list[tuple[float, float]] = []
    for result in sets:
        target = published.TARGETS.get(result.dataset)
        if target is None:
            continue
        figures = result.figures[0]
        baseline, best = best_baseline(result)
        paper = published.PROVENANCE.get(result.dataset)
        other = published.ALIGNSCORE.get(result.dataset)
        if figures.auc is not None and other is not None:
            shared.append((100 * figures.auc, other))
        rows.append(
            (
                result.dataset,
                hundred(figures.auc),
                *ends(figures.interval),
                baseline,
                best,
                against(figures, best),
                target,
                against(figures, target),
                paper,
                against(figures, paper),
                other,
                against(figures, other),
            )
        )
    if shared:
        ours, others = (sum(column) / len(shared) for column in zip(*shared, strict=True))
        stands = REACHED if ours >= others else BELOW
        mean = (round(ours, 1), *[None] * 9, round(others, 1), stands)
        rows.append((f"mean of the {len(shared)} sets of AlignScore-large", *mean))
    return Table(
        "Where each set stands against its target",
        "ROC AUC. The paper's models have about 300M parameters, AlignScore-large 355M, ours "
        "22M each, and 109M where a pair is read again.",
        (
            "set",
            "AUC",
            "low",
            "high",
            "best baseline",
            "its AUC",
            "against baseline",
            "target",
            "against target",
            "paper",
            "against paper",
            "AlignScore-large",
            "against AlignScore-large",
        ),
        tuple(rows),
    )


def paper_table(sets: Sequence[EvaluationResult]) -> Table:
    """Set ours next to the paper's Table 3, one row for each set of the paper, also where there was
    no data."""
    measured = {r.dataset: r for r in sets}
    rows: list[tuple[Cell, ...]] = []
    for name, paper in published.PROVENANCE.items():
        result = measured.get(name)
        figures = result.figures[0] if result else None
        rows.append(
            (
                name,
                paper,
                hundred(figures.auc if figures else None),
                *ends(figures.interval if figures else None),
                "no data at hand" if result is None else result.note,
            )
        )
    return Table(
        "The paper's Table 3",
        "ROC AUC. halueval_qa_gen500 is the generation stage of HaluEval's QA part, beside the "
        "paper's figure for the 10,000 filtered answers.",
        ("set", "paper", "ours", "low", "high", "remark"),
        tuple(rows),
    )


def against(figures: Figures, value: float | None) -> str | None:
    """Say where our AUC stands against another one x 100: ``REACHED``, ``WITHIN`` our interval, or
    ``BELOW`` it; None where either is missing."""
    if value is None or figures.auc is None or figures.interval is None:
        return None
    if 100 * figures.auc >= value:
        return REACHED
    return WITHIN if 100 * figures.interval.high >= value else BELOW


def threshold_table(sets: Sequence[EvaluationResult]) -> Table:
    """Show what the default threshold gives, and how well the score is calibrated."""
    rows: list[tuple[Cell, ...]] = []
    for r in sets:
        at, fit = r.figures[0].at_threshold, r.figures[0].calibration
        if at is None or fit is None:
            continue
        rates = (at.balanced_accuracy, at.precision, at.recall, at.f1, fit.ece, fit.brier)
        rows.append(
            (
                r.dataset,
                f"{at.threshold:.2f}",
                hundred(at.accuracy),
                published.ACCURACY.get(r.dataset),
                *map(hundred, rates),
            )
        )
    return Table(
        "At the default threshold",
        "Precision, recall and F1 are of the hallucinated class; ECE over ten equal bins. The "
        "paper's accuracy (Tables 4 and 6) is at its authors' threshold.",
        (
            "set",
            "threshold",
            "accuracy",
            "paper's accuracy",
            "balanced accuracy",
            "precision",
            "recall",
            "F1",
            "ECE",
            "Brier",
        ),
        tuple(rows),
    )


def difference_table(sets: Sequence[EvaluationResult]) -> Table:
    """Show how far the AUC is from each baseline's."""
    return Table(
        "Difference from the baselines",
        "AUC less the baseline's, on the same rows and the same resamples.",
        ("set", "baseline", "difference", "low", "high"),
        tuple(
            (r.dataset, d.second, hundred(d.difference), *ends(d.interval))
            for r in sets
            for d in r.differences
        ),
    )


def grid_table(sets: Sequence[EvaluationResult]) -> Table:
    """Repeat the paper's Table 5 on every set, with the paper's own row below."""
    names = [grid_column(*cell) for cell in GRID]
    rows: list[tuple[Cell, ...]] = []
    for r in sets:
        if r.figures[0].auc is None:
            continue
        rows.append((r.dataset, *(auc_of(r, name) for name in names)))
        paper = [published.TABLE_5.get((r.dataset, *cell)) for cell in GRID]
        if any(paper):
            rows.append((f"{r.dataset}, paper", *paper))
    return Table(
        "Selection and aggregation (the paper's Table 5)",
        "ROC AUC. The paper has HotpotQA and HaluBench.",
        ("set", *names),
        tuple(rows),
    )


def dense_table(dense: Sequence[EvaluationResult], ours: Sequence[EvaluationResult]) -> Table:
    """Repeat the paper's Table 7: vectors rank the sentences in place of the relevance model."""
    whole = {r.dataset: r for r in ours}
    rows = tuple(
        (
            r.dataset,
            r.n,
            *(auc_of(r, experiment) for experiment in DENSE_EXPERIMENTS.values()),
            hundred(whole[r.dataset].figures[0].auc) if r.dataset in whole else None,
            *published.TABLE_7.get(r.dataset, (None, None, None)),
        )
        for r in dense
        if r.figures[0].auc is not None
    )
    paper = (f"paper, {experiment}" for experiment in DENSE_EXPERIMENTS.values())
    return Table(
        "Dense retrieval (the paper's Table 7)",
        "ROC AUC of P(entailment) by sentences that TopP 0.9 selects by similarity. The figures "
        "under default settings may be of more rows of the same shuffle: see above.",
        ("set", "n", *DENSE_EXPERIMENTS.values(), "default settings", *paper),
        rows,
    )


def spans_table(sets: Sequence[EvaluationResult]) -> Table:
    """Show figures of spans, and how far hallucinations are suppressed."""
    rows: list[tuple[Cell, ...]] = []
    for r in sets:
        found, best = r.spans, r.suppression
        if found is None and best is None:
            continue
        spans = (found.precision, found.recall, found.f1) if found else (None, None, None)
        saved = (best.before, best.after, best.suppressed) if best else (None, None, None)
        rows.append(
            (r.dataset, *map(hundred, spans), best.sources if best else None, *map(hundred, saved))
        )
    return Table(
        "Spans and suppression",
        "Spans: the detector's spans, or the sentences that are not supported where it finds "
        "none, against the annotators' spans, in characters. Suppression (RAGTruth): share of "
        "hallucinated answers before, and after taking the best-scored of each source's answers.",
        (
            "set",
            "span precision",
            "span recall",
            "span F1",
            "sources with several answers",
            "hallucinated before",
            "after",
            "suppressed",
        ),
        tuple(rows),
    )


def subset_table(sets: Sequence[EvaluationResult]) -> Table:
    """Show the parts of sets."""
    return Table(
        "Parts of sets",
        "ROC AUC.",
        ("set", "part", "n", "base rate", "AUC", "low", "high", "overlap", "length"),
        tuple(
            (
                part.dataset,
                part.subset or "(none)",
                part.n,
                hundred(part.base_rate),
                hundred(part.figures[0].auc),
                *ends(part.figures[0].interval),
                auc_of(part, Method.WORD_OVERLAP),
                auc_of(part, Method.LENGTH),
            )
            for r in sets
            for part in r.subsets
        ),
    )
