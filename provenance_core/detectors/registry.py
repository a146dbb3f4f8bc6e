"""The one list of detectors, which app, command line and documents read."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from provenance_core.detectors._interface import Detector
from provenance_core.detectors.judge.client import judge_problem
from provenance_core.detectors.judge.settings import read_judge_settings
from provenance_core.detectors.judge.third_reader import (
    asks_third_reader,
    what_the_third_reader_sends,
)
from provenance_core.errors import InputError
from provenance_core.models.catalogue.profiles import default_profile
from provenance_core.parameters import PARAMETERS
from provenance_core.types import DEFAULT_DETECTOR, Audit, JudgeModel, Parameters, current_detector

# A module of this folder each; its ``DETECTOR`` is listed in this order.
_MODULES = (
    "two_stage",
    "nli_matrix",
    "summac",
    "selfcheck",
    "grounded",
    "spans",
    "llm_judge",
    "cross_examination",
)
_registered: dict[str, Detector] = {}
DETECTORS: Mapping[str, Detector] = MappingProxyType(_registered)


def register(detector: Detector) -> None:
    """Add a detector to ``DETECTORS``, after which app and command line offer it.

    Parameters
    ----------
    detector : Detector
        The method; it holds no state.

    Raises
    ------
    ValueError
        Its name is taken, or it says that it reads an unknown parameter.

    Examples
    --------
    >>> register(DETECTORS["summac"])
    Traceback (most recent call last):
        ...
    ValueError: There is a detector 'summac' already.
    """
    if detector.name in _registered:
        raise ValueError(f"There is a detector {detector.name!r} already.")
    if unknown := set(detector.traits.uses) - set(PARAMETERS):
        raise ValueError(f"{detector.name} reads {', '.join(sorted(unknown))}: no such parameter.")
    _registered[detector.name] = detector


for _module in _MODULES:
    register(import_module(f"{__package__}.{_module}").DETECTOR)


def get_detector(name: str) -> Detector:
    """Find a detector.

    Parameters
    ----------
    name : str
        Its name, or one that it had before.

    Returns
    -------
    Detector
        The method.

    Raises
    ------
    InputError
        There is none of that name; the message lists the known names.

    Examples
    --------
    >>> get_detector("summac").title
    'SummaC'
    """
    if (found := _registered.get(current_detector(name))) is None:
        known = ", ".join(_registered)
        raise InputError(f"There is no detector {name!r}. Choose one of {known}.")
    return found


def default_parameters(profile: str | None = None, detector: str = DEFAULT_DETECTOR) -> Parameters:
    """Make the default parameters of a detector, with its own threshold. Load no model.

    Parameters
    ----------
    profile : str, optional
        Name of the profile whose models will measure.
    detector : str, default "two-stage"
        Name of the detector.

    Returns
    -------
    Parameters
        Every setting of an audit.

    Raises
    ------
    InputError
        There is no detector of that name.

    Examples
    --------
    >>> default_parameters(detector="summac").threshold
    0.7
    """
    chosen = get_detector(detector)
    return Parameters(
        detector=detector,
        threshold=chosen.threshold(profile or default_profile()),
        claim_aggregation=chosen.claim_aggregation,
    )


def parameters_read(given: Parameters) -> tuple[str, ...]:
    """Names of the parameters that a detector reads, beside those that every detector reads. Some
    are read only as others are set in ``given``."""
    uses = get_detector(given.detector).traits.uses
    return tuple(name for name in PARAMETERS if name in uses and PARAMETERS[name].is_read(given))


def unusable(parameters: Parameters) -> str:
    """Why an audit under ``parameters`` cannot be made as things are set, and what to set; "" where
    it can."""
    reason = get_detector(parameters.detector).unavailable()
    return reason or (judge_problem() if _asks_third_reader(parameters) else "")


def asked_model(parameters: Parameters) -> JudgeModel | None:
    """The model outside of this process that an audit asks, as set now; None where it asks none.
    Raises JudgeError where it asks one, and none is set."""
    if _asks_third_reader(parameters):
        return read_judge_settings().model
    return get_detector(parameters.detector).judge()


def what_is_sent(parameters: Parameters) -> str:
    """What an audit sends out of this process and where to, as set now, in sentences; "" where it
    sends nothing. Raises JudgeError where it asks a model outside, and none is set."""
    if _asks_third_reader(parameters):
        return what_the_third_reader_sends()
    return get_detector(parameters.detector).what_is_sent()


def _asks_third_reader(parameters: Parameters) -> bool:
    uses = get_detector(parameters.detector).traits.uses
    return "third_reader" in uses and asks_third_reader(parameters)


def measures_relevance(audit: Audit) -> bool:
    """Whether the chunks of an audit were scored for relevance. Where not, the relevance of each
    source is 0; else that of a chunk that the relevance model did not read is None."""
    plan = get_detector(audit.parameters.detector).plan(audit.parameters)
    return plan.relevance or bool(audit.evidence.claim_relevance)
