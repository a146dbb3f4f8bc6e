"""open-rag-eval: one record a passage, of which those of one answer are one row.

The columns are query_id, query, query_run, passage_id, passage and generated_answer. As its own
loader does (open_rag_eval/rag_results_loader.py), records of one query_id and query_run (1 where
there is none) belong together, without query_id each record stands for itself, the first answer
that is not empty is the answer of all, and NO_ANSWER and API_ERROR stand for no answer. Unlike
there, citations ([1]) stay in the answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from provenance_core.files.formats._fields import record_text
from provenance_core.files.formats._format import Reading, parsed
from provenance_core.files.formats._scalars import scalar_text
from provenance_core.files.records.entries import Entry, Record
from provenance_core.files.types import BatchRow, RejectedRow

_NO_ANSWERS = ("NO_ANSWER", "API_ERROR")


@dataclass(frozen=True, slots=True)
class _Passage:
    record: Record
    query_id: str
    query: str
    run: str
    text: str
    answer: str


def read_passages(_path: Path, entries: Iterable[Entry]) -> Reading:
    """Make a row of each query and run.

    The rows; ``line`` is that of the first passage.
    """
    found, refused = parsed(entries, lambda record: (_passage(record),))
    groups: dict[tuple[str, str], list[_Passage]] = {}
    for passage in found:
        own = passage.query_id or f"\x00{passage.record.line}"
        groups.setdefault((own, passage.run), []).append(passage)
    warnings: list[str] = []
    if refused:
        warnings.append(
            f"{len(refused)} passage(s) were refused; answers to their queries are checked without "
            "them."
        )
    rows: list[BatchRow] = []
    differing = 0
    for passages in groups.values():
        first = passages[0]
        answers = list(dict.fromkeys(passage.answer for passage in passages if passage.answer))
        differing += len(answers) > 1
        answer = answers[0] if answers else ""
        if answer in _NO_ANSWERS:
            refused.append(
                RejectedRow(
                    first.record.line,
                    f"generated_answer is {answer}: there was no answer; leave the query out, or "
                    "have it answered again",
                    "\n".join(record_text(passage.record) for passage in passages),
                )
            )
            continue
        rows.append(
            BatchRow(
                first.record.line,
                first.query,
                tuple(passage.text for passage in passages if passage.text),
                answer,
                id=first.query_id if first.run == "1" else f"{first.query_id}-{first.run}",
                group=first.query_id,
            )
        )
    if differing:
        warnings.append(
            f"{differing} query(s) have passages with different answers; the first was taken."
        )
    return Reading(tuple(rows), tuple(refused), tuple(warnings))


def _passage(record: Record) -> _Passage:
    query_id, query, run, text, answer = (
        (scalar_text(record.fields.get(key)) or "").strip()
        for key in ("query_id", "query", "query_run", "passage", "generated_answer")
    )
    return _Passage(record, query_id, query, run or "1", text, answer)
