"""HTML of an answer with the evidence of one of its sentences beside it.

Each sentence is the label of a radio button, so that a click or an arrow key chooses it; style
sheets alone show the evidence of the chosen one, and no script runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from math import ceil

from provenance_core import Audit
from provenance_core.detectors import chunk_name
from provenance_core.explain.citations import citations_text, cited_sentences
from provenance_core.explain.names import sentence_name
from provenance_core.explain.numbers import numbers_text
from provenance_core.explain.sentences import SentenceReason, sentence_doubt
from provenance_core.explain.summary import Passage, other_passages
from provenance_core.explain.wrong_words import stands_instead
from provenance_core.scoring.support import claims_are_sentences
from provenance_core.text.splitting import strip_bounds
from provenance_core.types import SentenceLabel, TracedSentence
from reports.directions import in_brackets, shown_turns
from reports.markup import (
    STYLE,
    also_named,
    answer_legend,
    badges,
    evidence_lead,
    marked_text,
    sentence_inside,
    sentence_title,
    titled_place,
)
from reports.style_sheets import style_sheet
from reports.wording import items_called

_STYLE = STYLE + style_sheet(__file__)
# Of the evidence panel, for its height in a window of 1280 x 800: characters on a line, and the
# most lines before it scrolls.
_ON_A_LINE, _FEWEST_LINES, _MOST_LINES = 48, 4, 22
_REM_OF_A_LINE, _REM_AROUND = 1.6, 2.8
_LEAST_OF_A_PASSAGE = 2  # lines: its min-height above
_MOST_SHOWN = 1500  # characters of a chunk
_OUTLINED = "the sentence whose evidence is shown"
_TAG, _BLOCK = re.compile(r"<[^>]*>"), re.compile(r"</(?:p|div|summary)>")
_BESIDE = 120  # characters before and behind what is marked, until more is opened


def first_changed(before: str, after: Audit) -> int | None:
    """The index of the first sentence of a corrected answer that the answer before did not have, if
    any."""
    sentences = after.evidence.sentences
    return next((each.index for each in sentences if each.text.strip() not in before), None)


def opened_first(audit: Audit, flagged: Iterable[int]) -> int:
    """The index of the sentence whose evidence is open at first: the first that is ``flagged``
    (indices), else the first that is not set aside, else the first."""
    counted = (
        each.sentence.index for each in audit.sentences if each.label is not SentenceLabel.SET_ASIDE
    )
    return min(flagged, default=next(counted, 0))


def side_by_side(
    audit: Audit, reasons: Sequence[SentenceReason], name: str = "pv", chosen: int | None = None
) -> str:
    """Write the answer with its wrong words marked, and the evidence of each sentence, hidden until
    that is chosen. It stands next to the answer, or within it where there is little room."""
    why = {reason.traced.sentence.index: reason for reason in reasons}
    first = opened_first(audit, why) if chosen is None else chosen
    wrong = [words for reason in reasons for words in reason.wrong]
    parts, longest, opened = [], 0.0, 0.0
    citing = {each.sentence: each for each in cited_sentences(audit)}
    for traced in audit.sentences:
        index, text = traced.sentence.index, traced.sentence.text
        cited = citing.get(index)
        before, after = strip_bounds(text, 0, len(text))
        checked = " checked" if index == first else ""
        said = "" if cited is None else cited.said
        panel, lines, more = _evidence(audit, traced, why.get(index), said)
        longest, opened = max(longest, lines), max(opened, lines + more)
        parts.append(
            f'{escape(text[:before])}<input type="radio" name="{name}-sentence" '
            f'id="{name}-s{index}"'
            f'{checked}><label for="{name}-s{index}" class="pv-s {traced.label}" '
            f'title="{escape(sentence_title(audit, traced))}">'
            f"{sentence_inside(audit, traced, wrong, cited)}</label>{panel}{escape(text[after:])}"
        )
    citations = citations_text(audit)
    below = f'<p class="pv-legend">{escape(citations)}</p>' if citations else ""
    return (
        f'{_STYLE}<div class="pv-room">'
        f'<div class="pv-pair" style="--pv-height:{_panel_height(longest):.1f}rem;'
        f'--pv-opened:{_rem_of(opened):.1f}rem">'
        f'<div class="pv-answer" role="radiogroup" '
        f'aria-label="Sentences of the answer, with the evidence of the chosen one">'
        f"{''.join(parts)}</div>{answer_legend(audit, wrong, _OUTLINED)}</div></div>{below}"
    )


def evidence_shown(audit: Audit, traced: TracedSentence, reason: SentenceReason | None) -> int:
    """The index of the chunk that stands next to a sentence: its evidence; where that says nothing
    against its wrong words, the first chunk that does."""
    against = [
        each.chunk
        for each in (reason.wrong if reason is not None else ())
        if each.chunk is not None and stands_instead(each)
    ]
    return against[0] if against and traced.evidence_chunk not in against else traced.evidence_chunk


def _evidence(
    audit: Audit, traced: TracedSentence, reason: SentenceReason | None, cited: str
) -> tuple[str, float, float]:
    """The panel of a sentence, about how many lines it has at 1280 pixels, and how many more when
    it is opened: why the sentence is not supported, what is wrong with its citations, then the
    passage, so that no length of it hides why."""
    name = sentence_name(traced.sentence.index)
    numbers = escape(numbers_text(audit, traced))
    why = ""
    if reason is not None:
        said = f"{reason.said[:1].upper()}{reason.said[1:]}."
        why = f"<p>{escape(said)}</p>"
        if traced.selection_miss:
            why += "<p>It counts as soon as more sources are kept.</p>"
        elif not reason.wrong:  # which would name the missing details
            why += badges(audit, traced)
    elif doubt := sentence_doubt(audit, traced):
        why = f"<p>Compare them all the same: {escape(doubt)}.</p>"
    if cited:
        why += f"<p>{escape(cited)}</p>"
    if reason is not None and not reason.about_it:
        lead = "No passage has more than a tenth of its content words."
        # That is all that the reason says too, where no words of the sentence are named.
        body, lines = f'<p class="pv-lead">{name}: {lead}</p>', 1.0
        body += why if reason.wrong or cited else badges(audit, traced)
        shown, hidden = "", ""
    else:
        heading, shown, hidden = _passage(audit, traced, reason)
        body, lines = f"{heading}{why}{shown}", _lines_of(heading)
    read = _read_as(audit, traced)
    lines += sum(_lines_of(text) for text in (why, read, numbers))
    more = _lines_of(hidden)
    if shown:
        lines += max(_lines_of(shown) - more, _LEAST_OF_A_PASSAGE)
    return (
        f'<div class="pv-e"><div class="pv-e-in" role="region" tabindex="0" '
        f'aria-label="Evidence for {name}">{body}{read}<p><small>{numbers}</small></p></div></div>'
    ), lines, more  # fmt: skip


def _read_as(audit: Audit, traced: TracedSentence) -> str:
    """What the models read in the place of a sentence that says little by itself, such as "Yes." or
    one with a pronoun; "" where they read the sentence."""
    if not claims_are_sentences(audit.evidence):
        return ""
    claim = audit.evidence.claims[traced.sentence.index].text.strip()
    if not claim or claim in traced.sentence.text:
        return ""
    return f"<p><small>Read as “{escape(shown_turns(claim))}”</small></p>"


def _lines_of(markup: str) -> int:
    blocks = (_TAG.sub("", block) for block in _BLOCK.split(markup))
    return sum(ceil(len(block) / _ON_A_LINE) for block in blocks)


def _panel_height(lines: float) -> float:
    """Of the panel with this many lines, in the letters' size (rem)."""
    return _rem_of(min(max(lines, _FEWEST_LINES), _MOST_LINES))


