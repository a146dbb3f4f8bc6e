"""The one list of detectors, which app, command line and documents read."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..types import DetectorName, Parameters
from ._interface import Detector
from .grounded import GroundedDetector
from .llm_judge import LlmJudgeDetector
from .nli_matrix import NliMatrixDetector
from .provenance import ProvenanceDetector
from .selfcheck import SelfcheckDetector
from .spans import SpansDetector
from .summac import SummacDetector

_ALL: tuple[Detector, ...] = (
    ProvenanceDetector(),
    NliMatrixDetector(),
    SummacDetector(),
    SelfcheckDetector(),
    GroundedDetector(),
    SpansDetector(),
    LlmJudgeDetector(),
)
DETECTORS: Mapping[DetectorName, Detector] = MappingProxyType({each.name: each for each in _ALL})


def get_detector(name: DetectorName) -> Detector:
    """The detector of that name."""
    return DETECTORS[name]


def default_parameters(
    profile: str = "embedded", detector: DetectorName | str = DetectorName.PROVENANCE
) -> Parameters:
    """Default parameters of ``detector``, with its own threshold. Loads no model."""
    name = DetectorName(detector)
    return Parameters(detector=name, threshold=get_detector(name).threshold(profile))
