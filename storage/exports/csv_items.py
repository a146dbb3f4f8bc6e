"""CSV: one line for each item, for a spreadsheet.

A spreadsheet would run a cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a line break as
a formula. Such a cell gets a leading apostrophe (OWASP, "CSV Injection"); no character is removed.
UTF-8 with a byte-order mark.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

from provenance_core.review.types import Judgement, Review
from provenance_core.types import Verdict, verdict_state
from storage.exports._export_item import ExportItem
from storage.exports.spreadsheet_cells import neutral_cell
from storage.items import Item


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A line of the file; the names are its headings.

    ``score``: empty where there is nothing to check, as no threshold speaks of it there.
    ``label`` and ``reviewed_label``: 1 = supported, 0 = hallucinated, empty when unknown. The
    second is the gold label of the answer, else what most reviewers say of it, each by the latest
    judgement in any audit of it; ``gold_label``: the verdict that settled it, ``gold_by``: who
    decided; ``judged_in``: the last other audit in which one of these was given.
    ``flagged``: sentences that the machine calls not supported, empty when unknown. ``state``: the
    verdict as the pages show it: ``supported_flagged`` where an answer is supported and a
    sentence is not.
    ``corrected_from``: the audit whose answer is corrected in this one, empty for most;
    ``corrected_by``: who typed the correction, empty where a suggestion was accepted.
    ``reviewers_verdicts`` and ``comments``: ``reviewer: verdict``, joined by `` | ``, of the
    ``reviews`` that count and were given in this audit; ``labels``: those of the team's own set
    that they gave, as ``reviewer: label; label``. ``passed``: what the tool that wrote the file
    said of the answer itself, 1 = it passed; it is no label. ``unread_language``: of the answer,
    else of the context, where the models do not read it, so that the score says little.
    ``correction``: the last corrected text of this answer, ``correction_audit``: the audit of it,
    which is no item of the run, ``correction_by``: who typed it; empty where there is none."""

    audit_id: int
    created_at: str
    run: str
    line: int | None
    row_id: str
    query: str
    answer: str
    score: float | None
    threshold: float
    verdict: str
    flagged: int | None
    label: int | None
    reviewed_label: int | None
    reviews: int
    reviewers_verdicts: str
    comments: str
    subset: str
    task: str
    source_model: str
    group: str
    profile: str
    detector: str
    corrected_from: int | None
    judged_in: int | None
    corrected_by: str
    labels: str
    gold_label: str
    gold_by: str
    state: str
    passed: int | None
    unread_language: str
    correction: str
    correction_audit: int | None
    correction_by: str


def csv_rows(given: ExportItem) -> Iterator[CsvRow]:
    """The one line of an item, with the reviews of the audit that count. Raises StorageError where
    these cannot be read."""
    item, said = given.item, given.latest_reviews()
    gold, correction = given.gold_label(), given.correction()
    of_item = {each.name for each in fields(CsvRow)}.intersection(Item.__slots__)
    own: dict[str, Any] = {
        "score": None if item.verdict is Verdict.NOTHING_TO_CHECK else item.score,
        "verdict": str(item.verdict),
        "flagged": item.unsupported_sentences,
        "reviewed_label": item.opinion,
        "reviews": len(said),
        "reviewers_verdicts": _joined(said, lambda judgement: str(judgement.verdict)),
        "comments": _joined(said, lambda judgement: judgement.comment),
        "corrected_by": given.corrected_by(),
        "labels": _joined(said, lambda judgement: "; ".join(judgement.labels)),
        "gold_label": item.gold or "",
        "gold_by": gold.decided_by if gold else "",
        "state": str(verdict_state(item.verdict, item.unsupported_sentences)),
        "unread_language": given.unread_language(),
        "correction": correction.answer if correction else "",
        "correction_audit": correction.audit_id if correction else None,
        "correction_by": correction.author if correction else "",
    }
    yield CsvRow(**{name: getattr(item, name) for name in of_item} | own)


def _joined(reviews: Sequence[Review], told: Callable[[Judgement], str]) -> str:
    """What is told of each judgement, with its reviewer; without those of which nothing is."""
    texts = ((review.reviewer, told(review.judgement)) for review in reviews)
    return " | ".join(f"{reviewer}: {text}" for reviewer, text in texts if text)


def csv_lines(rows: Iterable[CsvRow]) -> Iterator[str]:
    """Headings, after the byte-order mark, then one line for each row; RFC 4180."""
    yield "\ufeff" + _line([field.name for field in fields(CsvRow)])
    for row in rows:
        yield _line([neutral_cell(v) if isinstance(v, str) else v for v in astuple(row)])


def _line(cells: list[Any]) -> str:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue()
