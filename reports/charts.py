"""Plotly figures of an audit. Labels are ours (C1, S1); no text of the user enters them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from provenance_core import Audit
from provenance_core.types import Floats, ModelInfo
from reports.quantities import (
    CELL_VERDICTS,
    Quantity,
    answer_cells,
    answer_values,
    cell_numbers,
    cell_values,
    sentence_cells,
)
from reports.wording import chunk_name, sentence_name

MOST_CHUNKS = 60
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
    """Evidence chunks first, then the most relevant, up to 60; the first 60 sentences."""
    sentences = tuple(range(min(len(audit.sentences), MOST_SENTENCES)))
    evidence = {audit.sentences[i].evidence_chunk for i in sentences}
    order = sorted(
        audit.sources, key=lambda s: (s.chunk.index not in evidence, not s.selected, -s.relevance)
    )
    chunks = tuple(sorted(s.chunk.index for s in order[:MOST_CHUNKS]))
    return Shown(chunks, sentences, len(audit.sources), len(audit.sentences))


WHOLE_ANSWER = "answer"
# Instead of a sentence's index in a point of the row of the whole answer.
NO_SENTENCE = -1


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the heatmap. ``sentence``: its index, or ``NO_SENTENCE``; the rest by chunk."""

    name: str
    sentence: int
    values: Floats
    cells: Floats
    model: ModelInfo

    def numbers(self, chunk: int) -> tuple[str, ...]:
        return cell_numbers(self.cells[chunk], self.model)


def _rows(audit: Audit, shown: Shown, quantity: Quantity) -> list[_Row]:
    values, cells = cell_values(audit, quantity), sentence_cells(audit)
    model = audit.evidence.nli_model
    rows = [_Row(sentence_name(s), s, values[s], cells[s], model) for s in shown.sentences]
    whole = zip(answer_values(audit, quantity), answer_cells(audit), strict=True)
    return rows + [_Row(WHOLE_ANSWER, NO_SENTENCE, v, c, model) for v, c in whole]


def heatmap(audit: Audit, shown: Shown, quantity: Quantity) -> go.Figure:
    """Sentences x chunks, coloured by ``quantity``; below them the whole answer, where it was
    scored.

    A heatmap trace gives Streamlit no selection, so invisible points lie on its cells;
    ``customdata`` of a point is [sentence index or ``NO_SENTENCE``, chunk index].
    """
    rows = _rows(audit, shown, quantity)
    selected = {s.chunk.index for s in audit.sources if s.selected}
    # Many columns leave no room for a word, nor for the numbers, which the pointer still shows.
    dropped = "<br>(dropped)" if len(shown.chunks) <= 12 else " *"
    names = {c: chunk_name(c) + ("" if c in selected else dropped) for c in shown.chunks}
    by_verdict = quantity is Quantity.VERDICT
    # No wider than a narrow page's column, or the pointer would meet the next cell's point.
    cell_size = max(6, min(34, 600 // len(shown.chunks)))
    figure = go.Figure(
        go.Heatmap(
            x=list(names.values()),
            y=[row.name for row in rows],
            z=[[float(row.values[c]) for c in shown.chunks] for row in rows],
            text=[["<br>".join(row.numbers(c)) for c in shown.chunks] for row in rows],
            **(_verdict_colours() if by_verdict else _shades(quantity)),
            xgap=2,
            ygap=2,
            # Plotly chooses an ink that can be read on the cell's colour.
            texttemplate=_numbers(by_verdict, len(shown.chunks)),
            hoverinfo="skip",
        )
    )
    points = [(row, c) for row in rows for c in shown.chunks]
    figure.add_scatter(
        x=[names[c] for _, c in points],
        y=[row.name for row, _ in points],
        mode="markers",
        text=[
            f"{CELL_VERDICTS[int(row.values[c])].name} ({', '.join(row.numbers(c))})"
            if by_verdict
            else f"{quantity} {row.values[c]:.3f}"
            for row, c in points
        ],
        customdata=[[row.sentence, c] for row, c in points],
        hovertemplate="%{y} × %{x}: %{text}<extra></extra>",
        marker={"symbol": "square", "size": cell_size, "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
    )
    figure.update_layout(
        height=int(90 + (62 if by_verdict and len(shown.chunks) <= 20 else 42) * len(rows)),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        clickmode="event+select",
        dragmode=False,
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, zeroline=False, type="category")
    figure.update_xaxes(side="top", showgrid=False, zeroline=False, type="category")
    return figure


def _numbers(by_verdict: bool, chunks: int) -> str | None:
    if chunks > 20:
        return None
    return "%{text}" if by_verdict else "%{z:.2f}"


def _shades(quantity: Quantity) -> dict[str, Any]:
    """Colours of a quantity in [0, 1], as arguments of the trace."""
    return {
        "zmin": 0.0,
        "zmax": 1.0,
        "colorscale": "Cividis",
        "colorbar": {"title": {"text": str(quantity)}, "thickness": 12},
    }


def _verdict_colours() -> dict[str, Any]:
    """A colour a verdict of a cell, as arguments of the trace."""
    steps = len(CELL_VERDICTS)
    scale = [
        (edge / steps, f"rgb{verdict.rgb}")
        for place, verdict in enumerate(CELL_VERDICTS)
        for edge in (place, place + 1)
    ]
    return {
        "zmin": -0.5,
        "zmax": steps - 0.5,
        "colorscale": scale,
        "colorbar": {
            "tickvals": list(range(steps)),
            "ticktext": [verdict.name for verdict in CELL_VERDICTS],
            "thickness": 12,
        },
    }


def source_bars(audit: Audit, shown: Shown) -> go.Figure:
    """Relevance (as a probability over all chunks), weight, factuality and contribution of the
    selected sources, in [0, 1]."""
    sources = [audit.sources[c] for c in shown.chunks if audit.sources[c].selected]
    names = [chunk_name(s.chunk.index) for s in sources]
    figure = go.Figure()
    for name, colour, values in (
        ("relevance probability", "#b8b8b8", [s.probability for s in sources]),
        ("weight", "#7a7a7a", [s.weight for s in sources]),
        ("factuality", "#0b6b8a", [s.factuality for s in sources]),
        ("contribution", "#e09f3e", [s.contribution for s in sources]),
    ):
        figure.add_bar(
            name=name,
            x=names,
            y=values,
            marker_color=colour,
            hovertemplate="%{x} " + name + " %{y:.3f}<extra></extra>",
        )
    figure.update_layout(
        barmode="group",
        height=260,
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        legend={"orientation": "h", "y": 1.2},
    )
    figure.update_yaxes(range=[0, 1.02])
    figure.update_xaxes(type="category")
    return figure
