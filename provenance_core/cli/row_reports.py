"""What the commands that read files of rows say of them on standard error."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from provenance_core.cli.output import ProgressLine, complain, visible
from provenance_core.files.types import RejectedRow, Unit
from provenance_core.statistics.eta import measured_pace

# A file whose every row lacks a context would bury the terminal under one line a row.
_LINES_A_REASON = 10


class SkipReport:
    """Reports rows left out as ``file:line: reason``, or ``file, record 3: reason`` where records
    are counted, and counts what it does not list."""

    def __init__(self, path: Path | str) -> None:
        self._path = path
        self._rows: Counter[str] = Counter()

    def add(self, row: RejectedRow) -> None:
        """Report a row of the file that is left out."""
        self._rows[row.reason] += 1
        if self._rows[row.reason] <= _LINES_A_REASON:
            # Editors open a file at the line that is written like this.
            place = f":{row.line}" if row.unit is Unit.LINE else f", {row.place}"
            complain(f"{self._path}{place}: {visible(row.reason)}")

    def summarise(self) -> None:
        """How many more there are for each reason."""
        for reason, rows in self._rows.items():
            if rows > _LINES_A_REASON:
                complain(f"{self._path}: {rows - _LINES_A_REASON:,} more rows: {visible(reason)}")


def report_rejected(path: Path | str, rows: Iterable[RejectedRow]) -> None:
    """Report all the rows of a file that are left out."""
    skips = SkipReport(path)
    for row in rows:
        skips.add(row)
    skips.summarise()


class RowProgress(ProgressLine):
    """Rows done, rows a second and time left in one line. ``before``: rows that were done when it
    began, which say nothing of the pace."""

    def __init__(self, name: str, before: int = 0) -> None:
        super().__init__(name)
        self._before = before
        self._began = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        if done == total:
            self.end()
            return
        pace = measured_pace(done - self._before, time.monotonic() - self._began, total - done)
        self.show(f"{done:,} of {total:,} rows" + (f", {pace}" if pace else ""))
