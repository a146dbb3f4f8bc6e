"""Normalisation and selection of sources (paper section 3.2)."""

from __future__ import annotations

import numpy as np

from provenance_core.types import Floats, Parameters, SelectionStrategy

# Cumulative sums of a softmax can fall short of top_p by rounding alone.
_ROUNDING = 1e-12


def relevance_probabilities(relevance: Floats, slope: float = 1.0) -> Floats:
    """Turn relevance scores S_i into probabilities by a softmax (paper section 3.1). ``relevance``:
    Logits of N chunks, shape (N,), at least one of them no NaN: NaN of a chunk that was not scored,
    whose probability is 0. ``slope``: Over 0; multiplies the logits. It is of the model
    (:attr:`ModelInfo.calibration_slope`) and fitted on training-side data, since a model can rank
    well and be too sure of it; 1 in the paper. Shape (N,), in [0, 1], sum 1.

    >>> relevance_probabilities(np.array([2.0, 0.0])).round(2).tolist()
    [0.88, 0.12]
    """
    shifted = np.exp(slope * (relevance - np.nanmax(relevance)))
    scored = np.where(np.isnan(shifted), 0.0, shifted)
    return scored / scored.sum()


def select_top_k(probabilities: Floats, top_k: int) -> list[int]:
    """Select the most relevant chunks (paper section 3.2, TopK). ``probabilities``: of N chunks,
    shape (N,). Indices in original order. Of chunks with equal probability the earlier is taken.

    >>> select_top_k(np.array([0.2, 0.5, 0.3]), 2)
    [1, 2]
    """
    order = np.argsort(-probabilities, kind="stable")
    return sorted(int(i) for i in order[:top_k])


def select_top_p(probabilities: Floats, top_p: float) -> list[int]:
    """Select the fewest chunks that together reach a probability (paper section 3.2, TopP). Also
    called nucleus selection: chunks are taken in order of decreasing relevance. ``probabilities``:
    of N chunks, shape (N,), sum 1. Indices in original order, at least one.

    >>> select_top_p(np.array([0.2, 0.5, 0.3]), 0.7)
    [1, 2]
    """
    order = np.argsort(-probabilities, kind="stable")
    cumulative = np.cumsum(probabilities[order])
    enough = np.flatnonzero(cumulative >= top_p - _ROUNDING)
    count = int(enough[0]) + 1 if len(enough) else len(order)
    return sorted(int(i) for i in order[:count])


def select(probabilities: Floats, parameters: Parameters) -> list[int]:
    """Select the sources by the strategy that is set. ``probabilities``: of N chunks, shape (N,),
    sum 1. Indices in original order, at least one."""
    if parameters.selection is SelectionStrategy.TOP_K:
        return select_top_k(probabilities, parameters.top_k)
    return select_top_p(probabilities, parameters.top_p)


def source_weights(probabilities: Floats, selected: list[int]) -> Floats:
    """Renormalise the probabilities over the sources (paper section 3.2). ``probabilities``: of N
    chunks, shape (N,). Weights w_i, shape (N,), sum 1; 0 for a chunk that is not selected.

    >>> source_weights(np.array([0.2, 0.6, 0.2]), [0, 1]).round(2).tolist()
    [0.25, 0.75, 0.0]
    """
    weights = np.zeros_like(probabilities)
    weights[selected] = probabilities[selected]
    return weights / weights.sum()
