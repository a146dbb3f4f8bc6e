"""The answer of a result as HTML, for a notebook: a colour and a mark for each label."""

from __future__ import annotations

from html import escape

from provenance_core.explain.summary import AuditSummary, SummarySentence
from provenance_core.types import SentenceLabel

# Each has a line of its own as well, for those who see no colours.
_STYLES = {
    SentenceLabel.SUPPORTED: "background:rgba(0,114,178,.18);border-bottom:2px solid #0072b2",
    SentenceLabel.CONTRADICTED: "background:rgba(213,94,0,.22);border-bottom:5px double #d55e00",
    SentenceLabel.NOT_FOUND: "background:rgba(214,190,20,.22);border-bottom:2px dashed #a08600",
    SentenceLabel.SET_ASIDE: "opacity:.6;border-bottom:2px dotted #8a8a8a",
}


def answer_html(summary: AuditSummary) -> str:
    """Verdict, reason and coloured answer; every text of the user is escaped."""
    answer = "".join(map(_sentence, summary.sentences))
    verdict = escape(summary.verdict.replace("_", " ").capitalize())
    return (
        f"<div><b>{verdict}</b> (score {summary.score:.3f}, threshold {summary.threshold:.3f})"
        f"<br>{escape(summary.reason)}</div>"
        f'<p style="white-space:pre-wrap;line-height:1.75">{answer}</p>'
    )


def _sentence(sentence: SummarySentence) -> str:
    label = sentence.label.replace("_", " ")
    title = f"{label}: {sentence.reason}" if sentence.reason else label
    return (
        f'<span style="{_STYLES[sentence.label]}" title="{escape(title)}">'
        f"{escape(sentence.text)}</span>"
    )
