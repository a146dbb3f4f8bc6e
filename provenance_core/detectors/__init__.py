"""The detectors: how an answer is measured and scored, one module a method."""

from provenance_core.detectors._interface import (
    CONTEXT,
    AnswerScore,
    Detector,
    MeasurementPlan,
    Models,
    Traits,
)
from provenance_core.detectors.registry import DETECTORS, default_parameters, get_detector

__all__ = [
    "CONTEXT",
    "DETECTORS",
    "AnswerScore",
    "Detector",
    "MeasurementPlan",
    "Models",
    "Traits",
    "default_parameters",
    "get_detector",
]
