"""What several reviewers of an answer say together."""

from __future__ import annotations

from collections.abc import Iterable

from provenance_core.review.types import JudgedVerdict


def majority_label(supported: int, hallucinated: int) -> int | None:
    """Make a label of what reviewers say. 1 = supported, 0 = hallucinated; None without a majority.

    >>> majority_label(2, 1)
    1
    """
    return None if supported == hallucinated else int(supported > hallucinated)


def people_label(gold: str | None, supported: int, hallucinated: int) -> int | None:
    """Make a label of the gold verdict of an answer; without one of the majority. 1 = supported, 0
    = hallucinated; None without a majority, and where the gold verdict is that nobody can tell."""
    if gold is None:
        return majority_label(supported, hallucinated)
    return {"supported": 1, "hallucinated": 0}.get(gold)


def gold_decides(gold: str | None, supported: int, hallucinated: int) -> bool:
    """Whether a gold label makes a label that the reviewers' majority does not make."""
    label = people_label(gold, supported, hallucinated)
    return label is not None and label != majority_label(supported, hallucinated)


def majority(verdicts: Iterable[JudgedVerdict]) -> JudgedVerdict | None:
    """Choose what more reviewers say, supported or hallucinated. CANNOT_TELL when all who spoke
    cannot tell. None when as many say one as the other."""
    given = tuple(verdicts)
    supported = given.count(JudgedVerdict.SUPPORTED)
    label = majority_label(supported, given.count(JudgedVerdict.HALLUCINATED))
    if label is None:
        return None if supported else JudgedVerdict.CANNOT_TELL
    return JudgedVerdict.SUPPORTED if label else JudgedVerdict.HALLUCINATED
