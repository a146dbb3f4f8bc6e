"""From evidence and parameters to an audit: arithmetic only, no model (paper section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Unpack

import numpy as np

from provenance_core.detectors import CONTEXT, get_detector
from provenance_core.parameters import PARAMETERS, RecomputedParameters
from provenance_core.scoring.cells import make_cells
from provenance_core.scoring.tracing import flag_values
from provenance_core.scoring.words import with_words
from provenance_core.types import (
    Audit,
    ClaimResult,
    Evidence,
    Parameters,
    RelevanceMethod,
    SentenceLabel,
    Source,
    TracedSentence,
    Verdict,
)


def assemble(evidence: Evidence, parameters: Parameters, created_at: str | None = None) -> Audit:
    """Make the audit of what was measured: arithmetic only, no model (paper section 3).

    Equal arguments give equal scores.

    Parameters
    ----------
    evidence : Evidence
        What the models measured.
    parameters : Parameters
        Every setting; the detector is the one that ``evidence`` was measured for.
    created_at : str | None, default None
        ISO 8601 in UTC; None means now.

    Returns
    -------
    Audit
        Sources, claims, traced sentences, score and verdict.

    Raises
    ------
    NotReadError
        The parameters select chunks that the NLI model did not read, as in some older audits.

    Examples
    --------
    >>> from provenance_core import Provenance, check_texts, default_parameters
    >>> parameters = default_parameters()
    >>> texts = check_texts(answer="It is red.", context=["The car is red."])
    >>> evidence = Provenance.load().measure(texts, parameters)
    >>> assemble(evidence, parameters).score == assemble(evidence, parameters).score
    True
    """
    detector, evidence = get_detector(parameters.detector), with_words(evidence)
    found = detector.score(evidence, parameters)
    factuality = found.factuality
    results = [
        ClaimResult(claim, tuple(map(_number, factuality[claim.index])), score, decided_by)
        for claim, score, decided_by in zip(
            evidence.claims, found.claims.tolist(), found.decided_by, strict=True
        )
    ]
    # A chunk that was not read has no factuality; it is no source, and so adds nothing.
    parts = found.weights * np.where(np.isnan(factuality), 0.0, factuality)
    for row, decided_by in enumerate(found.decided_by):
        if decided_by is not None:
            parts[row] = 0.0
            parts[row, decided_by] = factuality[row, decided_by]
    if not found.by_sources:
        parts = np.zeros_like(factuality)
    contributions = found.shares @ parts
    chosen = set(found.selected)
    read = ~np.isnan(factuality)
    total = np.where(read, factuality, 0.0).sum(axis=0)
    mean_factuality = np.where(read.any(axis=0), total / np.maximum(read.sum(axis=0), 1), np.nan)
    sources = tuple(
        Source(
            chunk=chunk,
            relevance=evidence.relevance[chunk.index],
            probability=float(found.probabilities[chunk.index]),
            selected=chunk.index in chosen,
            weight=float(found.weights[chunk.index]),
            factuality=_number(mean_factuality[chunk.index]),
            contribution=float(contributions[chunk.index]),
        )
        for chunk in evidence.chunks
    )
    traced = detector.trace(evidence, parameters, found)
    if detector.traits.context == CONTEXT:
        traced = flag_values(evidence, traced)
    return Audit(
        evidence=evidence,
        parameters=parameters,
        sources=sources,
        claims=tuple(results),
        sentences=traced,
        cells=make_cells(evidence, traced, chosen, detector.cell_measure(evidence, parameters)),
        score=found.score,
        margin=found.score - parameters.threshold,
        verdict=_verdict(found.score, parameters.threshold, traced),
        created_at=created_at or datetime.now(UTC).isoformat(timespec="milliseconds"),
        spans=detector.spans(evidence, parameters),
    )


def _number(value: float) -> float | None:
    """``value``; None where it is of a chunk that was not read."""
    return None if np.isnan(value) else float(value)


def _verdict(score: float, threshold: float, traced: Sequence[TracedSentence]) -> Verdict:
    if traced and all(each.label is SentenceLabel.SET_ASIDE for each in traced):
        return Verdict.NOTHING_TO_CHECK
    return Verdict.SUPPORTED if score >= threshold else Verdict.HALLUCINATED


# The parameters that choose the sources.
SELECTION_PARAMETERS = ("selection", "top_p", "top_k")


def recompute(audit: Audit, **changes: Unpack[RecomputedParameters]) -> Audit:
    """Draw an audit under other parameters from its stored scores, without a model.

    Parameters
    ----------
    audit : Audit
        An audit, of this session or saved.
    **changes : RecomputedParameters
        Values of parameters that :data:`provenance_core.parameters.PARAMETERS` calls recomputed:
        the threshold, the selection of sources, the aggregations, the rule for contradictions and
        whether what was set aside counts. What is None stays.

    Returns
    -------
    Audit
        The same evidence with its new score and verdict.

    Raises
    ------
    TypeError
        A parameter is not recomputed, because it needs the models.
    ValueError
        A value is out of range, or another selection is asked for where dense retrieval joined
        the selected sentences, or where it keeps chunks that the NLI model did not read
        (:class:`provenance_core.errors.NotReadError`).

    Examples
    --------
    >>> from provenance_core import Provenance
    >>> audit = Provenance.load().audit(answer="It is red.", context=["The car is red."])
    >>> str(recompute(audit, threshold=1.0).verdict)
    'hallucinated'
    """
    old = partial(getattr, audit.parameters)
    for name in changes:
        if name not in PARAMETERS or not PARAMETERS[name].recomputed:
            raise TypeError(f"{name} cannot be recomputed: audit the answer again")
    changed: dict[str, Any] = {n: value for n, value in changes.items() if value is not None}
    fixed = [name for name in SELECTION_PARAMETERS if changed.get(name, old(name)) != old(name)]
    if fixed and audit.parameters.relevance_method is not RelevanceMethod.CROSS_ENCODER:
        raise ValueError(
            f"{', '.join(fixed)} cannot be changed: with dense retrieval the selected sentences "
            "were joined and scored as one premise, so another selection needs a new audit"
        )
    parameters = replace(audit.parameters, **changed)
    if parameters == audit.parameters:  # Equal arguments would give an equal audit.
        return audit
    return assemble(audit.evidence, parameters, audit.created_at)
