"""Columns that hold what people said of the answers, where none is called a label."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from provenance_core.errors import InputError
from provenance_core.files.field_names import plain_name
from provenance_core.files.options_named import MAP, named_option
from provenance_core.files.records.entries import Record
from provenance_core.files.types import FieldMapping
from provenance_core.files.values.labels import is_label
from provenance_core.files.values.nothing import says_no_label
from provenance_core.files.values.record_keys import all_keys, value_at
from provenance_core.files.values.scalars import scalar_text

_LOOKED_AT = 200  # columns among which a label is looked for
_SAID = 4  # columns that a sentence names
_PEOPLE = re.compile(r"human|annotat(?!or)|(?:annotator|rater|reviewer|expert)_?\d|gold|manual")
_JUDGED = re.compile(
    rf"{_PEOPLE.pattern}|correct|faithful|grounded|support|hallu|factual|entail|attribut|consisten"
    r"|rating|verdict|judg|label|review|quality|accura"
)
# What is numbered or counted, and not judged.
_NUMBERED = re.compile(
    r"(?:^|_)(?:ids?|uid|idx|index|no|nr|num|number|counts?|rank|turn|page|line|row|seed|version"
    r"|fold|position|offset|order|round|trial|run|step|tokens?|[kn])$"
)
_SCALES = ((0.0, 1.0), (1.0, 5.0))


@dataclass(frozen=True, slots=True)
class Judgements:
    """Keys whose values are labels, the likelier first, and those that hold scores, with the least
    and the greatest of them."""

    labels: tuple[str, ...] = ()
    scores: tuple[tuple[str, float, float], ...] = ()


def judgements(records: Sequence[Record], mapping: FieldMapping, *, own: bool) -> Judgements:
    """Find the keys that are not mapped and may hold labels. ``own``: of a file of a known tool,
    whose numbers and truth values are the tool's own unless a name says that people gave them."""
    taken = {key for key in asdict(mapping).values() if key}
    free = [key for key in all_keys(records)[:_LOOKED_AT] if key not in taken]
    labels: list[tuple[bool, str]] = []
    scores: list[tuple[str, float, float]] = []
    for key in free:
        name = plain_name(key.rpartition(".")[2])
        values = [value_at(record.fields, key) for record in records]
        given = [value for value in values if not _empty(value)]
        if not given or _NUMBERED.search(name):
            continue
        judged = (_PEOPLE if own else _JUDGED).search(name) is not None
        numbers = [number for value in given if (number := _number(value)) is not None]
        if all(is_label(value, key) for value in given):
            said = all(isinstance(each, str) and each.strip().isalpha() for each in given)
            unlike = len(numbers) < len(given) or set(numbers) == {0.0, 1.0}
            if judged or said or (unlike and not own):
                labels.append((not judged, key))
        elif judged and len(numbers) == len(given):
            low, high = min(numbers), max(numbers)
            if any(least <= low and high <= most for least, most in _SCALES):
                scores.append((key, low, high))
    return Judgements(tuple(key for _, key in sorted(labels, key=lambda e: e[0])), tuple(scores))


def on_judgements(found: Judgements) -> Iterator[str]:
    """Which columns may hold a label, and what to do."""
    if like := found.labels:
        yield (
            f"No column was recognised as the label; {' and '.join(like[:_SAID])} "
            f"{'look' if len(like) > 1 else 'looks'} like one "
            f"({named_option(MAP, like[0], field='label')})."
        )
    for key, low, high in found.scores[:_SAID]:
        yield (
            f"{key} holds scores from {low:g} to {high:g}, which are no labels. To compare with "
            "them, add a column with 1 where the answer is supported and 0 where it is "
            f"hallucinated ({named_option(MAP, field='label')})."
        )


def _empty(value: object) -> bool:
    try:
        return says_no_label((scalar_text(value) or "").strip().casefold()) and not isinstance(
            value, list | dict
        )
    except InputError:  # a formula without a result
        return True


def _number(value: object) -> float | None:
    """A number, also one that is written as a text; no truth value is one."""
    try:
        is_text = isinstance(value, int | float | str) and not isinstance(value, bool)
        return float(str(value).strip().replace(",", ".")) if is_text else None
    except ValueError:
        return None
