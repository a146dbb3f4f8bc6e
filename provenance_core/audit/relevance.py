"""The relevance of each chunk to the query (paper equation 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from provenance_core.audit.prepare import Prepared
from provenance_core.detectors import MeasurementPlan
from provenance_core.models.protocol import PairScorer
from provenance_core.progress import Progress
from provenance_core.text.claims import claim_texts
from provenance_core.text.splitting import fitting_bounds
from provenance_core.types import Chunk, Cut, CutKind, Notice


@dataclass(frozen=True, slots=True)
class Relevance:
    """``query``: what relevance was scored for. ``scores``: of each chunk, N. ``tokens``: of the
    longest pair for each. ``cuts`` and ``notices``: what is to be said of it."""

    query: str
    scores: tuple[float, ...]
    tokens: tuple[int, ...]
    cuts: tuple[Cut, ...]
    notices: tuple[Notice, ...]


def score_relevance(
    model: PairScorer,
    plan: MeasurementPlan,
    prepared: Prepared,
    progress: Progress,
) -> Relevance:
    """Score how relevant each chunk is to the query, or to the answer where there is none.

    A logit for each chunk; 0 where the plan asks for none.
    """
    chunks, texts = prepared.chunks, prepared.texts
    if not plan.relevance:
        return Relevance("", (0.0,) * len(chunks), (), (), ())
    if texts.query.strip():
        return _of_queries(model, texts.query, [texts.query], chunks, progress)
    # One vector of weights for a text that joins facts of several chunks would leave most of them
    # out, so each sentence of the answer asks for its own.
    sentences = prepared.hypotheses.sentences
    found = _of_queries(model, texts.answer, claim_texts(texts.answer, sentences), chunks, progress)
    how = (
        ", sentence by sentence, and the largest score of each chunk was kept."
        if len(sentences) > 1
        else "."
    )
    no_query = Notice(
        "no_query", f"No query was given: the answer took its place in the relevance score{how}"
    )
    return replace(found, notices=(no_query, *found.notices))


def _of_queries(
    model: PairScorer,
    asked: str,
    queries: Sequence[str],
    chunks: tuple[Chunk, ...],
    progress: Progress,
) -> Relevance:
    """S = Cross-Encoder(Q, D) for every chunk; a logit each.

    The largest over ``queries``, the parts of ``asked``; one too long for the window is scored in
    parts.
    """
    count = model.count_tokens
    room = model.text_budget - max(count([chunk.text for chunk in chunks]))
    parts: list[str] = []
    cuts: list[Cut] = []
    for query in queries:
        bounds = fitting_bounds(query, room, count)
        parts += [query[a:b] for a, b in bounds]
        if len(bounds) > 1:
            cuts.append(Cut(CutKind.QUERY, 0, count([query])[0], room, len(bounds)))
    pairs = [(part, chunk.text) for part in dict.fromkeys(parts) for chunk in chunks]
    logits = model.predict(pairs, progress)[:, 0].reshape(-1, len(chunks))
    tokens = np.array(model.pair_tokens(pairs)).reshape(-1, len(chunks))
    notices: tuple[Notice, ...] = ()
    if cuts:
        notices = (
            Notice(
                "query_in_parts",
                f"The text that relevance was scored for is too long for the model: it was scored "
                f"in {len(parts)} parts and the largest score of each chunk kept.",
            ),
        )
    return Relevance(
        query=asked,
        scores=tuple(float(value) for value in logits.max(axis=0)),
        tokens=tuple(int(value) for value in tokens.max(axis=0)),
        cuts=tuple(cuts),
        notices=notices,
    )
