"""The verdict of an audit in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from provenance_core.detectors import DETECTORS, Quantity
from provenance_core.explain.citations import wrong_citations_text
from provenance_core.explain.numbers import told_apart
from provenance_core.explain.sentences import SentenceReason, context_name, sentence_reasons
from provenance_core.scoring.holding import lacks_value
from provenance_core.types import Audit, ContradictionRule, SentenceLabel, Verdict, VerdictState

_MOST_REASONS = 3


def verdict_sentence(audit: Audit, reasons: Sequence[SentenceReason] | None = None) -> str:
    """Say the verdict: how many sentences are not supported, and why; then which cite wrongly."""
    return f"{_verdict(audit, reasons)} {wrong_citations_text(audit)}".rstrip()


def _verdict(audit: Audit, reasons: Sequence[SentenceReason] | None) -> str:
    found = sentence_reasons(audit) if reasons is None else reasons
    context = context_name(audit)
    if not audit.checked:
        return "The answer states nothing to check."
    if two := _verdict_beside_label(audit, found):
        return two
    if not found:
        if audit.verdict is Verdict.SUPPORTED:
            return f"{_all_sentences(audit)} supported by {context}{_aside(audit)}."
        score, threshold = told_apart(audit.score, audit.parameters.threshold)
        return (
            f"{_all_sentences(audit)} supported alone, but the whole answer's score "
            f"{score} is under the threshold {threshold}."
        )
    # Equal sentences have one reason, which is said once.
    alike = Counter(reason.said for reason in found)
    first = _named(list({reason.said: reason for reason in reversed(found)}.values())[::-1])
    whys = [
        reason.said + (f" ({alike[reason.said]} sentences)" if alike[reason.said] > 1 else "")
        for reason in first
    ]
    if left := len(found) - sum(alike[reason.said] for reason in first):
        whys.append(f"and {left} more")
    lead = "The score reaches the threshold, but " if audit.state is VerdictState.FLAGGED else ""
    if audit.checked == 1:
        said = f"the one sentence{_stating(audit)} is not supported"
    else:
        verb = "is" if len(found) == 1 else "are"
        said = f"{len(found)} of {audit.checked} sentences{_stating(audit)} {verb} not supported"
    text = f"{lead}{said}: {'; '.join(whys)}."
    return text[0].upper() + text[1:]


_ASKED = {
    Quantity.SUPPORT: "scores the answer together with its query",
    Quantity.VERDICT: "asks only whether a source contradicts the sentence",
    Quantity.ENTAILMENT: "asks only how far one passage entails the sentence",
    Quantity.CONTRADICTION: "asks only whether another answer contradicts the sentence",
}


def _verdict_beside_label(audit: Audit, found: Sequence[SentenceReason]) -> str:
    """Why an answer with one sentence has a verdict that its label does not follow; "" where both
    agree, or both come from the detector's spans."""
    detector = DETECTORS[audit.parameters.detector]
    traits = detector.traits
    asked = None if traits.finds_spans else _ASKED.get(traits.quantity)
    supported = audit.verdict is Verdict.SUPPORTED
    if audit.checked != 1 or asked is None or supported == (not found):
        return ""
    if found and lacks_value(audit.evidence, found[0].traced.sentence.index):
        return ""  # flagged by its words: the reason says why
    rule = audit.parameters.contradiction_rule
    if traits.compares and rule is ContradictionRule.UNLESS_ENTAILED:
        asked = asked.replace("contradicts", "entails or contradicts")
    reaches = "reaches" if supported else "is under"
    label = f"is flagged: {found[0].said}" if found else "is not flagged"
    score, threshold = told_apart(audit.score, audit.parameters.threshold)
    return (
        f"{detector.title} {asked}: its score {score} {reaches} the threshold "
        f"{threshold}. The label of the one sentence comes from other "
        f"numbers, its support and its contradiction by the sources, and so it {label}."
    )


def _named(found: Sequence[SentenceReason]) -> list[SentenceReason]:
    """Those that the verdict names: what is contradicted before the rest, in the answer's order."""
    first = sorted(found, key=lambda each: each.traced.label is not SentenceLabel.CONTRADICTED)
    return sorted(first[:_MOST_REASONS], key=lambda each: each.traced.sentence.index)


def _all_sentences(audit: Audit) -> str:
    count, stating = audit.checked, _stating(audit)
    if count == 1:
        return f"The one sentence{stating or ' of the answer'} is"
    return f"{'Both' if count == 2 else f'All {count}'} sentences{stating} are"


def _stating(audit: Audit) -> str:
    """Which sentences are meant where others are set aside."""
    return " that state" + "s" * (audit.checked == 1) + " something" if _aside(audit) else ""


def _aside(audit: Audit) -> str:
    count = len(audit.sentences) - audit.checked
    are = "is" if count == 1 else "are"
    return f"; {count} of {len(audit.sentences)} {are} set aside" if count else ""


def figures_text(audit: Audit) -> str:
    """The figures that a verdict follows from, in plain text: score, threshold and margin; "" where
    there is nothing to check."""
    if audit.verdict is Verdict.NOTHING_TO_CHECK:
        return ""
    return (
        f"score {audit.score:.3f} · threshold {audit.parameters.threshold:.3f} · "
        f"margin {audit.margin:+.3f}"
    )
