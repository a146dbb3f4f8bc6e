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
    """Make the default parameters of a detector, with its own threshold. Load no model.

    Parameters
    ----------
    profile : str, default "embedded"
        Name of the profile whose models will measure.
    detector : DetectorName | str, default DetectorName.PROVENANCE
        Name of the detector.

    Returns
    -------
    Parameters
        Every setting of an audit.

    Raises
    ------
    ValueError
        There is no detector of that name.

    Examples
    --------
    >>> default_parameters(detector="summac").threshold
    0.7
    """
    name = DetectorName(detector)
    return Parameters(detector=name, threshold=get_detector(name).threshold(profile))
