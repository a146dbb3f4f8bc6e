"""Provenance: is an answer supported by the context it was given?

>>> from provenance_core import Provenance
>>> audit = Provenance.load().audit(
...     query="When was the bridge opened?",
...     answer="It was opened in 1932.",
...     context=["The Sydney Harbour Bridge was opened on 19 March 1932."],
... )
>>> str(audit.verdict)
'supported'
"""

from provenance_core.audit.assembly import assemble, recompute
from provenance_core.audit.pipeline import Provenance
from provenance_core.detectors import DETECTORS, default_parameters
from provenance_core.errors import InputError, ModelError, ProvenanceError
from provenance_core.models.catalogue.profiles import PROFILES
from provenance_core.progress import Progress
from provenance_core.text.checked_texts import check_texts
from provenance_core.types import (
    Aggregation,
    Audit,
    ClaimAggregation,
    ClaimForm,
    ContextItem,
    ContradictionRule,
    Evidence,
    Granularity,
    Parameters,
    RelevanceMethod,
    SelectionStrategy,
    SentenceLabel,
    Verdict,
)

__version__ = "0.1.0"

__all__ = [
    "DETECTORS",
    "PROFILES",
    "Aggregation",
    "Audit",
    "ClaimAggregation",
    "ClaimForm",
    "ContextItem",
    "ContradictionRule",
    "Evidence",
    "Granularity",
    "InputError",
    "ModelError",
    "Parameters",
    "Progress",
    "Provenance",
    "ProvenanceError",
    "RelevanceMethod",
    "SelectionStrategy",
    "SentenceLabel",
    "Verdict",
    "__version__",
    "assemble",
    "check_texts",
    "default_parameters",
    "recompute",
]
