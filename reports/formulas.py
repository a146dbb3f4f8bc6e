"""The score of an audit with its own numbers, in the terms of its detector's formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from provenance_core import (
    Aggregation,
    Audit,
    DetectorName,
    SentenceLabel,
    Verdict,
    recompute,
)
from provenance_core.detectors.llm_judge import marked_characters
from provenance_core.detectors.nli_matrix import ENTAILMENT_THRESHOLD
from provenance_core.detectors.spans import counted_spans
from provenance_core.types import ClaimResult, ContradictionRule, MeasuredSpan
from reports.wording import CONTRADICTION_RULES, VERDICTS, chunk_name

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
    """``claim``: how the score of a claim comes about, without the score itself. ``whole``: how
    the answer's score does, in words. ``after``: what is said of a claim after its score."""

    claim: Callable[[Audit, ClaimResult], str]
    whole: Callable[[Audit], str]
    after: Callable[[Audit, ClaimResult], str] = lambda _audit, _result: ""


def formula_lines(audit: Audit) -> list[str]:
    """A line a claim, one for the whole answer, one for the verdict.

    At most ``MOST`` terms and claims are written out; the rest is counted.
    """
    formula = _FORMULAS[audit.parameters.detector]
    lines = [
        f"claim {result.claim.index + 1} = {formula.claim(audit, result)} = {result.score:.3f}"
        + formula.after(audit, result)
        for result in audit.claims[:MOST]
    ]
    if len(audit.claims) > MOST:
        lines.append(f"… {len(audit.claims) - MOST} more claims")
    # The score of a single claim is the answer's, unless the claim does not count.
    if [result.score for result in audit.claims] != [audit.score]:
        lines.append(f"score = {formula.whole(audit)} = {audit.score:.3f}")
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
    if audit.evidence.joined_scores:  # by dense retrieval: one premise for each claim
        return _joined("support", audit, result)
    selected = [source.chunk.index for source in audit.sources if source.selected]
    aggregation = audit.parameters.aggregation
    if aggregation is Aggregation.WEIGHTED_AVERAGE:
        weights = [source.weight for source in audit.sources]
        return " + ".join(_terms(result.factuality, selected, None, weights))
    terms = _terms(result.factuality, selected, result.decided_by)
    return f"{aggregation}({', '.join(terms)})"


def _of_claims(how: str) -> Callable[[Audit], str]:
    return lambda audit: f"{how} of {len(audit.claims)} claims"


def _aggregation_name(audit: Audit) -> str:
    return str(audit.parameters.claim_aggregation).replace("_", " ")


def _claim_aggregation(audit: Audit) -> str:
    return f"{_aggregation_name(audit)} of {len(audit.claims)} claims"


def _contradictions(audit: Audit, result: ClaimResult) -> str:
    """By what decides the claim: what entails it, under the rule that looks for that, or what
    contradicts it."""
    scores, index = audit.evidence.claim_scores, result.claim.index
    entailments = scores.entailment[index].tolist()
    chunks = _every_chunk(audit)
    if (
        audit.parameters.contradiction_rule is ContradictionRule.UNLESS_ENTAILED
        and max(entailments) >= ENTAILMENT_THRESHOLD
    ):
        return f"max entailment({', '.join(_terms(entailments, chunks, result.decided_by))})"
    against = scores.contradiction[index].tolist()
    return f"1 − max contradiction({', '.join(_terms(against, chunks, result.decided_by))})"


def _best_premise(audit: Audit, result: ClaimResult) -> str:
    terms = _terms(result.factuality, _every_chunk(audit), result.decided_by)
    return f"max entailment({', '.join(terms)})"


def _inconsistency(audit: Audit, result: ClaimResult) -> str:
    against = [1.0 - value for value in result.factuality]
    terms = _terms(against, _every_chunk(audit), None)
    return f"1 − mean contradiction without neutral({', '.join(terms)})"


def _together(audit: Audit, result: ClaimResult) -> str:
    """By the chunks that were retrieved for the claim, joined."""
    return _joined("entailment", audit, result)


def _joined(what: str, audit: Audit, result: ClaimResult) -> str:
    """``what`` the chunks that were retrieved for the claim say of it, in their joined order."""
    chunks = audit.evidence.joined_scores[result.claim.index].chunks
    names = [chunk_name(chunk) for chunk in chunks[:MOST]]
    if len(chunks) > MOST:
        names.append(f"… {len(chunks) - MOST} more")
    return f"{what} by {' + '.join(names)} together"


def _not_counted(audit: Audit, result: ClaimResult) -> str:
    return "" if result.claim.index in _counted(audit) else " (set aside, not counted)"


def _counted(audit: Audit) -> set[int]:
    """The claims that enter the score; each is the claim of one sentence."""
    return {
        traced.sentence.index
        for traced in audit.sentences
        if traced.label is not SentenceLabel.SET_ASIDE
    }


def _counted_claims(audit: Audit) -> str:
    counted, every = len(_counted(audit)), len(audit.claims)
    if not counted:
        return "1 by definition, since nothing is to be checked"
    of = f"{every}" if counted == every else f"{counted} of {every}"
    return f"{_aggregation_name(audit)} of {of} claims"


def _worst_part(audit: Audit, result: ClaimResult) -> str:
    """By the parts of the claim that were measured, the least supported first."""
    parts = sorted(
        _within(counted_spans(audit.evidence, audit.parameters), result),
        key=lambda span: (-span.unsupported, span.start),
    )
    terms = [f"{s.unsupported:.3f} [{s.start}–{s.end}]" for s in parts[:MOST]]
    if len(parts) > MOST:
        terms.append(f"… {len(parts) - MOST} more")
    return f"1 − max unsupported({', '.join(terms) or '0'})"


def _nothing_counted(audit: Audit, result: ClaimResult) -> str:
    counted = _within(counted_spans(audit.evidence, audit.parameters), result)
    left_out = _within(audit.evidence.spans, result) and not counted
    return " (set aside, not counted)" if left_out else ""


def _within(spans: Sequence[MeasuredSpan], result: ClaimResult) -> list[MeasuredSpan]:
    claim = result.claim
    return [span for span in spans if span.start < claim.end and span.end > claim.start]


def _marked_part(audit: Audit, start: int, end: int) -> str:
    marked, counted = marked_characters(audit.evidence)
    hit = int((marked & counted)[start:end].sum())
    return f"1 − {hit} of {int(counted[start:end].sum())} characters marked by the judge"


_FORMULAS: Mapping[DetectorName, _Formula] = {
    DetectorName.PROVENANCE: _Formula(_over_sources, _claim_aggregation),
    DetectorName.NLI_MATRIX: _Formula(_contradictions, _of_claims("lowest")),
    DetectorName.SUMMAC: _Formula(_best_premise, _of_claims("mean")),
    DetectorName.SELFCHECK: _Formula(_inconsistency, _of_claims("mean")),
    DetectorName.GROUNDED: _Formula(_together, _counted_claims, _not_counted),
    DetectorName.SPANS: _Formula(_worst_part, _of_claims("lowest"), _nothing_counted),
    DetectorName.LLM_JUDGE: _Formula(
        lambda audit, result: _marked_part(audit, result.claim.start, result.claim.end),
        lambda audit: _marked_part(audit, 0, len(audit.evidence.answer)),
    ),
}
