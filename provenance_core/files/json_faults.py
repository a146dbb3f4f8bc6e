"""What is wrong with a text that is no JSON, in plain English.

Python's own words ("Expecting ',' delimiter") say what its parser wanted, not what to write.
"""

from __future__ import annotations

import json
import re

_WORD = re.compile(r"[A-Za-z]+")
_PYTHONS = {"None": "null", "True": "true", "False": "false"}


def json_fault(error: json.JSONDecodeError) -> str:
    """What stands where JSON ends to be JSON. A clause without a full stop."""
    said, rest = error.msg, error.doc[error.pos :]
    if said.startswith("Unterminated string"):
        return "the text that begins here has no closing quotation mark"
    if said.startswith("Invalid control character"):
        return (
            "a line break, a tab or another control character stands in a text; write \\n for a "
            "line break and \\t for a tab"
        )
    if said.startswith("Invalid \\u"):
        return "\\u needs four digits of 0 to 9 and a to f after it"
    if said.startswith("Invalid \\escape"):
        return "JSON does not know this sign after a backslash; write two backslashes for one"
    if said.startswith("Extra data"):
        return "something follows the end of the value"
    if said.startswith("Unexpected UTF-8 BOM"):
        return "a byte-order mark stands here; remove it"
    if not rest.strip():
        return "it ends before its last bracket is closed" if error.doc.strip() else "it is empty"
    if rest.startswith("'"):
        return "JSON knows no single quotation marks; write double ones"
    return _missing(said, error.doc[: error.pos].rstrip(), rest)


def _missing(said: str, before: str, rest: str) -> str:
    """What is not there between ``before`` and ``rest``."""
    if said.startswith("Expecting ',' delimiter"):
        if before.endswith('"'):
            return (
                "a comma or a closing bracket is missing here; or the quotation mark before "
                'belongs to the text, then write \\" for it'
            )
        return "a comma or a closing bracket is missing here"
    if said.startswith("Expecting ':' delimiter"):
        return "a colon is missing between a key and its value"
    if said.startswith(("Expecting property name", "Illegal trailing comma")):
        if rest.startswith(("}", ",")):
            return "no key follows the comma before; remove that comma"
        return "a key must stand here, in double quotation marks"
    if rest.startswith(("]", "}", ",")):
        return "a value is missing here, or a comma is too many"
    word = _WORD.match(rest)
    if word and word[0] in _PYTHONS:
        return f"{word[0]} is no word of JSON; write {_PYTHONS[word[0]]}"
    return "no value of JSON begins like this; a text needs double quotation marks"


def json_place(error: json.JSONDecodeError) -> str:
    """Where :func:`json_fault` is, of a text that may have one line only. Line and column from 1;
    of a text of one line the column."""
    line, column = fault_position(error)
    return f"line {line}, column {column}" if "\n" in error.doc.strip() else f"column {column}"


def fault_position(error: json.JSONDecodeError) -> tuple[int, int]:
    """Where :func:`json_fault` is: line and column, from 1. Where the text ends too early, just
    behind the last of it: blank lines at the end are no place to fix."""
    at = min(error.pos, len(error.doc.rstrip()))
    return error.doc.count("\n", 0, at) + 1, at - error.doc.rfind("\n", 0, at)


def beyond_json(error: Exception) -> str:
    """Why a text that may be JSON cannot be read. A clause without a full stop."""
    # Nesting of thousands of levels and numbers of thousands of digits are valid JSON.
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return "it holds a number of thousands of digits"
