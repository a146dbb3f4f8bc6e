"""Results written as they come: a folder of Parquet files that can be gone on with, or one file."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any, Protocol

from provenance_core.audit.serialization import to_plain
from provenance_core.errors import InputError
from provenance_core.files.locations import explained, file_system
from provenance_core.files.results._arrow_tables import arrow, origin_of, schema_of, table_of
from provenance_core.files.results.types import Origin, ResultRow, RowOutcome

_SUFFIX = ".parquet"
_PART = "part-{:05d}.parquet"
PARTS = "part-*.parquet"
# Rows of a Parquet file of a folder, or of a row group; and seconds after which fewer will do, so
# that a process that ends without a word loses little.
_ROWS, _SECONDS = 1_000, 300.0
_WORDS = {
    "file": "the file",
    "sha256": "what the file holds",
    "format": "the format",
    "mapping": "the mapping of its keys",
    "profile": "the profile",
    "parameters": "the parameters",
    "version": "the version of this program",
}


class ResultWriter(Protocol):
    """Takes rows of results. ``done``: numbers of the rows that were there before. ``counts``: rows
    by what became of them, of before and now. ``begun``: whether anything was there before."""

    done: frozenset[int]
    counts: Counter[RowOutcome]
    begun: bool

    def add(self, row: ResultRow) -> None:
        """Take a row, which is written with others. Raises InputError where the rows cannot be
        written."""

    def flush(self) -> None:
        """Write what was taken. Raises InputError where the rows cannot be written."""


@contextmanager
def results_at(location: str, origin: Origin, *, resume: bool = False) -> Iterator[ResultWriter]:
    """Write the results of a file at a location. A name in ``.parquet`` is one file, which is there
    once the block has ended without an error. Any other is a folder, to which a Parquet file is
    added every thousand rows or five minutes, and at the end of the block even after an error: each
    is whole, or not there. Takes the rows. Raises InputError where there are results already, or of
    another origin, or the location cannot be written."""
    if not resume:
        check_free(location)
    system, path = file_system(location)
    if path.endswith(_SUFFIX):
        if resume:
            raise InputError(
                f"{location}: one file is written at the end, so there is nothing to go on with; "
                "name a folder to be able to, or leave --resume out"
            )
        file = _File(location, system, path, origin)
        try:
            yield file
            file.finish()
        finally:
            file.discard()
        return
    folder = _Folder(location, system, path, origin)
    try:
        yield folder
    finally:
        folder.flush()


def check_free(location: str) -> None:
    """Check that no results are at a location. Raises InputError where a file is there, or results
    are in the folder, or it cannot be read, or pyarrow is not installed."""
    arrow(location)
    system, path = file_system(location)
    with explained(location):
        system.invalidate_cache()
        if system.isfile(path):
            raise InputError(f"{location} is there already; name a new file or folder")
        if not path.endswith(_SUFFIX) and system.glob(f"{path}/{PARTS}"):
            raise InputError(
                f"{location} holds results already; add --resume to go on with them, or name a "
                "new folder"
            )


class _Folder:
    def __init__(self, location: str, system: Any, path: str, origin: Origin) -> None:
        self._location, self._system, self._path = location, system, path
        self._schema = schema_of(location, origin)
        self._parquet = arrow(location, "pyarrow.parquet")
        self._rows: list[ResultRow] = []
        self._since = time.monotonic()
        self.counts: Counter[RowOutcome] = Counter()
        with explained(location):
            system.invalidate_cache()
            parts = sorted(system.glob(f"{path}/{PARTS}"))
        self.begun = bool(parts)
        numbers: set[int] = set()
        for part in parts:
            numbers.update(self._read(part, origin))
        self.done = frozenset(numbers)
        self._next = 1 + max(map(_number, parts), default=-1)

    def _read(self, part: str, origin: Origin) -> Iterator[int]:
        """The numbers of a part's rows, which are counted."""
        with explained(part), self._system.open(part, "rb") as file:
            try:
                table = self._parquet.read_table(file, columns=["row", "outcome"])
            except arrow(self._location).ArrowException as error:
                raise InputError(
                    f"{part}: not a whole Parquet file ({str(error).splitlines()[0]}); delete it, "
                    "and its rows are audited again"
                ) from error
        _check_same(self._location, origin_of(part, table.schema), origin)
        self.counts.update(map(RowOutcome, table["outcome"].to_pylist()))
        yield from (number for number in table["row"].to_pylist() if number is not None)

    def add(self, row: ResultRow) -> None:
        self._rows.append(row)
        self.counts[row.outcome] += 1
        if len(self._rows) >= _ROWS or time.monotonic() - self._since >= _SECONDS:
            self.flush()

    def flush(self) -> None:
        if not self._rows:
            return
        name = f"{self._path.rstrip('/')}/{_PART.format(self._next)}"
        table = table_of(self._location, self._rows, self._schema)
        with explained(self._location):
            self._system.makedirs(self._path, exist_ok=True)
            if self._system.exists(name):
                raise InputError(
                    f"{self._location}: another process writes into this folder; end one of them, "
                    "and go on with --resume"
                )
            # Under another name until it is whole.
            with self._system.open(f"{name}.part", "wb") as file:
                self._parquet.write_table(table, file, compression="zstd")
            self._system.mv(f"{name}.part", name)
        self._next += 1
        self._rows = []
        self._since = time.monotonic()


class _File:
    done: frozenset[int] = frozenset()
    begun = False

    def __init__(self, location: str, system: Any, path: str, origin: Origin) -> None:
        self._location, self._system, self._path = location, system, path
        self._part = f"{path}.part"
        self._schema = schema_of(location, origin)
        self._rows: list[ResultRow] = []
        self.counts: Counter[RowOutcome] = Counter()
        with explained(location):
            system.makedirs(system._parent(path), exist_ok=True)
            self._file = system.open(self._part, "wb")
        parquet = arrow(location, "pyarrow.parquet")
        self._written = parquet.ParquetWriter(self._file, self._schema, compression="zstd")

    def add(self, row: ResultRow) -> None:
        self._rows.append(row)
        self.counts[row.outcome] += 1
        if len(self._rows) >= _ROWS:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            with explained(self._location):
                self._written.write_table(table_of(self._location, self._rows, self._schema))
            self._rows = []

    def finish(self) -> None:
        """Write the rest, and give the file its name."""
        self.flush()
        with explained(self._location):
            self._written.close()
            self._file.close()
            self._system.mv(self._part, self._path)

    def discard(self) -> None:
        """Remove what has no name yet."""
        with explained(self._location):
            self._written.close()
            self._file.close()
            if self._system.exists(self._part):
                self._system.rm(self._part)


def _number(part: str) -> int:
    """The number in a part's name; -1 where somebody gave it another."""
    digits = part.rpartition("part-")[2].removesuffix(_SUFFIX)
    return int(digits) if digits.isdecimal() else -1


def _check_same(location: str, there: Origin, origin: Origin) -> None:
    """InputError where results of ``origin`` cannot stand beside those that are there."""
    differing = [
        field.name
        for field in fields(Origin)
        if getattr(there, field.name) != getattr(origin, field.name)
    ]
    if not differing:
        return
    said = [_WORDS[name] for name in differing if name != "parameters"]
    if "parameters" in differing:
        before, now = to_plain(there.parameters), to_plain(origin.parameters)
        said += [
            f"{name} ({before.get(name)} there, {value} now)"
            for name, value in now.items()
            if before.get(name) != value
        ]
    raise InputError(
        f"{location} holds results that differ in {', '.join(said)}; give the command as it was, "
        "or name a new folder"
    )
