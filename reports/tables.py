"""Tables of an audit, for the page and as CSV."""

from __future__ import annotations

import pandas as pd

from provenance_core import Audit
from provenance_core.detectors import chunk_name, measures_relevance
from provenance_core.explain.names import sentence_name
from provenance_core.types import Stance
from reports.directions import shown_turns
from reports.pair_tokens import longest_pairs
from reports.quantities import counted_scores
from reports.wording import status
from storage.exports.spreadsheet_cells import neutral_cell


def sources_table(audit: Audit) -> pd.DataFrame:
    """Make a table of the sources, in the paper's terms, the selected first by weight."""
    longest = longest_pairs(audit.evidence)
    frame = pd.DataFrame(
        {
            "chunk": [chunk_name(s.chunk.index) for s in audit.sources],
            "item": [s.chunk.item + 1 for s in audit.sources],
            "title": [audit.evidence.context[s.chunk.item].name for s in audit.sources],
            "selected": [s.selected for s in audit.sources],
            "relevance": [s.relevance for s in audit.sources],
            "probability": [s.probability for s in audit.sources],
            "weight": [s.weight for s in audit.sources],
            "factuality": [s.factuality for s in audit.sources],
            "contribution": [s.contribution for s in audit.sources],
            # Older audits have none.
            **({"longest pair (tokens)": [each or None for each in longest]} if longest else {}),
            "contradicts": [
                _sentences(audit, s.chunk.index, Stance.CONTRADICTS) for s in audit.sources
            ],
            "text": [s.chunk.text for s in audit.sources],
        }
    )
    return frame.sort_values(["selected", "weight", "relevance"], ascending=False, kind="stable")


def shown_sources(audit: Audit) -> pd.DataFrame:
    """Make :func:`sources_table` as the page has room for it: the text first, what a source
    supports and contradicts last."""
    frame = sources_table(audit)
    frame["supports"] = [_sentences(audit, index, Stance.SUPPORTS) for index in frame.index]
    measured = ["relevance", "weight", "factuality", "contribution"]
    names = ["chunk", "title", "text", "selected", *measured]
    if not measures_relevance(audit):
        names.remove("relevance")
    if not any(frame["title"]):
        names.remove("title")
    shown = frame[[*names, "supports", "contradicts"]].copy()
    for name in {"title", "text"} & {*names}:
        shown[name] = [shortened(text) for text in shown[name]]
    return shown


def _sentences(audit: Audit, chunk: int, stance: Stance) -> str:
    return ", ".join(map(sentence_name, audit.cells.sentences(chunk, stance)))


def shortened(text: str, most: int = 220) -> str:
    """Write a text on one line, with an ellipsis when it is long, and signs that turn it written
    out."""
    line = " ".join(shown_turns(text).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def audit_csv(audit: Audit) -> bytes:
    """Write an audit for spreadsheets, one row a pair of sentence and chunk.

    ``verdict`` is as :class:`provenance_core.types.VerdictState`; ``flagged`` counts of the
    ``checked`` sentences those that are not supported. ``stance``: what the chunk says of the
    sentence, as :class:`provenance_core.types.Stance`. ``support`` (of some methods the
    entailment) and ``contradiction`` are those
    of the page; the three that begin with ``chunk_`` are of the whole chunk, by the model that read
    it last. What a model cannot tell is empty.

    UTF-8 with a byte-order mark."""
    of_audit = {
        "query": neutral_cell(audit.evidence.query),
        "verdict": str(audit.state),
        "score": audit.score,
        "threshold": audit.parameters.threshold,
        "flagged": audit.flagged,
        "checked": audit.checked,
        "detector": audit.parameters.detector,
        "profile": audit.evidence.profile,
        "created_at": audit.created_at,
    }
    support, against = audit.cells.support.values, audit.cells.contradiction.values
    cells = counted_scores(audit.evidence).tolist()
    told = audit.evidence.nli_model.tells_contradiction
    rows = [
        {
            **of_audit,
            "sentence": t.sentence.index + 1,
            "sentence_start": t.sentence.start,
            "sentence_end": t.sentence.end,
            "sentence_text": neutral_cell(t.sentence.text.strip()),
            "label": status(t),
            "chunk": s.chunk.index + 1,
            "item": s.chunk.item + 1,
            "chunk_start": s.chunk.start,
            "chunk_end": s.chunk.end,
            "selected": s.selected,
            "relevance": s.relevance,
            "weight": s.weight,
            "stance": str(audit.cells.stances[t.sentence.index][s.chunk.index]),
            "support": float(support[t.sentence.index, s.chunk.index]),
            "contradiction": float(against[t.sentence.index, s.chunk.index]) if told else None,
            "chunk_entailment": entailment,
            "chunk_neutral": neutral,
            "chunk_contradiction": contradiction if told else None,
            "chunk_text": neutral_cell(s.chunk.text),
        }
        for t in audit.sentences
        for s, (entailment, neutral, contradiction) in zip(
            audit.sources, cells[t.sentence.index], strict=True
        )
    ]
    return pd.DataFrame(rows).to_csv(index=False).encode("utf-8-sig")
