"""Hallucinated answers from a second file, matched by a key to the records of the first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from provenance_core.files.formats._fields import identifier
from provenance_core.files.records.entries import Record
from provenance_core.files.records.opening import read_entries


@dataclass(frozen=True, slots=True)
class Companion:
    """The answers of the second file by key. ``damaged`` counts its records of no use."""

    answers: dict[str, list[str]]
    damaged: int

    def warnings(self, path: Path, used: set[str]) -> tuple[str, ...]:
        """What of the second file could not be used.

        How many records could not be read, and how many answers have no question; none where all
        was used.
        """
        said: list[str] = []
        if self.damaged:
            said.append(f"{path.name}: {self.damaged} record(s) could not be read")
        unmatched = len(self.answers.keys() - used)
        if unmatched:
            said.append(
                f"{path.name}: {unmatched} of {len(self.answers)} questions are not in the data "
                "set's file; their answers are left out"
            )
        return tuple(said)


def read_companion(path: Path, key: str, answer: str) -> Companion:
    """Read a file whose records answer those of another.

    The texts by the value of ``key``, a number as its digits. Raises InputError The file cannot be
    opened.
    """
    answers: dict[str, list[str]] = {}
    damaged = 0
    for entry in read_entries(path):
        name = identifier(entry.fields, key).strip() if isinstance(entry, Record) else ""
        value = entry.fields.get(answer) if isinstance(entry, Record) else None
        if name and isinstance(value, str):
            answers.setdefault(name, []).append(value)
        else:
            damaged += 1
    return Companion(answers, damaged)
