"""Records into rows by a format's table, or by the keys that a person chose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.formats._format import Column, Format, unchanged
from provenance_core.files.formats._messages import message_text
from provenance_core.files.formats._other_names import Guessed, OtherNames, lines_text
from provenance_core.files.formats._steps import refused
from provenance_core.files.records.entries import Entry, Note, Record, head
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import (
    BatchRow,
    Doubt,
    FieldMapping,
    GoldSpan,
    RejectedRow,
    RowDoubt,
)
from provenance_core.files.values.context_texts import context_items, list_at, spans_at
from provenance_core.files.values.fields import spans
from provenance_core.files.values.garbled import garbled_word, mended
from provenance_core.files.values.labels import names_hallucinations, read_label
from provenance_core.files.values.nothing import says_no_answer, says_nothing
from provenance_core.files.values.parted import parted_at_bars
from provenance_core.files.values.record_keys import value_at
from provenance_core.files.values.scalars import scalar_text
from provenance_core.types import ContextItem

_NONE = Guessed()
# What every row must have.
NEEDED = ("context", "answer")
_IDENTIFIERS = ("id", "group", "subset", "task", "source_model")
# What DeepEval writes before a context item whose source it knows.
_SOURCED = ("deepeval_source=", ",deepeval_context=")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of the records of a file; the text of a refused record is its JSON."""

    rows: tuple[BatchRow, ...]
    rejected: tuple[RejectedRow, ...]
    warnings: tuple[str, ...] = ()
    doubts: tuple[RowDoubt, ...] = ()


def read_rows(
    path: Path,
    entries: Iterable[Entry | Note],
    known: Format,
    mapping: FieldMapping,
    check: Callable[[BatchRow], BatchRow],
    guessed: Guessed = _NONE,
) -> Reading:
    """Make a row of each record; a record fails alone, whatever is wrong with it. A label may be a
    list of spans: none is supported. Rows of the same context are one group where no group is
    mapped. ``check`` refuses or repairs a row. ``guessed``: the fields that a record may have under
    another name. Raises InputError where no record at all has the key of the context or of the
    answer."""
    made = _Rows(known, mapping, known.used(mapping), OtherNames(known, mapping, guessed))
    rows: list[BatchRow] = []
    rejected: list[RejectedRow] = []
    notes: list[str] = []
    rest = iter(entries)
    first, records = head(rest)
    made.others.note(records)
    for entry in chain(first, rest):
        if isinstance(entry, Note):
            notes.append(entry.text)
        elif isinstance(entry, RejectedRow):
            rejected.append(entry)
        else:
            try:
                rows.append(check(made.row(entry)))
            except MemoryError:
                raise
            except Exception as error:
                rejected.append(replace(refused(entry, error), shown=made.shown(entry)))
    said = (*notes, *made.warnings(path))
    return Reading(_marked(rows), tuple(rejected), said, tuple(made.doubts))


def _marked(rows: list[BatchRow]) -> tuple[BatchRow, ...]:
    """The rows, without spans where no row has one: ``"spans": []`` in every row is how a data set
    without spans is written."""
    if any(row.spans for row in rows):
        return tuple(rows)
    return tuple(replace(row, spans=None) for row in rows)


