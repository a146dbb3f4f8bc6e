"""Normalisation and selection of sources (paper section 3.2)."""

from __future__ import annotations

import numpy as np

from provenance_core.types import Floats, Parameters, SelectionStrategy

# Cumulative sums of a softmax can fall short of top_p by rounding alone.
_ROUNDING = 1e-12


def relevance_probabilities(relevance: Floats, slope: float = 1.0) -> Floats:
    """Softmax of ``slope`` times the relevance scores S (logits): in (0, 1), summing to 1.
    Shape (N,). ``slope`` over 0: of the model (:attr:`ModelInfo.calibration_slope`), fitted on
    training-side data, since a model can rank well and be too sure of it; 1 in the paper."""
    shifted = np.exp(slope * (relevance - relevance.max()))
    return shifted / shifted.sum()


def select_top_k(probabilities: Floats, top_k: int) -> list[int]:
    """Indices of the ``top_k`` most relevant chunks, in original order (ties: the earlier)."""
    order = np.argsort(-probabilities, kind="stable")
    return sorted(int(i) for i in order[:top_k])


def select_top_p(probabilities: Floats, top_p: float) -> list[int]:
    """Indices, in original order, of the minimal set in order of decreasing relevance whose
    cumulative probability is at least ``top_p`` (nucleus selection, paper section 3.2)."""
    order = np.argsort(-probabilities, kind="stable")
    cumulative = np.cumsum(probabilities[order])
    enough = np.flatnonzero(cumulative >= top_p - _ROUNDING)
    count = int(enough[0]) + 1 if len(enough) else len(order)
    return sorted(int(i) for i in order[:count])


def select(probabilities: Floats, parameters: Parameters) -> list[int]:
    """The sources under ``parameters``, in original order."""
    if parameters.selection is SelectionStrategy.TOP_K:
        return select_top_k(probabilities, parameters.top_k)
    return select_top_p(probabilities, parameters.top_p)


def source_weights(probabilities: Floats, selected: list[int]) -> Floats:
    """Probabilities renormalised over the selected, 0 elsewhere. Shape (N,), sum 1."""
    weights = np.zeros_like(probabilities)
    weights[selected] = probabilities[selected]
    return weights / weights.sum()
