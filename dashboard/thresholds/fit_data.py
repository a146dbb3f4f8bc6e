"""The labelled answers of a view as a fit reads them, and the fit itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dashboard.thresholds.data import LabelledItem, LabelledItems
from provenance_core import Parameters, default_parameters
from provenance_core.models.catalogue.profiles import get_profile, support_maps
from provenance_core.progress import Progress
from provenance_core.statistics.own_fit.answers import FitSample, LabelledAudit, fit_sample
from provenance_core.statistics.own_fit.fit import fit_to_labels, shortage
from provenance_core.statistics.own_fit.types import MapFit
from storage import AuditStore

# Of the whole work, the share that reading the audits takes; the rest is the fit.
_READING = 0.5


@dataclass(frozen=True, slots=True)
class FittingItems:
    """The labelled items of a view that a fit can begin with, each audit once. ``base``: the name
    of the profile whose models measured them."""

    items: tuple[LabelledItem, ...]
    base: str

    @property
    def parameters(self) -> Parameters:
        """Under which the fit is compared: those that the base profile starts with."""
        return default_parameters(self.base)

    @property
    def shortage(self) -> str:
        """What is missing for a fit, as far as can be told before the audits are read."""
        return shortage(
            [each.label for each in self.items],
            [each.item.group or str(each.item.audit_id) for each in self.items],
        )


def bases(found: LabelledItems) -> tuple[str, ...]:
    """The profiles whose models measured the items, each once; ModelError where one that was
    fitted is not kept any more."""
    names = {each.item.profile for each in found.items}
    return tuple(sorted({_base(name) for name in names}))


def _base(name: str) -> str:
    fitted = get_profile(name).fitted
    return name if fitted is None else fitted.base


def fitting_items(found: LabelledItems, base: str) -> FittingItems:
    """The items of ``base``. Rows of runs may share an audit: the first of them counts."""
    of_audits = {each.item.audit_id: each for each in reversed(found.items)}
    return FittingItems(tuple(of_audits[number] for number in sorted(of_audits)), base)


@dataclass(frozen=True, slots=True)
class MadeFit:
    """A fit, and what it could not read."""

    fit: MapFit
    sample: FitSample


def make_fit(given: FittingItems, progress: Progress) -> MadeFit:
    """Read the audits and fit to their labels. InputError where too few can be read, ModelError
    where the profile has no support map, StorageError where an audit cannot be read."""
    maps = support_maps(get_profile(given.base))
    store, total = AuditStore.open(), len(given.items)

    reading = progress.stage("Reading the audits").part(0.0, _READING)

    def labelled() -> Iterator[LabelledAudit]:
        for done, each in enumerate(given.items):
            reading(done / total)
            audit = store.load(each.item.audit_id).audit
            yield LabelledAudit(audit, each.label, each.item.group)

    sample = fit_sample(labelled(), maps, given.parameters)
    fit = fit_to_labels(
        sample.answers,
        given.base,
        maps,
        given.parameters,
        progress=progress.stage("Fitting").part(_READING, 1.0),
    )
    return MadeFit(fit, sample)
