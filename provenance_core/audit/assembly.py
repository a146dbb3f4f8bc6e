"""From evidence and parameters to an audit: arithmetic only, no model (paper section 3)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import numpy as np

from provenance_core.detectors import get_detector
from provenance_core.scoring.tracing import contradictions_by_chunk
from provenance_core.types import (
    Aggregation,
    Audit,
    ClaimAggregation,
    ClaimResult,
    ContradictionRule,
    Evidence,
    Parameters,
    RelevanceMethod,
    SelectionStrategy,
    Source,
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

    Examples
    --------
    >>> from provenance_core import Provenance, default_parameters
    >>> parameters = default_parameters()
    >>> evidence = Provenance.load().measure(
    ...     answer="It is red.", context=["The car is red."], query="", parameters=parameters
    ... )
    >>> assemble(evidence, parameters).score == assemble(evidence, parameters).score
    True
    """
    detector = get_detector(parameters.detector)
    found = detector.score(evidence, parameters)
    factuality = found.factuality
    results = [
        ClaimResult(claim, tuple(factuality[claim.index].tolist()), score, decided_by)
        for claim, score, decided_by in zip(
            evidence.claims, found.claims.tolist(), found.decided_by, strict=True
        )
    ]
    parts = found.weights * factuality
    for row, decided_by in enumerate(found.decided_by):
        if decided_by is not None:
            parts[row] = 0.0
            parts[row, decided_by] = factuality[row, decided_by]
    if not found.by_sources:
        parts = np.zeros_like(factuality)
    contributions = found.shares @ parts
    chosen = set(found.selected)
    mean_factuality = factuality.mean(axis=0)
    sources = tuple(
        Source(
            chunk=chunk,
            relevance=evidence.relevance[chunk.index],
            probability=float(found.probabilities[chunk.index]),
            selected=chunk.index in chosen,
            weight=float(found.weights[chunk.index]),
            factuality=float(mean_factuality[chunk.index]),
            contribution=float(contributions[chunk.index]),
        )
        for chunk in evidence.chunks
    )
    return Audit(
        evidence=evidence,
        parameters=parameters,
        sources=sources,
        claims=tuple(results),
        sentences=detector.trace(evidence, parameters, found),
        contradicts=contradictions_by_chunk(evidence),
        score=found.score,
        margin=found.score - parameters.threshold,
        verdict=Verdict.SUPPORTED if found.score >= parameters.threshold else Verdict.HALLUCINATED,
        created_at=created_at or datetime.now(UTC).isoformat(timespec="milliseconds"),
        spans=detector.spans(evidence, parameters),
    )


# The parameters that choose the sources.
SELECTION_PARAMETERS = ("selection", "top_p", "top_k")


def recompute(
    audit: Audit,
    *,
    threshold: float | None = None,
    aggregation: Aggregation | str | None = None,
    selection: SelectionStrategy | str | None = None,
    top_p: float | None = None,
    top_k: int | None = None,
    claim_aggregation: ClaimAggregation | str | None = None,
    contradiction_rule: ContradictionRule | str | None = None,
    count_set_aside: bool | None = None,
) -> Audit:
    """Draw an audit under other parameters from its stored scores, without a model.

    What is None stays. Detector, chunking, granularity and claim form need the models and cannot
    be changed here.

    Parameters
    ----------
    audit : Audit
        An audit, of this session or saved.
    threshold : float | None, default None
        Supported from this score on, in [0, 1].
    aggregation : Aggregation | str | None, default None
        How the scores of the sources become one.
    selection : SelectionStrategy | str | None, default None
        How sources are chosen.
    top_p : float | None, default None
        Cumulative probability of the sources, in (0, 1].
    top_k : int | None, default None
        Number of sources, 1 or more.
    claim_aggregation : ClaimAggregation | str | None, default None
        How the claims become one score.
    contradiction_rule : ContradictionRule | str | None, default None
        Which contradictions the NLI matrix counts.
    count_set_aside : bool | None, default None
        Whether what states nothing to check counts.

    Returns
    -------
    Audit
        The same evidence with its new score and verdict.

    Raises
    ------
    ValueError
        A value is out of range, or another selection is asked for where dense retrieval joined
        the selected sentences.

    Examples
    --------
    >>> from provenance_core import Provenance
    >>> audit = Provenance.load().audit(answer="It is red.", context=["The car is red."])
    >>> str(recompute(audit, threshold=1.0).verdict)
    'hallucinated'
    """
    old = partial(getattr, audit.parameters)
    given: dict[str, Any] = {
        "threshold": threshold,
        "aggregation": aggregation,
        "selection": selection,
        "top_p": top_p,
        "top_k": top_k,
        "claim_aggregation": claim_aggregation,
        "contradiction_rule": contradiction_rule,
        "count_set_aside": count_set_aside,
    }
    changed = {name: value for name, value in given.items() if value is not None}
    fixed = [name for name in SELECTION_PARAMETERS if changed.get(name, old(name)) != old(name)]
    if fixed and audit.parameters.relevance_method is not RelevanceMethod.CROSS_ENCODER:
        raise ValueError(
            f"{', '.join(fixed)} cannot be changed: with dense retrieval the selected sentences "
            "were joined and scored as one premise, so another selection needs a new audit"
        )
    return assemble(audit.evidence, replace(audit.parameters, **changed), audit.created_at)
