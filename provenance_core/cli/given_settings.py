"""Profile and parameters of an audit, from the options that were given."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from provenance_core.detectors import DETECTORS, parameters_read
from provenance_core.errors import InputError
from provenance_core.models.catalogue.custom_profiles import CUSTOM
from provenance_core.models.catalogue.profiles import custom_profile, keep_custom_profile
from provenance_core.models.hub.cache import require_models
from provenance_core.parameters import PARAMETERS
from provenance_core.types import Parameters

PROFILE_OPTIONS = ("profile", "nli_model", "relevance_model", "entailment_label")


def parameters_from(options: argparse.Namespace, defaults: Parameters) -> Parameters:
    """Put the options that were given into parameters.

    Parameters in their ranges. Raises InputError A value is outside its range.
    """
    given: dict[str, Any] = {
        name: getattr(options, name) for name in PARAMETERS if getattr(options, name) is not None
    }
    try:
        return replace(defaults, **given)
    except ValueError as error:
        raise InputError(str(error)) from error


def check_read(options: argparse.Namespace, parameters: Parameters, method: str = "") -> None:
    """Refuse an option that would change nothing, because the method does not read it.

    Raises InputError There is such an option; the message names it.
    """
    uses = () if method else DETECTORS[parameters.detector].traits.uses
    read = {name for name, info in PARAMETERS.items() if info.of_every_detector}
    if not method:
        read.update(parameters_read(parameters))
    unread = [
        name for name in PARAMETERS if getattr(options, name) is not None and name not in read
    ]
    if not unread:
        return
    hints = [f"{option_of(name)} needs {_needed(name)}." for name in unread if name in uses]
    them = "it" if len(unread) == 1 else "them"
    leave = f"{'Else leave' if hints else 'Leave'} {them} out, or choose another method."
    raise InputError(
        f"{', '.join(map(option_of, unread))} would change nothing: the "
        f"method {method or parameters.detector} does not read {them} as things are set. "
        + " ".join([*hints, leave])
    )


def profile_from(options: argparse.Namespace) -> str:
    """Name the profile that was asked for; a custom one is kept under its name.

    Name of the profile. Raises InputError Options do not go together, and ModelError The models of
    a custom profile are not here.
    """
    given = (options.nli_model, options.relevance_model, options.entailment_label)
    if options.profile != CUSTOM:
        if any(each is not None for each in given):
            raise InputError(
                "--nli-model, --relevance-model and --entailment-label are for --profile "
                f"{CUSTOM}: add it, or leave them out"
            )
        return str(options.profile)
    if options.nli_model is None:
        raise InputError(f"--profile {CUSTOM} needs --nli-model with the NLI model")
    # What cannot be loaded is not kept.
    require_models(custom_profile(*given))
    return keep_custom_profile(*given).name


def option_of(name: str) -> str:
    """The option that sets a parameter.

    Such as ``--top-k``.
    """
    return f"--{name.replace('_', '-')}"


def _needed(name: str) -> str:
    """What must be set so that a parameter counts."""
    condition = PARAMETERS[name].condition
    if condition is None:
        return "another method"
    return f"{option_of(condition.name)} {condition.value}"
