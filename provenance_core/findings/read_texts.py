"""A claim and its premises as their details are compared, each text read once."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import attrgetter

from provenance_core.findings.kinds import DetailKind
from provenance_core.findings.phrases import find_full_names, find_names
from provenance_core.findings.quantities import (
    StatedQuantity,
    find_pointers,
    find_quantities,
)
from provenance_core.lexicon.readings import kept_readings
from provenance_core.lexicon.stems import singular
from provenance_core.lexicon.words import is_function_word
from provenance_core.text.splitting import sentence_bounds

_WORDS = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*")
_ROMAN = re.compile(
    r"(?:\b(?P<lead>[^\W\d_]+)[\s-])?\b(?=[IVXLC])"
    r"(?P<number>C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))(?<=[IVXLC])\b"
)
_LETTERS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_GLUED = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
_ROUNDED = 1e6  # from here on a number may stand for another that it rounds
_LINKS = frozenset(("of", "the", "and", "for", "de", "in"))


@dataclass(frozen=True, slots=True)
class StatedName:
    """A name, ``text[start:end]``."""

    start: int
    end: int
    words: tuple[str, ...]  # plain, function words left out
    sure_start: int  # without a capital at the sentence's head, which may be none of the name


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text as its details are compared."""

    text: str
    quantities: tuple[StatedQuantity, ...]
    names: tuple[StatedName, ...]
    words: frozenset[str]
    content: frozenset[str]  # words that are neither function words nor numbers


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """``text[start:end]``, and its words that are neither function words nor numbers."""

    start: int
    end: int
    content: frozenset[str]


