"""What a session starts with: the default preset where there is one, else the models' own."""

from __future__ import annotations

from dataclasses import dataclass

from provenance_core import PROFILES, Parameters, default_parameters
from storage import PresetStore, StorageError

_PROFILE = "embedded"


@dataclass(frozen=True, slots=True)
class Start:
    """``preset``: the number of the preset that ``parameters`` come from, if one.
    ``problem``: why the default preset could not be used, in sentences; '' when it could."""

    parameters: Parameters
    profile: str
    preset: int | None
    problem: str


def start_parameters() -> Start:
    """The default preset; without one, or when it cannot be used, the models' own defaults."""
    problem = ""
    try:
        preset = PresetStore.open().default()
    except StorageError as error:
        preset, problem = None, str(error)
    if preset is not None and preset.profile not in PROFILES:
        problem = (
            f"The default preset {preset.name!r} is for the profile {preset.profile!r}, which is "
            "not installed. Make another preset the default on the Thresholds page."
        )
        preset = None
    if preset is None:
        return Start(default_parameters(_PROFILE), _PROFILE, None, problem)
    return Start(preset.parameters, preset.profile, preset.id, "")
