"""The score of an audit with its own numbers, in the terms of its detector's formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from provenance_core import DETECTORS, Audit, Verdict, recompute
from provenance_core.detectors import MOST_TERMS
from provenance_core.explain.method import claim_note
from provenance_core.parameters import PARAMETERS
from provenance_core.types import VerdictState
from reports.wording import STATES


@dataclass(frozen=True, slots=True)
class Alternative:
    """The score and the verdict's state under one value of a setting. ``shown``: whether it is the
    audit's own."""

    label: str
    score: float
    state: VerdictState
    shown: bool


def formula_lines(audit: Audit) -> list[str]:
    """Write the formulas of an audit with their numbers: a line for each claim, one for the whole
    answer, one for the verdict. Of more than ``MOST_TERMS`` terms and claims the rest is
    counted."""
    detector = DETECTORS[audit.parameters.detector]
    lines = [
        f"claim {result.claim.index + 1} = {detector.claim_formula(audit, result)} = "
        f"{result.score:.3f}{claim_note(audit, result)}"
        for result in audit.claims[:MOST_TERMS]
    ]
    if len(audit.claims) > MOST_TERMS:
        lines.append(f"… {len(audit.claims) - MOST_TERMS} more claims")
    # The score of a single claim is the answer's, unless the claim does not count.
    if [result.score for result in audit.claims] != [audit.score]:
        lines.append(f"score = {detector.answer_formula(audit)} = {audit.score:.3f}")
    if audit.verdict is Verdict.NOTHING_TO_CHECK:
        return [*lines, f"every sentence is set aside → {STATES[audit.state][1].lower()}"]
    sign = "≥" if audit.margin >= 0 else "<"
    lines.append(
        f"{audit.score:.3f} {sign} threshold {audit.parameters.threshold:.3f} "
        f"→ {STATES[audit.state][1].lower()}"
    )
    return lines


def alternatives(audit: Audit) -> tuple[Alternative, ...]:
    """Score an audit under each value of the setting that its detector compares, if any."""
    name = DETECTORS[audit.parameters.detector].traits.compares
    if not name:
        return ()
    found = []
    for choice in PARAMETERS[name].choices:
        changed: dict[str, Any] = {name: choice.value}
        other = recompute(audit, **changed)
        shown = choice.value == getattr(audit.parameters, name)
        found.append(Alternative(choice.label, other.score, other.state, shown))
    return tuple(found)
