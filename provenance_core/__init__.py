"""Provenance: is an answer supported by the context it was given?

>>> from provenance_core import Auditor
>>> result = Auditor().check(
...     "It was opened in 1932.",
...     "The Sydney Harbour Bridge was opened on 19 March 1932.",
...     query="When was the bridge opened?",
... )
>>> str(result.verdict)
'supported'
"""

from provenance_core.audit.assembly import assemble, recompute
from provenance_core.audit.pipeline import Provenance
from provenance_core.auditor import Auditor, Result, Stream
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

__version__ = "1.0.0"

__all__ = [
    "DETECTORS",
    "PROFILES",
    "Aggregation",
    "Audit",
    "Auditor",
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
    "Result",
    "SelectionStrategy",
    "SentenceLabel",
    "Stream",
    "Verdict",
    "__version__",
    "assemble",
    "check_texts",
    "default_parameters",
    "recompute",
]
