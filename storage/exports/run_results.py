"""The results of a run as Parquet, as a batch without a database writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sqlalchemy import select

from provenance_core import __version__
from provenance_core.files.results import (
    Origin,
    ResultRow,
    RowOutcome,
    audited_row,
    failed_row,
    rejected_row,
    results_at,
)
from provenance_core.files.types import BatchRow
from storage.audits import AuditStore
from storage.database import DatabaseAccess
from storage.errors import StorageError
from storage.models import RunRowRecord
from storage.runs import RowStatus, Run, RunStore

_READ_AT_ONCE = 500
_OF_ROW = (
    "line", "query", "answer", "label", "passed", "group", "subset", "task", "source_model",
)  # fmt: skip
_DELETED = "Its audit was deleted from the database."
_PENDING = "It had not been audited when the results were written."


class RunResults(DatabaseAccess):
    """Writes the results of runs. Cheap to create; safe to use from several threads."""

    def write(self, run: Run, location: str) -> Counter[RowOutcome]:
        """Write every row of a run, one audit in memory at a time, and count them by what became of
        them. A row whose audit was deleted, cannot be read or is not there yet has its reason.
        Raises InputError where there are results already, or they cannot be written, and
        StorageError where the rows cannot be read."""
        origin = Origin(
            file=run.file_name,
            sha256="",
            format=run.format,
            mapping=run.mapping,
            profile=run.profile,
            parameters=run.parameters,
            version=__version__,
        )
        with results_at(location, origin) as results:
            for reject in RunStore(self._engine).rejects(run.id):
                results.add(rejected_row(reject, origin))
            for row in self._rows(run, origin):
                results.add(row)
        return results.counts

    def _rows(self, run: Run, origin: Origin) -> Iterator[ResultRow]:
        audits = AuditStore(self._engine)
        columns = [
            getattr(RunRowRecord, name).label(name)
            for name in (*_OF_ROW, "row_id", "status", "reason", "audit_id")
        ]
        wanted = (
            select(*columns).where(RunRowRecord.run_id == run.id).order_by(RunRowRecord.id)
        ).execution_options(yield_per=_READ_AT_ONCE)
        with self._reading("The rows of the run cannot be read") as session:
            for number, found in enumerate(session.execute(wanted), 1):
                given = {name: getattr(found, name) for name in _OF_ROW}
                row = BatchRow(context=(), id=found.row_id, **given)
                yield _result(
                    number, row, (found.status, found.reason, found.audit_id), audits, origin
                )


def _result(
    number: int,
    row: BatchRow,
    kept: tuple[str, str, int | None],
    audits: AuditStore,
    origin: Origin,
) -> ResultRow:
    """``kept``: status, reason and number of the audit, as the run has them."""
    status, reason, audit_id = kept
    if audit_id is not None:
        try:
            return audited_row(number, row, audits.load(audit_id).audit, origin)
        except StorageError as error:
            reason = str(error)
    elif status == str(RowStatus.DONE):
        reason = _DELETED
    elif status == str(RowStatus.PENDING):
        reason = _PENDING
    return failed_row(number, row, reason, origin)
