"""A saved audit under a support map that was fitted to labels: arithmetic only, no model."""

from __future__ import annotations

from dataclasses import replace

from provenance_core.audit.assembly import assemble
from provenance_core.models.catalogue.fitted_maps import FittedMap
from provenance_core.scoring.features import measured_support
from provenance_core.types import Audit


def under_fitted_map(audit: Audit, fitted: FittedMap) -> Audit:
    """Draw an audit as the profile of a fitted map would score it, without a model.

    The audit given is not changed.

    The same measurements with their score and verdict under the map and its threshold. Raises
    ValueError The audit was measured with other models, or a support map does not enter its score.

    Examples
    --------
    >>> from provenance_core import Provenance
    >>> from provenance_core.models.catalogue.profiles import get_profile, support_maps
    >>> audit = Provenance.load("embedded").audit(answer="It is red.", context=["It is blue."])
    >>> maps = support_maps(get_profile("embedded"))
    >>> same = FittedMap("the same", "embedded", maps.weights, maps.decisive, 0.9, 60)
    >>> again = under_fitted_map(audit, same)
    >>> again.score == audit.score, again.parameters.threshold
    (True, 0.9)
    """
    evidence = audit.evidence
    weights = [evidence.nli_model.sha256]
    if evidence.second is not None:
        weights.append(evidence.second.model.sha256)
    if tuple(weights) != fitted.weights:
        raise ValueError("the audit was measured with other models than the map was fitted for")
    if not evidence.support or evidence.joined_scores:
        raise ValueError("a support map does not enter the score of this audit")
    if evidence.second is None:
        nli = replace(evidence.nli_model, support=fitted.support)
        mapped = replace(evidence, nli_model=nli)
    else:
        mapped = replace(evidence, second=replace(evidence.second, support=fitted.support))
    mapped = replace(mapped, support=measured_support(mapped), profile=fitted.name)
    parameters = replace(audit.parameters, threshold=fitted.threshold)
    return assemble(mapped, parameters, audit.created_at)