def _rem_of(lines: float) -> float:
    return lines * _REM_OF_A_LINE + _REM_AROUND


def _passage(
    audit: Audit, traced: TracedSentence, reason: SentenceReason | None
) -> tuple[str, str, str]:
    """The line that names the chunk beside a sentence, its text, and what of that is hidden."""
    against = [w for w in reason.wrong if stands_instead(w)] if reason is not None else []
    shown = evidence_shown(audit, traced, reason)
    chunk = audit.evidence.chunks[shown]
    place = titled_place(audit, shown) + also_named(audit, traced, shown)
    marks = [
        (words.chunk_start, words.chunk_end, "pv-instead")
        for words in against
        if words.chunk == shown
    ]
    if shown == traced.evidence_chunk:
        bounds = traced.evidence_start - chunk.start, traced.evidence_end - chunk.start
        marks.append((*bounds, ""))
    others = other_passages(audit, traced)
    marks += [
        (each.start - chunk.start, each.end - chunk.start, "")
        for each in others
        if each.item == chunk.item and chunk.start <= each.start and each.end <= chunk.end
    ]
    name = sentence_name(traced.sentence.index)
    text, hidden = _around(chunk.text, marks)
    opens = f"<summary>More of {chunk_name(shown)}</summary>" if hidden else ""
    opens = opens and f'<details class="pv-more">{opens}</details>'
    return (
        f'<p><span class="pv-lead">{name}: {evidence_lead(audit, traced)}</span> {place}</p>',
        f'<div class="pv-text">{text}</div>{opens}'
        + "".join(_other_passage(audit, each) for each in others if each.chunk != shown),
        hidden,
    )


