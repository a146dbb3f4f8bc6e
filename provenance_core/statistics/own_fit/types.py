"""Every data type of a fit to labels, frozen. Figures are in [0, 1] unless said otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from provenance_core.scoring.features import MapInput
from provenance_core.statistics.thresholds.types import Estimate
from provenance_core.types import AnswerKind, Bools, Floats, SupportMap


@dataclass(frozen=True, slots=True)
class FitAnswer:
    """A labelled answer of M claims as a map scores it, each claim a sentence. ``label``: 1 =
    supported. ``group``: its source document. ``read``: the cells to fit, (M, N).
    ``probabilities``: of the relevance, (N,). ``counted``: which claims count, (M,). ``also``: the
    chunks that are sources of a claim whatever is selected, (M, N)."""

    label: int
    group: str
    given: MapInput
    read: Bools
    probabilities: Floats
    counted: Bools
    also: Bools | None = None


class FitFigure(StrEnum):
    """What is compared on rows that the fit has not seen."""

    AUC = "auc"
    BALANCED_ACCURACY = "balanced_accuracy"
    CALIBRATION_ERROR = "calibration_error"


@dataclass(frozen=True, slots=True)
class FitComparison:
    """A figure by the built-in map and by maps that were fitted without the row's source document.
    ``gain``: of the second over the first, above 0 where it is better, in [-1, 1]."""

    figure: FitFigure
    before: Estimate
    after: Estimate
    gain: Estimate

    @property
    def better(self) -> bool:
        """Whether the whole interval of the gain is above 0."""
        return self.gain.interval is not None and self.gain.interval.low > 0

    @property
    def worse(self) -> bool:
        """Whether the whole interval of the gain is below 0."""
        return self.gain.interval is not None and self.gain.interval.high < 0


@dataclass(frozen=True, slots=True)
class KindCount:
    """How many labelled answers are of a kind, ``supported`` of them labelled so."""

    kind: AnswerKind
    n: int
    supported: int


@dataclass(frozen=True, slots=True)
class MapFit:
    """A map and a threshold fitted to labels, and how they do on rows that they were not fitted to.
    ``base``: the profile whose map it is held near; ``threshold_before``: that profile's own.
    ``strength``: how strongly the weights are held near it; None where nothing but the threshold
    moved, because no other map did better on unseen rows. ``n`` answers, ``supported`` of them
    labelled so, of ``documents`` source documents; ``kinds``: how many of each kind."""

    base: str
    support: SupportMap
    threshold: float
    threshold_before: float
    strength: float | None
    n: int
    supported: int
    documents: int
    comparisons: tuple[FitComparison, ...]
    kinds: tuple[KindCount, ...]

    @property
    def base_rate(self) -> float:
        """Share of the answers that is labelled supported."""
        return self.supported / self.n

    @property
    def better(self) -> bool:
        """Whether it is to be used: a figure is better by more than chance, and none worse."""
        return any(each.better for each in self.comparisons) and not any(
            each.worse for each in self.comparisons
        )

    def of(self, figure: FitFigure) -> FitComparison:
        """Find the comparison of a figure. Before, after and the gain."""
        return next(each for each in self.comparisons if each.figure is figure)
