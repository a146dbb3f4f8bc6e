"""What is said and made of queries and answers in a file that is uploaded as context.

Both are read by an audit only where they are in its own fields: in the context, an answer supports
itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass

from provenance_core.files.batch.column_names import complete_mapping
from provenance_core.files.formats._messages import message_text
from provenance_core.files.values.context_texts import context_texts
from provenance_core.files.values.scalars import scalar_text
from provenance_core.types import Notice


@dataclass(frozen=True, slots=True)
class Asked:
    """The query and the answer of the one record that a file holds. ``query`` may be empty."""

    query: str
    answer: str


@dataclass(frozen=True, slots=True)
class OneAnswer:
    """The one record of a file as an audit takes it. ``context_key``: the key of its context, ""
    where none is named. ``context``: its texts, with no empty one."""

    asked: Asked
    context_key: str
    context: tuple[str, ...]


def one_answer(records: Sequence[object]) -> OneAnswer | None:
    """Take query, answer and context of a file that holds one record, as a batch run would.

    None where there are more records, or where the record names no query and answer; and where it
    names no context but other things, which may be the context. Raises InputError where the context
    is neither a text nor a list of texts.

    Examples
    --------
    >>> one_answer([{"question": "Who?", "response": "I.", "context": ["It is I."]}]).asked
    Asked(query='Who?', answer='I.')
    >>> one_answer(["It is I."]) is None
    True
    """
    record = records[0] if len(records) == 1 else None
    if not isinstance(record, Mapping):
        return None
    keys = tuple(map(str, record))
    # A key without a value leaves its field to another: context beside retrieval_context.
    named = complete_mapping(tuple(key for key in keys if record.get(key) not in (None, "", [])))
    if not named.context:
        named = complete_mapping(keys)
    given = [key for key in astuple(named) if key]
    if not (named.query and named.answer) or not (named.context or len(given) == len(keys)):
        return None
    query, answer = (scalar_text(message_text(record[key])) for key in (named.query, named.answer))
    if query is None or answer is None or not answer.strip():
        return None
    context = context_texts(record[named.context], named.context) if named.context else ()
    return OneAnswer(Asked(query, answer), named.context, tuple(t for t in context if t.strip()))


def answers_taken(name: str, found: OneAnswer) -> tuple[Notice, ...]:
    """Where a file that holds one record names no context, or has none.

    One notice, or none.

    Examples
    --------
    >>> answers_taken("a.json", OneAnswer(Asked("Who?", "I."), "context", ("It is I.",)))
    ()
    """
    if found.context:
        return ()
    lacks = f"{found.context_key!r} is empty" if found.context_key else "it names no context"
    return (
        Notice(
            "no_context",
            f"{name}: it has a query and an answer, but {lacks}. Add the texts that the answer was "
            "made from.",
        ),
    )


def answers_left_out(name: str, records: Iterable[object]) -> tuple[Notice, ...]:
    """Say that only the context of the records is taken, where one has query and answer too.

    One notice, or none.

    Examples
    --------
    >>> answers_left_out("a.json", [{"text": "It is red."}])
    ()
    """
    named = map(_query_and_answer, (record for record in records if isinstance(record, dict)))
    keys = next(filter(None, named), None)
    if keys is None:
        return ()
    return (
        Notice(
            "answers_left_out",
            f"{name}: only the context was added. Queries and answers ({_quoted(keys)}) were not, "
            "because the file has several: paste one query and its answer here, or audit the file "
            "on the Batch page.",
        ),
    )


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
            keys = _query_and_answer(inner)
            if keys is not None:
                return (_in_context(name, keys),)
            left += inner.values()
        elif isinstance(inner, list):
            left += inner
    return ()


def _in_context(name: str, keys: tuple[str, str]) -> Notice:
    return Notice(
        "answers_in_context",
        f"{name}: the whole file is one context item, with what stands under {_quoted(keys)}, as "
        "none of its records names a context. An answer that stands in its own context is called "
        "supported. If these are the answers to check, remove the item, name the field of their "
        "context 'context', and audit the file on the Batch page.",
    )


def _query_and_answer(fields: Iterable[object]) -> tuple[str, str] | None:
    named = complete_mapping(tuple(map(str, fields)))
    return (named.query, named.answer) if named.query and named.answer else None


def _quoted(keys: tuple[str, str]) -> str:
    return " and ".join(repr(key[:40]) for key in keys)
