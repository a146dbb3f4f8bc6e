"""An answer or a query that is a message of a chat, or several: its text."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from provenance_core.files.formats._values import from_json
from provenance_core.files.traces import ANSWER_KEYS, text_under
from provenance_core.files.values.shown_objects import shown_message

_MARKS = ("role", "additional_kwargs", "response_metadata")


def message_text(value: object) -> object:
    """The text of a message, of its parts or of the last of several messages, also where they are
    written into a text; the one text of a list, and none of an empty one; any other value as it is.

    >>> message_text([{"role": "assistant", "content": [{"type": "text", "text": "Red."}]}])
    'Red.'
    >>> message_text('{"content": "Red."}')
    '{"content": "Red."}'
    >>> message_text(["Red.", None]), message_text([])
    ('Red.', '')
    """
    if isinstance(value, str):
        start = value.lstrip()[:2]
        if said := shown_message(value):
            return said
        if start[:1] not in ("{", "["):
            return value
        found = message_list(value) if start in ("{'", "[{") else from_json(value)
        found = from_json(value) if isinstance(found, str) else found
    else:
        found = value
    if isinstance(value, list):
        held = [each for each in value if each is not None and each != ""]
        if not held:
            return ""
        if len(held) == 1 and isinstance(held[0], str):
            return held[0]
    messages = found if isinstance(found, list) else [found]
    if not messages or not all(map(_is_message, messages)):
        return value
    return text_under(found, ANSWER_KEYS) or value


def _is_message(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    return ("content" in value and any(mark in value for mark in _MARKS)) or (
        value.get("type") in ("text", "output_text") and isinstance(value.get("text"), str)
    )


def message_list(text: str) -> object:
    """A list of messages that Python wrote into a text, or the text itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
