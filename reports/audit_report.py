"""A standalone HTML report of one audit, without a script."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from provenance_core import Audit
from provenance_core.audit.serialization import to_plain
from provenance_core.review.types import Review
from reports import markup
from reports.charts import NO_SENTENCE, HeatmapRow, Shown, heatmap_rows, shown_part
from reports.explanation import verdict_sentence
from reports.formulas import formula_lines
from reports.page import render_page
from reports.pair_tokens import cut_lines, longest_pairs
from reports.quantities import CELL_VERDICTS, Quantity, cell_value_text, own_quantity
from reports.review_wording import CHUNK_MARKS, JUDGED, TYPES
from reports.wording import (
    STATES,
    chunk_name,
    detector_title,
    figures_text,
    items_called,
    sentence_name,
    status,
    verdict_text,
)


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
    """Write the report of an audit.

    Parameters
    ----------
    audit : Audit
        An audit of any detector.
    reviews : Sequence[Review], default ()
        The judgements that it shows.
    corrected_from : int | None, default None
        Number of the audit whose answer is corrected in this one; None for most.

    Returns
    -------
    str
        One HTML document that loads nothing.
    """
    shown, quantity = shown_part(audit), own_quantity(audit)
    evidence = audit.evidence
    models = list(evidence.models)
    judge = [evidence.judge.model] if evidence.judge else []
    return render_page(
        "audit_report.html",
        audit=audit,
        reviews=reviews,
        corrected_from=corrected_from,
        verdict=STATES[audit.state],
        figures=figures_text(audit),
        verdict_text=verdict_text,
        verdict_sentence=verdict_sentence(audit),
        judged=JUDGED,
        finding=TYPES,
        chunk_marks=CHUNK_MARKS,
        answer=markup.answer_markup(audit),
        sentences=[markup.evidence_markup(audit, traced) for traced in audit.sentences],
        formula=formula_lines(audit),
        claims=markup.claims_markup(audit) + markup.alternatives_markup(audit),
        spans=markup.spans_markup(audit),
        detector=detector_title(audit.parameters.detector),
        items_called=items_called(audit.parameters.detector),
        shown=shown,
        quantity=quantity,
        rows=_rows(audit, shown, quantity),
        chunk_name=chunk_name,
        sentence_name=sentence_name,
        status=status,
        parameters=to_plain(audit.parameters),
        models=[
            {name: _written(value) for name, value in to_plain(model).items()}
            for model in (*models, *judge)
        ],
        cuts=cut_lines(audit.evidence),
        longest=longest_pairs(audit.evidence),
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


def _written(value: object) -> object:
    """A value of a setting; what is made of several as JSON."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value


def _cell(quantity: Quantity, row: HeatmapRow, chunk: int) -> Cell:
    said, value, tone = row.numbers(chunk), row.values[chunk], row.tones[chunk]
    if quantity is Quantity.VERDICT:
        verdict = CELL_VERDICTS[int(value)]
        return Cell(" · ".join(said), verdict.name, _rgba(verdict.rgb, 0.4))
    if np.isnan(tone):
        return Cell("–", ", ".join(said), _rgba(CELL_VERDICTS[0].rgb, 0))
    colour = _rgba(CELL_VERDICTS[2 if tone < 0 else 0].rgb, abs(tone) * 0.6)
    return Cell(cell_value_text(quantity, value), ", ".join(said), colour)


def _rgba(rgb: tuple[int, int, int], opacity: float) -> str:
    return f"rgba({rgb[0]},{rgb[1]},{rgb[2]},{opacity:.2f})"
