"""What the tools of others are told of an audit: whether it passes, and why."""

from __future__ import annotations

from provenance_core.types import UNSUPPORTED_LABELS, Audit, Verdict, VerdictState

SCORE_NAME = "factuality"


def passes(audit: Audit, allow_flagged: bool = False) -> bool:
    """Whether the context supports the answer, by :func:`provenance_core.testing.assert_supported`.

    Parameters
    ----------
    audit : Audit
        The audit of the answer.
    allow_flagged : bool, default False
        Whether an answer passes whose score reaches the threshold, though some of its sentences are
        not supported.

    Returns
    -------
    bool
        Whether it passes.
    """
    return audit.state is VerdictState.SUPPORTED or (
        allow_flagged and audit.state is VerdictState.FLAGGED
    )


def reason(audit: Audit) -> str:
    """Threshold and the sentences that are not supported, in one line.

    Parameters
    ----------
    audit : Audit
        The audit of the answer.

    Returns
    -------
    str
        Such as ``threshold 0.500; contradicted: It was opened in 1923.``, in one line, or that
        there is nothing to check.
    """
    wrong = [
        f"{str(traced.label).replace('_', ' ')}: {traced.sentence.text.strip()}"
        for traced in audit.sentences
        if traced.label in UNSUPPORTED_LABELS
    ]
    if audit.verdict is Verdict.NOTHING_TO_CHECK:
        return "nothing to check"
    said = "; ".join(wrong) or "every checked sentence is supported"
    return f"threshold {audit.parameters.threshold:.3f}; {said}"
