"""Which profiles can be used: those whose models are on this machine."""

from __future__ import annotations

from provenance_core import ModelError
from provenance_core.models.catalogue.profiles import PROFILES, Profile, get_profile, profile_names
from provenance_core.models.checkpoints.class_labels import needs_entailment_label
from provenance_core.models.hub.cache import model_folder, require_models

# Their models are files of this repository.
_SHIPPED = tuple(name for name, profile in PROFILES.items() if not profile.public_models)


def profile_problem(name: str) -> str:
    """Why the profile of that name cannot be used, and what to do, in sentences; "" if it can."""
    try:
        profile = get_profile(name)
        require_models(profile)
        if classes := unnamed_classes(profile):
            return (
                f"Nobody has named which of the {classes} classes of "
                f"{profile.nli.name_and_revision} means supported. Name it on the Models page."
            )
    except ModelError as error:
        return str(error)
    return ""


def unnamed_classes(profile: Profile) -> int:
    """The number of classes of a downloaded NLI model, if a person has to name the one that means
    "supported"; else 0. Raises ModelError if it cannot be read."""
    nli = profile.nli
    if nli.is_embedded or nli.entailment_label is not None:
        return 0
    return needs_entailment_label(model_folder(nli))


def ready_profiles() -> list[str]:
    """The names of the profiles that can be used, always with those of this repository."""
    try:
        names = profile_names()
    except ModelError:
        names = _SHIPPED
    return [name for name in names if name in _SHIPPED or not profile_problem(name)]
