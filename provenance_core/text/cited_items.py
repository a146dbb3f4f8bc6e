"""Which context items an answer cites, sentence by sentence.

A number is that of the item's own label ("[2] The mill ..." in the item's text), or of the line
with it in the answer's list of references, or the item's position, counted from 1. A name is that
of the item, its file, its page, or the author and year at its head. Where two readings differ, or
none fits, the citation is unclear.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from provenance_core.lexicon.words import is_function_word, word_list
from provenance_core.text.citations import find_citations, find_reference_lists
from provenance_core.types import Citation, ContextItem, Sentence

_HEAD = 300  # characters of an item that may name its author and year
_MOST_NUMBERS = 50  # of one range
_NO_ITEM, _NO_LABEL = "the context has no item", "no context item has the number"
_OWN_LABEL = re.compile(
    r"\s*(?:\[\s?\^?(\d{1,3})\s?\]|(?:source|document|doc|passage|chunk|context|result)\s?#?(\d{1,3})\s?[:.\n])",
    re.IGNORECASE,
)
_NAME_NUMBER = re.compile(r"[a-z]*[\s_:#.-]*(\d{1,3})$", re.IGNORECASE)
_NUMBERS = re.compile(r"(\d{1,3})(?:\s?[\u2013-]\s?(\d{1,3}))?")
_FILE = re.compile(
    r"[\w .-]{0,79}\w\.(?:pdf|docx?|pptx?|xlsx?|csv|txt|md|html?|json)\b", re.IGNORECASE
)
_PAGE = re.compile(r"\b(?:pp?|pages?|s|seiten?)\.?[\s_=:#-]?(\d{1,4})\b", re.IGNORECASE)
_YEAR = re.compile(r"\b((?:1[5-9]|20)\d\d)[a-z]?\b")
_WORDED = re.compile(
    r"^(?:see\s|cf\.\s|vgl\.\s|siehe\s)?(?:source|passage|document|doc|context|chunk|excerpt|snippet|ref"
    r"|reference|result|citation|footnote|file|quelle|dokument)[ns]?\b:?\s*",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w")
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_ENTRY = re.compile(
    r"^[ \t]*(?:\[\^?([\w-]{1,20})\]:?|(\d{1,3})[.)])[ \t]*(\S[^\n]*)$", re.MULTILINE
)
_RAISED = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789"
)


def find_cited(
    answer: str, sentences: Sequence[Sentence], items: Sequence[ContextItem]
) -> tuple[Citation, ...]:
    """Find what each sentence of an answer cites; a citation at the head of a sentence belongs to
    the one before it. In the order of the answer.

    >>> sentences = (Sentence(0, 0, 20, "The mill is old [2]."),)
    >>> items = [ContextItem(0, "A"), ContextItem(1, "B")]
    >>> found = find_cited("The mill is old [2].", sentences, items)
    >>> [(each.sentence, each.items) for each in found]
    [(0, (1,))]
    """
    lists = find_reference_lists(answer)
    bounds = [
        (start + len(answer[start:end]) - len(answer[start:end].lstrip()), end)
        for start, end in find_citations(answer)
    ]
    bounds = [(a, b) for a, b in bounds if not any(start <= a < end for start, end in lists)]
    entries = {
        (found[1] or found[2]).lower(): found[3]
        for start, end in lists
        for found in _ENTRY.finditer(answer, start, end)
    }
    marks = [_Mark(answer[a:b]) for a, b in bounds]
    known = _Items(tuple(items), entries, frozenset(n for m in marks for n in m.numbers))
    found = []
    for (start, end), mark in zip(bounds, marks, strict=True):
        place = _sentence_of(answer, sentences, start, end)
        if place is None:
            continue
        pointed = known.of(mark)
        found.append(Citation(place, start, end, pointed.items, pointed.unclear))
    return tuple(found)


def points_to_no_item(citation: Citation) -> bool:
    """Whether a citation has a number that no context item has."""
    return citation.unclear.startswith((_NO_ITEM, _NO_LABEL))


def _sentence_of(answer: str, sentences: Sequence[Sentence], start: int, end: int) -> int | None:
    """The sentence that a citation is of: the last one that has a word before it. None where the
    citation heads a line, which it may number."""
    line = answer[answer.rfind("\n", 0, start) + 1 : start]
    if not _WORD.search(line) and _WORD.search(answer[end:].partition("\n")[0]):
        return None
    at = bisect_left([sentence.start for sentence in sentences], start) - 1
    while at >= 0:
        if _WORD.search(answer[sentences[at].start : min(start, sentences[at].end)]):
            return sentences[at].index
        at -= 1
    return None


@dataclass(frozen=True)
class _Mark:
    """A citation as written, and what it names."""

    text: str

    @cached_property
    def label(self) -> str:
        """What stands between the brackets."""
        plain = re.sub(r"</?(?:sup|cite)\b[^<>]*>", "", self.text).translate(_RAISED)
        plain = re.sub(r"\]\([^()]*\)$", "]", plain)
        return plain.strip("[](){}^\u3010\u3011 ").strip()

    @cached_property
    def file(self) -> str:
        found = _FILE.search(_WORDED.sub("", self.label))
        return found.group().strip().lower() if found else ""

    @cached_property
    def link(self) -> str:
        found = _LINK.search(self.text)
        return found[1] if found else ""

    @cached_property
    def page(self) -> int | None:
        found = _PAGE.search(self.label)
        return int(found[1]) if found else None

    @cached_property
    def year(self) -> str:
        found = _YEAR.search(self.label)
        return found[1] if found else ""

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that it counts items by, ranges in full."""
        label = _PAGE.sub("", self.label)
        if self.file or self.year:
            return ()
        label = label.split("\u2020")[0].split(":")[-1] if "\u2020" in label else label
        words = [word for word in re.findall(r"[^\W\d_]+", label) if not _WORDED.match(f"{word} ")]
        if any(word.lower() not in ("see", "cf", "vgl", "siehe", "and") for word in words):
            return ()
        found: list[int] = []
        for match in _NUMBERS.finditer(label):
            first, last = int(match[1]), int(match[2] or match[1])
            found += (
                range(first, min(last, first + _MOST_NUMBERS) + 1) if last >= first else [first]
            )
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class _Pointed:
    items: tuple[int, ...]
    unclear: str = ""


