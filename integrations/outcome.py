"""What the tools of others are told of an audit: whether it passes, and why."""

from __future__ import annotations

from provenance_core.types import UNSUPPORTED_LABELS, Audit, VerdictState

SCORE_NAME = "factuality"


def passes(audit: Audit, allow_flagged: bool = False) -> bool:
    """Whether the context supports the answer, as :func:`provenance_core.testing.assert_supported`
    has it. ``allow_flagged``: also where some sentences are not supported, but the score reaches
    the threshold."""
    return audit.state is VerdictState.SUPPORTED or (
        allow_flagged and audit.state is VerdictState.FLAGGED
    )


def reason(audit: Audit) -> str:
    """Threshold and the sentences that are not supported, in one line."""
    wrong = [
        f"{str(traced.label).replace('_', ' ')}: {traced.sentence.text.strip()}"
        for traced in audit.sentences
        if traced.label in UNSUPPORTED_LABELS
    ]
    said = "; ".join(wrong) or "every checked sentence is supported"
    return f"threshold {audit.parameters.threshold:.3f}; {said}"
