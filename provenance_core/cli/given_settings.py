"""Profile and parameters of an audit, from the options that were given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from provenance_core.detectors import DETECTORS, parameters_read
from provenance_core.errors import InputError
from provenance_core.models.catalogue.custom_profiles import CUSTOM
from provenance_core.models.catalogue.profiles import (
    custom_profile,
    default_profile,
    keep_custom_profile,
)
from provenance_core.models.hub.cache import require_models
from provenance_core.parameters import PARAMETERS
from provenance_core.types import DEFAULT_DETECTOR, Parameters

PROFILE_OPTIONS = ("profile", "nli_model", "relevance_model", "entailment_label")


@dataclass(frozen=True, slots=True)
class Settings:
    """The options that say how to audit. ``parameters``: by name, None for what was not given."""

    profile: str
    nli_model: str | None
    relevance_model: str | None
    entailment_label: int | None
    method: str
    parameters: Mapping[str, object]

    def given(self) -> Iterator[tuple[str, object]]:
        """Name and value of each option that differs from its default."""
        if self.method != DEFAULT_DETECTOR:
            yield "method", self.method
        if self.profile != default_profile():
            yield "profile", self.profile
        own = {name: getattr(self, name) for name in PROFILE_OPTIONS[1:]}
        yield from ((name, value) for name, value in own.items() if value is not None)
        yield from self.given_parameters().items()

    def given_parameters(self) -> Mapping[str, Any]:
        """The parameters that were given."""
        return {name: value for name, value in self.parameters.items() if value is not None}


def parameters_from(settings: Settings, defaults: Parameters) -> Parameters:
    """Put what was given in the place of the defaults. Raises InputError if it is out of range."""
    try:
        return replace(defaults, **settings.given_parameters())
    except ValueError as error:
        raise InputError(str(error)) from error


def check_read(settings: Settings, parameters: Parameters, method: str = "") -> None:
    """Raise InputError if an option would change nothing, because the method does not read it."""
    uses = () if method else DETECTORS[parameters.detector].traits.uses
    read = {name for name, info in PARAMETERS.items() if info.of_every_detector}
    if not method:
        read.update(parameters_read(parameters))
    unread = [name for name in settings.given_parameters() if name not in read]
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


def profile_from(settings: Settings) -> str:
    """Name the profile that was asked for; a custom one is kept under its name. Raises InputError
    if options do not go together, and ModelError if the models of a custom profile are not here."""
    nli, others = settings.nli_model, (settings.relevance_model, settings.entailment_label)
    if settings.profile != CUSTOM:
        if (nli, *others) != (None, None, None):
            raise InputError(
                "--nli-model, --relevance-model and --entailment-label are for --profile "
                f"{CUSTOM}: add it, or leave them out"
            )
        return settings.profile
    if nli is None:
        raise InputError(f"--profile {CUSTOM} needs --nli-model with the NLI model")
    # What cannot be loaded is not kept.
    require_models(custom_profile(nli, *others))
    return keep_custom_profile(nli, *others).name


def option_of(name: str) -> str:
    """The option that sets a parameter, such as ``--top-k``."""
    return f"--{name.replace('_', '-')}"


def _needed(name: str) -> str:
    """What must be set so that a parameter counts."""
    condition = PARAMETERS[name].condition
    if condition is None:
        return "another method"
    return f"{option_of(condition.name)} {condition.value}"
