"""One way of finding the encoding of a text: for batches, data sets, imports and uploads.

A byte-order mark decides; then bytes that are UTF-8 as a whole; then, as a guess that is stated,
UTF-16 without a mark, the code page of Windows in which the text's language is written (cp1252 for
most), and what charset-normalizer finds. A text is read whole or refused whole; only an encoding
that a person names costs the rows that do not fit it, and no others.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass

from provenance_core.errors import InputError
from provenance_core.files.not_text import BEGINNING, place_of, refuse_nul
from provenance_core.files.options_named import ENCODING, named_option
from provenance_core.text.languages import foreign_language

MARK = "\ufeff"  # of the byte order, as a text has it
_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_UTF8 = "utf-8-sig"  # drops a mark that is there and needs none
_SAMPLE = 200_000  # bytes of lines beyond ASCII by which an encoding is guessed
# What a text of Western Europe in cp1252 does not have: three letters with accents in a row (other
# alphabets have little else; "Größe" has two), bytes without a meaning, and signs inside a word.
_NOT_WINDOWS = re.compile(
    rb"[\xc0-\xff]{3}|[\x81\x8d\x8f\x90\x9d]|[\xd7\xf7](?=[a-zA-Z])"
    rb"|[a-z][\x80\x82-\x89\x8b\x91\x93-\x95\x98\x9b\xa1-\xa9\xab-\xac\xae-\xb1\xb6\xb8-\xbf][a-z]"
)
_OTHER_ALPHABET = re.compile(rb"[\xc0-\xff]{3}")
# Of languages that are not written in cp1252.
_OF_LANGUAGES = {
    **dict.fromkeys(
        ("Czech", "Polish", "Slovak", "Hungarian", "Slovenian", "Croatian", "Romanian", "Albanian"),
        "cp1250",
    ),
    **dict.fromkeys(("Turkish", "Azerbaijani"), "cp1254"),
    **dict.fromkeys(("Lithuanian", "Latvian", "Estonian"), "cp1257"),
}
# Code pages of mainframes, which no export of today has and any bytes fit.
_MAINFRAMES = ["cp037", "cp273", "cp424", "cp500", "cp875", "cp1026", "cp1140"]


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a text is to be decoded. ``doubt``: why that is a guess, as a sentence; "" where it is
    none. ``asked``: a person named it, so that a row that does not fit it is refused alone."""

    name: str
    doubt: str = ""
    asked: bool = False

    @property
    def errors(self) -> str:
        """How codecs treat bytes that do not fit."""
        return "surrogateescape" if self.asked else "strict"


def named_encoding(name: str) -> Encoding:
    """The encoding that a person names; :class:`InputError` where there is none of that name."""
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError) as error:
        raise InputError(
            f"no encoding is called {name!r}; name one such as utf-8, utf-16, cp1252 or latin-1"
        ) from error
    return Encoding(_UTF8 if codec.name == "utf-8" else codec.name, asked=True)


def find_encoding(name: object, lines: Iterable[bytes], hint: str) -> Encoding:
    """Find the encoding of a text by all of its lines, whose first holds its first bytes. Raises
    InputError where NUL bytes show that it is no text, where it is UTF-8 with damage, or where no
    encoding fits. ``hint``: what to do with a file that is no text."""
    sample = bytearray()
    beginning = bytearray()
    wrong = ""
    for number, line in enumerate(lines, 1):
        if number == 1 and (marked := _marked(line)):
            return Encoding(marked)
        if len(beginning) < BEGINNING:
            beginning += line[:BEGINNING]
            if b"\x00" in line and (wide := _wide(bytes(beginning))):
                return Encoding(wide, _guess(name, "it has no byte-order mark", wide))
        if line.isascii():
            continue
        if len(sample) < _SAMPLE:
            sample += line[: _SAMPLE * 5]
        if not wrong:
            wrong = _fault(line, number)
    if looks_binary(bytes(beginning)):
        refuse_nul(name, bytes(beginning), hint)
    if not wrong:
        return Encoding(_UTF8)
    return _guessed(name, bytes(sample), wrong, marked=beginning.startswith(codecs.BOM_UTF8))


