"""Rows of files that people bring, frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from provenance_core.types import ContextItem


class Unit(StrEnum):
    """What the number of a place in a file counts: lines of a text file, rows of a sheet, or
    records of a JSON list or a Parquet file. Of a row that is kept with its run alone, nobody knows
    which."""

    LINE = "line"
    ROW = "row"
    RECORD = "record"
    UNKNOWN = "line or record"


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """A hallucinated span of the answer, as its annotators marked it. ``answer[start:end]``,
    offsets in characters; ``kind`` in the data set's own words."""

    start: int
    end: int
    kind: str = ""


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One answer of a file with its query and context, and the truth about it where it is known.

    ``line`` counts from 1 (lines of a text file, else records). ``context``: texts, and where an
    item has a title, the item with it. ``label``: 1 = supported, 0 =
    hallucinated, None where nobody has said. ``group`` names the source document, which several
    answers may share: intervals are drawn over groups. ``spans`` is None where the data set has no
    spans at all, and empty where it has but this answer has none. ``subset`` names a part with
    figures of its own. ``passed``: what the tool that wrote the file said of the answer itself
    (1 = it passed), to compare with; it is no label."""

    line: int
    query: str
    context: tuple[str | ContextItem, ...]
    answer: str
    label: int | None = None
    id: str = ""
    group: str = ""
    subset: str = ""
    task: str = ""
    source_model: str = ""
    spans: tuple[GoldSpan, ...] | None = None
    passed: int | None = None

    @property
    def items(self) -> tuple[ContextItem, ...]:
        """The context, each item with its title or with none."""
        return tuple(
            ContextItem(index, item) if isinstance(item, str) else item
            for index, item in enumerate(self.context)
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the context, without titles."""
        return tuple(item.text for item in self.items)


@dataclass(frozen=True, slots=True)
class LabelledRow(BatchRow):
    """A row whose truth is known. ``other_answers``: what other rows of the file answer to the same
    query and context."""

    label: int
    other_answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A row of a file that cannot be audited: where (counted from 1), why, and its text where it
    could not be read. ``unit``: what ``line`` counts. ``shown``: its answer, else its query; ""
    where neither is known."""

    line: int
    reason: str
    raw: str = ""
    unit: Unit = Unit.LINE
    shown: str = field(default="", compare=False)

    @property
    def place(self) -> str:
        """Where the row is, in words: ``record 3``."""
        return f"{self.unit} {self.line:,}"


class Doubt(StrEnum):
    """What a row was read with, though it is not certain or not whole."""

    LABEL = "the label is not known"
    SEPARATOR = "a separator may part two context items"
    ANSWER = "the answer may stand for none"


@dataclass(frozen=True, slots=True)
class RowDoubt:
    """A row that is audited, and what of it is in doubt."""

    line: int
    kind: Doubt
    reason: str
    unit: Unit = Unit.LINE


@dataclass(frozen=True, slots=True)
class Counts:
    """Rows of each class, as published or as found."""

    hallucinated: int
    supported: int


@dataclass(frozen=True, slots=True)
class LabelledFile:
    """What was read of a data set: rows that can be used, rows that cannot, and warnings.
    ``format`` is the name of the format it was read as. ``warnings`` say where the counts differ
    from the published ones. ``unit``: what the ``line`` of a row counts."""

    path: Path
    dataset: str
    rows: tuple[LabelledRow, ...]
    unreadable: tuple[RejectedRow, ...]
    format: str = "rows"
    warnings: tuple[str, ...] = ()
    unit: Unit = Unit.LINE


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """Which key of a file's record holds each field of a row; "" where none does. A key within an
    object is written with dots (``meta.task``)."""

    query: str = ""
    context: str = ""
    answer: str = ""
    label: str = ""
    id: str = ""
    group: str = ""
    subset: str = ""
    task: str = ""
    source_model: str = ""
    passed: str = ""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How a file is to be read, where a person says so.

    ``encoding``: of a text, "" to find it; rows that do not fit a named one are refused alone.
    ``sheet``: of a workbook, or the list of a JSON document, "" for the first. And what counts as
    hallucinated in RAGTruth, where a span has flags: ``implicit_true``, count spans that annotators
    hold true though the context does not say them; ``due_to_null``, count spans that read a null of
    the source data as a fact. A span that is not counted is left out of label and spans alike. Both
    as ``evaluate`` reads the data set."""

    implicit_true: bool = True
    due_to_null: bool = True
    encoding: str = ""
    sheet: str = ""
