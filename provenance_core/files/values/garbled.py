"""Letters that stand for others: UTF-8 that a program read as Windows-1252 and wrote again."""

from __future__ import annotations

import re

# What the second and later bytes of a letter of UTF-8 are in Windows-1252, and those of them that
# never follow a capital letter in a text.
_LATER = "[\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
_ODD = "[€ƒ†‡ˆ‰Š‹ŒŽ˜š›œžŸ¡-§ª¬¯-¶¸-º¼-¿]"
_GARBLED = re.compile(
    rf"Ã{_ODD}|(?<=[a-z])[ÂÃÄÅ]{_LATER}|[ÃÄÅ]{_LATER}(?=[a-z])|(?<![A-ZÀ-Þ])Â[\xa0-\xaa\xac-\xba\xbc-\xbf]|â€|ðŸ{_LATER}"
    rf"|(?:[ÐÑØÙ]{_LATER}){{2}}|(?:[ä-é]{_LATER}{{2}}){{2}}"
)
_LONGEST = 30  # characters of a word that is shown


def garbled_word(text: str) -> str:
    """The first word of a text whose letters stand for others; "" where there is none.

    >>> garbled_word("Das ist fÃ¼r Porto."), garbled_word("São Paulo, MÃE, “É”")
    ('fÃ¼r', '')
    """
    found = None if text.isascii() else _GARBLED.search(text)
    if found is None:
        return ""
    before = text[max(0, found.start() - _LONGEST) : found.start()].split(" ")[-1].split("\n")[-1]
    return before + re.split(r"[ \n]", text[found.start() : found.start() + _LONGEST])[0]


def mended(word: str) -> str:
    """A word with the letters that its bytes are in UTF-8; "" where they are none."""
    try:
        return word.rstrip("\ufffd").encode("cp1252").decode("utf-8")
    except UnicodeError:
        return ""
