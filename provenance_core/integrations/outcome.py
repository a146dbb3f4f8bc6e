"""What other tools learn of an audit: whether it passes, and the name of its score."""

from __future__ import annotations

from provenance_core.types import Audit, VerdictState

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
