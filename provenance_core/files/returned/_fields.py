"""Values of returned records: from JSON, and as tables write them."""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime

from provenance_core.errors import InputError
from provenance_core.files.batch.checks import clean
from provenance_core.review.types import JudgedVerdict

# Other words that people's tools have for the verdicts.
_WORDS = {
    **{str(verdict): verdict for verdict in JudgedVerdict},
    "cannot tell": JudgedVerdict.CANNOT_TELL,
    "true": JudgedVerdict.SUPPORTED,
    "false": JudgedVerdict.HALLUCINATED,
    "1": JudgedVerdict.SUPPORTED,
    "0": JudgedVerdict.HALLUCINATED,
}


def text(value: object) -> str:
    """Take a value of another tool's export as text. The text without white space around it and
    without characters that cannot be kept; "" for None, and for NaN, which tables write for it."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return clean(str(value)).strip()


def mapping(value: object) -> Mapping[str, object]:
    """Take an object, also where a table holds it as a text. The object; an empty one for anything
    else."""
    found = written(value)
    return found if isinstance(found, Mapping) else {}


def written(value: object) -> object:
    """Take an object or a list, also where a table holds it as a text; any other value as it is."""
    if not isinstance(value, str) or value.strip()[:1] not in ("{", "["):
        return value
    for read in (json.loads, ast.literal_eval):
        try:
            return read(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return value


def number(value: object) -> int | None:
    """Take a whole number, also as a text or as a table's float. 1 or more; None for anything
    else."""
    if isinstance(value, bool):
        return None
    given = text(value)
    try:
        found = int(given) if given.isascii() and given.isdecimal() else int(float(given))
        return found if found > 0 and float(given) == found else None
    except (ValueError, OverflowError):
        return None


def moment(value: object, name: str) -> datetime | None:
    """Take a time in ISO 8601. The time in UTC, which is assumed where no zone is named; None where
    nothing is there. Raises InputError where it is no time, or one that no clock shows."""
    if isinstance(value, datetime):
        found = value
    elif not (given := text(value)):
        return None
    else:
        try:
            found = datetime.fromisoformat(given)
        except ValueError:
            raise InputError(
                f"{name} is {given[:60]!r}, which is no time in ISO 8601; export the file again, "
                "or take that field out"
            ) from None
    try:
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:
        raise InputError(f"{name} is {found}, which no clock shows; fix it") from None


def verdict(label: object, score: object, name: str) -> JudgedVerdict:
    """Take a reviewer's verdict: what a label says, or a score where there is no label. The
    verdict. Raises InputError where neither says one."""
    said = text(label) or text(score)
    key = said.casefold().replace("-", " ").removesuffix(".0")
    found = _WORDS.get(key) or _WORDS.get(key.replace(" ", "_"))
    if found is None:
        known = ", ".join(JudgedVerdict)
        raise InputError(
            f"{name} is {said[:60]!r}; it must be one of {known}, or 1 or 0. Fix it in the tool "
            "and export again"
        )
    return found
