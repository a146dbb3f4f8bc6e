"""A standalone HTML report of one audit, without a script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from provenance_core import DETECTORS, Audit
from provenance_core.detectors import CONTEXT, chunk_name, measures_relevance
from provenance_core.explain.language import UNREAD_NOTE
from provenance_core.explain.method import contributions_text, sources_text
from provenance_core.explain.names import detector_title, sentence_name
from provenance_core.explain.verdict import figures_text, verdict_sentence
from provenance_core.review.types import Review
from reports import markup
from reports.charts import NO_SENTENCE, HeatmapRow, Shown, heatmap_rows, shown_part
from reports.formulas import formula_lines
from reports.glossary import tooltip
from reports.page import render_page
from reports.pair_tokens import cut_lines, longest_pairs
from reports.quantities import (
    CELL_VERDICTS,
    QUANTITY_MEANINGS,
    Quantity,
    cell_value_text,
    own_quantity,
)
from reports.review_wording import CHUNK_MARKS, JUDGED, TYPES
from reports.score_steps import answer_text, has_steps, sentence_steps, sentence_text
from reports.settings_table import figure_rows, model_rows, setting_rows
from reports.unread_language import UNREAD_SYMBOL, is_unread, state_classes
from reports.wording import STATES, items_called, moment_text, status, verdict_then


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the report's table. ``rgba``: red, green, blue and opacity, for CSS."""

    text: str
    title: str
    rgba: str


@dataclass(frozen=True, slots=True)
class CellRow:
    """A row of the report's table. ``result``: what became of the sentence, in words."""

    name: str
    cells: tuple[Cell, ...]
    result: str


def audit_report(
    audit: Audit, reviews: Sequence[Review] = (), corrected_from: int | None = None
) -> str:
    """Write the report of an audit. One HTML document that loads nothing."""
    shown, quantity = shown_part(audit), own_quantity(audit)
    longest = longest_pairs(audit.evidence)
    return render_page(
        "audit_report.html",
        audit=audit,
        reviews=reviews,
        corrected_from=corrected_from,
        verdict=STATES[audit.state],
        classes=state_classes(audit),
        unread=f"{UNREAD_SYMBOL} {UNREAD_NOTE.capitalize()}" if is_unread(audit) else "",
        figures=figures_text(audit),
        verdict_then=verdict_then,
        verdict_sentence=verdict_sentence(audit),
        judged=JUDGED,
        finding=TYPES,
        chunk_marks=CHUNK_MARKS,
        answer=markup.answer_markup(audit),
        sentences=[markup.evidence_markup(audit, traced) for traced in audit.sentences],
        steps=[sentence_text(audit, sentence_steps(audit, i)) for i in shown.sentences]
        if has_steps(audit)
        else [],
        answer_steps=answer_text(audit),
        formula=formula_lines(audit),
        claims=markup.claims_markup(audit) + markup.alternatives_markup(audit),
        spans=markup.spans_markup(audit),
        detector=detector_title(audit.parameters.detector),
        moment=moment_text,
        items_called=items_called(audit.parameters.detector),
        shown=shown,
        quantity=quantity,
        meaning=QUANTITY_MEANINGS[quantity],
        rows=_rows(audit, shown, quantity),
        about_sources=f"{sources_text(audit)} {contributions_text(audit)}",
        relevance=measures_relevance(audit),
        columns=_columns(audit, measures_relevance(audit), bool(longest)),
        chunk_name=chunk_name,
        sentence_name=sentence_name,
        status=status,
        settings=setting_rows(audit),
        models=model_rows(audit),
        weights=[(m.model_id, m.sha256) for m in audit.evidence.models if m.sha256],
        sizes=figure_rows(audit),
        cuts=cut_lines(audit.evidence),
        longest=longest,
    )


def _rows(audit: Audit, shown: Shown, quantity: Quantity) -> list[CellRow]:
    """The table of sentences by chunks, below them the whole answer where it was scored."""
    return [
        CellRow(
            row.name,
            tuple(_cell(quantity, row, chunk) for chunk in shown.chunks),
            "" if row.sentence == NO_SENTENCE else status(audit.sentences[row.sentence]),
        )
        for row in heatmap_rows(audit, shown, quantity)
    ]


def _columns(audit: Audit, relevance: bool, longest: bool) -> list[tuple[str, str]]:
    """The columns of the table of sources, each with what it means."""
    traits = DETECTORS[audit.parameters.detector].traits
    item = tooltip("context item") if traits.context == CONTEXT else f"One of the {traits.context}."
    return [
        ("chunk", tooltip("chunk")),
        (items_called(audit.parameters.detector), item),
        ("selected", tooltip("selected")),
        *([("relevance", tooltip("relevance score"))] if relevance else []),
        ("weight", tooltip("weight")),
        ("factuality", tooltip("factuality")),
        ("contribution", tooltip("contribution")),
        *([("longest pair", tooltip("longest pair"))] if longest else []),
    ]


def _cell(quantity: Quantity, row: HeatmapRow, chunk: int) -> Cell:
    if row.is_unread(chunk):
        return Cell("–", ", ".join(row.counted(chunk)), _rgba(CELL_VERDICTS[0].rgb, 0))
    said, value, tone = row.counted(chunk), row.values[chunk], row.tones[chunk]
    if quantity is Quantity.VERDICT:
        verdict = CELL_VERDICTS[int(value)]
        return Cell(" · ".join(row.numbers(chunk)), verdict.name, _rgba(verdict.rgb, 0.4))
    if np.isnan(tone):
        return Cell("–", ", ".join(said), _rgba(CELL_VERDICTS[0].rgb, 0))
    colour = _rgba(CELL_VERDICTS[2 if tone < 0 else 0].rgb, abs(tone) * 0.6)
    return Cell(cell_value_text(value), ", ".join(said), colour)


def _rgba(rgb: tuple[int, int, int], opacity: float) -> str:
    return f"rgba({rgb[0]},{rgb[1]},{rgb[2]},{opacity:.2f})"
