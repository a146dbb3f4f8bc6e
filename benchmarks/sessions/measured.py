"""What the parts of this benchmark count and print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a visitor did, and the seconds until the page was drawn."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Finding:
    """What a part of the benchmark found. ``problems``: what did not hold, a line each."""

    title: str
    lines: tuple[str, ...]
    problems: tuple[str, ...]


def times_table(actions: Iterable[Action]) -> list[str]:
    """A line for each kind of action: how often, and seconds at the median, the 95th percentile and
    the worst."""
    by_name: dict[str, list[float]] = {}
    for action in actions:
        by_name.setdefault(action.name, []).append(action.seconds)
    width = max((len(name) for name in by_name), default=0)
    head = f"{'':<{width}}  {'times':>6}  {'p50 s':>7}  {'p95 s':>7}  {'worst s':>7}"
    return [head, *(f"{name:<{width}}  {_figures(found)}" for name, found in by_name.items())]


def p95(seconds: Sequence[float]) -> float:
    """The 95th percentile."""
    return float(np.percentile(seconds, 95))


def _figures(seconds: Sequence[float]) -> str:
    return (
        f"{len(seconds):6,}  {float(np.median(seconds)):7.2f}  {p95(seconds):7.2f}  "
        f"{max(seconds):7.2f}"
    )
