"""The detectors: how an answer is measured and scored, one module a method."""

from provenance_core.detectors._formula import MOST_TERMS, chunk_name, counted_shares
from provenance_core.detectors._interface import (
    CONTEXT,
    AnswerScore,
    Detector,
    MeasurementPlan,
    Models,
    Quantity,
    Traits,
)
from provenance_core.detectors._set_aside import ONLY_SET_ASIDE
from provenance_core.detectors.registry import (
    DETECTORS,
    asked_model,
    default_parameters,
    get_detector,
    measures_relevance,
    parameters_read,
    register,
    unusable,
    what_is_sent,
)

__all__ = [
    "CONTEXT",
    "DETECTORS",
    "MOST_TERMS",
    "ONLY_SET_ASIDE",
    "AnswerScore",
    "Detector",
    "MeasurementPlan",
    "Models",
    "Quantity",
    "Traits",
    "asked_model",
    "chunk_name",
    "counted_shares",
    "default_parameters",
    "get_detector",
    "measures_relevance",
    "parameters_read",
    "register",
    "unusable",
    "what_is_sent",
]
