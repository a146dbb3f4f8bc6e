"""Names, symbols and one-sentence explanations, the same on page and in report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from provenance_core import Aggregation, Audit, ClaimForm, Parameters, SentenceLabel, Verdict
from provenance_core.types import ClaimAggregation, SelectionStrategy, TracedSentence

VERDICTS = {
    Verdict.SUPPORTED: ("✓", "Supported"),
    Verdict.HALLUCINATED: ("✗", "Hallucinated"),
}
LABELS = {
    SentenceLabel.SUPPORTED: ("✓", "supported"),
    SentenceLabel.CONTRADICTED: ("✗", "contradicted"),
    SentenceLabel.NOT_FOUND: ("?", "not found"),
    SentenceLabel.SET_ASIDE: ("–", "set aside"),
}
SELECTIONS = {
    SelectionStrategy.TOP_P: "TopP",
    SelectionStrategy.TOP_K: "TopK",
}
AGGREGATIONS = {
    Aggregation.MAX: "max",
    Aggregation.MIN: "min",
    Aggregation.WEIGHTED_AVERAGE: "weighted average",
}
AGGREGATION_HELP = {
    Aggregation.MAX: "A claim counts as much as its best source says: one good source is enough.",
    Aggregation.MIN: "A claim counts as little as its worst source says: every source must agree.",
    Aggregation.WEIGHTED_AVERAGE: "Every source counts by its weight, the most relevant most.",
}
CLAIM_AGGREGATIONS = {
    ClaimAggregation.HARMONIC_MEAN: "harmonic mean of the claims",
    ClaimAggregation.MEAN: "mean of the claims",
    ClaimAggregation.MIN: "worst claim",
}
CLAIM_AGGREGATION_HELP = {
    ClaimAggregation.HARMONIC_MEAN: "A claim counts the more the less it is supported.",
    ClaimAggregation.MEAN: "Every claim counts the same.",
    ClaimAggregation.MIN: "The least supported claim decides.",
}
CLAIM_FORMS = {
    ClaimForm.AUTO: "automatic",
    ClaimForm.PROMPT: "claim prompt",
    ClaimForm.SENTENCES: "sentences",
}
CLAIM_FORM_HELP = {
    ClaimForm.AUTO: "One sentence is put into the claim prompt with its query; several are "
    "claims of their own.",
    ClaimForm.PROMPT: "The whole answer in the paper's prompt, “The answer to question … is …”.",
    ClaimForm.SENTENCES: "Every sentence of the answer is a claim of its own.",
}


def chunk_name(index: int) -> str:
    """C1, C2, …"""
    return f"C{index + 1}"


def sentence_name(index: int) -> str:
    """S1, S2, …"""
    return f"S{index + 1}"


def status(traced: TracedSentence) -> str:
    """The label in words, with a source-selection miss named."""
    text = LABELS[traced.label][1]
    return f"{text}, source-selection miss" if traced.selection_miss else text


def verdict_text(verdict: Verdict, score: float, threshold: float) -> str:
    """Symbol, verdict, score and threshold, the same in every list."""
    symbol, name = VERDICTS[verdict]
    return f"{symbol} {name} · score {score:.3f} / {threshold:.3f}"


_VALUES: dict[str, Mapping[Any, str]] = {
    "selection": SELECTIONS,
    "aggregation": AGGREGATIONS,
    "claim_aggregation": CLAIM_AGGREGATIONS,
    "claim_form": CLAIM_FORMS,
}
_SETTINGS = {"claim_aggregation": "several claims:", "claim_form": "claim form"}


def setting_text(name: str, value: object) -> str:
    """A profile or a parameter with its value as :func:`to_plain` gives it, in words."""
    return f"{_SETTINGS.get(name, name)} {_VALUES.get(name, {}).get(value, value)}"


def parameters_text(given: Parameters) -> str:
    """What the score and the verdict depend on, in one line."""
    count = f"top_p {given.top_p:g}" if given.selection == "top_p" else f"top_k {given.top_k}"
    return (
        f"threshold {given.threshold:.3f}, {SELECTIONS[given.selection]} ({count}), "
        f"{AGGREGATIONS[given.aggregation]}, {CLAIM_AGGREGATIONS[given.claim_aggregation]}"
    )


def formula_lines(audit: Audit, most: int = 12) -> list[str]:
    """The score with this audit's own numbers, a line a claim and one for the whole.

    At most ``most`` terms and claims are written out; the rest is counted.
    """
    selected = [s for s in audit.sources if s.selected]
    weighted = audit.parameters.aggregation is Aggregation.WEIGHTED_AVERAGE
    lines = []
    for result in audit.claims[:most]:
        terms = []
        for source in selected[:most]:
            f = result.factuality[source.chunk.index]
            name = chunk_name(source.chunk.index)
            weight = f"{source.weight:.3f}×" if weighted else ""
            terms.append(f"{weight}{f:.3f} [{name}]")
        if len(selected) > most:
            terms.append(f"… {len(selected) - most} more")
        inner = " + ".join(terms) if weighted else ", ".join(terms)
        body = inner if weighted else f"{audit.parameters.aggregation}({inner})"
        lines.append(f"claim {result.claim.index + 1} = {body} = {result.score:.3f}")
    if len(audit.claims) > most:
        lines.append(f"… {len(audit.claims) - most} more claims")
    if len(audit.claims) > 1:
        how = str(audit.parameters.claim_aggregation).replace("_", " ")
        lines.append(f"score = {how} of {len(audit.claims)} claims = {audit.score:.3f}")
    sign = "≥" if audit.margin >= 0 else "<"
    lines.append(
        f"{audit.score:.3f} {sign} threshold {audit.parameters.threshold:.3f} "
        f"→ {VERDICTS[audit.verdict][1].lower()}"
    )
    return lines


__all__ = [
    "AGGREGATIONS",
    "AGGREGATION_HELP",
    "CLAIM_AGGREGATIONS",
    "CLAIM_AGGREGATION_HELP",
    "CLAIM_FORMS",
    "CLAIM_FORM_HELP",
    "LABELS",
    "SELECTIONS",
    "VERDICTS",
    "chunk_name",
    "formula_lines",
    "parameters_text",
    "sentence_name",
    "setting_text",
    "status",
    "verdict_text",
]