@dataclass(frozen=True)
class Premise:
    """A text that claims are held against. What only some comparisons need is read when it is
    asked for: of a long context most texts have no value that a claim has."""

    text: str

    @cached_property
    def quantities(self) -> tuple[StatedQuantity, ...]:
        return find_quantities(self.text)

    @cached_property
    def _by_value(self) -> dict[float | None, list[StatedQuantity]]:
        found: dict[float | None, list[StatedQuantity]] = {}
        for each in self.quantities:
            found.setdefault(_plain_value(each), []).append(each)
        return found

    def perhaps_same(self, quantity: StatedQuantity) -> Sequence[StatedQuantity]:
        """Its quantities that may have the value of another, in order: of a plain number or a year
        those with the same digits, and all that are not plain."""
        value = _plain_value(quantity)
        if value is None:
            return self.quantities
        found = self._by_value.get(value, []) + self._by_value.get(None, [])
        return sorted(found, key=attrgetter("start"))

    @cached_property
    def read(self) -> ReadText:
        return read_text(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """As those of :class:`ReadText`."""
        return frozenset(plain_words(self.text))

    @cached_property
    def numerals(self) -> dict[int, frozenset[str]]:
        """Its Roman numbers, each with the words before them ("book" of "Book XXIII")."""
        found: dict[int, frozenset[str]] = {}
        for match in _ROMAN.finditer(self.text):
            value = _roman_value(match["number"])
            lead = frozenset(plain_words(match["lead"] or ""))
            found[value] = found.get(value, frozenset()) | lead
        return found

    @cached_property
    def unglued(self) -> frozenset[str]:
        """Its words, with the parts of those that lost the blank between them ("IliadBook")."""
        parted = _GLUED.sub(" ", self.text)
        return self.words if parted == self.text else self.words | set(plain_words(parted))

    @cached_property
    def content(self) -> frozenset[str]:
        """As that of :class:`ReadText`."""
        return content_of(self.words)

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """Initials of its runs of capitalised words."""
        return _initials(self.text)

    @cached_property
    def initials(self) -> str:
        """Of all its words but function words."""
        return "".join(word[0] for word in plain_words(self.text) if not is_function_word(word))

    @cached_property
    def sentences(self) -> tuple[ReadSentence, ...]:
        """They tile the text."""
        return tuple(
            ReadSentence(a, b, content_of(plain_words(self.text[a:b])))
            for a, b in sentence_bounds(self.text)
        )


def _roman_value(number: str) -> int:
    values = [_LETTERS[letter] for letter in number]
    return sum(
        -value if value < after else value
        for value, after in zip(values, [*values[1:], 0], strict=True)
    )


def _plain_value(quantity: StatedQuantity) -> float | None:
    """The value of a number without unit, or the year of a date, that has one reading; else
    None."""
    if quantity.kind is DetailKind.DATE:
        year = quantity.day[0]
        plain = quantity.other_day is None and quantity.unit in ("year", "date")
        return float(year) if year and plain else None
    exact = not quantity.about and quantity.in_thousands is None and quantity.value < _ROUNDED
    return quantity.value if exact and not quantity.unit else None


@dataclass(frozen=True, slots=True)
class ReadPremises:
    """Texts that many claims are held against, each read once however many they are."""

    texts: tuple[str, ...]
    read: tuple[Premise, ...]


def read_premises(texts: Iterable[str]) -> ReadPremises:
    """Prepare premises for several claims that are held against them. The premises; each is read
    when a comparison needs it, and once."""
    return _read_premises(tuple(texts))


# The claims, what is missing of them and what contradicts them are held against one context.
@lru_cache(maxsize=2)
def _read_premises(given: tuple[str, ...]) -> ReadPremises:
    return ReadPremises(given, tuple(map(_premise, given)))


def with_premise(given: ReadPremises, text: str) -> ReadPremises:
    """Add a premise behind the others, which are not read again."""
    return ReadPremises((*given.texts, text), (*given.read, _premise(text)))


@kept_readings
def read_text(text: str) -> ReadText:
    """Find the quantities, names and words of a text. What :mod:`provenance_core.findings.details`
    compares."""
    quantities = find_quantities(text)
    sure = {b: a for a, b in find_names(text)}
    # The "Source" of "Source 5" names nobody.
    taken = sorted([*((q.start, q.end) for q in quantities), *find_pointers(text)])
    # Of these up to each one, the last end: a text may have thousands of them.
    starts = [start for start, _ in taken]
    ends = [0, *accumulate((end for _, end in taken), max)]
    names = tuple(
        StatedName(a, b, words, sure[b])
        for a, b in find_full_names(text)
        if ends[bisect_left(starts, b)] <= a and (words := name_words(text[a:b]))
    )
    held = plain_words(text)
    return ReadText(text, quantities, names, frozenset(held), content_of(held))


@kept_readings
def _premise(text: str) -> Premise:
    return Premise(text)


def name_words(name: str) -> tuple[str, ...]:
    """List the plain words of a name. Without function words, where it has others.

    >>> name_words("Bank of Tarn")
    ('bank', 'tarn')
    """
    # "Sims-focused" names the Sims.
    parts = [part for part in re.split(r"[\s-]+", name) if part[:1].isupper()]
    words = plain_words(" ".join(parts))
    return tuple(word for word in words if not is_function_word(word)) or tuple(words)


def content_of(words: Iterable[str]) -> frozenset[str]:
    """Take the content words among plain words. Those that are neither function words nor numbers,
    without their plural."""
    return frozenset(
        singular(word) for word in words if not word[0].isdigit() and not is_function_word(word)
    )


def plain_words(text: str) -> list[str]:
    """List the words of a text as they are compared. In order, without case, accents and the ending
    of the possessive.

    >>> plain_words("Müller's cafés")
    ['muller', 'cafes']
    """
    folded = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
    folded = "".join(c for c in folded if not unicodedata.combining(c)).lower()
    return [re.sub(r"['’]s?$|['’](?=\w)", "", word) or word for word in _WORDS.findall(folded)]


@kept_readings
def _initials(text: str) -> frozenset[str]:
    """Initials of each run of two to six capitalised words, small link words skipped."""
    found: set[str] = set()
    for sentence in re.split(r"[.!?;:,()\n]", text):
        words = _WORDS.findall(sentence)
        for first, word in enumerate(words):
            letters = ""
            for other in words[first : first + 9] if word[0].isupper() else ():
                if other[0].isupper():
                    letters += other[0].lower()
                    if len(letters) >= 2:
                        found.add(letters)
                elif other not in _LINKS:
                    break
    return frozenset(found)
