"""A fitted profile whose figures no labels gave."""

from __future__ import annotations

from dataclasses import replace

from provenance_core.models.catalogue.profiles import get_profile, support_maps
from provenance_core.statistics.own_fit.types import FitComparison, FitFigure, KindCount, MapFit
from provenance_core.statistics.thresholds.types import Estimate
from provenance_core.statistics.types import Interval
from provenance_core.types import AnswerKind


def hand_fit(threshold: float, moved: float) -> MapFit:
    """A fit to the embedded profile, whose map lies ``moved`` above the profile's own."""
    maps = support_maps(get_profile("embedded"))
    estimate = Estimate(0.8, Interval(0.7, 0.9))
    return MapFit(
        base="embedded",
        support=replace(maps.decisive, intercept=maps.decisive.intercept + moved),
        threshold=threshold,
        threshold_before=0.5,
        strength=16.0,
        n=70,
        supported=40,
        documents=30,
        comparisons=tuple(
            FitComparison(figure, estimate, estimate, Estimate(0.0, None, "none"))
            for figure in FitFigure
        ),
        kinds=(
            KindCount(AnswerKind.CLAIM, 62, 36),
            KindCount(AnswerKind.REPLY, 8, 4),
            KindCount(AnswerKind.SUMMARY, 0, 0),
        ),
    )
