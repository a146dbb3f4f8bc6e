"""The results of a file as Parquet: a row for each row of the file, with its audit as JSON."""

from provenance_core.files.results.reading import has_results, result_files, result_records
from provenance_core.files.results.rows import audited_row, failed_row, rejected_row
from provenance_core.files.results.types import Origin, ResultRow, RowOutcome
from provenance_core.files.results.writing import ResultWriter, results_at

__all__ = [
    "Origin",
    "ResultRow",
    "ResultWriter",
    "RowOutcome",
    "audited_row",
    "failed_row",
    "has_results",
    "rejected_row",
    "result_files",
    "result_records",
    "results_at",
]
