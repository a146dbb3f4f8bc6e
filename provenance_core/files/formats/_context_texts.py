"""The context items that one value of a record holds, and lists written into a text."""

from __future__ import annotations

import ast
import io
import json
import tokenize
from collections.abc import Mapping

from provenance_core.errors import InputError
from provenance_core.files.formats._fields import spans
from provenance_core.files.formats._record_keys import value_at
from provenance_core.files.formats._scalars import scalar_text
from provenance_core.files.types import GoldSpan

# Where a document's text is, when a context is a list of objects.
_TEXT_KEYS = (
    "text", "content", "document.content", "page_content", "passage_text", "passage", "chunk",
    "document", "body",
)  # fmt: skip


def context_texts(value: object, key: str) -> tuple[str, ...]:
    """Read the context items that a cell or field holds.

    It may be one text, a list of texts or of objects with a text, or such a list written into one
    text, as tables hold it: as JSON, or as Python and pandas write a list. A text in brackets that
    is no list is one text.

    The texts in order; empty where nothing is there. Raises InputError It is anything else.

    Examples
    --------
    >>> context_texts('["It is red.", "It is long."]', "context")
    ('It is red.', 'It is long.')
    """
    if isinstance(value, str):
        value = listed(value, key) if value.strip().startswith("[") else value
    text = scalar_text(value)
    if text is not None:
        return (text,) if text.strip() else ()
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        raise InputError(f"{key} is neither a text nor a list of texts; write it as one of them")
    return tuple(_item(item, key, number) for number, item in enumerate(value, 1))


def _item(item: object, key: str, number: int) -> str:
    text = scalar_text(item)
    if text is None and isinstance(item, Mapping):
        found = (scalar_text(value_at(item, name)) for name in _TEXT_KEYS)
        text = next(filter(None, found), None)
    if text is None:
        raise InputError(
            f"item {number} of {key} is neither a text nor an object with one (under "
            f"{', '.join(_TEXT_KEYS)}); write it as a text"
        )
    return text


def listed(value: str, key: str) -> object:
    """Read a list that is written into a text.

    The list, or ``value`` itself where it is none. Raises InputError Its texts are not parted by
    commas, as NumPy shows an array; Python would read them as one text.
    """
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        pass
    else:
        return found if isinstance(found, list) else value
    try:
        found = ast.literal_eval(value.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return value
    if not isinstance(found, list):
        return value
    tokens = tokenize.generate_tokens(io.StringIO(value.strip()).readline)
    written = sum(token.type == tokenize.STRING for token in tokens)
    if all(isinstance(item, str) for item in found) and written != len(found):
        # ['one' 'two'], as NumPy shows an array, is read by Python as one text.
        raise InputError(
            f"{key} is a list whose {written} texts are not parted by commas, as NumPy shows an "
            'array; write it as JSON: ["first text", "second text"]'
        )
    return found


def list_at(fields: dict[str, object], key: str) -> object:
    """Look up a value, and read it where it is a list written into a text.

    The value, None where nothing is there. Raises InputError It is such a list whose texts are not
    parted by commas.
    """
    value = value_at(fields, key)
    written = isinstance(value, str) and value.strip().startswith("[")
    return listed(value, key) if isinstance(value, str) and written else value


def spans_at(fields: dict[str, object], key: str, answer: str) -> tuple[GoldSpan, ...] | None:
    """Look up the gold spans of an answer, written into a text or not.

    ``answer``: The answer, whose characters the spans count. The spans in the order of the record;
    None where nothing is there, which is no empty list: not marked. Raises InputError It is no list
    of spans, or a span lies outside the answer.
    """
    marks = list_at(fields, key)
    return spans(None if marks == "" else marks, answer)
