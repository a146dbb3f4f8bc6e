"""open-rag-eval: one record a passage, of which those of one answer are one row.

The columns are query_id, query, query_run, passage_id, passage and generated_answer. As its own
loader does (open_rag_eval/rag_results_loader.py), records of one query_id and query_run (1 where
there is none) belong together, without query_id each record stands for itself, the first answer
that is not empty is the answer of all, and NO_ANSWER and API_ERROR stand for no answer. Unlike
there, citations ([1]) stay in the answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from provenance_core.batch.scalars import scalar_text
from provenance_core.evaluation.formats._fields import record_text
from provenance_core.evaluation.formats._format import Reading
from provenance_core.evaluation.formats._records import Entry, Record
from provenance_core.evaluation.types import BatchRow, RejectedRow

_NO_ANSWERS = ("NO_ANSWER", "API_ERROR")


def read_passages(_path: Path, entries: Iterable[Entry]) -> Reading:
    """A row of each query and run; ``line`` is that of its first passage."""
    groups: dict[tuple[str, str], list[Record]] = {}
    rejected: list[RejectedRow] = []
    for entry in entries:
        if isinstance(entry, RejectedRow):
            rejected.append(entry)
            continue
        query_id = _cell(entry, "query_id") or f"\x00{entry.line}"
        groups.setdefault((query_id, _cell(entry, "query_run") or "1"), []).append(entry)
    rows: list[BatchRow] = []
    differing = 0
    for (query_id, run), records in groups.items():
        first = records[0]
        answers = dict.fromkeys(filter(None, (_cell(r, "generated_answer") for r in records)))
        differing += len(answers) > 1
        answer = next(iter(answers), "")
        if answer in _NO_ANSWERS:
            rejected.append(
                RejectedRow(
                    first.line,
                    f"generated_answer is {answer}: there was no answer; leave the query out, or "
                    "have it answered again",
                    "\n".join(map(record_text, records)),
                )
            )
            continue
        name = "" if query_id.startswith("\x00") else query_id
        rows.append(
            BatchRow(
                first.line,
                _cell(first, "query"),
                tuple(filter(str.strip, (_cell(record, "passage") for record in records))),
                answer,
                id=name if run == "1" else f"{name}-{run}",
                group=name,
            )
        )
    warnings = []
    if rejected and any("\n" not in row.raw for row in rejected):
        warnings.append(
            "Rows of single passages were refused: their answers are checked without them."
        )
    if differing:
        warnings.append(
            f"{differing} query(s) have passages with different answers; the first was taken."
        )
    return Reading(tuple(rows), tuple(rejected), tuple(warnings))


def _cell(record: Record, key: str) -> str:
    return (scalar_text(record.fields.get(key)) or "").strip()
