"""Profiles: which pair of models an audit is made with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .cross_encoder import read_manifest
from .errors import ModelError

_MODELS = Path(__file__).parent / "models"


@dataclass(frozen=True, slots=True)
class Profile:
    """A pair of model folders and a sentence for the reader."""

    name: str
    description: str
    relevance: Path
    nli: Path


PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            "embedded",
            "Two 22M-parameter cross-encoders shipped with this repository; runs on a CPU.",
            _MODELS / "relevance",
            _MODELS / "nli",
        ),
    )
}


def get_profile(name: str) -> Profile:
    """The profile called ``name``. ModelError lists the known ones."""
    try:
        return PROFILES[name]
    except KeyError:
        known = ", ".join(PROFILES)
        raise ModelError(f"There is no profile {name!r}. Known profiles: {known}.") from None


def nli_threshold(profile: str) -> float:
    """The threshold that the profile's NLI model was given on held-out training data. Reads a
    manifest; loads no model."""
    return read_manifest(get_profile(profile).nli).default_threshold
