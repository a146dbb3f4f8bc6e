"""What is said of queries and answers in a file that is uploaded as context.

Both are read by an audit only where they are in its own fields: in the context, an answer supports
itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from provenance_core.files.batch.column_names import complete_mapping
from provenance_core.types import Notice


def answers_left_out(name: str, records: Iterable[object]) -> tuple[Notice, ...]:
    """Say that only the context of the records is taken, where one has query and answer too.

    Parameters
    ----------
    name : str
        The name of the file.
    records : Iterable[object]
        Its records, of which those that are objects count.

    Returns
    -------
    tuple[Notice, ...]
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
            f"{name}: only the context was added. Queries and answers ({_quoted(keys)}) were not: "
            "paste one query and its answer here, or audit the file on the Batch page.",
        ),
    )


def answers_inside(name: str, value: object) -> tuple[Notice, ...]:
    """Say that a file is taken as a whole, where an object in it has query and answer.

    Parameters
    ----------
    name : str
        The name of the file.
    value : object
        What it holds: objects and lists, as JSON has them.

    Returns
    -------
    tuple[Notice, ...]
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
