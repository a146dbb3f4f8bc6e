"""What an audit's detector measured of its chunks."""

from __future__ import annotations

from provenance_core.detectors import DETECTORS
from provenance_core.types import Audit


def measures_relevance(audit: Audit) -> bool:
    """Whether the chunks were scored for relevance; if not, that of each source is 0."""
    detector = DETECTORS[audit.parameters.detector]
    return detector.plan(audit.parameters).relevance or bool(audit.evidence.claim_relevance)
