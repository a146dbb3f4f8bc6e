"""An assertion for the tests of those who build answers: supported by the context, or why not."""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.audit.shared_models import shared_models
from provenance_core.text.checked_texts import check_texts
from provenance_core.types import (
    UNSUPPORTED_LABELS,
    Audit,
    ContextItem,
    Parameters,
    SentenceLabel,
    TracedSentence,
    Verdict,
    VerdictState,
)


def assert_supported(
    answer: str,
    context: Sequence[str | ContextItem],
    query: str | None = None,
    *,
    parameters: Parameters | None = None,
    profile: str | None = None,
    allow_flagged: bool = False,
) -> Audit:
    """Fail the test whose answer its context does not support.

    The models are loaded once a process.

    Parameters
    ----------
    answer : str
        The answer to check.
    context : Sequence[str | ContextItem]
        The context items, each a text of any length.
    query : str | None, default None
        The question, where there is one.
    parameters : Parameters | None, default None
        Every setting, the threshold among them; None means the default ones of the profile.
    profile : str | None, default None
        Name of a profile of models; None means the default one.
    allow_flagged : bool, default False
        Whether an answer passes whose score reaches the threshold, though some of its sentences
        are not supported.

    Returns
    -------
    Audit
        The audit, for further assertions.

    Raises
    ------
    AssertionError
        The answer is not supported, or states nothing to check; the message names each flagged
        sentence and its evidence.
    InputError
        The texts cannot be audited.
    ModelError
        The models cannot be loaded, or the detector not be used.

    Examples
    --------
    >>> context = ["The bridge was opened on 19 March 1932."]
    >>> assert_supported("The bridge was opened in 1932.", context).flagged
    0
    """
    __tracebackhide__ = True
    texts = check_texts(answer=answer, context=context, query=query or "")
    audit = shared_models().audit(texts, profile, parameters)
    passed = {VerdictState.SUPPORTED, *([VerdictState.FLAGGED] if allow_flagged else [])}
    if audit.state not in passed:
        raise AssertionError(_message(audit))
    return audit


def _message(audit: Audit) -> str:
    if audit.verdict is Verdict.NOTHING_TO_CHECK:
        return "The context does not support the answer: it states nothing to check."
    relation = ">=" if audit.margin >= 0 else "<"
    lines = [
        f"The context does not support the answer: {audit.flagged} of {audit.checked} sentences "
        f"flagged; score {audit.score:.3f} {relation} threshold {audit.parameters.threshold:.3f} "
        f"(profile {audit.evidence.profile}, detector {audit.parameters.detector})."
    ]
    for traced in audit.sentences:
        if traced.label in UNSUPPORTED_LABELS:
            lines += _flagged(audit, traced)
    return "\n".join(lines)


def _flagged(audit: Audit, traced: TracedSentence) -> list[str]:
    """A sentence that is not supported, and what the context says that comes closest."""
    contradicted = traced.label is SentenceLabel.CONTRADICTED
    said = "contradicted" if contradicted else "not found"
    chunk = audit.evidence.chunks[traced.evidence_chunk]
    item = audit.evidence.context[chunk.item]
    evidence = item.text[traced.evidence_start : traced.evidence_end].strip()
    place = f"context item {item.index + 1}" + (f" ({item.name})" if item.name else "")
    lines = [
        f"  sentence {traced.sentence.index + 1}, {said}: {traced.sentence.text.strip()}",
        f"    {'against it' if contradicted else 'closest'}, {place}: {evidence}",
    ]
    if traced.missing_details:
        details = ", ".join(detail.text for detail in traced.missing_details)
        lines.append(f"    nowhere in the context: {details}")
    return lines
