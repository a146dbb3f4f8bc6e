"""An assertion for the tests of those who build answers: supported by the context, or why not."""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.audit.shared_models import shared_models
from provenance_core.explain import SentenceReason, figures_text, sentence_reasons, verdict_sentence
from provenance_core.explain.summary import evidence_passage
from provenance_core.text.checked_texts import check_texts
from provenance_core.types import Audit, ContextItem, Parameters, VerdictState


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
    lines = [f"The context does not support the answer. {verdict_sentence(audit)}"]
    if audit.checked:
        lines.append(
            f"  {figures_text(audit)} · profile {audit.evidence.profile} · "
            f"detector {audit.parameters.detector}"
        )
    for reason in sentence_reasons(audit):
        lines += _flagged(audit, reason)
    return "\n".join(lines)


def _flagged(audit: Audit, reason: SentenceReason) -> list[str]:
    """A sentence that is not supported, why, and what the context says that comes closest."""
    traced = reason.traced
    label = str(traced.label).replace("_", " ")
    passage = evidence_passage(audit, traced)
    item = audit.evidence.context[passage.item]
    place = f"context item {item.index + 1}" + (f" ({item.name})" if item.name else "")
    return [
        f"  sentence {traced.sentence.index + 1}, {label}: {traced.sentence.text.strip()}",
        f"    {reason.said}",
        f"    {place}: {passage.text.strip()}",
    ]
