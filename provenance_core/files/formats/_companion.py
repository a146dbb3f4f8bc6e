"""Hallucinated answers from a second file, matched by a key to the records of the first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from provenance_core.files.records.entries import Note, Record, beside
from provenance_core.files.records.opening import read_entries
from provenance_core.files.values.fields import identifier


@dataclass(slots=True)
class Companion:
    """The answers of the file ``name`` by key; empty where it is not there. ``damaged`` counts its
    records of no use, ``used`` has the keys that were asked for."""

    name: str
    found: bool = False
    answers: dict[str, list[str]] = field(default_factory=dict)
    damaged: int = 0
    used: set[str] = field(default_factory=set)

    def of(self, key: str) -> list[str]:
        """The answers to a key."""
        self.used.add(key)
        return self.answers.get(key, [])

    def notes(self) -> Iterator[Note]:
        """What of the second file could not be used."""
        if self.damaged:
            yield Note(f"{self.name}: {self.damaged} record(s) could not be read")
        if unmatched := len(self.answers.keys() - self.used):
            yield Note(
                f"{self.name}: {unmatched} of {len(self.answers)} questions are not in the data "
                "set's file; their answers are left out"
            )


def read_companion(path: Path, name: str, key: str, answer: str) -> Companion:
    """The file ``name`` beside ``path``: its texts under ``answer`` by the value of ``key``."""
    companion = Companion(name)
    other = beside(path, name)
    if other is None:
        return companion
    companion.found, companion.name = True, other.name
    for entry in read_entries(other):
        asked = identifier(entry.fields, key).strip() if isinstance(entry, Record) else ""
        value = entry.fields.get(answer) if isinstance(entry, Record) else None
        if asked and isinstance(value, str):
            companion.answers.setdefault(asked, []).append(value)
        else:
            companion.damaged += 1
    return companion
