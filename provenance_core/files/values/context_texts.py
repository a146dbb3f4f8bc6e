"""The context items that one value of a record holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from provenance_core.errors import InputError
from provenance_core.files.types import GoldSpan
from provenance_core.files.values.fields import spans
from provenance_core.files.values.nothing import says_no_context, says_nothing
from provenance_core.files.values.record_keys import value_at
from provenance_core.files.values.retrieved import (
    FIELD_TEXTS,
    FIELDS,
    are_results,
    block_text,
    passage_name,
    passages_in,
)
from provenance_core.files.values.scalars import scalar_text
from provenance_core.files.values.written_lists import read_written
from provenance_core.types import ContextItem

# Where a document's text is, when a context is a list of objects.
_TEXT_KEYS = (
    "text", "content", "document.content", "page_content", "passage_text", "passage", "chunk",
    "document", "body", "node.text", "document.page_content", "kwargs.page_content", "chunk_text",
    "pageContent", "node", "value", "snippet", "excerpt",
    *(f"{fields}.{text}" for fields in FIELDS for text in FIELD_TEXTS),
)  # fmt: skip
_TITLE_KEYS = ("title", "name", "heading")
_LONGEST_TITLE = 120  # characters
# Keys of an object whose values are the texts: doc1, "0", passage_2, source 3.
_NUMBERED = re.compile(r"(?i)(?:[a-z]+[ _-]?)*\d+")
_DEEPEST = 4
_Titled: TypeAlias = tuple[str, str]  # a text and its title
_FILE_HEADER = re.compile(
    r"\A(?:(?:file_path|file_name|file_type|file_size|creation_date|last_modified_date|"
    r"last_accessed_date|page_label|total_pages): [^\n]*\n){2,}\n(?=\S)"
)


def context_texts(value: object, key: str) -> tuple[str, ...]:
    """Read the context items that a cell or field holds.

    It may be one text, a list of texts or of objects with a text, or such a list written into one
    text (:mod:`provenance_core.files.values.written_lists`). Words that stand for nothing are no
    item, and a whole context that says that there is none holds none. Raises InputError where it is
    anything else.

    >>> context_texts('["It is red.", "It is long."]', "context")
    ('It is red.', 'It is long.')
    >>> context_texts("[nan, 'N/A']", "context"), context_texts("No context", "context")
    ((), ())
    """
    return tuple(text for text, _ in _context(value, key))


def context_items(value: object, key: str) -> tuple[ContextItem, ...]:
    """Read the context items as :func:`context_texts` does, with their titles as names.

    >>> context_items([{"title": "Cars", "text": "It is red."}], "context")
    (ContextItem(index=0, text='It is red.', name='Cars'),)
    """
    found = _context(value, key)
    return tuple(ContextItem(index, *titled) for index, titled in enumerate(found))


def title_of(record: object) -> str:
    """The title that an object, or its metadata, has for its text; "" for none. One of more than
    120 characters ends in "…"."""
    if not isinstance(record, Mapping):
        return ""
    metadata = record.get("metadata")
    places = (record, metadata if isinstance(metadata, Mapping) else {})
    found = (place.get(key) for place in places for key in _TITLE_KEYS)
    title = next((each for each in found if isinstance(each, str) and each.strip()), "")
    said = "" if says_nothing(title) else " ".join(title.split())
    return said if len(said) <= _LONGEST_TITLE else f"{said[: _LONGEST_TITLE - 1]}…"


def _context(value: object, key: str) -> tuple[_Titled, ...]:
    found = _texts(value, key)
    return () if all(says_no_context(text) for text, _ in found) else found


def _texts(value: object, key: str) -> tuple[_Titled, ...]:
    if isinstance(value, str):
        if says_nothing(value):
            return ()
        written = read_written(value, key)
        found = _returned(written) if isinstance(written, dict) else written
        if are_results(found) and not _holds_text(found):
            raise InputError(
                f"{key} holds what a search returned, with no text under {', '.join(FIELD_TEXTS)}; "
                "write the texts as a list"
            )
        if isinstance(written, dict) and not _texts_of(written) and found != []:
            return ((value, ""),)  # data, as it would be when pasted
        if isinstance(written, list) and not any(map(_holds_text, written)):
            return () if all(map(_empty, written)) else ((value, ""),)
        value = written
    text = scalar_text(value)
    if text is not None:
        return () if says_nothing(text) else ((_without_header(text), ""),)
    if isinstance(value, Mapping):
        found = _returned(value)
        value = _texts_of(value) or ([value] if found is None else found)
    if not isinstance(value, list):
        raise InputError(f"{key} is neither a text nor a list of texts; write it as one of them")
    found = (each for number, item in enumerate(value, 1) for each in _item(item, key, number))
    return tuple(each for each in found if not says_nothing(each[0]))


def _texts_of(value: Mapping[str, object]) -> list[object]:
    """The values of an object that holds one passage under each key, or whose one passage it is,
    or the passages that a search returned; empty for any other."""
    found = _returned(value)
    if found and all(map(_holds_text, found)):
        return found
    if any(value_at(value, name) is not None for name in _TEXT_KEYS):
        return [value]
    if value and all(isinstance(each, str) for each in value.values()):
        long = all(str(each).count(" ") >= 4 for each in value.values())
        if long or all(_NUMBERED.fullmatch(str(name)) for name in value):
            return list(value.values())
    return []


def _returned(value: Mapping[str, object]) -> list[object] | None:
    """What a search returned; None for an object that has a text of its own."""
    own = any(isinstance(value_at(value, name), str) for name in _TEXT_KEYS)
    return None if own else passages_in(value)


def _holds_text(item: object) -> bool:
    if isinstance(item, list):
        return any(map(_holds_text, item))
    return isinstance(item, str) or (isinstance(item, Mapping) and bool(_texts_of(item)))


def _without_header(text: str) -> str:
    """A passage without the lines on its file that LlamaIndex writes above it for a model."""
    return _FILE_HEADER.sub("", text, count=1)


def _empty(item: object) -> bool:
    return item is None or item == [] or (isinstance(item, float) and item != item)


def _item(item: object, key: str, number: int, depth: int = 0) -> Iterator[_Titled]:
    if isinstance(item, str) and item.lstrip()[:1] != "[":
        # Several documents that one text shows; a text in brackets may be a citation.
        written = read_written(item, key)
        item = written if isinstance(written, list) else item
    found = _text(item, key)
    if found is not None:
        yield _without_header(found[0]), found[1]
    elif isinstance(item, list) and depth < _DEEPEST:
        # Of a text with its score, the text.
        scored = any(isinstance(each, str | dict) for each in item)
        for each in item:
            if not (scored and isinstance(each, int | float)):
                yield from _item(each, key, number, depth + 1)
    else:
        raise InputError(
            f"item {number} of {key} is neither a text nor an object with one (under "
            f"{', '.join(_TEXT_KEYS[:8])}); write it as a text"
        )


def _text(item: object, key: str, depth: int = 0) -> _Titled | None:
    if isinstance(item, str):
        written = read_written(item, key) if depth < _DEEPEST else item
        if isinstance(written, Mapping) and _texts_of(written) == [written]:
            return _text(written, key, depth + 1)
        return item, ""
    if isinstance(item, Mapping):
        if (block := block_text(item, key)) is not None:
            return block, title_of(item)
        named = ((name, value_at(item, name)) for name in _TEXT_KEYS)
        name, inner = next((each for each in named if each[1] not in (None, "")), ("", None))
        found = None if inner is None or depth >= _DEEPEST else _text(inner, key, depth + 1)
        if found is None:
            return None
        text, title = found
        above = name.rpartition(".")[0]
        title = title or title_of(item) or title_of(value_at(item, above))
        return text, title or (passage_name(item, above) if above in FIELDS else "")
    scalar = scalar_text(item)
    return None if scalar is None else (scalar, "")


def list_at(fields: Mapping[str, object], key: str) -> object:
    """A value, read where it is a list that is written into a text; None where nothing is there."""
    value = value_at(fields, key)
    if isinstance(value, str) and value.strip().startswith("["):
        read = read_written(value, key)
        return read if isinstance(read, list) else value
    return value


def spans_at(fields: Mapping[str, object], key: str, answer: str) -> tuple[GoldSpan, ...] | None:
    """The gold spans of an answer, written into a text or not; None where nothing is there, which
    is no empty list: not marked. Raises InputError where it is no list of spans, or a span lies
    outside the answer."""
    marks = list_at(fields, key)
    return spans(None if isinstance(marks, str) and says_nothing(marks) else marks, answer)
