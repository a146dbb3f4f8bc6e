"""A file into rows to audit."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.batch.checks import checked, clean, storable
from provenance_core.files.batch.column_names import guessed_mapping, table_guess
from provenance_core.files.batch.entries import WORKBOOK, read_batch_entries
from provenance_core.files.batch.label_columns import judgements, on_judgements
from provenance_core.files.batch.spreadsheet import sheet_names
from provenance_core.files.batch.types import BatchFile, BatchOptions, FieldMapping, FileShape
from provenance_core.files.formats import ragtruth
from provenance_core.files.formats._format import Format
from provenance_core.files.formats._other_names import Guessed
from provenance_core.files.formats._reading import NEEDED, Reading, read_rows
from provenance_core.files.formats._steps import unnested
from provenance_core.files.formats._values import from_json
from provenance_core.files.formats.registry import (
    COLUMNS,
    MESSAGES,
    OWN_ROWS,
    named_batch_format,
    recognise,
)
from provenance_core.files.options_named import SHEET, named_option
from provenance_core.files.records.entries import (
    Entries,
    Entry,
    Note,
    Record,
    head,
    unit_of,
    unread,
)
from provenance_core.files.types import BatchRow, RejectedRow
from provenance_core.files.values.fields import record_text
from provenance_core.files.values.labels import is_label
from provenance_core.files.values.record_keys import all_keys, held_keys, keys_of, value_at

_DEFAULT_OPTIONS = BatchOptions()
_NONE_GUESSED = Guessed()
_PREVIEWED = 3
_MOST_KEYS = 20_000  # more than a sheet of Excel has columns
_LOOKED_AT = 200  # records of a list


@dataclass(slots=True)
class _Opened:
    """A file with its first entries taken off, so that they say what it is. ``notes``: sentences on
    how it was read. ``keys``: of the first records. ``lists``: of a document, its lists of records,
    the one that is read by default first."""

    path: Path
    known: Format
    first: list[Entry]
    records: list[Record]
    rest: Iterator[Entry]
    read: Entries
    notes: list[str] = field(default_factory=list)
    keys: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.keys = all_keys(self.records)
        if len(self.keys) > _MOST_KEYS:
            raise InputError(
                f"{self.path}: the first records have {len(self.keys):,} columns or keys; the most "
                f"is {_MOST_KEYS:,}. Keep those of query, context, answer and label; records under "
                "one key each have to become a list"
            )

    def entries(self) -> Iterator[Entry]:
        """All entries of the file."""
        return chain(self.first, self.rest)

    def inside(self, keys: tuple[str, ...]) -> None:
        """Go on with the records within its documents."""
        entries = unnested(self.entries(), keys)
        self.first, self.records = head(entries)
        self.rest = entries
        self.keys = all_keys(self.records)

    def expand(self) -> None:
        """Go on with the objects that cells of the records hold as JSON, where that shows a
        context."""
        shown = _Opened(
            self.path, self.known, [], list(map(_expanded, self.records)), self.rest, self.read
        )
        if shown.guess()[0].context:
            self.first = [_expanded(e) if isinstance(e, Record) else e for e in self.first]
            self.rest = (_expanded(e) if isinstance(e, Record) else e for e in self.rest)
            self.records, self.keys = shown.records, shown.keys

    def guess(self) -> tuple[FieldMapping, tuple[str, ...]]:
        """Which key holds which field: by the format's table, then by names. Of an unknown file,
        too, by the last part of nested keys; guesses are named."""
        if self.known is not COLUMNS:
            found = table_guess(self.known, self.records)
            return found.mapping, found.guessed
        guess = guessed_mapping(self.keys)
        if "label" in guess.guessed and not self._are_labels(guess.mapping.label):
            mapping = replace(guess.mapping, label="")
            return mapping, tuple(each for each in guess.guessed if each != "label")
        return guess.mapping, guess.guessed

    def _are_labels(self, key: str) -> bool:
        return any(is_label(value_at(record.fields, key), key) for record in self.records)


def _expanded(record: Record) -> Record:
    cells = {key: from_json(value) for key, value in record.fields.items()}
    whole = {
        key: cells[key] if isinstance(cells[key], dict | str) else value
        for key, value in record.fields.items()
    }
    return replace(record, fields=whole)


def inspect_batch_file(path: Path, options: BatchOptions = _DEFAULT_OPTIONS) -> FileShape:
    """Read the first records of a file: its format, its keys, how they are mapped, and the records
    as text. Raises InputError where the file cannot be opened, or no record of it can be read."""
    opened = _open(path, options, None)
    mapping, guessed = opened.guess()
    return FileShape(
        format=opened.known.name,
        title=opened.known.title,
        keys=opened.keys,
        mapping=None if opened.known.fixed else mapping,
        preview=tuple(clean(record_text(record)) for record in opened.records[:_PREVIEWED]),
        companion=ragtruth.missing_file(path) if opened.known is ragtruth.FORMAT else "",
        lists=_lists_of_objects(opened.records) if opened.known is COLUMNS else (),
        sheets=sheet_names(path) if path.suffix.lower() == WORKBOOK else opened.lists,
        guessed=guessed,
    )


def _lists_of_objects(records: list[Record]) -> tuple[str, ...]:
    """Where the only record holds lists of objects."""
    if len(records) != 1:
        return ()
    fields = records[0].fields
    found = ((key, value_at(fields, key)) for key in keys_of(fields))
    return tuple(
        key
        for key, value in found
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value)
    )


def unreadable_rows(
    path: Path, options: BatchOptions = _DEFAULT_OPTIONS
) -> tuple[RejectedRow, ...]:
    """Read a whole file for the records that cannot be read, whatever its keys mean: each with its
    line, the reason and a hint, in the file's order. Raises InputError where the file cannot be
    opened, or is damaged as a whole."""
    entries = read_batch_entries(path, options.encoding, options.sheet)
    found = (entry for entry in entries if isinstance(entry, RejectedRow))
    return tuple(map(storable, found))


def read_batch_file(
    path: Path,
    format: str | None = None,
    mapping: FieldMapping | None = None,
    options: BatchOptions = _DEFAULT_OPTIONS,
) -> BatchFile:
    """Read every row of a file, each to be audited or refused with a reason. ``format``: None means
    that the keys of the first records tell it. ``mapping``: which key holds which field, where one
    record is one row; it wins over the format's own. With another answer or context than the
    format's, the file is read as ``columns``. Raises InputError where the file cannot be opened, no
    record of it can be read, no record has the keys that context and answer are mapped to, or a
    file that it needs is not beside it."""
    asked = None if format is None else named_batch_format(format)
    opened = _open(path, options, asked, mapping)
    proposed, guessed = opened.guess()
    known, used = opened.known, mapping or proposed
    said = list(opened.notes)
    if known.step is not None:
        if mapping is not None:
            said.append(
                f"The chosen keys were not used, as {known.title} says itself how its rows are "
                f"made; read the file as {COLUMNS.name} to use them."
            )
        reading = _read(opened, known.step(path, opened.entries(), options), known, proposed)
        return _batch_file(opened, known.name, None, reading, said)
    _check_chosen(opened, used)
    if mapping is None and guessed:
        said.append(_on_guesses(used, guessed))
    if not used.label and used.label == proposed.label:
        own = known not in (COLUMNS, OWN_ROWS)
        said += on_judgements(judgements(opened.records, used, own=own))
    name = known.name
    if (used.answer, used.context) != (proposed.answer, proposed.context):
        name, known = COLUMNS.name, replace(COLUMNS, columns=known.columns)
    kept = frozenset(k for k, key in asdict(proposed).items() if key == getattr(used, k))
    guessed_fields = Guessed(frozenset() if known.repository else kept)
    reading = _read(opened, opened.entries(), known, used, guessed_fields)
    return _batch_file(opened, name, used, reading, said)


def _open(
    path: Path,
    options: BatchOptions,
    asked: Format | None,
    mapping: FieldMapping | None = None,
) -> _Opened:
    entries = read_batch_entries(path, options.encoding, options.sheet)
    first, records = head(entries)
    if not first:
        raise InputError(f"{path}: the file has no rows; give one with at least one answer")
    if not records:
        raise InputError(f"{path}: no record of it can be read ({unread(first)})")
    held = list(map(held_keys, records))
    known = recognise(path, held, mapped=mapping is not None) if asked is None else asked
    opened = _Opened(path, known, first, records, entries, entries)
    fits = asked is None or any(asked.fits(each, lacking=True) for each in held)
    chosen = mapping is not None and {mapping.answer, mapping.context} <= set(opened.keys)
    if known is COLUMNS or not fits:
        within = not chosen and _look_inside(opened, asked, options.sheet)
        if asked is not None and not fits and not within:
            _refuse_other(opened, asked, mapping)
    elif known.inside:
        opened.inside(known.inside)
        # Of a known document, the records may be of another known format.
        kind = recognise(path, list(map(held_keys, opened.records)))
        opened.known = kind if asked is None and kind.fixed else known
    if opened.known is COLUMNS and mapping is None and not opened.guess()[0].context:
        opened.expand()
    if not opened.records:
        raise InputError(f"{path}: {known.title}: no record is under {' or '.join(known.inside)}")
    return opened


def _refuse_other(opened: _Opened, asked: Format, mapping: FieldMapping | None) -> None:
    """:class:`InputError` for a file of another format than was asked for; a mapping needs none
    that fits."""
    if not asked.fixed and mapping is not None:
        return
    wanted = " or ".join(", ".join(sorted(names)) for names in asked.keys)
    raise InputError(
        f"{opened.path}: not of the format {asked.name}, whose records have {wanted}; the first "
        f"here have {', '.join(opened.keys)}. Give {asked.files}, or choose another format"
    )


def _look_inside(opened: _Opened, asked: Format | None, sheet: str) -> bool:
    """Go on with a list of records within an unknown document, and say so: with the one that was
    asked for, else with the first that can be read; whether there is one. InputError where no list
    is called ``sheet``."""
    lists = _lists_of_objects(opened.records)
    plain = guessed_mapping([key for key in opened.keys if "." not in key]).mapping
    if plain.answer and plain.context:  # the document is a row itself
        return False
    if sheet and lists and sheet not in lists:
        raise InputError(
            f"{opened.path}: no list is called {sheet!r}; its lists: {', '.join(lists)}"
        )
    inside = {key: _records_inside(opened, key) for key in lists}
    readable = (key for key in lists if _kind_inside(opened, inside[key], asked, lists))
    default = next(readable, "")
    key = sheet if sheet in lists else default
    if not key:
        return False
    kind = _kind_inside(opened, inside[key], asked, lists)
    others = [f"{each} ({len(inside[each]):,})" for each in lists if each != key]
    opened.known = kind or COLUMNS
    opened.inside((key,))
    opened.lists = tuple(dict.fromkeys((default or key, *lists)))
    opened.notes.append(
        f"Only the list under {key} ({len(inside[key]):,}) was read, not "
        f"{', '.join(others)}; choose another by its name ({named_option(SHEET)})."
        if others
        else f"The records were read from the list under {key}."
    )
    return True


def _records_inside(opened: _Opened, key: str) -> list[Record]:
    inner = value_at(opened.records[0].fields, key)
    return [Record(1, each) for each in inner] if isinstance(inner, list) else []


def _kind_inside(
    opened: _Opened, records: list[Record], asked: Format | None, lists: tuple[str, ...]
) -> Format | None:
    """The format of a list of objects; None where they are no rows."""
    first = records[:_LOOKED_AT]
    held = list(map(held_keys, first))
    if asked is not None:
        fits = any(asked.fits(each, lacking=True) for each in held)
        return asked if fits and (asked is not COLUMNS or _has_both(first)) else None
    try:
        known = recognise(opened.path, held)
    except InputError:  # known and not read: another list may be
        if len(lists) > 1:
            return None
        raise
    # Messages in a list within a record are no file of messages.
    return None if known is MESSAGES or (known is COLUMNS and not _has_both(first)) else known


def _has_both(records: list[Record]) -> bool:
    mapping = guessed_mapping(all_keys(records)).mapping
    return bool(mapping.answer and mapping.context)


def _map_option(mapping: FieldMapping) -> str:
    """The mapping as an option of the command line, in full."""
    given = asdict(mapping).items()
    pairs = [shlex.quote(f"{name}={key}") for name, key in given if key or name == "label"]
    return " ".join(("--map", *pairs))


def _check_chosen(opened: _Opened, mapping: FieldMapping) -> None:
    """:class:`InputError` where the key of the context or of the answer is not chosen, or one key
    is both."""
    table = {each.field for each in opened.known.columns}
    for name in NEEDED:
        # A format that has no context at all says so row by row.
        if not getattr(mapping, name) and (name in table or not table):
            lists = _lists_of_objects(opened.records)
            inside = (
                f". Its records may be the list under {' or '.join(lists)}: save that list alone "
                "as a .json file"
                if lists
                else ""
            )
            full = _map_option(replace(mapping, **{name: "KEY"}))
            raise InputError(
                f"{opened.path}: no key is chosen for the {name}; choose one of the file's: "
                f"{', '.join(opened.keys)} (on the command line with {full}){inside}"
            )
    if mapping.answer == mapping.context:
        raise InputError(
            f"{opened.path}: {mapping.answer} is chosen for both the answer and the context, and "
            "an answer that stands in its own context is always supported; choose another of "
            f"{', '.join(opened.keys)} for one of them"
        )


def _on_guesses(mapping: FieldMapping, guessed: tuple[str, ...]) -> str:
    """What was guessed, and how to change it."""
    shown = ", ".join(f"{name} from {getattr(mapping, name)}" for name in guessed)
    return (
        f"Guessed by their names: {shown}. To change that, give "
        f"{_map_option(mapping)} with other keys, or with nothing behind = for none."
    )


@dataclass(slots=True)
class _Checks:
    """Refuses rows that an audit would refuse, and counts those in which characters were
    replaced."""

    replaced: int = 0

    def __call__(self, row: BatchRow) -> BatchRow:
        found = checked(row)
        self.replaced += found != row
        return found


def _read(
    opened: _Opened,
    entries: Iterable[Entry | Note],
    known: Format,
    mapping: FieldMapping,
    guessed: Guessed = _NONE_GUESSED,
) -> Reading:
    checks = _Checks()
    reading = read_rows(opened.path, entries, known, mapping, checks, guessed)
    if not checks.replaced:
        return reading
    said = (
        f"{checks.replaced} row(s) have characters that no text can hold (NUL or half a surrogate "
        "pair); each was replaced by \ufffd."
    )
    return replace(reading, warnings=(said, *reading.warnings))


def _batch_file(
    opened: _Opened,
    name: str,
    mapping: FieldMapping | None,
    reading: Reading,
    said: list[str],
) -> BatchFile:
    unit = unit_of(opened.first)
    refused = (storable(replace(row, unit=unit)) for row in reading.rejected)
    return BatchFile(
        opened.path,
        name,
        mapping,
        reading.rows,
        tuple(sorted(refused, key=lambda row: row.line)),
        (*opened.read.notes, *said, *reading.warnings),
        unit,
        tuple(replace(each, unit=unit) for each in reading.doubts),
    )
