"""What a finding is of: the kinds of details and of mismatches."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class DetailKind(StrEnum):
    """What a detail is; one may stand for another of its kind."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"


class MismatchKind(StrEnum):
    """How the words of a claim differ from those of a premise in the same place."""

    DENIAL = "denial"  # one denies what the other states
    OPPOSITE = "opposite"  # a word stands where the other has one of opposite meaning


@dataclass(frozen=True, slots=True)
class Mismatch:
    """``claim[start:end]`` does not agree with ``premises[premise][other_start:other_end]``, which
    stands in its place. Offsets in characters."""

    kind: MismatchKind
    start: int
    end: int
    premise: int
    other_start: int
    other_end: int


@dataclass(frozen=True, slots=True)
class Detail:
    """A number, date or name, ``text[start:end]``."""

    kind: DetailKind
    start: int
    end: int
