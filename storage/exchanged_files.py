"""Files that bring what one database keeps to another one: JSON with the name of its schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from provenance_core.audit.serialization import from_plain, to_plain
from provenance_core.errors import InputError
from provenance_core.files.json_faults import beyond_json, json_fault, json_place

HeldT = TypeVar("HeldT")
_SCHEMA = "schema"


@dataclass(frozen=True, slots=True)
class FileKind(Generic[HeldT]):
    """A kind of file. ``name``: of what it holds, as "preset". ``holds``: its data type.
    ``command``: that writes one, as the Thresholds page does. ``hint``: of a file that was changed,
    a sentence. ``beside``: fields that the file has beside those of the data type."""

    name: str
    schema: str
    holds: type[HeldT]
    command: str
    hint: str
    beside: tuple[str, ...] = ()

    def write(self, held: HeldT, beside: Mapping[str, str] | None = None) -> str:
        """Write the JSON that :meth:`read` reads."""
        plain = {_SCHEMA: self.schema, **(beside or {}), **to_plain(held)}
        return json.dumps(plain, ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def read(self, text: str) -> tuple[HeldT, Mapping[str, Any]]:
        """Read what a file holds, and the fields ``beside`` it, None where they are missing. Raises
        InputError where the text is no such file, or a field is unknown or cannot be read."""
        raw = self._json(text)
        if not isinstance(raw, dict) or raw.get(_SCHEMA) != self.schema:
            raise InputError(
                f"The file holds no {self.name}: its field {_SCHEMA} must be {self.schema!r}. Give "
                f"a file that the Thresholds page or python -m provenance_core {self.command} "
                "wrote."
            )
        plain = {key: raw[key] for key in raw if key not in (_SCHEMA, *self.beside)}
        try:
            found = from_plain(self.holds, plain)
        except InputError as error:
            said = str(error).removeprefix(self.holds.__name__).removeprefix(".").removeprefix(": ")
            raise InputError(f"The {self.name} cannot be read: {said} {self.hint}") from error
        # A field under a mistyped name would count as its default.
        if unknown := next(_unknown(plain, to_plain(found), ""), ""):
            raise InputError(f"The {self.name} has an unknown field, {unknown}. {self.hint}")
        return found, {name: raw.get(name) for name in self.beside}

    def _json(self, text: str) -> Any:
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            raise InputError(
                f"The file is not JSON at {json_place(error)}: {json_fault(error)}. {self.hint}"
            ) from error
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"The file is JSON beyond what can be read: {beyond_json(error)}. {self.hint}"
            ) from error


def _unknown(raw: Any, known: Any, place: str) -> Iterator[str]:
    """The places of the fields of ``raw`` that ``known`` lacks."""
    if isinstance(raw, dict):
        for key, value in raw.items():
            if key not in known:
                yield f"{place}{key}"
            else:
                yield from _unknown(value, known[key], f"{place}{key}.")
    elif isinstance(raw, list):
        for number, value in enumerate(raw):
            yield from _unknown(value, known[number], f"{place.rstrip('.')}[{number}].")
