"""Fields that stand under other names than the key that was taken for them.

A key that no person chose is a guess for the whole file. Where a record lacks it, another name of
the field is read in its place. Where a record has both, the other is left. Both are said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache

from provenance_core.files.field_names import field_of, names_a_reference
from provenance_core.files.formats._format import Format
from provenance_core.files.options_named import MAP, named_option
from provenance_core.files.records.entries import Record
from provenance_core.files.types import FieldMapping, Unit
from provenance_core.files.values.labels import is_label
from provenance_core.files.values.nothing import says_nothing
from provenance_core.files.values.record_keys import keys_of, value_at

_LISTED = 8  # lines that a sentence names
_PASSAGE = 5  # words that a text has at least, to be a passage and no name of a source


def lines_text(lines: list[int]) -> str:
    """The first lines of several, for a sentence."""
    shown = ", ".join(f"{line:,}" for line in lines[:_LISTED])
    left = len(lines) - _LISTED
    return f"{shown} and {left:,} more" if left > 0 else shown


@dataclass(frozen=True, slots=True)
class Guessed:
    """Fields whose keys no person chose, and what takes another key: a clause, "" for the option of
    the command line."""

    fields: frozenset[str] = frozenset()
    choose: str = ""


@lru_cache(maxsize=4096)
def _named(key: str) -> tuple[str, str, bool]:
    """What stands above a key with dots, the field that its last part names, and whether it names
    an answer that was expected."""
    above, _, end = key.rpartition(".")
    return above, field_of(end), names_a_reference(end)


@dataclass(slots=True)
class OtherNames:
    """Finds other names of the fields in the records. ``beside``: by field, the keys that some
    record has beside the one that was taken: they hold something else. ``instead``: lines that have
    a field under another key alone, by field and key."""

    known: Format
    mapping: FieldMapping
    guessed: Guessed
    beside: dict[str, dict[str, None]] = field(default_factory=dict)
    instead: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    unit: Unit = Unit.LINE
    _chosen: dict[str, str] = field(init=False)
    _paths: dict[str, tuple[str, ...]] = field(init=False)
    _dotted: bool = field(init=False)
    _there: tuple[str, ...] = ()
    _found: list[tuple[str, str, list[str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        chosen = asdict(self.mapping).items()
        self._chosen = {name: key for name, key in chosen if key and name in self.guessed.fields}
        self._paths = {name: line.paths for name, line in self.known.used(self.mapping).items()}
        self._dotted = any("." in key for key in self._chosen.values())

    def note(self, records: Iterable[Record]) -> None:
        """Learn from the first records which keys stand beside each other."""
        for record in records:
            for name, key, others in self._fields(record.fields):
                if not self._lacks(record.fields, name, key):
                    self._beside(record.fields, name, others)

    def filled(self, record: Record) -> Record:
        """A record; what it has under another name alone stands under the key taken."""
        fields = record.fields
        found: dict[str, object] = {}
        for name, key, others in self._fields(fields):
            if not self._lacks(fields, name, key):
                self._beside(fields, name, others)
                continue
            known = self.beside.get(name, {})
            free = (each for each in others if each not in known and _holds(fields, name, each))
            if other := next((each for each in free if not _named(each)[2]), ""):
                found[key] = value_at(fields, other)
                self.instead.setdefault((name, other), []).append(record.line)
                self.unit = record.unit
        return replace(record, fields={**fields, **found}) if found else record

    def _fields(self, fields: Mapping[str, object]) -> list[tuple[str, str, list[str]]]:
        """Each field with its key, and the other keys of a record that name it."""
        if not self._chosen:
            return []
        there = keys_of(fields) if self._dotted else tuple(fields)
        if there != self._there:
            self._there, self._found = there, list(self._named_in(there))
        return self._found

    def _named_in(self, there: tuple[str, ...]) -> Iterator[tuple[str, str, list[str]]]:
        taken = set(asdict(self.mapping).values())
        free = [(each, _named(each)) for each in there if each and each not in taken]
        for name, key in self._chosen.items():
            above = _named(key)[0]
            yield (
                name,
                key,
                [
                    each
                    for each, (over, of, expected) in free
                    if over == above and (of == name or (name == "answer" and expected))
                ],
            )

    def _lacks(self, fields: Mapping[str, object], name: str, key: str) -> bool:
        """Whether a record has no such key. An empty query is none; an empty answer is one that was
        not given."""
        if any(value_at(fields, path) is not None for path in self._paths.get(name, ())):
            return False
        value = value_at(fields, key)
        if name == "query":
            return value is None or (isinstance(value, str) and says_nothing(value))
        return value is None and key not in keys_of(fields)

    def _beside(self, fields: Mapping[str, object], name: str, others: list[str]) -> None:
        known = self.beside.setdefault(name, {})
        for each in others:
            if each not in known and _holds(fields, name, each):
                known[each] = None

    def sentences(self) -> Iterator[str]:
        """What was left, and what was read under another name."""
        for name in ("answer", "context", "label"):
            for other in self.beside.get(name, ()):
                # A tool's other fields are known for what they are, but for another answer.
                if not self.known.versions or (name == "answer" and not _named(other)[2]):
                    option = named_option(MAP, other, field=name)
                    choose = self.guessed.choose or f"{option} takes that"
                    taken = getattr(self.mapping, name)
                    yield f"The {name} was taken from {taken}, not from {other}; {choose}."
        for (name, other), lines in self.instead.items():
            unit = self.unit if len(lines) == 1 else f"{self.unit}s"
            places = f"{unit} {lines_text(lines)}"
            yield (
                f"The {name.replace('_', ' ')} of {places} was read from {other}, where "
                f"{getattr(self.mapping, name)} is not given."
            )


def _holds(fields: Mapping[str, object], name: str, key: str) -> bool:
    """Whether a value can be the field: a label, a passage and not the name of a source, an answer
    and not a figure or a verdict on one."""
    value = value_at(fields, key)
    if value in (None, "", [], {}) or (isinstance(value, str) and says_nothing(value)):
        return False
    if name == "label":
        return is_label(value, key)
    if name == "context" and isinstance(value, str):
        return len(value.split()) >= _PASSAGE
    if name == "answer":
        return not isinstance(value, int | float) and not is_label(value, key)
    return True
