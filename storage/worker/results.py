"""Audit the rows of a file into results, without a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from provenance_core import Audit, InputError, Provenance
from provenance_core.audit.serialization import audit_from_json
from provenance_core.audit.together import attempt, audit_together, in_groups
from provenance_core.files.results import (
    Origin,
    ResultWriter,
    RowOutcome,
    audited_row,
    failed_row,
    rejected_row,
)
from provenance_core.files.types import BatchRow, RejectedRow
from provenance_core.models.heap import trim_heap
from provenance_core.text.checked_texts import CheckedTexts, check_texts
from storage.runs import PendingRow
from storage.worker.cluster import Cluster, connect, scored


def audit_into(
    results: ResultWriter,
    rows: Sequence[BatchRow],
    rejected: Sequence[RejectedRow],
    origin: Origin,
    cluster: Cluster | None = None,
    *,
    load: Callable[[str], Provenance] | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Audit the rows that are not among the results yet, each once. A row that cannot be audited or
    was rejected is kept with its reason. Raises InputError where the results cannot be written, and
    ModelError where models or cluster cannot be used."""
    if not results.begun and rejected:
        # First and together, so that whoever goes on knows that they are there.
        for each in rejected:
            results.add(rejected_row(each, origin))
        results.flush()
    left = [
        PendingRow(number, row.line, row.query, row.answer, row.items)
        for number, row in enumerate(rows, 1)
        if number not in results.done
    ]
    if not left:
        return
    done = set(results.done)
    found = (
        _here(left, origin, load or Provenance.load)
        if cluster is None
        else _on_cluster(left, origin, cluster)
    )
    for number, audit in found:
        if number in done:
            continue
        done.add(number)
        row = rows[number - 1]
        if isinstance(audit, str):
            results.add(failed_row(number, row, audit, origin))
        else:
            results.add(audited_row(number, row, audit, origin))
        on_progress(
            results.counts[RowOutcome.AUDITED] + results.counts[RowOutcome.FAILED], len(rows)
        )


def _here(
    rows: Sequence[PendingRow], origin: Origin, load: Callable[[str], Provenance]
) -> Iterator[tuple[int, Audit | str]]:
    """Number and audit of each row, or why there is none."""
    provenance = load(origin.profile)
    numbers = iter([row.id for row in rows])
    texts = (attempt(partial(_texts, row)) for row in rows)
    for group in in_groups(texts, origin.parameters):
        for audit in audit_together(provenance, group, origin.parameters):
            error = audit.exception()
            found: Audit | str = str(error) if isinstance(error, InputError) else audit.result()
            yield next(numbers), found
        trim_heap()


def _texts(row: PendingRow) -> CheckedTexts:
    return check_texts(answer=row.answer, context=row.context, query=row.query)


def _on_cluster(
    rows: Sequence[PendingRow], origin: Origin, cluster: Cluster
) -> Iterator[tuple[int, Audit | str]]:
    connect(cluster)
    for start in range(0, len(rows), cluster.window):
        part = rows[start : start + cluster.window]
        for each in scored(part, origin.profile, origin.parameters, cluster):
            yield each.id, each.reason or audit_from_json(each.audit)
