"""One sentence about a score, for the tools that show one beside it."""

from __future__ import annotations

from provenance_core.explain.language import language_note
from provenance_core.types import UNSUPPORTED_LABELS, SentenceLabel
from storage.exports._export_item import ExportItem

SCORE_NAME = "factuality"
GOLD_NAME = "gold_label"


def explanation(given: ExportItem) -> str:
    """The note on a language that the models do not read, the threshold, the sentences that are not
    supported, and the spans of a detector that finds them."""
    audit = given.audit()
    wrong = [t for t in audit.sentences if t.label in UNSUPPORTED_LABELS]
    said = f"threshold {audit.parameters.threshold:.3f}; "
    if note := language_note(audit.evidence.notices):
        said = f"{note} {said}"
    if not wrong:
        aside = sum(t.label is SentenceLabel.SET_ASIDE for t in audit.sentences)
        if aside:
            return (
                said + f"{aside} of {len(audit.sentences)} sentences set aside, the others "
                "supported by the context"
            )
        return said + "every sentence is supported by the context"
    told = "; ".join(
        f"S{t.sentence.index + 1} {str(t.label).replace('_', ' ')}: {t.sentence.text.strip()}"
        for t in wrong
    )
    spans = "; ".join(
        f"{str(s.type).replace('_', ' ')} “{audit.evidence.answer[s.start : s.end]}”"
        for s in audit.spans
    )
    return f"{said}{len(wrong)} of {len(audit.sentences)} sentences not supported: {told}" + (
        f"; spans: {spans}" if spans else ""
    )
