"""An audit for a plain terminal: no colour, no control character of the input let through."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Sequence

from provenance_core.audit.mitigation import Suggestion
from provenance_core.cli.output import visible
from provenance_core.detectors import measures_relevance
from provenance_core.explain.citations import citation_texts
from provenance_core.explain.language import UNREAD_NOTE, language_note
from provenance_core.explain.method import score_text
from provenance_core.explain.numbers import source_numbers
from provenance_core.explain.sentences import reason_texts
from provenance_core.explain.summary import other_passages
from provenance_core.explain.verdict import figures_text, verdict_sentence
from provenance_core.models.catalogue.profiles import short_revision
from provenance_core.types import Audit, SentenceLabel, Source, TracedSentence
from reports.wording import SELECTION_MISS, STATES

_MARKS = {
    SentenceLabel.SUPPORTED: "[+] supported",
    SentenceLabel.CONTRADICTED: "[x] CONTRADICTED",
    SentenceLabel.NOT_FOUND: "[?] NOT FOUND",
    SentenceLabel.SET_ASIDE: "[-] set aside",
}
_WIDEST, _NARROWEST = 110, 60


def audit_text(audit: Audit, suggestions: Sequence[Suggestion] = ()) -> str:
    """Write an audit as lines that fit the terminal, without control characters: verdict, spans,
    sources and sentences. Sources and items are numbered from 1; JSON counts from 0."""
    width = max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns))
    blocks = [_verdict(audit, width)]
    if audit.spans:
        blocks.append(_spans(audit, width))
    blocks += [_sources(audit, width), _sentences(audit, suggestions, width)]
    if audit.evidence.notices:
        blocks.append(_notices(audit, width))
    if models := _models(audit, width):
        blocks.append(models)
    return "\n\n".join("\n".join(lines) for lines in blocks) + "\n"


def _verdict(audit: Audit, width: int) -> list[str]:
    figures = figures_text(audit).replace(" · ", ", ")
    unread = f" ({UNREAD_NOTE})" if language_note(audit.evidence.notices) else ""
    return [
        f"{STATES[audit.state][1].upper()}{unread}" + (f"   {figures}" if figures else ""),
        *_wrapped("", visible(verdict_sentence(audit)), width, 0),
        *_wrapped("", score_text(audit), width, 0),
    ]


def _models(audit: Audit, width: int) -> list[str]:
    """Which models were asked, and what ran them; of older audits only those that were not
    shipped, since the others named no engine."""
    lines: list[str] = []
    for model in audit.evidence.models:
        if not model.precision and "," not in model.device:
            continue
        revision = f" ({short_revision(model.revision)})" if model.revision else ""
        where = f"on {model.device}" + (f", in {model.precision}" if model.precision else "")
        lines += _wrapped(
            f"{model.task}: ", f"{visible(model.model_id + revision)} {where}", width, 2
        )
    return ["Models", *lines] if lines else []


def _spans(audit: Audit, width: int) -> list[str]:
    lines = ["Hallucinated spans"]
    for span in audit.spans:
        kind = str(span.type).replace("_", " ")
        place = f"characters {span.start}-{span.end}, unsupported {span.unsupported:.3f}"
        text = visible(audit.evidence.answer[span.start : span.end])
        lines.extend(_wrapped(f"{kind} ({place}): ", text, width, 2))
    return lines


def _sources(audit: Audit, width: int) -> list[str]:
    header = (
        f"{'source':>6}  {'item':>4}  {'relevance':>9}  {'weight':>6}  {'factuality':>10}  text"
    )
    lines = ["Sources (* selected)", header]
    for source in audit.sources:
        numbers = _source_numbers(source, measures_relevance(audit))
        room = max(20, width - len(numbers) - 2)
        lines.append(f"{numbers}  {_clip(visible(source.chunk.text), room)}")
    return lines


def _source_numbers(source: Source, measured: bool) -> str:
    mark = "*" if source.selected else " "
    shown = measured and source.relevance is not None
    relevance = f"{source.relevance:.2f}" if shown else "-"
    factuality = "-" if source.factuality is None else f"{source.factuality:.3f}"
    return (
        f"{mark}{source.chunk.index + 1:>5}  {source.chunk.item + 1:>4}  {relevance:>9}  "
        f"{source.weight:>6.3f}  {factuality:>10}"
    )


def _sentences(audit: Audit, suggestions: Sequence[Suggestion], width: int) -> list[str]:
    lines = ["Sentences"]
    texts = zip(audit.sentences, reason_texts(audit), citation_texts(audit), strict=True)
    for sentence, reason, cited in texts:
        lines.extend(_sentence(audit, sentence, reason, width))
        if cited:
            lines.extend(_wrapped("citation: ", visible(cited), width, 6))
        for suggestion in suggestions:
            if suggestion.sentence == sentence.sentence.index:
                lines.extend(_suggestion(audit, suggestion, width))
    return lines


def _suggestion(audit: Audit, suggestion: Suggestion, width: int) -> list[str]:
    wrong = audit.evidence.answer[suggestion.start : suggestion.end]
    return _wrapped(
        f"suggestion (entailment {suggestion.entailment_before:.3f} -> "
        f"{suggestion.entailment_after:.3f}): ",
        f'"{visible(suggestion.replacement)}" for "{visible(wrong)}"',
        width,
        6,
    )


def _sentence(audit: Audit, traced: TracedSentence, reason: str, width: int) -> Iterator[str]:
    aside = f" ({reason})" if reason and traced.label is SentenceLabel.SET_ASIDE else ""
    lead = f"{_MARKS[traced.label]}{aside}: "
    yield from _wrapped(lead, visible(traced.sentence.text), width, 2)
    chunk = audit.evidence.chunks[traced.evidence_chunk]
    quoted = audit.evidence.context[chunk.item].text[traced.evidence_start : traced.evidence_end]
    yield from _wrapped(
        f"{_source_name(chunk.index)} ({', '.join(source_numbers(audit, traced, _source_name))}): ",
        visible(quoted),
        width,
        6,
    )
    for each in other_passages(audit, traced):
        lead = "read together with" if traced.together else "and"
        yield from _wrapped(f"{lead} {_source_name(each.chunk)}: ", visible(each.text), width, 6)
    if traced.selection_miss:
        yield from _wrapped("", SELECTION_MISS, width, 6)
    if reason and traced.label is not SentenceLabel.SET_ASIDE:
        yield from _wrapped("", visible(reason), width, 6)


def _source_name(chunk: int) -> str:
    return f"source {chunk + 1}"


def _notices(audit: Audit, width: int) -> list[str]:
    lines = ["Notes"]
    for notice in audit.evidence.notices:
        lines.extend(_wrapped("- ", visible(notice.message), width, 2))
    return lines


def _wrapped(lead: str, text: str, width: int, indent: int) -> list[str]:
    return textwrap.wrap(
        lead + text,
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + 4),
        break_on_hyphens=False,
    )


def _clip(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 3] + "..."
