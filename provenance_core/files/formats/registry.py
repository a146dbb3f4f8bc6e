"""Every known data set: by what it is recognised, how it is read, what is published of it."""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.errors import InputError
from provenance_core.files.formats import (
    _aggrefact,
    _faithbench,
    _halubench,
    _halueval,
    _hotpotqa,
    _msmarco,
    _own_rows,
    _ragtruth,
    _summac,
    _true,
    _truthfulqa,
)
from provenance_core.files.formats._format import DatasetFormat
from provenance_core.files.types import Counts, LabelledRow

__all__ = ["FORMATS", "OWN_ROWS", "DatasetFormat", "count_warnings", "format_list", "named_format"]

OWN_ROWS = _own_rows.FORMAT

# They are tried in this order: a format known by its file name comes before one with its keys.
_ALL = (
    OWN_ROWS,
    _ragtruth.FORMAT,
    _halueval.QA,
    _halueval.DIALOGUE,
    _halueval.SUMMARIZATION,
    _halueval.GENERAL,
    *_true.FORMATS,
    _halubench.FORMAT,
    _truthfulqa.FORMAT,
    _hotpotqa.FORMAT,
    _msmarco.FORMAT,
    _summac.FORMAT,
    _aggrefact.FORMAT,
    _faithbench.FORMAT,
)
FORMATS: dict[str, DatasetFormat] = {known.name: known for known in _ALL}


def named_format(name: str) -> DatasetFormat:
    """Find a format by its name.

    The format. Raises InputError There is none; the message has all names.
    """
    if name not in FORMATS:
        raise InputError(f"no data set format is called {name!r}; the formats: {format_list()}")
    return FORMATS[name]


def format_list() -> str:
    """List all formats with the keys that their records have, for a message.

    A line for each format.
    """
    named: dict[tuple[frozenset[str], ...], list[str]] = {}
    for known in FORMATS.values():
        named.setdefault(known.key_sets, []).append(known.name)
    return "; ".join(
        f"{', '.join(names)} ({' or '.join(', '.join(sorted(keys)) for keys in key_sets)})"
        for key_sets, names in named.items()
    )


def count_warnings(read_as: DatasetFormat, dataset: str, rows: Sequence[LabelledRow]) -> list[str]:
    """Hold the counts of rows against those that are published.

    Our own rows are held against the data set of their name, as far as it is one file.

    A sentence for each count that differs.
    """
    known = read_as
    published = read_as.published
    if read_as is OWN_ROWS:
        known = FORMATS.get(dataset, OWN_ROWS)
        published = tuple(entry for entry in known.published if len(known.published) == 1)
    said: list[str] = []
    for subset, expected in published:
        part = [row.label for row in rows if not subset or row.subset == subset]
        found = Counts(hallucinated=part.count(0), supported=part.count(1))
        if found != expected:
            said.append(
                f"{f'{known.title}, {subset}' if subset else known.title}: {expected.supported} "
                f"supported and {expected.hallucinated} hallucinated rows are published, this file "
                f"has {found.supported} and {found.hallucinated}: it may be another version or cut"
            )
    return said
