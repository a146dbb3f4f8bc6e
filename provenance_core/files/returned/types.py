"""What a file that another tool gave back says, frozen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from provenance_core.files.types import RejectedRow, Unit
from provenance_core.review.types import JudgedVerdict


class ReturningTool(StrEnum):
    """A tool whose files are read in again."""

    LABEL_STUDIO = "Label Studio"
    PHOENIX = "Phoenix"
    LANGFUSE = "Langfuse"


@dataclass(frozen=True, slots=True)
class ReturnedSpan:
    """``text``, which the tool has at ``answer[start:end]``; ``kind`` is the label's name."""

    start: int
    end: int
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class ReturnedLabel:
    """What one person said of one answer. ``line``: in the file, from 1 (lines of a text file, else
    records). ``place``: what a reader finds it by in the tool. ``audit_id`` and ``row_id``: of the
    audit; at least one is given. ``run``: name of the run that the file says, None where it says
    none. ``answer``: as the tool has it, ``texts``: digest of query and answer; None where the file
    has none. ``spans`` is None where the tool knows no spans. ``judged_at``: with a time zone."""

    line: int
    place: str
    audit_id: int | None
    row_id: str
    reviewer: str
    verdict: JudgedVerdict
    comment: str = ""
    spans: tuple[ReturnedSpan, ...] | None = None
    run: str | None = None
    answer: str | None = None
    texts: str | None = None
    judged_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReturnedFile:
    """What was read of a file: people's labels in its order, and what could not be read.
    ``machine``: scores of machines, which stay out. ``unlabelled``: tasks that nobody has
    annotated, or that were skipped. ``others``: what people said under other names. ``unit``: what
    the ``line`` of a label counts. ``warnings``: on the file as a whole."""

    path: Path
    tool: ReturningTool
    labels: tuple[ReturnedLabel, ...]
    rejected: tuple[RejectedRow, ...]
    machine: int = 0
    unlabelled: int = 0
    others: int = 0
    unit: Unit = Unit.LINE
    warnings: tuple[str, ...] = ()
