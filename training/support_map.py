"""Fit the map from what was measured to support: ``python -m training.support_map``.

Reads ``training/runs/support_rows.jsonl`` (:mod:`training.support_rows`). A row has one label for
its whole answer: the answer is as well supported as its least supported sentence, and a sentence
as its best chunk. The map is fitted through a smooth minimum and maximum of those. Each kind of
answer (claim, reply, summary) has a map of its own, near the map of all, scaled so that the score
without the smoothing is calibrated. No weight is below 0.
Prints cross-validated figures (folds by source document) for several choices of terms and
aggregations, and the maps that are shipped as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import logit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from provenance_core.audit.serialization import audit_from_plain
from provenance_core.detectors.two_stage import TwoStageDetector
from provenance_core.evaluation.baselines import rouge_n
from provenance_core.scoring import fitting
from provenance_core.scoring.aggregation import claim_shares
from provenance_core.scoring.features import answer_kind, terms
from provenance_core.scoring.fitting import LEAST, Coefficients, FitRow, Hold, as_map, cells_to_fit
from provenance_core.statistics.metrics import calibration
from provenance_core.types import AnswerKind, ClaimAggregation, Evidence, Floats, SupportTerm
from training.command import RUNS, options, rows_of

FIRST = (
    SupportTerm.ENTAILMENT,
    SupportTerm.SENTENCE,
    SupportTerm.CONTRADICTION,
    SupportTerm.COPIED,
    SupportTerm.MISSING_DETAILS,
    SupportTerm.CONFLICTING_DETAILS,
    SupportTerm.MISSING_WORDS,
)
# To the large model the best single sentence says nothing beside the chunk: without it the map is
# better on every figure.
SECOND = (SupportTerm.SECOND_ENTAILMENT, SupportTerm.SECOND_CONTRADICTION_ANYWHERE)
# The large model reads other words for the same thing: words that it entails are not missing. The
# 22M model gains nothing from that.
CASCADE = (*FIRST[:-1], SupportTerm.UNENTAILED_WORDS, *SECOND)
# The large model alone: its reading in the place of the first.
ALONE = (*SECOND, *CASCADE[CASCADE.index(SupportTerm.COPIED) : -len(SECOND)])
FOLDS = 5
DIVISIONS = (7, 8)
L2 = 0.05
NEAR = 2.0
VERBATIM = 4.6  # log odds of the support of a sentence that stands in the context
DEV = ("summac", "summedits", "tofueval")
# How the detector aggregates claims where nobody says otherwise.
DEFAULT = TwoStageDetector.claim_aggregation
# Pairs of the same hand trained the large model, which judges these rows better than real answers.
WRITTEN, WRITTEN_SHARE = "written", 1 / 3


@dataclass(frozen=True, slots=True)
class SetRow(FitRow):
    """A row of a set. ``bigrams``: the trivial baseline."""

    dataset: str
    bigrams: float

    def values(self, chosen: Sequence[SupportTerm]) -> Floats:
        """The chosen terms, (S, N, len(chosen))."""
        return np.stack([self.terms[name] for name in chosen], axis=-1)

    @classmethod
    def of(cls, evidence: Evidence, group: str, label: int, dataset: str, bigrams: float) -> SetRow:
        """What a map reads of the evidence."""
        read = (answer_kind(evidence), terms(evidence), cells_to_fit(evidence))
        return cls(group, label, *read, dataset, bigrams)


def read_rows(path: Path) -> list[SetRow]:
    """The measured rows."""
    found = []
    for raw in rows_of(path):
        if "audit" in raw:
            evidence = audit_from_plain(raw["audit"]).evidence
            bigrams = rouge_n([item.text for item in evidence.context], evidence.answer, 2)
            given = (raw["group"], raw["label"], raw["dataset"], bigrams)
            found.append(SetRow.of(evidence, *given))
    return found


def answer_score(
    row: SetRow,
    chosen: Sequence[SupportTerm],
    intercept: float,
    weights: Floats,
    how: ClaimAggregation = DEFAULT,
) -> float:
    """Score of an answer: ``how`` its sentences are aggregated."""
    totals = np.where(row.read, intercept + row.values(chosen) @ weights, -np.inf)
    totals[~row.read.any(axis=1)] = VERBATIM
    support = (1 / (1 + np.exp(-totals))).max(axis=1)
    return float(claim_shares(support, how) @ support)


def row_weights(rows: Sequence[SetRow]) -> Floats:
    """Both labels of a set count alike, and a set by the root of its rows; one of written claims a
    third of that."""
    keys = [(row.dataset, row.label) for row in rows]
    counts = {key: keys.count(key) for key in set(keys)}
    shares = [WRITTEN_SHARE if name.startswith(WRITTEN) else 1.0 for name, _ in keys]
    weights = np.array([counts[k] ** -0.5 * s for k, s in zip(keys, shares, strict=True)])
    return np.asarray(weights * len(rows) / weights.sum())


def fit(
    rows: Sequence[SetRow],
    chosen: Sequence[SupportTerm],
    around: tuple[float, Floats] | None = None,
) -> tuple[float, Floats]:
    """Intercept and weights by weighted logistic regression with weights of 0 or more. With
    ``around``, the map of all answers, weights are held near those of that map and the search
    begins there: a kind of answer has too few rows to tell each of its weights alone. The maps that
    ship were fitted in single precision: the third decimal of some weights is another."""
    kept = [row for row in rows if row.read.any()]
    nothing = Coefficients(0.0, np.zeros(len(chosen)))
    hold = Hold(nothing, L2, begins=False) if around is None else Hold(Coefficients(*around), NEAR)
    found = fitting.fit(kept, chosen, hold=hold, counts=row_weights(kept))
    return found.intercept, found.weights


def cross_validated(
    rows: Sequence[SetRow], chosen: Sequence[SupportTerm], how: ClaimAggregation = DEFAULT
) -> Floats:
    """The score of each row by maps that were fitted without its source document; the mean of two
    divisions into folds."""
    groups = sorted({row.group for row in rows})
    scores = np.zeros(len(rows))
    for seed in DIVISIONS:
        numbers = np.random.default_rng(seed).integers(0, FOLDS, len(groups))
        fold = dict(zip(groups, numbers, strict=True))
        for number in range(FOLDS):
            others = [row for row in rows if fold[row.group] != number]
            maps = fitted_maps(others, chosen)
            for at, row in enumerate(rows):
                if fold[row.group] == number:
                    scores[at] += answer_score(row, chosen, *maps[row.kind], how)
    return scores / len(DIVISIONS)


def unseen_set_areas(rows: Sequence[SetRow], chosen: Sequence[SupportTerm]) -> Floats:
    """AUC of each set of dev by maps that were fitted without the whole set: what a set that the
    fit has never seen may expect."""
    found = []
    for name in sorted({row.dataset for row in rows if row.dataset.startswith(DEV)}):
        maps = fitted_maps([row for row in rows if row.dataset != name], chosen)
        own = [row for row in rows if row.dataset == name]
        scores = [answer_score(row, chosen, *maps[row.kind]) for row in own]
        found.append(roc_auc_score([row.label for row in own], scores))
    return np.array(found)


def fitted_maps(
    rows: Sequence[SetRow], chosen: Sequence[SupportTerm]
) -> dict[AnswerKind, tuple[float, Floats]]:
    """Intercept and weights of each kind of answer, held near the map of all answers."""
    whole = fit(rows, chosen)
    found = {}
    for kind in AnswerKind:
        of_kind = [row for row in rows if row.kind is kind]
        found[kind] = scaled(of_kind, chosen, *fit(of_kind, chosen, whole))
    return found


def scaled(
    rows: Sequence[SetRow], chosen: Sequence[SupportTerm], intercept: float, weights: Floats
) -> tuple[float, Floats]:
    """A map scaled (Platt, 1999) so that the score of an answer, aggregated as by default, is
    calibrated: the fit aggregates by a smooth minimum. The order of the supports stays."""
    scores = [answer_score(row, chosen, intercept, weights) for row in rows]
    found = LogisticRegression(C=np.inf).fit(
        logit(np.clip(scores, 1e-6, 1 - 1e-6))[:, None],
        [row.label for row in rows],
        sample_weight=row_weights(rows),
    )
    slope = float(found.coef_[0, 0])
    least = np.array([LEAST.get(name, 0.0) for name in chosen])
    return slope * intercept + float(found.intercept_[0]), np.maximum(slope * weights, least)


def line(name: str, rows: Sequence[SetRow], scores: Floats) -> str:
    """Figures of a choice: AUC a set, their means, balanced accuracy and calibration on dev."""
    labels = np.array([row.label for row in rows])
    sets = np.array([row.dataset for row in rows])
    areas = {
        each: roc_auc_score(labels[sets == each], scores[sets == each])
        for each in sorted(set(sets))
        if len(set(labels[sets == each])) == 2
    }
    of_dev = [100 * area for each, area in areas.items() if each.startswith(DEV)]
    others = [100 * area for each, area in areas.items() if not each.startswith(DEV)]
    dev = np.array([each.startswith(DEV) for each in sets])
    if scores.min() >= 0 and scores.max() <= 1:
        right = balanced_accuracy_score(labels[dev], scores[dev] >= 0.5)
        calibrated = calibration(labels[dev].tolist(), scores[dev].tolist())
        error = calibrated.ece if calibrated else float("nan")
        at_half = f"balanced accuracy {100 * right:.1f}, calibration error {100 * error:.1f}"
    else:
        at_half = ""
    shown = " ".join(f"{each[:13]} {100 * area:.0f}" for each, area in areas.items())
    return f"{name:<44} dev {np.mean(of_dev):.1f} others {np.mean(others):.1f} {at_half} | {shown}"


def main() -> None:
    """Print the figures of every choice and the fitted map."""
    parser = options(__doc__)
    parser.add_argument("--rows", type=Path, default=RUNS / "support_rows.jsonl")
    rows = read_rows(parser.parse_args().rows)
    every = CASCADE if SECOND[0] in rows[0].terms else FIRST
    print(f"{len(rows)} rows, {sum(row.label for row in rows)} supported")
    print(line("bigrams", rows, np.array([row.bigrams for row in rows])))
    for how in ClaimAggregation:
        print(line(f"{how}, every term", rows, cross_validated(rows, every, how)))
    for left_out in every:
        chosen = tuple(name for name in every if name is not left_out)
        print(line(f"without {left_out}", rows, cross_validated(rows, chosen)))
    areas = 100 * unseen_set_areas(rows, every)
    print(f"without the dev set that is judged: {areas.mean():.1f} of {areas.round(1)}")
    print(shown("map", rows, every))
    if every != FIRST:
        print(line("second reading alone", rows, cross_validated(rows, ALONE)))
        print(shown("map of the second reading alone", rows, ALONE))


def plain_map(of: tuple[float, Floats], chosen: Sequence[SupportTerm]) -> dict[str, object]:
    """One map as a manifest has it."""
    fitted = as_map(Coefficients(*of), chosen)
    weights = {str(weight.term): weight.weight for weight in fitted.weights}
    return {"intercept": fitted.intercept, "weights": weights}


def shown(name: str, rows: Sequence[SetRow], chosen: Sequence[SupportTerm]) -> str:
    """The fitted maps as a manifest has them: of claims, of replies and of summaries."""
    found = {kind: plain_map(each, chosen) for kind, each in fitted_maps(rows, chosen).items()}
    others = {"replies": found[AnswerKind.REPLY], "summaries": found[AnswerKind.SUMMARY]}
    return f"{name}: {json.dumps(found[AnswerKind.CLAIM] | others)}"


if __name__ == "__main__":
    main()
