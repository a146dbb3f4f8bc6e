"""The score of an audit with its own numbers, in the terms of its detector's formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from provenance_core import (
    Aggregation,
    Audit,
    DetectorName,
    Verdict,
    recompute,
)
from provenance_core.detectors.nli_matrix import ENTAILMENT_THRESHOLD
from provenance_core.types import ClaimResult, ContradictionRule

from .wording import CONTRADICTION_RULES, VERDICTS, chunk_name

# Terms of a claim and claims that are written out; the rest is counted.
MOST = 12


@dataclass(frozen=True, slots=True)
class Reading:
    """The score and the verdict under one of a detector's rules. ``shown``: whether it is the
    audit's own."""

    rule: str
    score: float
    verdict: Verdict
    shown: bool


@dataclass(frozen=True, slots=True)
class _Formula:
    """``claim``: how the score of a claim comes from the chunks, without the score itself.
    ``whole``: how the answer's score comes from those of its claims, in words."""

    claim: Callable[[Audit, ClaimResult], str]
    whole: Callable[[Audit], str]


def formula_lines(audit: Audit) -> list[str]:
    """A line a claim, one for the whole answer, one for the verdict.

    At most ``MOST`` terms and claims are written out; the rest is counted.
    """
    formula = _FORMULAS.get(audit.parameters.detector)
    lines = []
    for result in audit.claims[:MOST]:
        how = f" = {formula.claim(audit, result)}" if formula else ""
        lines.append(f"claim {result.claim.index + 1}{how} = {result.score:.3f}")
    if len(audit.claims) > MOST:
        lines.append(f"… {len(audit.claims) - MOST} more claims")
    if len(audit.claims) > 1 or formula is None:
        how = f"{formula.whole(audit)} of {len(audit.claims)} claims = " if formula else ""
        lines.append(f"score = {how}{audit.score:.3f}")
    sign = "≥" if audit.margin >= 0 else "<"
    lines.append(
        f"{audit.score:.3f} {sign} threshold {audit.parameters.threshold:.3f} "
        f"→ {VERDICTS[audit.verdict][1].lower()}"
    )
    return lines


def readings(audit: Audit) -> tuple[Reading, ...]:
    """What each rule of the NLI matrix makes of ``audit``; nothing for other detectors."""
    if audit.parameters.detector is not DetectorName.NLI_MATRIX:
        return ()
    found = []
    for rule in ContradictionRule:
        other = recompute(audit, contradiction_rule=rule)
        shown = rule is audit.parameters.contradiction_rule
        found.append(Reading(CONTRADICTION_RULES[rule], other.score, other.verdict, shown))
    return tuple(found)


def _terms(
    values: Sequence[float],
    chunks: Sequence[int],
    decided_by: int | None,
    weights: Sequence[float] | None = None,
) -> list[str]:
    """The numbers of ``chunks`` with their names, the one that decides among them."""
    written = list(chunks[:MOST])
    if decided_by is not None and decided_by not in written and written:
        written[-1] = decided_by
    terms = [
        (f"{weights[c]:.3f}×" if weights else "") + f"{values[c]:.3f} [{chunk_name(c)}]"
        for c in written
    ]
    if len(chunks) > len(written):
        terms.append(f"… {len(chunks) - len(written)} more")
    return terms


def _every_chunk(audit: Audit) -> list[int]:
    return [source.chunk.index for source in audit.sources]


def _over_sources(audit: Audit, result: ClaimResult) -> str:
    selected = [source.chunk.index for source in audit.sources if source.selected]
    aggregation = audit.parameters.aggregation
    if aggregation is Aggregation.WEIGHTED_AVERAGE:
        weights = [source.weight for source in audit.sources]
        return " + ".join(_terms(result.factuality, selected, None, weights))
    terms = _terms(result.factuality, selected, result.decided_by)
    return f"{aggregation}({', '.join(terms)})"


def _claim_aggregation(audit: Audit) -> str:
    return str(audit.parameters.claim_aggregation).replace("_", " ")


def _contradictions(audit: Audit, result: ClaimResult) -> str:
    """By what decides the claim: what entails it, under the rule that looks for that, or what
    contradicts it."""
    row = audit.evidence.claim_scores[result.claim.index]
    entailments = [cell.entailment for cell in row]
    chunks = _every_chunk(audit)
    if (
        audit.parameters.contradiction_rule is ContradictionRule.UNLESS_ENTAILED
        and max(entailments) >= ENTAILMENT_THRESHOLD
    ):
        return f"max entailment({', '.join(_terms(entailments, chunks, result.decided_by))})"
    against = [cell.contradiction for cell in row]
    return f"1 − max contradiction({', '.join(_terms(against, chunks, result.decided_by))})"


def _best_premise(audit: Audit, result: ClaimResult) -> str:
    terms = _terms(result.factuality, _every_chunk(audit), result.decided_by)
    return f"max entailment({', '.join(terms)})"


def _inconsistency(audit: Audit, result: ClaimResult) -> str:
    against = [1.0 - value for value in result.factuality]
    terms = _terms(against, _every_chunk(audit), None)
    return f"1 − mean contradiction without neutral({', '.join(terms)})"


_FORMULAS: Mapping[DetectorName, _Formula] = {
    DetectorName.PROVENANCE: _Formula(_over_sources, _claim_aggregation),
    DetectorName.NLI_MATRIX: _Formula(_contradictions, lambda _: "lowest"),
    DetectorName.SUMMAC: _Formula(_best_premise, lambda _: "mean"),
    DetectorName.SELFCHECK: _Formula(_inconsistency, lambda _: "mean"),
}
