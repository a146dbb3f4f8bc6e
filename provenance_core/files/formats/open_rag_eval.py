"""open-rag-eval: one record a passage, of which those of one answer are one row.

As its own loader does (open_rag_eval/rag_results_loader.py), records of one query_id and query_run
(1 where there is none) belong together, without query_id each record stands for itself, the first
answer that is not empty is the answer of all, and NO_ANSWER and API_ERROR stand for no answer.
Unlike there, citations ([1]) stay in the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._steps import parsed
from provenance_core.files.records.entries import Entry, Note, Record
from provenance_core.files.types import BatchOptions, RejectedRow
from provenance_core.files.values.fields import record_text
from provenance_core.files.values.scalars import scalar_text

_NO_ANSWERS = ("NO_ANSWER", "API_ERROR")
_READ = ("query_id", "query", "query_run", "passage", "generated_answer")


def _passage(record: Record) -> Iterator[tuple[Record, dict[str, str]]]:
    yield record, {key: (scalar_text(record.fields.get(key)) or "").strip() for key in _READ}


def _step(_path: Path, entries: Iterable[Entry], _options: BatchOptions) -> Iterator[Entry | Note]:
    groups: dict[tuple[str, str], list[tuple[Record, dict[str, str]]]] = {}
    lost = 0
    for each in parsed(entries, _passage):
        if isinstance(each, tuple):
            record, texts = each
            own = texts["query_id"] or f"\x00{record.line}"
            groups.setdefault((own, texts["query_run"] or "1"), []).append(each)
        else:
            lost += isinstance(each, RejectedRow)
            yield each
    if lost:
        yield Note(
            f"{lost} passage(s) were refused; answers to their queries are checked without them."
        )
    differing = 0
    for (_, run), passages in groups.items():
        first, texts = passages[0]
        answers = list(dict.fromkeys(t["generated_answer"] for _, t in passages))
        answers = [answer for answer in answers if answer]
        differing += len(answers) > 1
        answer = answers[0] if answers else ""
        if answer in _NO_ANSWERS:
            said = (
                f"generated_answer is {answer}: there was no answer; leave the query out, or have "
                "it answered again"
            )
            whole = "\n".join(record_text(record) for record, _ in passages)
            yield RejectedRow(first.line, said, whole, first.unit)
            continue
        name = texts["query_id"]
        yield Record(
            first.line,
            {
                "query": texts["query"],
                "context": tuple(t["passage"] for _, t in passages if t["passage"]),
                "answer": answer,
                "id": name if run == "1" else f"{name}-{run}",
                "group": name,
            },
            first.unit,
        )
    if differing:
        yield Note(
            f"{differing} query(s) have passages with different answers; the first was taken."
        )


FORMAT = Format(
    name="open_rag_eval",
    title="open-rag-eval",
    files="its .csv file of generated answers, one passage a row",
    keys=(
        keys("query_id", "query", "passage", "generated_answer"),
        keys("query", "passage_id", "passage", "generated_answer"),
    ),
    columns=tuple(column(name, name) for name in ("query", "context", "answer", "id", "group")),
    step=_step,
    versions="shape from the documentation (open-rag-eval 0.2)",
    source="open_rag_eval/rag_results_loader.py",
)
