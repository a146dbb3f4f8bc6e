"""How far a piece of work is, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Progress:
    """Call it with the share that is done, in [0, 1].

    ``report`` gets the name of the stage and the share of the whole work; what it raises ends the
    work.

    Examples
    --------
    >>> progress = Progress(print)
    >>> progress.stage("Relevance")(0.5)
    Relevance 0.5
    >>> progress.stage("Fitting").part(0.5, 1.0)(0.5)
    Fitting 0.75
    """

    report: Callable[[str, float], object]
    name: str = ""
    start: float = 0.0
    end: float = 1.0

    def __call__(self, share: float) -> None:
        self.report(self.name, self.start + (self.end - self.start) * share)

    def stage(self, name: str) -> Progress:
        """The same work at the stage ``name``."""
        return replace(self, name=name)

    def part(self, start: float, end: float) -> Progress:
        """A piece of this work that takes it from the share ``start`` to ``end``."""
        size = self.end - self.start
        return replace(self, start=self.start + size * start, end=self.start + size * end)


SILENT = Progress(lambda stage, share: None)
