"""A place in one of several premises."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PremiseSpan:
    """``premises[premise][start:end]``; offsets in characters."""

    premise: int
    start: int
    end: int
