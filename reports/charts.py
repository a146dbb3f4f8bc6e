"""Plotly figures of an audit. Texts of the user enter them escaped: Plotly reads tags in labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import wrap
from typing import Any

import numpy as np
import plotly.graph_objects as go

from provenance_core import Audit
from provenance_core.detectors import chunk_name, measures_relevance
from provenance_core.explain.names import sentence_name
from provenance_core.text.list_markers import marker_length
from provenance_core.types import Chunk, Floats, ModelInfo
from reports.colours import (
    AMBER,
    GREY,
    HALLUCINATED,
    INKS,
    NOTHING,
    PINK,
    SUPPORTED,
    TEAL,
    Rgb,
    ink_on,
    mixed,
    rgb_of,
)
from reports.directions import without_turns
from reports.plot_text import plot_text
from reports.quantities import (
    CELL_VERDICTS,
    Quantity,
    answer_cells,
    answer_tones,
    answer_values,
    cell_numbers,
    cell_tones,
    cell_value_text,
    cell_values,
    counted_scores,
    pair_numbers,
)
from reports.wording import LABELS, UNREAD

MOST_CHUNKS = 60
_SOURCES_FRAME, _SOURCE_ROW = 120, 44  # pixels around the bars of the sources, and of one's four
MOST_SENTENCES = 60


@dataclass(frozen=True, slots=True)
class Shown:
    """Which chunks and sentences a figure draws, in original order, of how many."""

    chunks: tuple[int, ...]
    sentences: tuple[int, ...]
    all_chunks: int
    all_sentences: int

    @property
    def complete(self) -> bool:
        """Whether nothing is left out."""
        return len(self.chunks) == self.all_chunks and len(self.sentences) == self.all_sentences


def shown_part(audit: Audit) -> Shown:
    """Choose what a chart has room for: evidence chunks, then the most relevant, up to 60; the
    first 60 sentences."""
    sentences = tuple(range(min(len(audit.sentences), MOST_SENTENCES)))
    evidence = {audit.sentences[i].evidence_chunk for i in sentences}
    order = sorted(
        audit.sources, key=lambda s: (s.chunk.index not in evidence, not s.selected, -s.probability)
    )
    chunks = tuple(sorted(s.chunk.index for s in order[:MOST_CHUNKS]))
    return Shown(chunks, sentences, len(audit.sources), len(audit.sentences))


WHOLE_ANSWER = "answer"
# Instead of a sentence's index in a point of the row of the whole answer.
NO_SENTENCE = -1


@dataclass(frozen=True, slots=True)
class HeatmapRow:
    """A row of the heatmap. ``sentence``: its index, or ``NO_SENTENCE``; the rest by chunk.
    ``tones``: what the colours show, NaN where the sentence is set aside and where the pair was
    not read, (N,). ``probabilities``: entailment, neutral and contradiction, (N, 3). ``said``: what
    counted of each cell, in words and numbers; none of the whole answer."""

    name: str
    sentence: int
    values: Floats
    tones: Floats
    probabilities: Floats
    model: ModelInfo
    said: tuple[tuple[str, ...], ...] = ()

    def is_unread(self, chunk: int) -> bool:
        """Whether no model read the pair."""
        return bool(np.isnan(self.probabilities[chunk][0]))

    def numbers(self, chunk: int) -> tuple[str, ...]:
        """Write the three probabilities of a cell, or that it was not read."""
        if self.is_unread(chunk):
            return (UNREAD,)
        return cell_numbers(self.probabilities[chunk], self.model)

    def counted(self, chunk: int) -> tuple[str, ...]:
        """Write what counted of a cell: of the whole answer its probabilities."""
        return self.said[chunk] if self.said else self.numbers(chunk)


def heatmap_rows(audit: Audit, shown: Shown, quantity: Quantity) -> list[HeatmapRow]:
    """Read a row for each sentence that is shown, and below them that of the whole answer where it
    was scored."""
    values, cells = cell_values(audit, quantity), counted_scores(audit.evidence)
    by_verdict = quantity is Quantity.VERDICT
    tones = values if by_verdict else cell_tones(audit, quantity)
    model, chunks = audit.evidence.nli_model, range(len(audit.evidence.chunks))
    rows = [
        HeatmapRow(
            sentence_name(s),
            s,
            values[s],
            tones[s],
            cells[s],
            model,
            tuple(pair_numbers(audit, s, chunk) for chunk in chunks),
        )
        for s in shown.sentences
    ]
    answer = answer_values(audit, quantity)
    own_tones = answer if by_verdict else answer_tones(audit, quantity)
    whole = zip(answer, own_tones, answer_cells(audit), strict=True)
    return rows + [HeatmapRow(WHOLE_ANSWER, NO_SENTENCE, v, t, c, model) for v, t, c in whole]


def heatmap(
    audit: Audit,
    shown: Shown,
    quantity: Quantity,
    chosen: tuple[int, int] | None = None,
    *,
    dark: bool = False,
) -> go.Figure:
    """Draw sentences x chunks, and below them the whole answer where it was scored. Rows and
    columns carry the first words of what they stand for, and its text on hover. A heatmap trace
    gives Streamlit no selection, so invisible points lie on its cells; ``customdata`` of a point is
    [sentence index or ``NO_SENTENCE``, chunk index, text of the sentence, text of the chunk]."""
    rows = heatmap_rows(audit, shown, quantity)
    by_verdict = quantity is Quantity.VERDICT
    by_stance = quantity == audit.cells.measure
    scale = _verdict_scale(dark) if by_verdict else _shades(quantity, by_stance, dark)
    figure = go.Figure(
        go.Heatmap(
            x=list(range(len(shown.chunks))),
            y=list(range(len(rows))),
            # A cell stays empty of a sentence that is set aside, or of a chunk that was not read.
            z=[[_or_none(row.tones[c]) for c in shown.chunks] for row in rows],
            coloraxis="coloraxis",
            xgap=2,
            ygap=2,
            hoverinfo="skip",
        )
    )
    figure.update_layout(coloraxis=scale.axis)
    _add_points(figure, audit, rows, shown, quantity)
    if len(shown.chunks) <= 20:
        figure.add_traces([_numbers(rows, shown, quantity, scale, ink) for ink in INKS])
    if chosen is not None:
        _frame(figure, rows, shown, chosen)
    _lay_out(figure, audit, rows, shown, tall=by_verdict and len(shown.chunks) <= 20)
    return figure


def _add_points(
    figure: go.Figure, audit: Audit, rows: list[HeatmapRow], shown: Shown, quantity: Quantity
) -> None:
    """An invisible point on each cell, which can be chosen and tells the cell's texts."""
    points = [(y, x) for y in range(len(rows)) for x in range(len(shown.chunks))]
    # Each point holds its texts, and many points hold the texts many times.
    most = 8 if len(points) <= 300 else 2
    sentences = [_hover_text(_row_text(audit, row), most) for row in rows]
    texts = [_hover_chunk(audit, c, most) for c in shown.chunks]
    figure.add_scatter(
        x=[x for _, x in points],
        y=[y for y, _ in points],
        mode="markers",
        text=[_cell_text(rows[y], shown.chunks[x], quantity) for y, x in points],
        customdata=[[rows[y].sentence, shown.chunks[x], sentences[y], texts[x]] for y, x in points],
        hovertemplate=("<b>%{text}</b><br>%{customdata[2]}<br><br>%{customdata[3]}<extra></extra>"),
        # No wider than a narrow page's column, or the pointer would meet the next cell's point.
        marker={
            "symbol": "square",
            "size": max(6, min(34, 600 // len(shown.chunks))),
            "opacity": 0,
        },
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
    )


def _lay_out(
    figure: go.Figure, audit: Audit, rows: list[HeatmapRow], shown: Shown, *, tall: bool
) -> None:
    """Sizes and labels of the axes. ``tall``: whether cells hold a word over their number."""
    many = len(shown.chunks) > _MOST_WORDED
    figure.update_layout(
        height=int((90 if many else 150) + (62 if tall else 46) * len(rows)),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        clickmode="event+select",
        dragmode=False,
        hoverlabel={"align": "left"},
    )
    figure.update_yaxes(
        range=[len(rows) - 0.5, -0.5],
        tickvals=list(range(len(rows))),
        ticktext=[_row_label(audit, row) for row in rows],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(
        side="top",
        range=[-0.5, len(shown.chunks) - 0.5],
        tickvals=list(range(len(shown.chunks))),
        ticktext=[_column_label(audit, c, len(shown.chunks)) for c in shown.chunks],
        tickangle=0 if not many else None,
        showgrid=False,
        zeroline=False,
    )


# More columns leave no room for words, which the pointer still shows.
_MOST_WORDED = 12


def _first_words(text: str, most: int) -> str:
    """The first words of ``text`` of at most ``most`` characters, escaped, with an ellipsis where
    there are more."""
    found, line = without_turns(text).split(), ""
    for word in found:
        if line and len(line) + 1 + len(word) > most:
            break
        line = f"{line} {word}" if line else word
    line = line[:most]
    return plot_text(line) + (" …" if len(line) < len(" ".join(found)) else "")


def _hover_text(text: str, most: int) -> str:
    """``text``, escaped, in at most ``most`` lines of 70 characters, with an ellipsis where there
    are more."""
    # Wrapping reads no more of a long text than can be shown.
    lines = wrap(" ".join(without_turns(text[: 140 * most]).split()), 70)
    more = len(lines) > most or len(text) > 140 * most
    return "<br>".join(plot_text(line) for line in lines[:most]) + (" …" if more else "")


def _hover_chunk(audit: Audit, chunk: int, most: int) -> str:
    """The title of a chunk's context item, where it has one, and the chunk's text."""
    found = audit.evidence.chunks[chunk]
    title = _hover_text(audit.evidence.context[found.item].name, 1)
    text = _hover_text(found.text, most)
    return f"<i>{title}</i><br>{text}" if title else text


def _row_text(audit: Audit, row: HeatmapRow) -> str:
    if row.sentence == NO_SENTENCE:
        return audit.evidence.answer
    return audit.evidence.sentences[row.sentence].text


def _row_label(audit: Audit, row: HeatmapRow) -> str:
    if row.sentence == NO_SENTENCE:
        return row.name
    symbol = LABELS[audit.sentences[row.sentence].label][0]
    text = _row_text(audit, row)
    return f"{symbol} {row.name} {_first_words(text[marker_length(text) :], 18)}"


def stars_text(audit: Audit, chunks: Sequence[int]) -> str:
    """What the star behind a column's name means. A sentence; "" where no column has a star."""
    starred = any(_has_star(audit, chunk, len(chunks)) for chunk in chunks)
    return "* marks a chunk that is not a source." if starred else ""


def _has_star(audit: Audit, chunk: int, count: int) -> bool:
    """Whether a dropped chunk has no room for that word, of ``count`` columns."""
    return count > _MOST_WORDED and not audit.sources[chunk].selected


def _column_label(audit: Audit, chunk: int, count: int) -> str:
    if count > _MOST_WORDED:
        return chunk_name(chunk) + (" *" if _has_star(audit, chunk, count) else "")
    wide = max(8, 80 // count)
    text = " ".join(audit.evidence.chunks[chunk].text.split())
    # The ellipsis is within the width: the next column begins there.
    lines = wrap(text, wide, max_lines=2, placeholder=" …")
    words = "<br>".join(plot_text(line) for line in lines)
    dropped = "" if audit.sources[chunk].selected else " (dropped)"
    return f"{chunk_name(chunk)}{dropped}<br>{words}"


def _cell_text(row: HeatmapRow, chunk: int, quantity: Quantity) -> str:
    place = f"{row.name} × {chunk_name(chunk)}"
    if row.said:
        stance, *numbers = row.said[chunk]
        return f"{place}: {stance} ({', '.join(numbers)})" if numbers else f"{place}: {stance}"
    if row.is_unread(chunk):
        return f"{place}: {UNREAD}"
    said = ", ".join(row.numbers(chunk))
    if quantity is Quantity.VERDICT:
        return f"{place}: {CELL_VERDICTS[int(row.values[chunk])].name} ({said})"
    return f"{place}: {quantity} {row.values[chunk]:.3f} ({said})"


def _frame(
    figure: go.Figure, rows: list[HeatmapRow], shown: Shown, chosen: tuple[int, int]
) -> None:
    """A frame around the cell of the chosen sentence and chunk, where it is drawn."""
    sentence, chunk = chosen
    places = [y for y, row in enumerate(rows) if row.sentence == sentence]
    if places and chunk in shown.chunks:
        x, y = shown.chunks.index(chunk), places[0]
        for colour, width in (("#ffffff", 7), ("#000000", 3)):
            figure.add_shape(
                type="rect",
                x0=x - 0.49,
                x1=x + 0.49,
                y0=y - 0.48,
                y1=y + 0.48,
                line={"color": colour, "width": width},
            )


def _number(row: HeatmapRow, chunk: int, quantity: Quantity) -> str:
    if quantity is Quantity.VERDICT:
        return "<br>".join(row.numbers(chunk))
    return cell_value_text(row.values[chunk])


def _or_none(tone: float) -> float | None:
    return None if np.isnan(tone) else float(tone)


@dataclass(frozen=True, slots=True)
class _Scale:
    """The colours of the cells between the values ``low`` and ``high``: ``stops``, each a place in
    [0, 1] and a colour; ``bar``: Plotly's settings of the bar that explains them."""

    low: float
    high: float
    stops: tuple[tuple[float, Rgb], ...]
    bar: dict[str, Any]

    @property
    def axis(self) -> dict[str, Any]:
        """The scale as a colour axis of Plotly."""
        return {
            "cmin": self.low,
            "cmax": self.high,
            "colorscale": [(place, f"rgb{colour}") for place, colour in self.stops],
            "colorbar": {"thickness": 12, **self.bar},
        }

    def ink(self, value: float) -> str:
        """The colour of a number on the cell of ``value``."""
        at = (value - self.low) / (self.high - self.low)
        for (low, below), (high, above) in pairwise(self.stops):
            if at <= high:
                return ink_on(mixed(below, above, (at - low) / (high - low) if high > low else 1.0))
        return ink_on(self.stops[-1][1])


def _numbers(
    rows: list[HeatmapRow], shown: Shown, quantity: Quantity, scale: _Scale, ink: str
) -> go.Heatmap:
    """The numbers that are read best in ``ink``, on cells of no colour: Plotly writes a trace in
    one ink, and its own choice cannot be read on every tone."""

    def number(row: HeatmapRow, chunk: int) -> str:
        tone = row.tones[chunk]
        return "" if np.isnan(tone) or scale.ink(tone) != ink else _number(row, chunk, quantity)

    return go.Heatmap(
        z=[[0] * len(shown.chunks)] * len(rows),
        text=[[number(row, c) for c in shown.chunks] for row in rows],
        texttemplate="%{text}",
        textfont={"color": ink},
        colorscale=[(0, "rgba(0,0,0,0)"), (1, "rgba(0,0,0,0)")],
        showscale=False,
        hoverinfo="skip",
    )


def _shades(quantity: Quantity, by_stance: bool, dark: bool) -> _Scale:
    """Colours of the tones: blue speaks for a sentence, orange against it, and what belongs to the
    ground says nothing."""
    neutral, supported, against = NOTHING[dark], rgb_of(SUPPORTED), rgb_of(HALLUCINATED)
    if by_stance:
        names = ["contradicted", "not found", "supported"]
        bar = {"tickvals": [-0.7, 0, 0.7], "ticktext": names}
        return _Scale(-1.0, 1.0, ((0.0, against), (0.5, neutral), (1.0, supported)), bar)
    title: dict[str, Any] = {"title": {"text": str(quantity)}}
    if quantity is Quantity.CONTRADICTION:
        # Numbers of the bar without the sign that the tones have.
        bar = title | {"tickvals": [-1, -0.5, 0], "ticktext": ["1", "0.5", "0"]}
        return _Scale(-1.0, 0.0, ((0.0, against), (1.0, neutral)), bar)
    return _Scale(0.0, 1.0, ((0.0, neutral), (1.0, supported)), title)


def _verdict_scale(dark: bool) -> _Scale:
    """A colour a verdict of a cell."""
    steps = len(CELL_VERDICTS)
    colours = [NOTHING[dark] if verdict.letter == "N" else verdict.rgb for verdict in CELL_VERDICTS]
    return _Scale(
        -0.5,
        steps - 0.5,
        tuple(
            (edge / steps, colours[place]) for place in range(steps) for edge in (place, place + 1)
        ),
        {"tickvals": list(range(steps)), "ticktext": [verdict.name for verdict in CELL_VERDICTS]},
    )


def _source_name(audit: Audit, chunk: Chunk) -> str:
    """A chunk, with the first words of the title of its context item."""
    title = _first_words(audit.evidence.context[chunk.item].name, 18)
    return f"{chunk_name(chunk.index)} {title}".strip()


def source_bars(audit: Audit, shown: Shown) -> go.Figure:
    """Draw what each selected source gives, in [0, 1]: relevance (as a probability over all chunks)
    where it was measured, weight, factuality and contribution."""
    sources = [audit.sources[c] for c in shown.chunks if audit.sources[c].selected]
    names = [_source_name(audit, s.chunk) for s in sources]
    figure = go.Figure()
    relevance = ("relevance probability", GREY, [s.probability for s in sources])
    for name, colour, values in (
        *([relevance] if measures_relevance(audit) else []),
        ("weight", PINK, [s.weight for s in sources]),
        ("factuality", TEAL, [s.factuality for s in sources]),
        ("contribution", AMBER, [s.contribution for s in sources]),
    ):
        figure.add_bar(
            name=name,
            orientation="h",
            y=names,
            x=values,
            marker_color=colour,
            hovertemplate="%{y} " + name + " %{x:.3f}<extra></extra>",
        )
    figure.update_layout(
        barmode="group",
        # Lying bars, whose names stand level beside each other in a narrow window too.
        height=_SOURCES_FRAME + _SOURCE_ROW * len(sources),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        # Grows upwards where a narrow window has its names below each other.
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
    )
    figure.update_xaxes(range=[0, 1.02])
    figure.update_yaxes(type="category", autorange="reversed", dtick=1)
    return figure
