"""Every data type of the results of a file, frozen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from provenance_core.types import Parameters


class RowOutcome(StrEnum):
    """What became of a row. FAILED: an audit refused it. REJECTED: it could not be used as one."""

    AUDITED = "audited"
    FAILED = "failed"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Origin:
    """What results are of, and how they came about: all rows of one folder share it.

    ``file``: its name. ``sha256``: of the file's bytes, or "" where they are no longer at hand.
    ``mapping``: which key of the file stands for what. ``version``: of this program.
    """

    file: str
    sha256: str
    format: str
    mapping: tuple[tuple[str, str], ...]
    profile: str
    parameters: Parameters
    version: str


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A row of the results; the names are those of the Parquet columns.

    ``row`` counts the rows that can be audited from 1, in the order of the file, None for one that
    was rejected; ``line`` is where the file has it. ``label``: 1 = supported, 0 = hallucinated,
    None where nobody has said. ``passed``: what the tool that wrote the file said of the answer
    itself (1 = it passed), which is no label. ``score`` and ``threshold`` are in [0, 1].
    ``flagged``: how many of the ``sentences`` are not supported. ``state``: the verdict as pages
    show it, "supported_flagged" where one of a supported answer is not. ``reason``: why there is no
    audit, "" where there is one. ``raw``: the text of a row that was rejected. ``notices``: what is
    to be said of the audit, such as a language that its models do not read. ``models``:
    ``id@sha256`` of each that measured.
    ``parameters`` and ``audit`` are JSON; :func:`provenance_core.audit.serialization.
    audit_from_json` reads the audit. What only an audit has is None without one.
    """

    row: int | None
    line: int
    id: str
    outcome: RowOutcome
    verdict: str | None
    state: str | None
    score: float | None
    threshold: float
    flagged: int | None
    sentences: int | None
    label: int | None
    passed: int | None
    reason: str
    raw: str
    query: str
    answer: str
    group: str
    subset: str
    task: str
    source_model: str
    profile: str
    detector: str
    notices: tuple[str, ...]
    models: tuple[str, ...]
    parameters: str
    audit: str | None
