"""What is made of queries and answers in a file that is uploaded as context.

Both are read by an audit only where they are in its own fields: in the context, an answer supports
itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

from provenance_core.errors import InputError
from provenance_core.files.batch.column_names import complete_mapping
from provenance_core.files.batch.reading import read_batch_file
from provenance_core.files.formats._messages import message_text
from provenance_core.files.formats.registry import BATCH_FORMATS, COLUMNS
from provenance_core.files.values.context_texts import context_texts
from provenance_core.files.values.scalars import scalar_text
from provenance_core.types import ContextItem, Notice


@dataclass(frozen=True, slots=True)
class Asked:
    """A query and its answer. ``query`` may be empty."""

    query: str
    answer: str


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """The first answer of a file as a batch run reads it, with its context and its place in the
    file. ``notices``: that the file has others."""

    asked: Asked
    context: tuple[ContextItem, ...]
    place: str
    notices: tuple[Notice, ...] = ()


def first_answer(name: str, data: bytes) -> FirstAnswer | None:
    """Take the first answer of a file of any format that the Batch page reads.

    None where it holds texts or data without an answer. Raises InputError where it is a trace, a
    conversation or the like, and no answer of it can be audited.

    Examples
    --------
    >>> first_answer("a.json", b'{"question": "Who?", "response": "I.", "context": "It is I."}')
    FirstAnswer(asked=Asked(query='Who?', answer='I.'), context=(ContextItem(index=0, \
text='It is I.', name=''),), place='line 1', notices=())
    """
    with TemporaryDirectory() as folder:
        path = Path(folder, re.sub(r"[^\w.-]+", "_", PurePath(name).name)[-100:])
        path.write_bytes(data)
        try:
            file = read_batch_file(path)
        except InputError:  # the readers of context say what is wrong, or need no answer
            return None
    known = BATCH_FORMATS[file.format]
    rows = [row for row in file.rows if row.query or known is not COLUMNS]
    if not rows:
        if known.fixed and file.rejected:
            refused = file.rejected[0]
            raise InputError(f"{name}, {refused.place} ({known.title}): {refused.reason}.")
        return None
    first, count = rows[0], len(file.rows) + len(file.rejected)
    said = [
        Notice("read_as", f"{name}{said.removeprefix(str(path))}")
        for said in file.warnings
        if said.startswith(str(path))  # of its encoding; others are of columns and rows
    ]
    if count > 1:
        said.append(
            Notice(
                "more_answers",
                f"{name}: the file holds {count:,} rows. The first that can be audited was taken; "
                "the Batch page audits them all.",
            )
        )
    place = f"{file.unit} {first.line:,}"
    return FirstAnswer(Asked(first.query, first.answer), first.items, place, tuple(said))


def answer_alone(name: str, records: Sequence[object]) -> tuple[Asked, Notice] | None:
    """Take query and answer of a file whose one record has no context, and say what it lacks.

    None of any other file.

    Examples
    --------
    >>> answer_alone("a.json", [{"question": "Who?", "response": "I.", "context": []}])[0]
    Asked(query='Who?', answer='I.')
    >>> answer_alone("a.json", ["It is I."]) is None
    True
    """
    record = records[0] if len(records) == 1 else None
    if not isinstance(record, Mapping):
        return None
    keys = tuple(map(str, record))
    named = complete_mapping(keys)
    given = [key for key in astuple(named) if key]
    if not (named.query and named.answer) or not (named.context or len(given) == len(keys)):
        return None
    query, answer = (scalar_text(message_text(record[key])) for key in (named.query, named.answer))
    try:
        texts = context_texts(record[named.context], named.context) if named.context else ()
    except InputError:  # the reader of the record says where
        return None
    if query is None or answer is None or not answer.strip() or texts:
        return None
    lacks = f"{named.context!r} is empty" if named.context else "it names no context"
    said = (
        f"{name}: it has a query and an answer, but {lacks}. Add the texts that the answer was "
        "made from."
    )
    return Asked(query, answer), Notice("no_context", said)


def answers_inside(name: str, value: object) -> tuple[Notice, ...]:
    """Say that a file is taken as a whole, where an object in it has query and answer.

    One notice, or none.

    Examples
    --------
    >>> answers_inside("a.json", {"stars": 4})
    ()
    """
    left = [value]
    while left:
        inner = left.pop()
        if isinstance(inner, dict):
            named = complete_mapping(tuple(map(str, inner)))
            if named.query and named.answer:
                said = (
                    f"{name}: the whole file is one context item, with what stands under "
                    f"{named.query[:40]!r} and {named.answer[:40]!r}, as none of its records names "
                    "a context. An answer that stands in its own context is called supported. If "
                    "these are the answers to check, remove the item, name the field of their "
                    "context 'context', and audit the file on the Batch page."
                )
                return (Notice("answers_in_context", said),)
            left += inner.values()
        elif isinstance(inner, list):
            left += inner
    return ()
