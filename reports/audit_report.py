"""A standalone HTML report of one audit, without a script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provenance_core import Audit
from provenance_core.audit.serialization import to_plain
from provenance_core.review.types import Review
from provenance_core.types import Floats, ModelInfo
from reports import markup
from reports.charts import WHOLE_ANSWER, Shown, shown_part
from reports.explanation import verdict_sentence
from reports.formulas import formula_lines
from reports.page import render_page
from reports.pair_tokens import cut_lines, longest_pairs
from reports.quantities import (
    CELL_VERDICTS,
    Quantity,
    answer_cells,
    answer_values,
    cell_numbers,
    cell_strength,
    cell_values,
    own_quantity,
)
from reports.review_wording import CHUNK_MARKS, JUDGED, TYPES
from reports.wording import (
    STATES,
    chunk_name,
    detector_title,
    items_called,
    sentence_name,
    status,
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
        models=[to_plain(model) for model in (*models, *judge)],
        cuts=cut_lines(audit.evidence),
        longest=longest_pairs(audit.evidence),
    )


def _rows(audit: Audit, shown: Shown, quantity: Quantity) -> list[CellRow]:
    """The table of sentences by chunks, below them the whole answer where it was scored."""
    values, cells = cell_values(audit, quantity), audit.evidence.sentence_scores.values
    model = audit.evidence.nli_model

    def cell(value: float, numbers: Floats) -> Cell:
        return _cell(quantity, value, numbers, model, audit.parameters.threshold)

    rows = [
        CellRow(
            sentence_name(s),
            tuple(cell(values[s, c], cells[s, c]) for c in shown.chunks),
            status(audit.sentences[s]),
        )
        for s in shown.sentences
    ]
    whole = zip(answer_values(audit, quantity), answer_cells(audit), strict=True)
    rows += [
        CellRow(WHOLE_ANSWER, tuple(cell(v[c], e[c]) for c in shown.chunks), "") for v, e in whole
    ]
    return rows


def _cell(
    quantity: Quantity, value: float, numbers: Floats, model: ModelInfo, threshold: float
) -> Cell:
    said = ", ".join(cell_numbers(numbers, model))
    if quantity is Quantity.VERDICT:
        verdict = CELL_VERDICTS[int(value)]
        return Cell(said.replace(", ", " · "), verdict.name, _rgba(verdict.rgb, 0.4))
    bad = quantity is Quantity.CONTRADICTION or value < 0
    number = f"{value:+.2f}" if quantity is Quantity.BALANCE else f"{value:.2f}"
    strength = cell_strength(quantity, value, threshold)
    return Cell(number, said, _rgba(CELL_VERDICTS[2 if bad else 0].rgb, strength * 0.6))


def _rgba(rgb: tuple[int, int, int], opacity: float) -> str:
    return f"rgba({rgb[0]},{rgb[1]},{rgb[2]},{opacity:.2f})"
