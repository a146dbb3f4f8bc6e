"""Support maps that were fitted to labels, each the profile of its name.

Such a profile is called ``fit-`` and a digest of what was fitted, so that an audit, a run or a
preset that names it means the same map for ever. The core keeps none: whoever keeps them, as
:mod:`storage.fitted_profiles` does, says so by :func:`look_for_fits`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from provenance_core.errors import ModelError
from provenance_core.types import SupportMap

_PREFIX = "fit-"
_NAME = re.compile(f"{_PREFIX}[0-9a-f]{{8}}")


@dataclass(frozen=True, slots=True)
class FittedMap:
    """A map and a threshold in the place of a profile's own. ``title``: what a person calls it.
    ``base``: the profile whose models measure. ``weights``: SHA-256 of those models. ``n``: the
    labelled answers it was fitted to. ValueError for a threshold outside [0, 1], and for a map that
    :func:`check_map` refuses."""

    title: str
    base: str
    weights: tuple[str, ...]
    support: SupportMap
    threshold: float
    n: int

    def __post_init__(self) -> None:
        if not 0.0 <= self.threshold <= 1.0:
            raise ValueError(f"the threshold must be in [0, 1], not {self.threshold}")
        check_map(self.support)

    @property
    def name(self) -> str:
        """The name of the profile, the same for the same map, threshold and models."""
        parts = [self.base, list(self.weights), repr(self.support), self.threshold]
        return _PREFIX + hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:8]

    @property
    def good_for(self) -> str:
        """What it is, in a sentence or two."""
        return (
            f"The models of {self.base}, with the support map and the threshold fitted to "
            f"{self.n:,} labelled answers. The Thresholds page shows the figures."
        )


def check_map(support: SupportMap) -> None:
    """Raises ValueError where a weight is below 0, so that something that speaks for a sentence
    counts against it, or a weight or an intercept is no finite number."""
    for each in (support, support.replies, support.summaries):
        if each is None:
            continue
        for name, value, least in (
            ("intercept", each.intercept, float("-inf")),
            *((str(one.term), one.weight, 0.0) for one in each.weights),
        ):
            if not least <= value < float("inf") or value == float("-inf"):
                raise ValueError(f"{name} must be a finite number, a weight 0 or more, not {value}")


Source = Callable[[], Mapping[str, FittedMap]]
_sources: list[Source] = []


def look_for_fits(source: Source) -> None:
    """Let profiles be found in a source of fitted maps."""
    if source not in _sources:
        _sources.append(source)


def is_fitted_name(name: str) -> bool:
    """Whether a name is ``fit-`` and eight hexadecimal digits."""
    return bool(_NAME.fullmatch(name))


def all_fitted_maps() -> Mapping[str, FittedMap]:
    """Every fitted map that is kept, by the name of its profile. Raises ModelError where a source
    cannot read them."""
    return MappingProxyType({name: each for source in _sources for name, each in source().items()})


def fitted_map(name: str) -> FittedMap:
    """Find a fitted map. Raises ModelError where no map of this name is kept."""
    found = all_fitted_maps().get(name)
    if found is None:
        raise ModelError(
            f"The profile {name} was fitted to labels and is not kept in this database, or was "
            "deleted. Import its file on the Thresholds page, or by python -m provenance_core fit "
            "--import FILE."
        )
    return found