def _other_passage(audit: Audit, passage: Passage) -> str:
    """A passage of another chunk, with the line that names it."""
    called = items_called(audit.parameters.detector)
    place = f"and {chunk_name(passage.chunk)}, {called} {passage.item + 1}"
    place += in_brackets(audit.evidence.context[passage.item].name)
    text = marked_text(passage.text[:_MOST_SHOWN], [(0, min(len(passage.text), _MOST_SHOWN), "")])
    more = " …" if len(passage.text) > _MOST_SHOWN else ""
    return f'<p>{place}</p><div class="pv-text">{text}{more}</div>'


def _around(text: str, marks: Sequence[tuple[int, int, str]]) -> tuple[str, str]:
    """What is marked of a text with a little beside it, and what stands hidden in it until it is
    opened: about ``_MOST_SHOWN`` characters in all, or the first mark. An ellipsis stands for what
    is not shown. HTML of both."""
    marked = min((start for start, _, _ in marks), default=0)
    end = max((end for _, end, _ in marks), default=0)
    first, last = _widened(text, max(marked, 0), min(max(end, 0), len(text)), _BESIDE)
    last = min(last, first + max(_MOST_SHOWN, marks[0][1] - first if marks else 0))
    start, stop = _widened(text, first, last, max(_MOST_SHOWN - (last - first), 0) // 2)

    def part(a: int, b: int, name: str = "") -> str:
        inside = marked_text(text[a:b], [(x - a, y - a, kind) for x, y, kind in marks])
        return f'<span class="{name}">{inside}</span>' if name and inside else inside

    rest = part(start, first, "pv-rest"), part(last, stop, "pv-rest")
    ends = ("… ", first, start), (" …", last < len(text), stop < len(text))
    dots = [
        (sign if each else f'<span class="pv-dots">{sign}</span>') if cut else ""
        for sign, cut, each in ends
    ]
    before = dots[0] + rest[0] if start else rest[0] + dots[0]
    after = rest[1] + dots[1] if stop < len(text) else dots[1] + rest[1]
    return f"{before}{part(first, last)}{after}", "".join(rest)


def _widened(text: str, start: int, end: int, by: int) -> tuple[int, int]:
    """A part of a text with at most ``by`` characters more on each side, in whole words; to an end
    of the text where little would be left out."""
    first = 0 if start <= 2 * by else max(start - by, text.find(" ", start - by, start) + 1)
    if len(text) - end <= 2 * by:
        return first, len(text)
    word = text.rfind(" ", end, end + by + 1)
    return first, word if word > 0 else end + by
