"""Names, symbols and one-sentence explanations, the same on page and in report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from provenance_core import (
    DETECTORS,
    Aggregation,
    ClaimForm,
    DetectorName,
    Parameters,
    SentenceLabel,
    Verdict,
)
from provenance_core.models.dense_encoder import DEFAULT_ENCODER
from provenance_core.types import (
    ClaimAggregation,
    ContradictionRule,
    FindingType,
    Granularity,
    RelevanceMethod,
    SelectionStrategy,
    TracedSentence,
)

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
RELEVANCE_METHODS = {
    RelevanceMethod.CROSS_ENCODER: "cross-encoder",
    RelevanceMethod.DOT: "dot product",
    RelevanceMethod.DOT_TEMPORAL: "dot product, temporal order",
    RelevanceMethod.COSINE: "cosine",
    RelevanceMethod.COSINE_TEMPORAL: "cosine, temporal order",
}
_DENSE_HELP = (
    "Dense retrieval: the sentences of the context most similar to the claim, joined {order}, are "
    "one premise."
)
_BY_SIMILARITY = _DENSE_HELP.format(order="by similarity")
_IN_ORDER = _DENSE_HELP.format(order="in their order in the context")
RELEVANCE_METHOD_HELP = {
    RelevanceMethod.CROSS_ENCODER: "The relevance model reads the query with each chunk.",
    RelevanceMethod.DOT: _BY_SIMILARITY,
    RelevanceMethod.DOT_TEMPORAL: _IN_ORDER,
    RelevanceMethod.COSINE: _BY_SIMILARITY,
    RelevanceMethod.COSINE_TEMPORAL: _IN_ORDER,
}
GRANULARITIES = {
    Granularity.SENTENCE: "sentence",
    Granularity.PARAGRAPH: "paragraph",
    Granularity.DOCUMENT: "document",
}
GRANULARITY_HELP = {
    Granularity.SENTENCE: "Each sentence of the context is a premise of its own.",
    Granularity.PARAGRAPH: "Each paragraph of the context is a premise.",
    Granularity.DOCUMENT: "Each context item is one premise, as far as the model's window goes.",
}
CONTRADICTION_RULES = {
    ContradictionRule.ANY: "every contradiction",
    ContradictionRule.UNLESS_ENTAILED: "only where no chunk entails",
}
CONTRADICTION_RULE_HELP = {
    ContradictionRule.ANY: "One chunk that contradicts a sentence is enough.",
    ContradictionRule.UNLESS_ENTAILED: "What one chunk contradicts and another entails is taken "
    "for supported.",
}
FINDINGS = {
    FindingType.EVIDENT_CONFLICT: "evident conflict",
    FindingType.SUBTLE_CONFLICT: "subtle conflict",
    FindingType.EVIDENT_BASELESS: "evident baseless information",
    FindingType.SUBTLE_BASELESS: "subtle baseless information",
    FindingType.ABSTENTION: "abstention",
    FindingType.NOT_CHECKWORTHY: "nothing to check",
}
# Parameters as the sidebar calls them, where it does not use their own names.
SETTING_NAMES = {
    "claim_aggregation": "answer with several claims",
    "claim_form": "claim form",
    "contradiction_rule": "contradictions that count",
    "relevance_method": "relevance",
    "count_set_aside": "count what was set aside",
}
# What is measured is cut into chunks of these by every detector.
_OF_ALL = ("threshold", "chunk_tokens", "overlap_sentences")


def detector_title(name: str) -> str:
    """What a detector is called; the name itself of one that this version does not know."""
    known = name in set(DetectorName)
    return DETECTORS[DetectorName(name)].title if known else name


def settings_of(given: Parameters) -> tuple[str, ...]:
    """The parameters that the detector in ``given`` reads, beside threshold and chunk size; of
    top_p and top_k the one that the selection uses, of encoder and aggregation the one that the
    relevance uses."""
    uses = DETECTORS[given.detector].traits.uses
    unread = {{"top_p": "top_k", "top_k": "top_p"}[given.selection]}
    if given.relevance_method is RelevanceMethod.CROSS_ENCODER:
        unread.add("encoder")
    else:  # one premise for each claim
        unread.add("aggregation")
    return tuple(name for name in uses if name not in unread)


def depends_on(given: Parameters, name: str) -> bool:
    """Whether an audit under ``given`` depends on its parameter ``name``."""
    return name == "detector" or name in _OF_ALL or name in settings_of(given)


def items_called(detector: DetectorName) -> str:
    """What stands before the number of a context item."""
    what = DETECTORS[detector].traits.context
    return "context item" if what == "context" else f"{what}, item"


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
    "detector": {name: detector.title for name, detector in DETECTORS.items()},
    "granularity": GRANULARITIES,
    "contradiction_rule": CONTRADICTION_RULES,
    "selection": SELECTIONS,
    "aggregation": AGGREGATIONS,
    "claim_aggregation": CLAIM_AGGREGATIONS,
    "claim_form": CLAIM_FORMS,
    "relevance_method": RELEVANCE_METHODS,
    "encoder": {"": DEFAULT_ENCODER},
    "count_set_aside": {True: "yes", False: "no"},
}
_SETTINGS = {
    "claim_aggregation": "several claims:",
    "claim_form": "claim form",
    "contradiction_rule": "contradictions that count:",
    "relevance_method": "relevance by",
    "count_set_aside": "what was set aside counts:",
}


def setting_text(name: str, value: object) -> str:
    """A profile or a parameter with its value as :func:`to_plain` gives it, in words."""
    return f"{_SETTINGS.get(name, name)} {_VALUES.get(name, {}).get(value, value)}"


def parameters_text(given: Parameters) -> str:
    """The detector, and what the score and the verdict depend on, in one line."""
    count = f"top_p {given.top_p:g}" if given.selection == "top_p" else f"top_k {given.top_k}"
    named = {
        "selection": f"{SELECTIONS[given.selection]} ({count})",
        "aggregation": AGGREGATIONS[given.aggregation],
        "claim_aggregation": CLAIM_AGGREGATIONS[given.claim_aggregation],
        "relevance_method": f"relevance by {RELEVANCE_METHODS[given.relevance_method]}",
        "encoder": f"encoder {given.encoder or DEFAULT_ENCODER}",
        "granularity": f"granularity {GRANULARITIES[given.granularity]}",
        "contradiction_rule": f"counts {CONTRADICTION_RULES[given.contradiction_rule]}",
        "count_set_aside": f"{'counts' if given.count_set_aside else 'leaves out'} what was set "
        "aside",
    }
    if given.relevance_method is RelevanceMethod.CROSS_ENCODER:  # the method as it is
        del named["relevance_method"]
    parts = [named[name] for name in settings_of(given) if name in named]
    return ", ".join([detector_title(given.detector), f"threshold {given.threshold:.3f}", *parts])


__all__ = [
    "AGGREGATIONS",
    "AGGREGATION_HELP",
    "CLAIM_AGGREGATIONS",
    "CLAIM_AGGREGATION_HELP",
    "CLAIM_FORMS",
    "CLAIM_FORM_HELP",
    "CONTRADICTION_RULES",
    "CONTRADICTION_RULE_HELP",
    "FINDINGS",
    "GRANULARITIES",
    "GRANULARITY_HELP",
    "LABELS",
    "RELEVANCE_METHODS",
    "RELEVANCE_METHOD_HELP",
    "SELECTIONS",
    "SETTING_NAMES",
    "VERDICTS",
    "chunk_name",
    "depends_on",
    "detector_title",
    "items_called",
    "parameters_text",
    "sentence_name",
    "setting_text",
    "settings_of",
    "status",
    "verdict_text",
]
