"""HTML of suggested and accepted corrections. Every text of the user goes through
:func:`html.escape`."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from provenance_core import Audit
from provenance_core.audit.mitigation import Suggestion, SuggestionKind
from provenance_core.detectors import chunk_name
from provenance_core.explain.names import detector_title, sentence_name
from provenance_core.types import TracedSentence, verdict_state
from reports.directions import apart, in_brackets
from reports.markup import STYLE
from reports.style_sheets import style_sheet
from reports.wording import LABELS, STATES
from storage import AuditRow

_STYLE = STYLE + style_sheet(__file__)


def changed_text(text: str, start: int, accepted: Sequence[Suggestion]) -> str:
    """Escape ``text``, which begins at character ``start`` of the answer, and mark in it what each
    of ``accepted`` takes away and puts in its place. None of them overlap."""
    parts, position = [], 0
    for suggestion in sorted(accepted, key=lambda each: each.start):
        a, b = suggestion.start - start, suggestion.end - start
        new = apart(escape(suggestion.replacement))
        parts.append(
            f"{escape(text[position:a])}<del>{apart(escape(text[a:b]))}</del>"
            + (f" <ins>{new}</ins>" if suggestion.replacement else " ")
        )
        position = b
    return "".join([*parts, escape(text[position:])])


def sentence_markup(traced: TracedSentence) -> str:
    """A sentence of the answer with its label."""
    return (
        f'{STYLE}<div class="pv-answer"><span class="pv-s {traced.label}"><span class="pv-m">'
        f"{LABELS[traced.label][0]} {sentence_name(traced.sentence.index)}</span>"
        f"{apart(escape(traced.sentence.text.strip()))}</span></div>"
    )


def suggestion_markup(audit: Audit, suggestion: Suggestion) -> str:
    """What a suggestion replaces, by what, and where that stands. For a detail it also shows the
    evidence sentence and how the replacement changes the entailment. A sentence that stands in the
    chunk itself has no such change to show."""
    a, b = suggestion.start, suggestion.end
    chunk = audit.evidence.chunks[suggestion.evidence_chunk]
    item = audit.evidence.context[chunk.item]
    name = chunk_name(chunk.index)
    place = (
        f"from {name}, context item {item.index + 1}{in_brackets(item.name)}, characters "
        f"{suggestion.evidence_start}–{suggestion.evidence_end}"
    )
    if suggestion.kind is SuggestionKind.SENTENCE:
        why = f"<small>The evidence's sentence replaces the whole sentence, {place}</small>"
    else:
        evidence = item.text[suggestion.evidence_start : suggestion.evidence_end]
        # The heatmap has the second model's entailment of the same sentence.
        reading = "" if audit.evidence.second is None else ", first reading,"
        why = (
            f"<small>{place} · entailment of the sentence by {name}{reading} "
            f"{suggestion.entailment_before:.3f} → {suggestion.entailment_after:.3f}:</small>\n"
            f"<q>{apart(escape(evidence))}</q>"
        )
    changed = changed_text(audit.evidence.answer[a:b], a, [suggestion])
    return f'{_STYLE}<div class="pv-answer">{apart(changed)}\n{why}</div>'


def changed_answer_markup(audit: Audit, accepted: Sequence[Suggestion]) -> str:
    """The whole answer with what was accepted marked in it."""
    return (
        f'{_STYLE}<div class="pv-answer">{changed_text(audit.evidence.answer, 0, accepted)}</div>'
    )


def answers_beside(wrong: Audit, corrected: Audit) -> str:
    """HTML: two answers in a row each, with verdict and score."""
    rows = "".join(
        f"<tr><th>{name}</th><td>{audit.score:.3f}</td>"
        f'<td class="{audit.state}">{STATES[audit.state][0]} '
        f"{STATES[audit.state][1].lower()}</td>"
        f'<td class="pv-wrap">{escape(audit.evidence.answer)}</td></tr>'
        for name, audit in (("original", wrong), ("corrected", corrected))
    )
    return (
        f'{_STYLE}<div class="pv-wide"><table class="pv-methods pv-beside"><thead><tr>'
        f"<th>answer</th><th>score</th><th>verdict</th><th>text</th></tr></thead><tbody>{rows}</tbody></table>"
        "</div>"
    )


def corrections_table(original: AuditRow, corrected: Sequence[AuditRow], shown: int) -> str:
    """HTML: the original and the corrected answers of it, a row each, with scores as saved.
    ``shown``: the number of the audit that is drawn below."""
    head = "".join(
        f"<th>{name}</th>" for name in ("answer", "detector", "score", "threshold", "verdict")
    )
    rows = [_table_row("original", original, shown, "")]
    rows += [
        _table_row("corrected", row, shown, f" ({row.score - original.score:+.3f})")
        for row in corrected
    ]
    return (
        f'{STYLE}<div class="pv-wide"><table class="pv-methods"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _table_row(name: str, row: AuditRow, shown: int, change: str) -> str:
    state = verdict_state(row.verdict, row.unsupported_sentences)
    symbol, name_of_state = STATES[state]
    here = ' class="shown"' if row.id == shown else ""
    note = " (shown here)" if row.id == shown else ""
    return (
        f"<tr{here}><th>{name}, audit {row.id}{note}</th>"
        f"<td>{escape(detector_title(row.detector))}</td><td>{row.score:.3f}{change}</td>"
        f"<td>{row.threshold:.3f}</td>"
        f'<td class="{state}">{symbol} {name_of_state.lower()}</td></tr>'
    )
