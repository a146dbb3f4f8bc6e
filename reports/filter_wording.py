"""A filter of items in words. The texts hold what users typed: escape them where shown."""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.explain.names import detector_title
from reports.wording import VERDICTS
from storage import ItemFilter, Reviewed

_REVIEWED = {
    Reviewed.UNREVIEWED: "that nobody has judged",
    Reviewed.REVIEWED: "that somebody has judged",
    Reviewed.DISPUTED: "that reviewers disagree about",
    Reviewed.UNSETTLED: "that reviewers disagree about and no gold label settles",
    Reviewed.SETTLED: "that a gold label settles",
    Reviewed.OVERRULED: "that a reviewer judged differently from the machine",
}
_LABELS = {1: "supported", 0: "hallucinated"}


def filter_lines(chosen: ItemFilter, run_names: Sequence[str]) -> list[str]:
    """What a filter lets pass. A line for each condition, or one that says that there is none."""
    audits = chosen.audits
    lines = [f"items of the run {name}" for name in run_names]
    if audits.text.strip():
        lines.append(f"query, answer or context contains: {audits.text.strip()}")
    if audits.verdict is not None:
        lines.append(f"the machine's verdict is {VERDICTS[audits.verdict][1].lower()}")
    if audits.flagged is not None:
        lines.append(
            "at least one sentence is not supported"
            if audits.flagged
            else "every sentence that was checked is supported"
        )
    if audits.detector is not None:
        lines.append(f"scored by the detector {detector_title(audits.detector)}")
    if audits.since is not None:
        lines.append(f"audited on {audits.since.isoformat()} (UTC) or later")
    if audits.until is not None:
        lines.append(f"audited on {audits.until.isoformat()} (UTC) or earlier")
    if chosen.label is not None:
        lines.append(f"labelled {_LABELS[chosen.label]}")
    if chosen.labelled:
        lines.append("that have a label")
    for name, wanted in (
        ("subset", chosen.subset),
        ("task", chosen.task),
        ("model that answered", chosen.source_model),
    ):
        if wanted:
            lines.append(f"{name}: {wanted}")
    if chosen.score_from is not None:
        lines.append(f"score at least {chosen.score_from:.3f}")
    if chosen.score_to is not None:
        lines.append(f"score at most {chosen.score_to:.3f}")
    if chosen.reviewed is not Reviewed.ANY:
        lines.append(_REVIEWED[chosen.reviewed])
    if chosen.share_of:
        lines.append(f"in the share of {chosen.share_of}")
    return lines or ["every saved audit"]
