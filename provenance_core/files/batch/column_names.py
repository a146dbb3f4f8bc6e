"""Which column holds what: by a format's table, or by its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace

from provenance_core.files.field_names import SYNONYMS, TRANSLATED, field_of, plain_name
from provenance_core.files.formats._format import Format
from provenance_core.files.records.entries import Record
from provenance_core.files.types import FieldMapping
from provenance_core.files.values.record_keys import all_keys, held_keys

# Where a reference stands, and not what was answered.
_EXPECTED = re.compile(r"(?i)(?:^|[._])(?:reference|expected|ground_?truth|gold|target|ideal)")
# What stands before a remark in a heading: "Question (in English)", "context, all passages".
_LEAD = re.compile(r"\s*([^\W\d][^,(\[:/]*?)\s*(?:[,(\[:/]| [-–—] )")


@dataclass(frozen=True, slots=True)
class Guess:
    """A mapping, and the fields of it that may be wrong: taken by the last part of a nested key, by
    the first words of a heading, or by a name in another language than English."""

    mapping: FieldMapping
    guessed: tuple[str, ...]


def table_guess(known: Format, records: Sequence[Record]) -> Guess:
    """The keys of a file of a known format that hold the fields: by the format's table, and by the
    names of its other keys that are not nested. A key that has no value in the first records comes
    last."""
    if known.fixed:
        return Guess(known.mapping([path for each in known.columns for path in each.paths]), ())
    there = all_keys(records)
    held = frozenset[str]().union(*map(held_keys, records))
    filled, whole = known.mapping([*held]), known.mapping(there)
    table = FieldMapping(
        **{name: key or getattr(whole, name) for name, key in asdict(filled).items()}
    )
    plain = [key for key in there if "." not in key]
    return guessed_mapping(plain, table, (*there, *held))


def complete_mapping(
    keys: Sequence[str], known: FieldMapping | None = None, held: Sequence[str] = ()
) -> FieldMapping:
    """Which key holds which field, by what is known and by the names of the other keys; "" where no
    name fits a field. ``held``: all keys, where only some may be taken by their names."""
    return guessed_mapping(keys, known, held).mapping


def guessed_mapping(
    keys: Sequence[str], known: FieldMapping | None = None, held: Sequence[str] = ()
) -> Guess:
    """As :func:`complete_mapping`, and which of it is a guess."""
    given = known or FieldMapping()
    there = {*keys, *held}
    mapping = {
        field.name: key if (key := getattr(given, field.name)) in there else ""
        for field in fields(FieldMapping)
    }
    whole = _first_by_name(keys, lambda key: key)
    ends = _first_by_name(keys, _end)
    leads = _first_by_name(keys, lambda key: m[1] if (m := _LEAD.match(key)) else "")
    taken = set(mapping.values())
    guessed: list[str] = []
    for field, names in SYNONYMS.items():
        for by_name in (whole, ends, leads):
            if mapping[field]:
                break
            free = (by_name[name] for name in names if name in by_name)
            mapping[field] = next((key for key in free if key not in taken), "")
            taken.add(mapping[field])
            translated = plain_name(mapping[field]) in TRANSLATED.get(field, ())
            if mapping[field] and (by_name is not whole or translated):
                guessed.append(field)
    return Guess(replace(given, **mapping), tuple(guessed))


def _end(key: str) -> str:
    """The last part of a nested key; "" of one that is not nested, or holds what was expected."""
    above, _, end = key.rpartition(".")
    expected = field_of(end) in ("answer", "context") and _EXPECTED.search(above)
    return end if above and not expected else ""


def _first_by_name(keys: Sequence[str], part: Callable[[str], str]) -> dict[str, str]:
    """The first key of each name that a part of it has; a key without such a part has none."""
    named: dict[str, str] = {}
    for key in keys:
        if found := part(key):
            named.setdefault(plain_name(found), key)
    return named
