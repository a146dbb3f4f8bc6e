"""HTML of an audit's parts. Every text of the user goes through :func:`html.escape`."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from provenance_core import Audit, ClaimForm
from provenance_core.types import Notice, SentenceLabel, TracedSentence

from .tables import shortened
from .wording import LABELS, VERDICTS, chunk_name, sentence_name, status

# Translucent, so that they hold on a light and on a dark page; hues differ in lightness too.
STYLE = """
<style>
.pv-verdict{padding:.7rem 1rem;border-radius:.5rem;border-left:.5rem solid;margin-bottom:.5rem}
.pv-verdict b{font-size:1.4rem}
.pv-verdict.supported{border-color:#0b8a6b;background:rgba(11,138,107,.14)}
.pv-verdict.hallucinated{border-color:#d1495b;background:rgba(209,73,91,.14)}
.pv-answer,.pv-chunk{line-height:1.75;white-space:pre-wrap;overflow-wrap:anywhere}
.pv-s{border-radius:.25rem;padding:.1rem .15rem}
.pv-s.supported{background:rgba(11,138,107,.18);border-bottom:2px solid #0b8a6b}
.pv-s.contradicted{background:rgba(209,73,91,.22);border-bottom:2px double #d1495b}
.pv-s.set_aside{opacity:.75;border-bottom:1px dotted}
.pv-s.not_found{background:rgba(224,159,62,.22);border-bottom:2px dashed #c77d0a}
.pv-m{font-weight:700;font-size:.8em;margin-right:.25em}
.pv-badge{display:inline-block;border:1px solid currentColor;border-radius:1rem;
 padding:0 .5rem;margin:0 .25rem .15rem 0;font-size:.85em}
.pv-chunk{padding:.6rem .8rem;border:1px solid rgba(128,128,128,.4);border-radius:.4rem;
 max-height:22rem;overflow:auto}
.pv-chunk mark{background:rgba(255,200,0,.4);color:inherit;border-bottom:2px solid #c77d0a}
.pv-legend{font-size:.85em;opacity:.85}
.pv-claims{overflow-wrap:anywhere}
</style>
"""


def verdict_banner(audit: Audit) -> str:
    """Verdict, score, threshold and margin."""
    symbol, name = VERDICTS[audit.verdict]
    return (
        f'{STYLE}<div class="pv-verdict {audit.verdict}" role="status"><b>{symbol} {name}</b><br>'
        f"score {audit.score:.3f} · threshold {audit.parameters.threshold:.3f} · "
        f"margin {audit.margin:+.3f}</div>"
    )


def notices_markup(notices: Sequence[Notice]) -> str:
    """What the reader must know about how the audit was made."""
    return STYLE + "".join(
        f'<div class="pv-legend">ⓘ {escape(notice.message)}</div>' for notice in notices
    )


def claims_markup(audit: Audit) -> str:
    """Which claims the formula speaks of: the claim prompt as it was read, or the sentences."""
    first = audit.claims[0].claim
    if first.form is ClaimForm.PROMPT:
        body = f"claim 1, in the claim prompt: {escape(first.text)}"
    elif len(audit.claims) == 1:
        body = "claim 1 is the answer's one sentence, S1"
    else:
        body = f"the claims are the answer's sentences: claim 1 is S1, … S{len(audit.claims)}"
    return f'{STYLE}<div class="pv-legend pv-claims">{body}</div>'


def answer_markup(audit: Audit) -> str:
    """The answer, every sentence coloured, underlined and marked with a symbol."""
    parts = []
    for traced in audit.sentences:
        symbol = LABELS[traced.label][0]
        text = traced.sentence.text
        body = text.rstrip()
        title = f"{sentence_name(traced.sentence.index)}: {status(traced)}"
        parts.append(
            f'<span class="pv-s {traced.label}" title="{escape(title)}">'
            f'<span class="pv-m">{symbol} {sentence_name(traced.sentence.index)}</span>'
            f"{escape(body)}</span>{escape(text[len(body) :])}"
        )
    aside = any(traced.label is SentenceLabel.SET_ASIDE for traced in audit.sentences)
    legend = (
        '<p class="pv-legend">✓ supported by a source (solid line) · ✗ contradicted by a source '
        "(double line) · ? not found in the sources (dashed line)"
        + (" · – set aside, nothing to check (dotted line)" if aside else "")
        + "</p>"
    )
    return f'{STYLE}<div class="pv-answer">{"".join(parts)}</div>{legend}'


def set_aside_markup(audit: Audit) -> str:
    """Each sentence that states nothing to check, and why."""
    rows = "".join(
        f"<li>{sentence_name(found.sentence)}, {escape(found.reason)}: "
        f"{escape(audit.evidence.sentences[found.sentence].text.strip())}</li>"
        for found in audit.evidence.set_aside
    )
    return f"{STYLE}<ul>{rows}</ul>"


def badges(traced: TracedSentence) -> str:
    """A badge for a source-selection miss and for each missing number, date or name."""
    found = ["source-selection miss"] if traced.selection_miss else []
    found += [f"{d.kind} not in the context: {d.text}" for d in traced.missing_details]
    return "".join(f'<span class="pv-badge">⚠ {escape(text)}</span>' for text in found)


def marked_text(text: str, parts: Sequence[tuple[int, int, str]]) -> str:
    """``text``, escaped, with the characters [start, end) of each part marked.

    A part is (start, end, class of the mark or ''); where parts overlap, the classes add up.
    """
    cuts = sorted({0, len(text), *(min(max(p, 0), len(text)) for a, b, _ in parts for p in (a, b))})
    pieces = []
    for start, end in pairwise(cuts):
        over = [name for a, b, name in parts if a <= start and end <= b]
        piece = escape(text[start:end])
        if over:
            names = " ".join(dict.fromkeys(filter(None, over)))
            piece = f'<mark class="{names}">{piece}</mark>' if names else f"<mark>{piece}</mark>"
        pieces.append(piece)
    return "".join(pieces)


def chunk_markup(audit: Audit, chunk_index: int, start: int, end: int) -> str:
    """A chunk's text with the characters [start, end) of its item highlighted."""
    chunk = audit.evidence.chunks[chunk_index]
    text = marked_text(chunk.text, [(start - chunk.start, end - chunk.start, "")])
    return f'{STYLE}<div class="pv-chunk">{text}</div>'


def evidence_markup(audit: Audit, traced: TracedSentence) -> str:
    """A sentence, what became of it, and its evidence, or the nearest that there is."""
    chunk = audit.evidence.chunks[traced.evidence_chunk]
    item = audit.evidence.context[chunk.item]
    evidence = item.text[traced.evidence_start : traced.evidence_end]
    symbol = LABELS[traced.label][0]
    relation = {
        "supported": "Supported by",
        "contradicted": "Contradicted by",
        "not_found": "Nearest evidence, in",
        "set_aside": "Nearest evidence, in",
    }
    lead = "Supported only by" if traced.selection_miss else relation[str(traced.label)]
    dropped = "" if audit.sources[chunk.index].selected else " (dropped by selection)"
    place = f"{chunk_name(chunk.index)}{dropped}, context item {item.index + 1}"
    if item.name:
        place += f" ({item.name})"
    return (
        f'{STYLE}<div class="pv-answer"><span class="pv-s {traced.label}"><span class="pv-m">'
        f"{symbol} {sentence_name(traced.sentence.index)}</span>"
        f"{escape(traced.sentence.text.strip())}</span>\n"
        + (f"{marks}\n" if (marks := badges(traced)) else "")
        + f"<small>characters {traced.sentence.start}–{traced.sentence.end} of the answer · "
        f"by the sources: support {traced.support:.3f} · "
        f"contradiction {traced.contradiction:.3f}</small>\n"
        f"<small>{lead} {escape(place)}, characters {traced.evidence_start}–{traced.evidence_end}:"
        f"</small>\n<q>{escape(evidence)}</q></div>"
    )


def one_line(text: str, most: int = 220) -> str:
    """``text`` on one line, escaped, with an ellipsis when longer than ``most``."""
    return escape(shortened(text, most))
