"""What a session starts with: the default preset where there is one, else the models' own."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.shared.profile_choice import profile_problem
from provenance_core import Parameters, default_parameters
from provenance_core.models.catalogue.profiles import default_profile
from storage import PresetStore, StorageError


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
    if preset is not None and (unusable := profile_problem(preset.profile)):
        problem = f"The default preset {preset.name!r} is for another profile. {unusable}"
        preset = None
    if preset is None:
        return Start(default_parameters(), default_profile(), None, problem)
    return Start(preset.parameters, preset.profile, preset.id, "")
