"""What became of the rows of a file, for whoever has to act on it: the end of a batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from provenance_core.files.batch.checks import NO_CONTEXT
from provenance_core.files.batch.types import BatchFile
from provenance_core.files.formats._other_names import lines_text
from provenance_core.files.types import BatchRow, Doubt, RejectedRow, RowDoubt, Unit
from provenance_core.text.languages import foreign_language

_FIRST = 120  # characters of the first example
_READ = 2_000  # characters of a context that tell its language


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows of which the same is to be said: what, which lines, and the first of them as text."""

    what: str
    lines: tuple[int, ...]
    first: str = ""


@dataclass(frozen=True, slots=True)
class FileSummary:
    """What became of the rows of a file.

    ``read``: rows found, of which ``rows`` are audited and the ``refused`` are not, by reason.
    ``without_context``: refused ones that had nothing to check against. ``without_label``: audited
    rows that nobody has judged. ``in_doubt``: audited rows of which something is not certain.
    ``other_languages``: audited rows whose answer or context is not in English, by language.
    ``passed`` and ``failed``: what the tool that wrote the file said of its answers itself.
    ``warnings``: on the file as a whole.
    """

    read: int
    rows: int
    refused: tuple[RowGroup, ...]
    without_context: tuple[int, ...]
    without_label: int
    in_doubt: tuple[RowGroup, ...]
    other_languages: tuple[RowGroup, ...]
    passed: int
    failed: int
    unit: Unit
    warnings: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether every row of the file is audited, and nothing of them is in doubt."""
        return not self.refused and not self.in_doubt

    def sentences(self) -> tuple[str, ...]:
        """The summary line by line, as the command line and the page show it."""
        refused = self.read - self.rows
        said = [
            f"{self.read:,} row{'' if self.read == 1 else 's'} read, {self.rows:,} to audit, "
            f"{refused:,} refused"
        ]
        for group in self.refused:
            first = f" First: {group.first}" if group.first else ""
            said.append(f"refused ({self._places(group.lines)}): {group.what}.{first}")
        if self.without_label and self.without_label < self.rows:
            said.append(f"{self.without_label:,} of {self.rows:,} rows without a label")
        elif self.rows and self.without_label:
            said.append("no row has a label, so no accuracy can be computed")
        said += [f"in doubt ({self._places(g.lines)}): {g.what}" for g in self.in_doubt]
        said += [
            f"in {g.what} ({self._places(g.lines)}): the models read English"
            for g in self.other_languages
        ]
        if self.passed or self.failed:
            said.append(
                f"the tool that wrote the file passed {self.passed:,} of these answers itself and "
                f"failed {self.failed:,}; that is no label"
            )
        return tuple(said)

    def _places(self, lines: Sequence[int]) -> str:
        unit = self.unit if len(lines) == 1 else f"{self.unit}s"
        return f"{unit} {lines_text(list(lines))}"


def summarise(file: BatchFile) -> FileSummary:
    """Count what was read of a file. What is said of it names the file without its folder."""
    folder = f"{file.path.parent}/"
    refused = _grouped((row.reason.replace(folder, ""), row) for row in file.rejected)
    without = tuple(row.line for row in file.rejected if row.reason.startswith(NO_CONTEXT))
    return FileSummary(
        read=len(file.rows) + len(file.rejected),
        rows=len(file.rows),
        refused=refused,
        without_context=without,
        without_label=sum(row.label is None for row in file.rows),
        in_doubt=_doubts(file.doubts),
        other_languages=_languages(file.rows),
        passed=sum(row.passed == 1 for row in file.rows),
        failed=sum(row.passed == 0 for row in file.rows),
        unit=file.unit,
        warnings=tuple(warning.replace(folder, "") for warning in file.warnings),
    )


def _grouped(rows: Iterable[tuple[str, RejectedRow]]) -> tuple[RowGroup, ...]:
    """Rows by reason, the most frequent first."""
    groups: dict[str, list[RejectedRow]] = {}
    for what, row in rows:
        groups.setdefault(what, []).append(row)
    found = [
        RowGroup(what, tuple(row.line for row in of), _beginning(of[0].shown or of[0].raw))
        for what, of in groups.items()
    ]
    return tuple(sorted(found, key=lambda group: -len(group.lines)))


def _beginning(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _FIRST else f"{text[:_FIRST]}…"


def _doubts(doubts: Sequence[RowDoubt]) -> tuple[RowGroup, ...]:
    groups: dict[tuple[Doubt, str], list[int]] = {}
    for each in doubts:
        groups.setdefault((each.kind, each.reason), []).append(each.line)
    return tuple(RowGroup(reason, tuple(lines)) for (_, reason), lines in groups.items())


def _languages(rows: Sequence[BatchRow]) -> tuple[RowGroup, ...]:
    groups: dict[str, list[int]] = {}
    for row in rows:
        if language := _language(row):
            groups.setdefault(language, []).append(row.line)
    return tuple(RowGroup(language, tuple(lines)) for language, lines in groups.items())


def _language(row: BatchRow) -> str:
    """The language of the answer, else of the context; "" where both are English."""
    if language := foreign_language(row.answer):
        return language
    of_context = foreign_language("\n".join(row.texts)[:_READ])
    return f"English, the context in {of_context}" if of_context else ""