def decode(name: object, data: bytes, hint: str) -> tuple[str, str]:
    """Decode a whole text. The text without a byte-order mark, and why its encoding is a guess (""
    where it is none). Raises InputError as :func:`find_encoding`, and where a NUL byte stands
    anywhere in it."""
    found = find_encoding(name, data.splitlines(keepends=True) or [b""], hint)
    if not found.name.startswith(("utf-16", "utf-32")):
        refuse_nul(name, data, hint)
    try:
        return data.decode(found.name).lstrip(MARK), found.doubt
    except UnicodeDecodeError as error:
        raise undecodable(name, found, place_of(data, error.start)) from error


def undecodable(name: object, encoding: Encoding, place: str) -> InputError:
    """What is said of a text that is not in the encoding that it says or shows."""
    return InputError(
        f"{name}: the file looks like {encoding.name.upper()}, but {place} is not. Save it again "
        "as UTF-8."
    )


def _marked(start: bytes) -> str:
    return next((encoding for mark, encoding in _BOMS if start.startswith(mark)), "")


def _wide(beginning: bytes) -> str:
    """UTF-16 without a mark, told by a NUL in every other place; "" for anything else."""
    even, odd = beginning[::2], beginning[1::2]
    for encoding, empty, full in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if empty.count(0) > 0.7 * len(empty) and full.count(0) < 0.05 * len(full):
            return encoding
    return ""


def _fault(line: bytes, number: int) -> str:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return (
            f"byte 0x{line[error.start]:02X} at line {number}, column {error.start + 1} is not "
            "UTF-8"
        )
    return ""


def _guessed(name: object, sample: bytes, wrong: str, *, marked: bool) -> Encoding:
    rest = sample.decode("utf-8", "ignore")
    whole = sum(not letter.isascii() for letter in rest)
    lost = sum(letter == "\ufffd" for letter in sample.decode("utf-8", "replace"))
    if marked or whole > lost:
        raise InputError(
            f"{name}: {wrong}, although the rest of the file is. Save the file as UTF-8, or read "
            f"the rows that are whole by naming the encoding ({named_option(ENCODING, 'utf-8')})"
        )
    page = _page_of(sample)
    if page or _NOT_WINDOWS.search(sample) is None:
        page = page or "cp1252"
        return Encoding(page, _guess(name, wrong, page))
    # The readers of PDF, Word and other encodings are extras that the library goes without.
    import charset_normalizer

    best = charset_normalizer.from_bytes(sample, cp_exclusion=_MAINFRAMES).best()
    if best is None:
        raise InputError(
            f"{name}: {wrong}, and no other encoding fits. Save the file as UTF-8 and give it again"
        )
    return Encoding(best.encoding, _guess(name, wrong, best.encoding))


def _page_of(sample: bytes) -> str:
    """The code page of Windows in which a language is written that is not in cp1252; "" for any
    other. Letters without accents are the same in all of them, and tell the language."""
    if _OTHER_ALPHABET.search(sample):
        return ""
    letters = re.sub(r"[^\w\s]+", " ", sample.decode("cp1252", "replace"))
    return _OF_LANGUAGES.get(foreign_language(letters), "")


def _guess(name: object, why: str, encoding: str) -> str:
    return (
        f"{name}: {why}; it was read as {encoding}, which is a guess. If letters look wrong, save "
        "the file as UTF-8."
    )


def looks_binary(beginning: bytes) -> bool:
    """Whether NUL bytes make the whole of a file no text, and not one line of it.

    ``beginning``: Its first bytes, which may end inside a character. True where there are NUL bytes
    and no line is without one, or other bytes are no UTF-8 either.

    >>> looks_binary(b"\\x00\\x01\\xff"), looks_binary(b"name\\na\\x00b\\nc\\n")
    (True, False)
    """
    if b"\x00" not in beginning:
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        return True
    return all(b"\x00" in line for line in beginning.split(b"\n") if line.strip())