@dataclass(slots=True)
class _Rows:
    """Reads records by a mapping, and remembers what it met. ``found``: the chosen keys that some
    record has. ``keys``: those of all records. ``converted``: values that were no texts.
    ``divided``: lines whose context was one text, and was parted. ``garbled``: lines with letters
    that stand for others, and ``word``, the first of their words."""

    known: Format
    mapping: FieldMapping
    table: Mapping[str, Column]
    others: OtherNames
    found: set[str] = field(default_factory=set)
    keys: dict[str, None] = field(default_factory=dict)
    converted: int = 0
    divided: list[int] = field(default_factory=list)
    garbled: list[int] = field(default_factory=list)
    word: str = ""
    doubts: list[RowDoubt] = field(default_factory=list)

    def _chosen(self) -> dict[str, str]:
        return {name: key for name, key in asdict(self.mapping).items() if key}

    def _value(self, fields: dict[str, object], name: str) -> object:
        key = getattr(self.mapping, name)
        line = self.table.get(name)
        if line is None:
            return value_at(fields, key) if key else None
        found = [value_at(fields, path) for path in (key, *line.paths)]
        if line.joined:
            texts = (scalar_text(value) or "" for value in found[1:])
            return " ".join(filter(None, texts))
        # A record may have the field under another of its paths than those before it.
        return line.value(next((value for value in found if value is not None), None))

    def _converts(self, name: str) -> bool:
        line = self.table.get(name)
        return line is not None and line.value is not unchanged

    def _text(self, fields: dict[str, object], name: str) -> str:
        value = message_text(self._value(fields, name))
        text = scalar_text(value)
        if text is None:
            key = getattr(self.mapping, name)
            kind = "bytes" if isinstance(value, bytes) else "a list or an object"
            raise InputError(f"{key} is not a text but {kind}; write it as a text")
        self.converted += value is not None and not isinstance(value, str)
        return text

    def _doubt(self, record: Record, kind: Doubt, reason: str) -> None:
        self.doubts.append(RowDoubt(record.line, kind, reason, record.unit))

    def row(self, record: Record) -> BatchRow:
        """The row of a record; its context and its answer may be empty. InputError for a record
        that is none."""
        self.keys.update(dict.fromkeys(record.fields))
        record = self.others.filled(record)
        fields = record.fields
        chosen = self._chosen()
        self.found.update(key for key in chosen.values() if value_at(fields, key) is not None)
        answer = self._answer(record)
        context = self._context(record)
        label, marked = self._truth(record, answer)
        if marked is None and self.known.spans:
            marked = spans_at(fields, self.known.spans, answer)
        names = {name: self._name(fields, name) for name in _IDENTIFIERS}
        query = self._text(fields, "query")
        row = BatchRow(
            record.line,
            "" if says_nothing(query) else query,
            context,
            answer,
            label=label,
            # pandas writes its row numbers under an empty heading.
            id=names["id"] or scalar_text(fields.get("")) or "",
            group=names["group"],
            subset=names["subset"],
            task=names["task"] or self.known.task,
            source_model=names["source_model"],
            spans=marked,
            passed=self._passed(fields),
        )
        if word := next(filter(None, map(garbled_word, (row.query, answer, *row.texts))), ""):
            self.garbled.append(record.line)
            self.word = self.word or word
        return row if row.group or not context else replace(row, group=text_group(*row.texts))

    def shown(self, record: Record) -> str:
        """What names a record to a person: its answer, else its query; "" without either."""
        for name in ("answer", "query"):
            # What refused the record may do so again; its reason is known.
            with suppress(Exception):
                text = scalar_text(self._value(record.fields, name)) or ""
                if not says_nothing(text):
                    return f"{name} “{text.strip()}”"
        return ""

    def _answer(self, record: Record) -> str:
        answer = self._text(record.fields, "answer")
        if says_no_answer(answer):
            return ""
        if says_nothing(answer):
            said = f"the answer is {answer.strip()!r}; leave the row out if there was no answer"
            self._doubt(record, Doubt.ANSWER, said)
        return answer

    def _context(self, record: Record) -> tuple[str | ContextItem, ...]:
        value = self._value(record.fields, "context")
        key = self.mapping.context
        items = value if isinstance(value, tuple) else None
        if items is None:
            found = context_items(value, key)
            items = tuple(item if item.name else item.text for item in found)
        if not self.known.parted:
            return tuple(items)
        only = items[0] if len(items) == 1 else None
        if isinstance(only, str) and self.known.parted in only and isinstance(value, str):
            parted = parted_at_bars(only)
            if len(parted.items) > 1:
                self.divided.append(record.line)
            if parted.in_doubt:
                self._doubt(
                    record,
                    Doubt.SEPARATOR,
                    f"a {self.known.parted} in {key} may part two context items and was left; save "
                    "the file as .json, which keeps the items apart",
                )
            items = parted.items
        return tuple(_with_source(index, item) for index, item in enumerate(items))

    def _truth(self, record: Record, answer: str) -> tuple[int | None, tuple[GoldSpan, ...] | None]:
        """The label, and the spans where the label is a list of them."""
        key = self.mapping.label
        listed = list_at(record.fields, key) if key and not self._converts("label") else None
        if isinstance(listed, list) and all(isinstance(each, dict) for each in listed):
            return int(not listed), spans(listed, answer)
        try:
            return self._flag(record.fields, "label"), None
        except InputError as error:
            self._doubt(record, Doubt.LABEL, str(error))
            return None, None

    def _passed(self, fields: dict[str, object]) -> int | None:
        try:
            return self._flag(fields, "passed")
        except InputError:
            return None

    def _flag(self, fields: dict[str, object], name: str) -> int | None:
        value = self._value(fields, name)
        # What a format's own function makes of a value means what it says, whatever the key.
        if self._converts(name) and isinstance(value, int):
            return int(bool(value))
        return read_label(value, getattr(self.mapping, name))

    def _name(self, fields: dict[str, object], name: str) -> str:
        found = scalar_text(self._value(fields, name)) or ""
        return "" if says_nothing(found) and name != "id" else found

    def warnings(self, path: Path) -> tuple[str, ...]:
        """What the reader of the rows must know. InputError when no record had a key that every
        row needs."""
        unused = {
            name: key for name, key in self._chosen().items() if self.keys and key not in self.found
        }
        for name in NEEDED:
            if name in unused:
                raise InputError(
                    f"{path}: no record has anything under {unused[name]}, which is chosen for "
                    f"the {name}; choose another of its keys: {', '.join(self.keys)}"
                )
        said = [
            f"No record has anything under {key}, which is chosen for the {name.replace('_', ' ')}."
            for name, key in unused.items()
        ]
        if self.converted:
            said.append(
                f"{self.converted} value(s) that are numbers, truth values or dates were taken as "
                "text."
            )
        if self.divided:
            said.append(
                f"The context of line {lines_text(self.divided)} is one text; it was parted at "
                f"{self.known.parted} where a sentence or a table ends before it."
            )
        said += self.others.sentences()
        if self.garbled:
            right = f" ({word})" if (word := mended(self.word)) else ""
            said.append(
                f"{len(self.garbled)} row(s) have letters that stand for others, as in "
                f"{self.word}{right}: {lines_text(self.garbled)}. A program read UTF-8 as "
                "Windows-1252 and wrote it again; the texts were left as they are. Export them "
                "again as UTF-8 (in Excel, import a CSV file with the origin 65001), or mend each "
                "text by ftfy.fix_text(text) in Python."
            )
        label = self.mapping.label
        if label in self.found and names_hallucinations(label) and not self._converts("label"):
            said.append(
                f"{label} says whether the answer is hallucinated: 1, true and yes were taken as "
                "hallucinated, 0, false and no as supported."
            )
        return tuple(said)


def _with_source(index: int, item: str | ContextItem) -> str | ContextItem:
    """An item whose source DeepEval wrote before it, under that name."""
    start, middle = _SOURCED
    if not isinstance(item, str) or not item.startswith(start) or middle not in item:
        return item
    source, _, text = item.removeprefix(start).partition(middle)
    return ContextItem(index, text, source)
