"""Plotly figures of an audit. Labels are ours (C1, S1); no text of the user enters them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import plotly.graph_objects as go

from provenance_core import Audit
from provenance_core.support import probabilities
from provenance_core.tracing import sentence_matrix
from provenance_core.types import Floats

from .wording import chunk_name, sentence_name

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


class Quantity(StrEnum):
    """What the heatmap's cells show, each in [0, 1]: calibrated support, or the NLI model's
    own probability of entailment or of contradiction."""

    SUPPORT = "support"
    ENTAILMENT = "entailment"
    CONTRADICTION = "contradiction"


def cell_values(audit: Audit, quantity: Quantity) -> Floats:
    """``quantity`` of each sentence and chunk. Shape (S, N)."""
    if quantity is Quantity.SUPPORT:
        return sentence_matrix(audit.evidence)[0]
    scores = probabilities(audit.evidence.sentence_scores, len(audit.evidence.chunks))
    return scores[..., 0 if quantity is Quantity.ENTAILMENT else 2]


def heatmap(audit: Audit, shown: Shown, quantity: Quantity) -> go.Figure:
    """Sentences x chunks, coloured by ``quantity``.

    A heatmap trace gives Streamlit no selection, so invisible points lie on its cells;
    ``customdata`` of a point is [sentence index, chunk index].
    """
    values = cell_values(audit, quantity)
    cells = [(s, c) for s in shown.sentences for c in shown.chunks]
    selected = {s.chunk.index for s in audit.sources if s.selected}
    # Many columns leave no room for a word, nor for the numbers, which the pointer still shows.
    dropped = "<br>(dropped)" if len(shown.chunks) <= 12 else " *"
    names = {c: chunk_name(c) + ("" if c in selected else dropped) for c in shown.chunks}
    rows = [sentence_name(s) for s in shown.sentences]
    # No wider than a narrow page's column, or the pointer would meet the next cell's point.
    cell_size = max(6, min(34, 600 // len(shown.chunks)))
    figure = go.Figure(
        go.Heatmap(
            x=list(names.values()),
            y=rows,
            z=[[float(values[s, c]) for c in shown.chunks] for s in shown.sentences],
            zmin=0.0,
            zmax=1.0,
            colorscale="Cividis",
            colorbar={"title": {"text": str(quantity)}, "thickness": 12},
            xgap=2,
            ygap=2,
            # Plotly chooses an ink that can be read on the cell's colour.
            texttemplate="%{z:.2f}" if len(shown.chunks) <= 20 else None,
            hoverinfo="skip",
        )
    )
    figure.add_scatter(
        x=[names[c] for _, c in cells],
        y=[sentence_name(s) for s, _ in cells],
        mode="markers",
        text=[f"{values[s, c]:.3f}" for s, c in cells],
        customdata=[[s, c] for s, c in cells],
        hovertemplate="%{y} × %{x}: " + quantity + " %{text}<extra></extra>",
        marker={"symbol": "square", "size": cell_size, "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
    )
    figure.update_layout(
        height=int(90 + 42 * len(shown.sentences)),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        clickmode="event+select",
        dragmode=False,
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, zeroline=False, type="category")
    figure.update_xaxes(side="top", showgrid=False, zeroline=False, type="category")
    return figure


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
