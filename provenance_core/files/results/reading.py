"""Results read back."""

from __future__ import annotations

from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.locations import explained, file_system, is_address
from provenance_core.files.records.entries import Record
from provenance_core.files.records.opening import read_entries
from provenance_core.files.results.writing import PARTS

_SUFFIX = ".parquet"
_KEYS = {"row", "outcome", "audit"}


def result_files(location: str) -> tuple[str, ...]:
    """Name the Parquet files of results. The files by their names, the location itself where it is
    one. Raises InputError where a folder that cannot be listed, or an address that cannot be
    used."""
    if not is_address(location):
        path = Path(location)
        return tuple(map(str, sorted(path.glob(PARTS)))) if path.is_dir() else (location,)
    if location.endswith(_SUFFIX):
        return (location,)
    system, path_there = file_system(location)
    with explained(location):
        found = sorted(system.glob(f"{path_there}/{PARTS}"))
    return tuple(system.unstrip_protocol(each) for each in found)


def has_results(path: Path) -> bool:
    """Whether a file of this machine is one of results. What the columns of a Parquet file say;
    False for any other. Raises InputError where it is a damaged Parquet file."""
    if path.suffix.lower() != _SUFFIX or not path.is_file():
        return False
    first = next(read_entries(path), None)
    return isinstance(first, Record) and first.fields.keys() >= _KEYS


def result_records(path: Path) -> list[dict[str, object]]:
    """Read the rows of a file of results. The columns of each row, as :class:`ResultRow` names
    them. Raises InputError where it is damaged, holds no results, or reaches a limit of
    :mod:`provenance_core.files.limits`."""
    records = [entry.fields for entry in read_entries(path) if isinstance(entry, Record)]
    if any(not record.keys() >= _KEYS for record in records):
        raise InputError(f"{path}: no results of a batch; it lacks columns of theirs")
    return records
