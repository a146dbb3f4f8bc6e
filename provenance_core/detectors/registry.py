"""The one list of detectors, which app, command line and documents read."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from provenance_core.detectors._interface import Detector
from provenance_core.detectors.grounded import GroundedDetector
from provenance_core.detectors.llm_judge import LlmJudgeDetector
from provenance_core.detectors.nli_matrix import NliMatrixDetector
from provenance_core.detectors.provenance import ProvenanceDetector
from provenance_core.detectors.selfcheck import SelfcheckDetector
from provenance_core.detectors.spans import SpansDetector
from provenance_core.detectors.summac import SummacDetector
from provenance_core.types import DetectorName, Parameters

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
