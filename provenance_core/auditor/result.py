"""What came of a check: verdict, score, reason, and the same of each sentence."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

from provenance_core.audit.serialization import to_plain
from provenance_core.explain.language import UNREAD_NOTE, language_note
from provenance_core.explain.summary import AuditSummary, SummarySentence, audit_summary
from provenance_core.types import Audit, SentenceLabel, Verdict


@dataclass(frozen=True, repr=False)
class Result:
    """What came of a check. A notebook shows the coloured answer.

    ``audit`` is the whole record, with everything that was measured.

    Examples
    --------
    >>> from provenance_core import Auditor
    >>> result = Auditor().check("It was opened in 1999.", "The bridge was opened in 1932.")
    >>> result  # doctest: +ELLIPSIS
    Result(hallucinated, score 0..., 1 of 1 sentences not supported)
    >>> result.reason
    'The one sentence is not supported: “1999” is not in the context; C1 has “1932”.'
    """

    audit: Audit

    @cached_property
    def summary(self) -> AuditSummary:
        """Everything that a program reads of the audit, with sources and spans."""
        return audit_summary(self.audit)

    @property
    def verdict(self) -> Verdict:
        """``supported``, ``hallucinated`` or ``nothing_to_check``."""
        return self.audit.verdict

    @property
    def score(self) -> float:
        """The factuality score, in [0, 1]. The answer is supported from the threshold on."""
        return self.audit.score

    @property
    def reason(self) -> str:
        """Why the verdict is what it is, in one sentence."""
        return self.summary.reason

    @property
    def sentences(self) -> tuple[SummarySentence, ...]:
        """The sentences of the answer: ``text``, ``label``, ``reason`` ("" where there is none) and
        ``evidence``, whose ``text`` stands in the context item ``item``, counted from 0."""
        return self.summary.sentences

    def to_dict(self) -> dict[str, Any]:
        """Make objects, lists, strings and numbers of the result.

        Returns
        -------
        dict[str, Any]
            The fields of the summary, as the REST interface and ``audit --json`` have them.

        Examples
        --------
        >>> from provenance_core import Auditor
        >>> found = Auditor().check("It is red.", "The car is red.").to_dict()
        >>> found["verdict"], found["sentences"][0]["evidence"]["text"]
        ('supported', 'The car is red.')
        """
        plain: dict[str, Any] = json.loads(self.to_json())
        return plain

    def to_json(self) -> str:
        """Write the result as JSON.

        Returns
        -------
        str
            One object, on one line.

        Examples
        --------
        >>> from provenance_core import Auditor
        >>> Auditor().check("It is red.", "The car is red.").to_json()[:24]
        '{"verdict": "supported",'
        """
        return json.dumps(to_plain(self.summary))

    def __repr__(self) -> str:
        return repr(self.audit).replace("Audit", "Result", 1)

    def _repr_html_(self) -> str:
        return answer_html(self.summary)


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
    unread = f", {UNREAD_NOTE}" if language_note(summary.notices) else ""
    return (
        f"<div><b>{verdict}</b>{unread} "
        f"(score {summary.score:.3f}, threshold {summary.threshold:.3f})"
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
