"""A table of many rows that one JSON object holds: as pandas, ``Dataset.to_dict``, the dataset
viewer of Hugging Face and scripts write it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from provenance_core.files.field_names import field_of
from provenance_core.files.records.entries import Entry, Note, Record
from provenance_core.files.types import RejectedRow, Unit

_Rows = list[dict[str, object]]
# The name of a row, where it has one: as of the index that pandas writes under an empty heading.
_NAME = ""
_NEEDED = {"answer", "context"}


def whole_tables(entries: Iterable[Entry]) -> Iterator[Entry | Note]:
    """The records of a file; of its only object, the rows of the table that it holds."""
    for entry in _tables(entries):
        yield _viewed(entry) if isinstance(entry, Record) else entry


def _tables(entries: Iterable[Entry]) -> Iterator[Entry | Note]:
    found = iter(entries)
    first, second = next(found, None), next(found, None)
    only = first if isinstance(first, Record) and second is None else None
    rows = table_rows(only.fields) if only else None
    if only and rows is not None:
        yield from (Record(number, row, Unit.RECORD) for number, row in enumerate(rows, 1))
        total = only.fields.get("num_rows_total")
        if rows and _is_viewed(rows[0]) and isinstance(total, int) and total > len(rows):
            yield Note(
                f"The dataset viewer gave {len(rows):,} of {total:,} rows; the Parquet files of "
                "the data set have all."
            )
        return
    yield from (each for each in (first, second) if each is not None)
    yield from found


def _is_viewed(fields: Mapping[str, object]) -> bool:
    return "row_idx" in fields and isinstance(fields.get("row"), dict)


def _viewed(record: Record) -> Entry:
    """A row of the dataset viewer as it is in its data set; any other record as it is."""
    row = record.fields.get("row")
    if not isinstance(row, dict) or not _is_viewed(record.fields):
        return record
    if isinstance(cut := record.fields.get("truncated_cells"), list) and cut:
        said = f"the dataset viewer cut {', '.join(map(str, cut))} short; take the Parquet files of"
        raw = json.dumps(row, ensure_ascii=False)
        return RejectedRow(record.line, f"{said} the data set", raw, record.unit)
    return replace(record, fields={_NAME: record.fields["row_idx"], **row})


def table_rows(document: dict[str, object]) -> _Rows | None:
    """The rows of a table that an object holds; None for an object that is none.

    >>> table_rows({"answer": {"0": "a", "1": "b"}, "context": {"0": "c", "1": "d"}})
    [{'': '0', 'answer': 'a', 'context': 'c'}, {'': '1', 'answer': 'b', 'context': 'd'}]
    >>> table_rows({"answer": ["a", "b"], "context": ["c", "d"], "model": "m"})[1]
    {'answer': 'b', 'context': 'd', 'model': 'm'}
    """
    tried = (
        _pages(document),
        _split(document),
        _listed(document),
        _by_column(document),
        _by_row(document),
    )
    return next((rows for rows in tried if rows is not None), None)


def _pages(document: dict[str, object]) -> _Rows | None:
    """``{"features": [...], "rows": [{"row_idx": 0, "row": {...}}, ...]}``, of the viewer."""
    rows = document.get("rows")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        return None
    return rows if all(map(_is_viewed, rows)) else None


def _split(document: dict[str, object]) -> _Rows | None:
    """``{"columns": [...], "data": [[...], ...]}``, or data of objects beside their schema."""
    columns, data = document.get("columns"), document.get("data")
    if not isinstance(data, list) or not data:
        return None
    if "schema" in document and all(isinstance(row, dict) for row in data):
        return data
    if not isinstance(columns, list) or not all(isinstance(name, str) for name in columns):
        return None
    if not all(isinstance(row, list) and len(row) == len(columns) for row in data):
        return None
    return [dict(zip(columns, row, strict=True)) for row in data]


def _listed(document: dict[str, object]) -> _Rows | None:
    """A list of equal length for each column; what is no list is the same in each row."""
    lists = {key: value for key, value in document.items() if isinstance(value, list)}
    if any(field_of(key) == "query" and key not in lists for key in document):
        return None  # one query, with several answers or passages
    answers = [value for key, value in lists.items() if field_of(key) == "answer"]
    texts = bool(answers) and all(each is None or isinstance(each, str) for each in answers[0])
    lengths = {len(value) for value in lists.values()}
    if not texts or not _has_both(lists) or len(lengths) != 1 or lengths == {0}:
        return None
    return [
        {key: value[at] if isinstance(value, list) else value for key, value in document.items()}
        for at in range(lengths.pop())
    ]


def _by_column(document: dict[str, object]) -> _Rows | None:
    """``{"answer": {"0": ..., "1": ...}, ...}``: each column by the names of the rows."""
    columns = _objects(document)
    names = list(columns[0]) if columns else []
    alike = len(columns) > 1 and bool(names) and all(list(each) == names for each in columns)
    if not alike or not (all(map(str.isdigit, names)) or _has_both(document)):
        return None
    if any(map(str.isdigit, document)):
        return None
    pairs = list(zip(document, columns, strict=True))
    return [{_NAME: name, **{key: column[name] for key, column in pairs}} for name in names]


def _by_row(document: dict[str, object]) -> _Rows | None:
    """``{"q1": {"answer": ...}, "q2": {...}}``: each row under its name."""
    rows = _objects(document)
    if len(rows) < 2 or any(map(field_of, document)):
        return None
    numbered: Callable[[dict[str, object]], bool] = bool
    is_row = numbered if all(map(str.isdigit, document)) else _has_both
    if not all(map(is_row, rows)):
        return None
    return [{_NAME: name, **row} for name, row in zip(document, rows, strict=True)]


def _objects(document: dict[str, object]) -> _Rows:
    """The values of an object where each is an object itself, else none."""
    found = [value for value in document.values() if isinstance(value, dict)]
    return found if len(found) == len(document) else []


def _has_both(fields: Mapping[str, object]) -> bool:
    """Whether names of an answer and of a context are among the keys."""
    return set(map(field_of, fields)) >= _NEEDED
