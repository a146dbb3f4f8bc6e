"""Options of the command line that a note on a file names. A page has boxes in their place."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

SHEET, ENCODING, MAP = "sheet", "encoding", "map"
ALL_WORDS = " (docs/how-to/own-data.md lists all words)"
_PLACEHOLDER = "NAME"
_NAMED = re.compile(rf"--({SHEET}|{ENCODING}|{MAP}) ((?:'[^']*'|\"'\"|[\w@%+=:,./-])+)")


def named_option(option: str, value: str = "", *, field: str = "") -> str:
    """Write an option with its value as a shell reads it. ``value``: "" for one that the person has
    to think of. ``field``: of a mapping.

    >>> named_option(MAP, "Human grade", field="label"), named_option(SHEET)
    ("--map 'label=Human grade'", '--sheet NAME')
    """
    value = value or _PLACEHOLDER
    return f"--{option} {shlex.quote(f'{field}={value}' if field else value)}"


def with_boxes(note: str, box: Callable[[str], str]) -> str:
    """Write a note for a page: it names a box in place of each option. ``box``: the title of the
    box of an option, or of the field of a mapping.

    >>> with_boxes("choose another (--sheet NAME)", str.capitalize)
    'choose another (in the box “Sheet”)'
    """

    def named(found: re.Match[str]) -> str:
        option, value = found[1], shlex.split(found[2])[0]
        field, mapped, key = value.partition("=")
        if option == MAP and mapped:
            option, value = field, key
        chosen = "" if value == _PLACEHOLDER else f"{value} "
        return f"{chosen}in the box “{box(option)}”"

    return _NAMED.sub(named, note.replace(ALL_WORDS, ""))
