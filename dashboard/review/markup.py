"""HTML of the review page. Every text of the user goes through :func:`html.escape`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from html import escape

from dashboard.review.draft import Draft, draft_of
from dashboard.shared.components import script
from provenance_core import Audit
from provenance_core.detectors import chunk_name, measures_relevance
from provenance_core.explain import figures_text
from provenance_core.explain.language import UNREAD_NOTE
from provenance_core.explain.names import sentence_name
from provenance_core.review.types import Review
from provenance_core.text.splitting import strip_bounds
from provenance_core.types import TracedSentence
from reports.directions import apart, in_brackets
from reports.judged_elsewhere import VERDICT_ALONE, verdicts_text
from reports.markup import STYLE, badges, marked_text
from reports.review_wording import CHUNK_MARKS, JUDGED, TYPES
from reports.style_sheets import style_sheet
from reports.unread_language import is_unread, state_classes
from reports.wording import LABELS, STATES, status, verdict_then
from storage import Opinion

_MARKS_STYLE = """
<style>
.pv-you{border:1px solid currentColor;border-radius:1rem;padding:0 .4rem;margin:0 .25rem;
 font-size:.8em;white-space:nowrap}
.pv-s mark.pv-span{background:rgba(120,80,200,.3);color:inherit;border-bottom:3px dotted #7850c8}
</style>
"""
# Of answer and chunks, in pixels, where the style below is not understood.
TEXT_HEIGHT = 240
# The page is one screen: less white space around it than on the others, and the texts take what
# the rest of the page leaves of the window. In a narrow window, where the columns stand below each
# other, they are as high as what they hold, up to a share of the window.
_PAGE_STYLE = style_sheet(__file__)


def page_style() -> str:
    """The styles of the page and its title, which readers of the screen hear; drawn once, before
    all else."""
    return STYLE + _MARKS_STYLE + _PAGE_STYLE + '<h1 class="pv-heard">Review</h1>'


def scroll_to_focus(audit_id: int, sentence: int, chunk: int) -> str:
    """A script of ours, with no text of a user in it."""
    return script(__file__, "scroll_to_focus", audit=audit_id, sentence=sentence, chunk=chunk)


def machine_markup(audit: Audit, *, seen_before: bool) -> str:
    """The machine's verdict and score, on one line; after it, why blind mode does not hide them
    where they were ``seen_before``."""
    symbol, name = STATES[audit.state]
    figures = figures_text(audit)
    seen = " · you have seen it, so your judgement does not count as blind"
    return (
        f'<div class="pv-machine {state_classes(audit)}">The machine: <b>{symbol} {name}</b>'
        + (f", {UNREAD_NOTE}" if is_unread(audit) else "")
        + (f" · {figures}" if figures else "")
        + f"{seen if seen_before else ''}</div>"
    )


def hidden_markup() -> str:
    """In place of the machine's view."""
    return (
        '<div class="pv-machine hidden">Blind: the machine\'s verdict, score, labels and evidence, '
        "and judgements in other audits, are hidden until you save your judgement.</div>"
    )


def elsewhere_markup(said: Sequence[Opinion]) -> str:
    """What reviewers said of the answer in other audits of it, on one line; "" without any."""
    if not said:
        return ""
    return (
        f'<div class="pv-elsewhere" title="{escape(VERDICT_ALONE)}">Already judged: '
        f"{escape(verdicts_text(said))}. Only the verdict counts here, not its marks.</div>"
    )


def query_markup(query: str) -> str:
    """The query, in at most two lines."""
    text = escape(query.strip()) or "<i>no query</i>"
    return f'<div class="pv-query"><b>Query</b> {text}</div>'


def sentences_markup(audit: Audit, draft: Draft, focus: int, *, machine: bool) -> str:
    """The answer sentence by sentence with the reviewer's marks; labels if ``machine``."""
    return (
        '<div class="pv-answer">'
        + "".join(
            _sentence(
                traced,
                draft,
                traced.sentence.index == focus,
                machine,
                "you ",
                badges(audit, traced) if machine and traced.sentence.index == focus else "",
            )
            for traced in audit.sentences
        )
        + "</div>"
    )


def _sentence(
    traced: TracedSentence,
    draft: Draft,
    focused: bool,
    machine: bool,
    whose: str = "",
    more: str = "",
) -> str:
    """A sentence with a reviewer's marks; ``whose`` stands before the verdict, ``more``, HTML,
    behind it."""
    sentence = traced.sentence
    # The white space at the ends stands outside, so that a mark is on its sentence's line.
    before, after = strip_bounds(sentence.text, 0, len(sentence.text))
    start = sentence.start + before
    spans = [
        (span.start - start, span.end - start, "pv-span")
        for span in draft.spans
        if span.start < sentence.end and sentence.start < span.end
    ]
    name, classes, title = sentence_name(sentence.index), "pv-s", ""
    place = f' data-sentence="{sentence.index}"'
    if machine:
        name = f"{LABELS[traced.label][0]} {name}"
        classes += f" {traced.label}"
        title = f' title="{escape(f"the machine: {status(traced)}")}"'
    if focused:
        classes += " pv-focus"
    judged = draft.sentence(sentence.index)
    said = ""
    if judged is not None:
        kind = "" if judged.type is None else f": {TYPES[judged.type]}"
        said = f'<span class="pv-you">{whose}{JUDGED[judged.verdict][0]}{kind}</span>'
    return (
        f"{escape(sentence.text[:before])}"
        f'<span class="{classes}"{title}{place}><span class="pv-m">{name}</span>'
        f'<span class="pv-t" data-start="{start}">'
        f"{apart(marked_text(sentence.text[before:after], spans))}</span></span>{said}{more}"
        f"{escape(sentence.text[after:])}"
    )


# What a chunk is to the sentences whose evidence it is, by whether nothing is about them.
_CHUNK_IS = {"nearest evidence for": False, "not about, but nearest to": True}


def chunks_markup(
    audit: Audit,
    shown: Sequence[int],
    draft: Draft,
    chunk: int,
    sentence: int,
    *,
    machine: bool,
    foreign: Set[int] = frozenset(),
) -> str:
    """The chunks ``shown``, the one in focus outlined, with the reviewer's marks. If ``machine``,
    with the evidence of every sentence lit, that of the one in focus brighter, but for the
    sentences that nothing in the context is about, ``foreign``."""
    return "".join(_chunk(audit, c, draft, c == chunk, sentence, machine, foreign) for c in shown)


def _chunk(
    audit: Audit,
    index: int,
    draft: Draft,
    focused: bool,
    sentence: int,
    machine: bool,
    foreign: Set[int],
) -> str:
    """A chunk. ``foreign``: the sentences that nothing in the context is about."""
    source = audit.sources[index]
    chunk = source.chunk
    item = audit.evidence.context[chunk.item]
    head = f"<b>{chunk_name(index)}</b> · context item {item.index + 1}"
    head += in_brackets(item.name)
    parts: list[tuple[int, int, str]] = []
    if machine:
        if measures_relevance(audit):
            head += f" · relevance probability {source.probability:.2f}"
        head += "" if source.selected else " · dropped"
        here = [t for t in audit.sentences if t.evidence_chunk == index]
        if here:
            for what, nothing in _CHUNK_IS.items():
                named = [t.sentence.index for t in here if (t.sentence.index in foreign) == nothing]
                if named:
                    head += f" · {what} {', '.join(map(sentence_name, named))}"
        parts = [
            (
                t.evidence_start - chunk.start,
                t.evidence_end - chunk.start,
                "pv-now" if t.sentence.index == sentence else "",
            )
            for t in here
            if t.sentence.index not in foreign
        ]
        parts += [
            (
                t.evidence_too.start - chunk.start,
                t.evidence_too.end - chunk.start,
                "pv-now" if t.sentence.index == sentence else "",
            )
            for t in audit.sentences
            if t.evidence_too is not None
            and t.evidence_too.chunk == index
            and t.sentence.index not in foreign
        ]
    if (mark := draft.chunk(index)) is not None:
        head += f'<span class="pv-you">you {CHUNK_MARKS[mark][0]} {CHUNK_MARKS[mark][1]}</span>'
    return (
        f'<div class="pv-c{" pv-focus" if focused else ""}"><small>{head}</small>\n'
        f"{marked_text(chunk.text, parts)}</div>"
    )


def _keys(keys: Sequence[str]) -> str:
    return " ".join(f'<kbd style="white-space:nowrap">{key}</kbd>' for key in keys)


def legend_markup(what: str, keys: Mapping[str, str]) -> str:
    """What the buttons of one symbol and one key are for, in a line. ``keys``: the word of each."""
    said = " · ".join(f"<kbd>{key}</kbd> {escape(word)}" for key, word in keys.items())
    return f'<div class="pv-legend">{escape(what)}: {said}</div>'


def keys_markup(sheet: Sequence[tuple[Sequence[str], str]], *, marks: bool) -> str:
    """The cheat-sheet. ``marks``: whether sentences, chunks and words can be marked."""
    rows = "".join(
        f"<tr><td>{_keys(keys)}</td><td>{escape(what)}</td></tr>" for keys, what in sheet
    )
    of_marks = " Give a mark again to remove it. Enter in the span box marks the words."
    return (
        f"<table>{rows}</table><small>Single keys work outside text boxes; Tab leaves a box."
        f"{of_marks if marks else ''}</small>"
    )


def review_markup(review: Review, audit: Audit) -> str:
    """A version of a judgement, read-only, with the machine's verdict then."""
    judgement = review.judgement
    draft = draft_of(judgement)
    symbol, name = JUDGED[judgement.verdict]
    kind = "" if judgement.type is None else f" · {TYPES[judgement.type]}"
    reviewer = apart(escape(review.reviewer))
    lines = [
        f"<b>{reviewer}: {symbol} {name}</b>{kind} · version {review.version} · "
        f"{escape(review.created_at[:16].replace('T', ' '))} UTC"
        + (" · blind" if judgement.blind else "")
        + f" · machine verdict then: {verdict_then(review)}"
    ]
    if judgement.labels:
        lines.append(f"Labels: {apart(escape(', '.join(judgement.labels)))}")
    if judgement.comment:
        lines.append(f"Comment: {apart(escape(judgement.comment))}")
    if judgement.chunks:
        marks = ", ".join(f"{chunk_name(c.index)} {CHUNK_MARKS[c.mark][1]}" for c in draft.chunks)
        lines.append(f"Chunks: {marks}")
    answer = audit.evidence.answer
    lines += [
        f"Span, characters {s.start}–{s.end}, {TYPES[s.type]}: "
        f"<q>{apart(escape(answer[s.start : s.end]))}</q>"
        for s in judgement.spans
    ]
    body = "\n".join(lines)
    if judgement.sentences:
        body += "\n" + "".join(_sentence(t, draft, False, False) for t in audit.sentences)
    return f'{STYLE}{_MARKS_STYLE}<div class="pv-answer">{body}</div>'
