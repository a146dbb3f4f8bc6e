"""Provenance: is an answer supported by the context it was given?

>>> from provenance_core import Provenance
>>> audit = Provenance.load().audit(
...     query="When was the bridge opened?",
...     answer="It was opened in 1932.",
...     context=["The Sydney Harbour Bridge was opened on 19 March 1932."],
... )
>>> audit.verdict in ("supported", "hallucinated")
True
"""

from .assembly import assemble, recompute
from .errors import InputError, ModelError, ProvenanceError
from .pipeline import Provenance
from .profiles import PROFILES, default_parameters
from .types import (
    Aggregation,
    Audit,
    ClaimAggregation,
    ClaimForm,
    ContextItem,
    Evidence,
    Parameters,
    SelectionStrategy,
    SentenceLabel,
    Verdict,
)

__version__ = "0.1.0"

__all__ = [
    "PROFILES",
    "Aggregation",
    "Audit",
    "ClaimAggregation",
    "ClaimForm",
    "ContextItem",
    "Evidence",
    "InputError",
    "ModelError",
    "Parameters",
    "Provenance",
    "ProvenanceError",
    "SelectionStrategy",
    "SentenceLabel",
    "Verdict",
    "__version__",
    "assemble",
    "default_parameters",
    "recompute",
]
