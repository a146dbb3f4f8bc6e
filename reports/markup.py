"""HTML of an audit's parts. Every text of the user goes through :func:`html.escape`."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from provenance_core import Audit, ClaimForm
from provenance_core.detectors import chunk_name
from provenance_core.explain.citations import CitationState, CitedSentence, cited_sentences
from provenance_core.explain.language import UNREAD_NOTE
from provenance_core.explain.names import detector_title, sentence_name
from provenance_core.explain.numbers import numbers_text
from provenance_core.explain.sentences import sentence_reasons
from provenance_core.explain.summary import other_passages
from provenance_core.explain.verdict import figures_text
from provenance_core.explain.wrong_words import against_text, missing_text, what_is_wrong
from provenance_core.text.splitting import strip_bounds
from provenance_core.types import (
    Finding,
    FindingType,
    HallucinatedSpan,
    Notice,
    SentenceLabel,
    TracedSentence,
)
from reports.directions import apart, in_brackets, shown_turns
from reports.environment import piece
from reports.formulas import alternatives
from reports.style_sheets import style_sheet
from reports.unread_language import UNREAD_SYMBOL, is_unread, state_classes
from reports.wording import FINDINGS, LABELS, SELECTION_MISS, STATES, items_called, status

# Translucent, so that they hold on a light and on a dark page; hues differ in lightness too.
STYLE = style_sheet(__file__)


def verdict_banner(audit: Audit, said: str = "") -> str:
    """Write verdict, detector and :func:`figures_text`."""
    return STYLE + piece(
        "verdict",
        classes=state_classes(audit),
        title=" ".join(STATES[audit.state]),
        detector=detector_title(audit.parameters.detector),
        unread=f"{UNREAD_SYMBOL} {UNREAD_NOTE.capitalize()}" if is_unread(audit) else "",
        said=said,
        figures=figures_text(audit),
    )


def notices_markup(notices: Sequence[Notice]) -> str:
    """Write what the reader must know about how an audit was made. HTML; "" without a notice."""
    return STYLE + piece("notices", messages=[notice.message for notice in notices])


def claims_markup(audit: Audit) -> str:
    """Write which claims the formula speaks of: the claim prompt as it was read, or the
    sentences."""
    first = audit.claims[0].claim
    if first.form is ClaimForm.PROMPT:
        body = f"claim 1, in the claim prompt: {first.text}"
    elif len(audit.claims) == 1:
        body = "claim 1 is the answer's one sentence, S1"
    else:
        body = f"the claims are the answer's sentences: claim 1 is S1, … S{len(audit.claims)}"
    return small_text(body)


def small_text(text: str) -> str:
    """Write a text as small as a caption, which would read it as Markdown."""
    return STYLE + piece("small", text=text)


def answer_markup(audit: Audit) -> str:
    """Write the answer, every sentence coloured, underlined and marked with a symbol. In it are the
    words that are wrong, and the hallucinated spans with their types. What states nothing to check
    has its reason, and is greyed unless it is counted."""
    wrong = [words for reason in sentence_reasons(audit) for words in reason.wrong]
    cited = {each.sentence: each for each in cited_sentences(audit)}
    parts = []
    for traced in audit.sentences:
        text = traced.sentence.text
        # The white space at the ends stands outside, so that a mark is on its sentence's line.
        before, after = strip_bounds(text, 0, len(text))
        parts.append(
            f"{escape(text[:before])}"
            f'<span class="pv-s {traced.label}" title="{escape(sentence_title(audit, traced))}">'
            f"{sentence_inside(audit, traced, wrong, cited.get(traced.sentence.index))}</span>"
            f"{escape(text[after:])}"
        )
    return f'{STYLE}<div class="pv-answer">{"".join(parts)}</div>{answer_legend(audit, wrong)}'


def _reason_aside(audit: Audit, index: int) -> str:
    """Why a sentence was set aside; "" of one that was not."""
    found = audit.evidence.set_aside
    return next((each.reason for each in found if each.sentence == index), "")


def sentence_title(audit: Audit, traced: TracedSentence) -> str:
    """Name a sentence, and say what became of it."""
    index = traced.sentence.index
    why = _reason_aside(audit, index)
    return f"{sentence_name(index)}: {status(traced)}" + (f": {why}" if why else "")


_BADGES = {CitationState.ELSEWHERE: "wrong citation", CitationState.MISSING: "no such item"}


def sentence_inside(
    audit: Audit,
    traced: TracedSentence,
    wrong: Sequence[Finding],
    cited: CitedSentence | None = None,
) -> str:
    """Write a sentence: its symbol and name, its text with what is wrong in it marked, why it was
    set aside, and that it is ``cited`` wrongly."""
    text = traced.sentence.text
    before, after = strip_bounds(text, 0, len(text))
    inner = spanned_text(text[before:after], traced.sentence.start + before, audit.spans, wrong)
    reason = _reason_aside(audit, traced.sentence.index)
    reason = reason or (_BADGES.get(cited.state, "") if cited is not None else "")
    why = f'<small class="pv-type">{escape(reason)}</small>' if reason else ""
    name = f"{LABELS[traced.label][0]} {sentence_name(traced.sentence.index)}"
    return f'<span class="pv-m">{name}</span>{apart(inner)}{why}'


def answer_legend(audit: Audit, wrong: Sequence[Finding], outlined: str = "") -> str:
    """What the lines and marks of the answer mean, and what was set aside."""
    greyed = any(t.label is SentenceLabel.SET_ASIDE for t in audit.sentences)
    legend = piece(
        "legend", greyed=greyed, spans=bool(audit.spans), wrong=bool(wrong), outlined=outlined
    )
    aside = [(sentence_name(each.sentence), each.reason) for each in audit.evidence.set_aside]
    if not aside:
        return legend
    counted = audit.parameters.count_set_aside
    return legend + piece("set_aside", sentences=aside, counted=counted)


def spanned_text(
    text: str, start: int, spans: Sequence[HallucinatedSpan], wrong: Sequence[Finding] = ()
) -> str:
    """Underline the hallucinated parts of a piece of the answer, and mark words that are wrong."""
    inside = [
        (max(span.start - start, 0), min(span.end - start, len(text)), span)
        for span in spans
        if span.start < start + len(text) and span.end > start
    ]
    words = [
        (each.start - start, each.end - start, each)
        for each in wrong
        if start <= each.start and each.end <= start + len(text)
    ]
    places = [place for a, b, _ in (*inside, *words) for place in (a, b)]
    cuts = sorted({0, len(text), *places})
    pieces = []
    for a, b in pairwise(cuts):
        over = [span for first, last, span in inside if first <= a and b <= last]
        piece = escape(shown_turns(text[a:b]))
        for first, last, each in words:
            if first <= a and b <= last:
                piece = (
                    f'<mark class="pv-wrong" title="{escape(what_is_wrong(each))}">{piece}</mark>'
                )
        if over:
            names = ", ".join(dict.fromkeys(FINDINGS[span.type] for span in over))
            piece = f'<span class="pv-span {_kind(over[0])}" title="{names}">{piece}</span>'
        pieces.append(piece)
        pieces += [
            f'<small class="pv-type">{FINDINGS[span.type]}</small>'
            for _, last, span in inside
            if last == b
        ]
    return "".join(pieces)


def _kind(span: HallucinatedSpan) -> str:
    conflicts = (FindingType.EVIDENT_CONFLICT, FindingType.SUBTLE_CONFLICT)
    return "conflict" if span.type in conflicts else "baseless"


def spans_markup(audit: Audit) -> str:
    """List the hallucinated spans. HTML: text, type, place, and how unsupported each is."""
    answer = audit.evidence.answer
    found = [
        (span, _kind(span), answer[span.start : span.end], FINDINGS[span.type])
        for span in audit.spans
    ]
    return STYLE + piece("spans", found=found)


def alternatives_markup(audit: Audit) -> str:
    """Write the score under each rule of the NLI matrix. HTML; "" for other detectors."""
    lines = [
        f"{each.label}: {each.score:.3f}, "
        f"{STATES[each.state][1].lower()}{' (this audit)' if each.shown else ''}"
        for each in alternatives(audit)
    ]
    return STYLE + piece("alternatives", lines=lines) if lines else ""


def badges(audit: Audit, traced: TracedSentence) -> str:
    """Write a badge where only a dropped chunk supports a sentence, and for each missing detail."""
    return piece("badges", texts=_doubts(audit, traced))


def _doubts(audit: Audit, traced: TracedSentence) -> list[str]:
    found = [SELECTION_MISS] if traced.selection_miss else []
    return found + [missing_text(audit, traced, detail) for detail in traced.missing_details]


def marked_text(text: str, parts: Sequence[tuple[int, int, str]]) -> str:
    """Mark parts of a text."""
    cuts = sorted({0, len(text), *(min(max(p, 0), len(text)) for a, b, _ in parts for p in (a, b))})
    pieces = []
    for start, end in pairwise(cuts):
        over = [name for a, b, name in parts if a <= start and end <= b]
        piece = escape(shown_turns(text[start:end]))
        if over:
            names = " ".join(dict.fromkeys(filter(None, over)))
            piece = f'<mark class="{names}">{piece}</mark>' if names else f"<mark>{piece}</mark>"
        pieces.append(piece)
    return "".join(pieces)


def chunk_markup(audit: Audit, chunk_index: int, start: int, end: int) -> str:
    """Write a chunk with a part of it highlighted."""
    chunk = audit.evidence.chunks[chunk_index]
    text = marked_text(chunk.text, [(start - chunk.start, end - chunk.start, "")])
    return f'{STYLE}<div class="pv-chunk">{text}</div>'


def cell_markup(audit: Audit, sentence: int, chunk: int, start: int, end: int) -> str:
    """Write a sentence of the answer, and below it the place of a chunk and its text by
    :func:`chunk_markup`."""
    traced = audit.sentences[sentence]
    said = sentence_inside(audit, traced, ())
    return (
        f'{STYLE}<div class="pv-answer"><span class="pv-s {traced.label}">{said}</span></div>'
        f"<small>{titled_place(audit, chunk)}</small>{chunk_markup(audit, chunk, start, end)}"
    )


_LEADS = {
    SentenceLabel.SUPPORTED: "Supported by",
    SentenceLabel.NOT_FOUND: "Not supported. Nearest evidence:",
    SentenceLabel.SET_ASIDE: "Nothing to check. Nearest text:",
}


def evidence_lead(audit: Audit, traced: TracedSentence) -> str:
    """What the evidence of a sentence is to it."""
    if traced.label is SentenceLabel.CONTRADICTED:
        return against_text(audit, traced)
    return "Supported only by" if traced.selection_miss else _LEADS[traced.label]


def chunk_place(audit: Audit, chunk: int) -> str:
    """Name a chunk and its context item."""
    dropped = "" if audit.sources[chunk].selected else " (dropped by selection)"
    item = audit.evidence.chunks[chunk].item + 1
    return f"{chunk_name(chunk)}{dropped}, {items_called(audit.parameters.detector)} {item}"


def titled_place(audit: Audit, chunk: int) -> str:
    """Name a chunk and its context item, with the title of that. HTML."""
    item = audit.evidence.chunks[chunk].item
    return chunk_place(audit, chunk) + in_brackets(audit.evidence.context[item].name)


def also_named(audit: Audit, traced: TracedSentence, shown: int) -> str:
    """Name the chunks that stand beside a sentence with the one ``shown`` (index), to be read
    behind its place; "" where none does."""
    others = dict.fromkeys(each.chunk for each in other_passages(audit, traced))
    names = [chunk_name(chunk) for chunk in others if chunk != shown]
    lead = ", read together with" if traced.together else " and"
    return f"{lead} {' and '.join(names)}" if names else ""


def evidence_markup(audit: Audit, traced: TracedSentence) -> str:
    """Write a sentence, what became of it, and its nearest evidence."""
    chunk = audit.evidence.chunks[traced.evidence_chunk]
    item = audit.evidence.context[chunk.item]
    start, end = strip_bounds(audit.evidence.answer, traced.sentence.start, traced.sentence.end)
    return STYLE + piece(
        "evidence",
        label=traced.label,
        name=f"{LABELS[traced.label][0]} {sentence_name(traced.sentence.index)}",
        text=traced.sentence.text.strip(),
        marks=_doubts(audit, traced),
        numbers=f"characters {start}–{end} of the answer · {numbers_text(audit, traced)}",
        place=f"{evidence_lead(audit, traced)} {chunk_place(audit, chunk.index)}",
        item=item.name,
        characters=f"{traced.evidence_start}–{traced.evidence_end}",
        passage=item.text[traced.evidence_start : traced.evidence_end],
        together=_together(audit, traced),
    )


def _together(audit: Audit, traced: TracedSentence) -> list[tuple[str, str]]:
    """Place and text of the other passages that stand beside the one that is shown."""
    called = items_called(audit.parameters.detector)
    lead = "Read together with" if traced.together else "And"
    return [
        (
            f"{lead} {chunk_name(each.chunk)}, {called} {each.item + 1}, "
            f"characters {each.start}–{each.end}",
            each.text,
        )
        for each in other_passages(audit, traced)
    ]