@dataclass(frozen=True)
class _Items:
    """The context items as citations name them. ``entries``: of the answer's list of references, by
    number or footnote. ``numbers``: those of all citations."""

    items: tuple[ContextItem, ...]
    entries: dict[str, str]
    numbers: frozenset[int]

    def of(self, mark: _Mark) -> _Pointed:
        exact = [at for at, item in enumerate(self.items) if _same_name(mark.label, item.name)]
        if exact:
            return _Pointed(tuple(exact))
        if mark.link and (linked := self._named(mark.link)):
            return _Pointed(linked)
        if mark.file:
            return self._of_file(mark)
        if entry := self.entries.get(mark.label.lower()):
            return self._of_entry(entry, mark.numbers)
        if mark.year:
            return self._of_work(mark)
        if mark.numbers:
            return self._of_numbers(mark.numbers)
        if mark.page is not None:
            return self._of_page(range(len(self.items)), mark.page)
        named = self._named(_WORDED.sub("", mark.label))
        return _Pointed(named) if named else _Pointed((), "no context item has this name")

    @cached_property
    def labels(self) -> dict[int, tuple[int, ...]]:
        """Items by the number at the head of their text."""
        found: dict[int, list[int]] = {}
        for at, item in enumerate(self.items):
            if own := _OWN_LABEL.match(item.text):
                found.setdefault(int(own[1] or own[2]), []).append(at)
        return {number: tuple(places) for number, places in found.items()}

    @cached_property
    def name_numbers(self) -> dict[int, tuple[int, ...]]:
        """Items by the number that is their name, or its end: "doc_3"."""
        found: dict[int, list[int]] = {}
        for at, item in enumerate(self.items):
            if own := _NAME_NUMBER.fullmatch(item.name.strip()):
                found.setdefault(int(own[1]), []).append(at)
        return {number: tuple(places) for number, places in found.items()}

    def _of_numbers(self, numbers: Sequence[int]) -> _Pointed:
        found: list[int] = []
        for number in numbers:
            pointed = self._of_number(number)
            if pointed.unclear:
                return pointed
            found += pointed.items
        return _Pointed(tuple(dict.fromkeys(found)))

    def _of_number(self, number: int) -> _Pointed:
        if self.labels:
            items = self.labels.get(number, ())
            return _Pointed(items, "" if items else f"{_NO_LABEL} {number}")
        if entry := self.entries.get(str(number)):
            return self._of_entry(entry, (number,))
        count, named = len(self.items), self.name_numbers
        if 0 in self.numbers:
            return _Pointed((), "the answer seems to count the items from 0")
        if number > count and number not in named:
            return _Pointed((), f"{_NO_ITEM} {number}")
        # Numbers most of which no item has count something else.
        if number > count or 2 * sum(each > count for each in self.numbers) > len(self.numbers):
            return _Pointed(
                (),
                f"the answer cites up to number {max(self.numbers)}, and the context has {count} "
                f"item{'s' if count != 1 else ''}",
            )
        if named and named.get(number) != (number - 1,):
            return _Pointed(
                (), "the number may be an item's position or the number in another item's name"
            )
        return _Pointed((number - 1,))

    def _of_file(self, mark: _Mark) -> _Pointed:
        items = self._named(mark.file)
        if not items:
            return _Pointed((), f"no context item is called {mark.file}")
        if mark.page is None:
            return _Pointed(items)
        paged = self._of_page(items, mark.page)
        return paged if paged.items else _Pointed(items)

    def _of_page(self, items: Sequence[int], page: int) -> _Pointed:
        found = tuple(
            at
            for at in items
            if any(int(each[1]) == page for each in _PAGE.finditer(self.items[at].name))
        )
        return _Pointed(found, "" if found else f"no context item is named as page {page}")

    def _of_work(self, mark: _Mark) -> _Pointed:
        """Items that name the authors and the year of a work, in their name or at their head."""
        found: list[int] = []
        for work in mark.label.split(";"):
            year, names = _YEAR.search(work), re.findall(r"\b[A-Z\u00c0-\u00de][\w'\u2019-]+", work)
            wanted = {year[1]} if year else set()
            wanted |= {name.lower() for name in names if name.lower() not in ("see", "siehe")}
            for at, item in enumerate(self.items):
                head = f"{item.name} {item.text[:_HEAD]}".lower()
                if all(re.search(rf"(?<!\w){re.escape(word)}", head) for word in wanted):
                    found.append(at)
        if found:
            return _Pointed(tuple(dict.fromkeys(found)))
        for entry in self.entries.values():
            if mark.year in entry and mark.label.split()[0].strip(",").lower() in entry.lower():
                return self._of_entry(entry, ())
        return _Pointed((), "no context item names these authors and this year")

    def _of_entry(self, entry: str, numbers: Sequence[int]) -> _Pointed:
        """Items whose name, file, address or first line a line of the list of references has."""
        lower, words = entry.lower(), set(_telling(entry))
        found = [
            at
            for at, item in enumerate(self.items)
            if item.name.strip()
            and (item.name.strip().lower() in lower or _within(item.name, words))
        ]
        file = _FILE.search(entry)
        found = found or list(self._named(file.group().strip().lower()) if file else ())
        found = found or [
            at for at, item in enumerate(self.items) if _within(_title(item.text), words)
        ]
        if found:
            return _Pointed(tuple(found))
        # A list that only repeats the numbers of unnamed items says nothing else.
        unnamed = not any(item.name.strip() for item in self.items)
        if unnamed and numbers and all(1 <= number <= len(self.items) for number in numbers):
            return _Pointed(tuple(number - 1 for number in numbers))
        return _Pointed((), "the list of references names no context item there")

    def _named(self, name: str) -> tuple[int, ...]:
        """Items with ``name`` in their name, or whose file name without its ending is it."""
        wanted = _plain(name)
        return tuple(
            at
            for at, item in enumerate(self.items)
            if wanted and (wanted in _plain(item.name) or _plain(item.name) == _stem(wanted))
        )


def _plain(name: str) -> str:
    return " ".join(name.lower().replace("\\", "/").rpartition("/")[2].split()) or name.lower()


def _stem(name: str) -> str:
    return re.sub(r"\.\w{2,4}$", "", name)


def _same_name(label: str, name: str) -> bool:
    plain = re.sub(r"[\s_:#-]+", " ", name.strip().lower())
    return bool(plain) and not plain.isdigit() and re.sub(r"[\s_:#-]+", " ", label.lower()) == plain


def _telling(text: str) -> list[str]:
    return [word for word in word_list(text.lower()) if not is_function_word(word)]


def _title(text: str) -> str:
    """The first line of an item, where it is short enough for a title."""
    line = text.strip().partition("\n")[0].strip("#*_ ")
    return line if len(line.split()) <= 12 and line != text.strip() else ""


def _within(name: str, words: set[str]) -> bool:
    own = [word for word in _telling(_stem(_plain(name))) if not word.isdigit()]
    return bool(own) and len("".join(own)) > 3 and words.issuperset(own)
