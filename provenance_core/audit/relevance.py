"""The relevance of each chunk to the query (paper equation 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from provenance_core.audit.nearest_chunks import LongContext
from provenance_core.audit.prepare import Prepared
from provenance_core.detectors import MeasurementPlan
from provenance_core.models.protocol import PairScorer
from provenance_core.progress import Progress
from provenance_core.text.claims import claim_texts
from provenance_core.text.splitting import fitting_bounds
from provenance_core.types import Chunk, Cut, CutKind, Notice, Parameters


@dataclass(frozen=True, slots=True)
class Relevance:
    """``query``: what relevance was scored for. ``scores``: of each chunk, N, None of one that was
    not read. ``tokens``: of the longest pair for each. ``cuts`` and ``notices``: what is to be said
    of it."""

    query: str
    scores: tuple[float | None, ...]
    tokens: tuple[int, ...]
    cuts: tuple[Cut, ...]
    notices: tuple[Notice, ...]


def score_relevance(
    model: PairScorer,
    plan: MeasurementPlan,
    prepared: Prepared,
    long: LongContext | None,
    parameters: Parameters,
    progress: Progress,
) -> Relevance:
    """Score how relevant each chunk is to the query, or to the answer where there is none: a logit
    for each chunk, of a ``long`` context those that are near; 0 where the plan asks for none."""
    chunks, texts = prepared.chunks, prepared.texts
    if not plan.relevance:
        return Relevance("", (0.0,) * len(chunks), (), (), ())
    if texts.query.strip():
        near = None if long is None else [long.to_score(texts.query, parameters.top_k)]
        return _of_queries(model, texts.query, [texts.query], chunks, near, progress)
    # One vector of weights for a text that joins facts of several chunks would leave most of them
    # out, so each sentence of the answer asks for its own.
    sentences = prepared.hypotheses.sentences
    queries = claim_texts(texts.answer, sentences)
    near = None if long is None else long.to_score_each(queries, parameters.top_k)
    found = _of_queries(model, texts.answer, queries, chunks, near, progress)
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
    near: Sequence[Sequence[int]] | None,
    progress: Progress,
) -> Relevance:
    """S = Cross-Encoder(Q, D) for every chunk, or for those that are ``near`` each query; a logit
    each. The largest over ``queries``, the parts of ``asked``; one too long for the window is
    scored in parts."""
    count = model.count_tokens
    room = model.text_budget - max(count([chunk.text for chunk in chunks]))
    cells: dict[tuple[str, int], None] = {}
    parts: list[str] = []
    cuts: list[Cut] = []
    for index, query in enumerate(queries):
        bounds = fitting_bounds(query, room, count)
        own = [query[a:b] for a, b in bounds]
        parts += own
        scored = range(len(chunks)) if near is None else near[index]
        cells |= dict.fromkeys((part, chunk) for part in own for chunk in scored)
        if len(bounds) > 1:
            cuts.append(Cut(CutKind.QUERY, 0, count([query])[0], room, len(bounds)))
    pairs = [(part, chunks[chunk].text) for part, chunk in cells]
    of_chunks = np.array([chunk for _, chunk in cells])
    logits, tokens = np.full(len(chunks), -np.inf), np.zeros(len(chunks), dtype=np.int64)
    np.maximum.at(logits, of_chunks, model.predict(pairs, progress)[:, 0])
    np.maximum.at(tokens, of_chunks, model.pair_tokens(pairs))
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
        scores=tuple(None if value == -np.inf else value for value in logits.tolist()),
        tokens=tuple(tokens.tolist()),
        cuts=tuple(cuts),
        notices=notices,
    )
