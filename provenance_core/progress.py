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
        """Name the stage that the same work is at.

        Parameters
        ----------
        name : str
            What is done now, such as "Relevance".

        Returns
        -------
        Progress
            The same share of the work, under that name.

        Examples
        --------
        >>> Progress(print).stage("Relevance")(0.5)
        Relevance 0.5
        """
        return replace(self, name=name)

    def part(self, start: float, end: float) -> Progress:
        """Take a piece of this work.

        Parameters
        ----------
        start : float
            Share of the work at which the piece begins, in [0, 1].
        end : float
            Share at which it ends, in [0, 1].

        Returns
        -------
        Progress
            Progress of the piece: its own share 1 is ``end`` of this work.

        Examples
        --------
        >>> Progress(print, "Fitting").part(0.5, 1.0)(0.5)
        Fitting 0.75
        """
        size = self.end - self.start
        return replace(self, start=self.start + size * start, end=self.start + size * end)


SILENT = Progress(lambda stage, share: None)
