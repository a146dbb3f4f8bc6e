"""Where the sentences of a text end: sentencex's places, with what it misses and cuts wrongly.

Besides, a heading, a list item and a row of a table end with their lines.
"""

from __future__ import annotations

import re

import sentencex

from provenance_core.text.input_checks import clean_text
from provenance_core.text.list_markers import LIST_LINE, marker_length
from provenance_core.text.markdown_tables import find_tables

_HEADING_LINE = re.compile(r"^[ \t]*(?:#{1,6}[ \t][^\n]*|\*\*[^*\n]+\*\*:?[ \t]*)\n", re.MULTILINE)
# "She waited… Then he came": a capital behind the mark begins a sentence, a small letter does not.
_ELLIPSIS = re.compile(r"(?:…|\.\.\.)[\"”’')\]]*\s+(?=[\"“‘'(\[]*[A-Z])")
# What stands behind these belongs to them, whatever it is.
_ALWAYS_GOES_ON = re.compile(
    r"(?:^|[\s(\[\"“])(?:e\.\s?g|i\.\s?e|approx|ca|cf|vs|viz|incl|esp)\.,?\s*$", re.IGNORECASE
)
# So does a number behind these, or a Roman one.
_NUMBER_GOES_ON = re.compile(
    r"(?:^|[\s(\[\"“])(?:c|vols?|nos?|figs?|secs?|chs?|chap|pp?|arts?|paras?|eqs?|al|tab|est|dept|rd"
    r"|st|ave|apt|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.\s*$",
    re.IGNORECASE,
)
# And a small letter behind these.
_SMALL_GOES_ON = re.compile(
    r"(?:^|[\s\d(\[\"“$€£])(?:tn|trn|bn|mn|mln|mil|mio|etc|al|inc|ltd|co|corp|dept|univ|assn|est|ft"
    r"|in|lbs?|oz|yds?|hrs?|mins?|secs?|max|min|avg|no|vol|fig|a\.m|p\.m|u\.s|u\.k|u\.n|e\.u|d\.c"
    r"|ph\.d|jr|sr)\.\s*$",
    re.IGNORECASE,
)
_NUMBER_NEXT = re.compile(r"[(\[#]?(?:\d|[IVXLC]{2,}\b|[VX]\b)")
# "Do this: 1. Wash it.": the number opens what follows.
_MARKER_AHEAD = re.compile(r"[:;]\s+(?=\(?\d{1,2}[.)]\s*$)")
_LONGEST = 16


def sentence_ends(text: str, language: str = "en") -> list[int]:
    """Finds the ends of the sentences of ``text``, in order. The last one is its length.

    The white space behind a sentence belongs to it. An empty text has no end.
    """
    position, ends = 0, set()
    # sentencex reads no half characters; each is replaced by one that keeps the places.
    for segment in sentencex.segment(language, clean_text(text, "text")[0]):
        position += len(segment)
        ends.add(position)
    ends |= {match.end() for match in _ELLIPSIS.finditer(text)}
    ends = {end for end in ends if not _goes_on(text, end)}
    ends = {_before_marker(text, end) for end in ends}
    for heading in _HEADING_LINE.finditer(text):
        ends |= {heading.start(), heading.end()}
    markers = [match.start() for match in LIST_LINE.finditer(text)]
    ends |= set(markers)
    # sentencex may end a sentence behind a marker, as if its number were the last word.
    for start in markers:
        head = range(start + 1, start + marker_length(text[start : start + 80]) + 1)
        ends -= set(head)
    for table in find_tables(text):
        ends -= set(range(table.start + 1, table.end))
        ends |= {table.start, table.head_end, *(row.end for row in table.rows)}
    return sorted((ends | {len(text)}) - {0})


def _goes_on(text: str, end: int) -> bool:
    before = text[max(0, end - _LONGEST) : end]
    if "." not in before:
        return False
    after = text[end : end + _LONGEST].lstrip()
    if "\n\n" in before or not after:
        return False
    if _ALWAYS_GOES_ON.search(before):
        return True
    if _NUMBER_GOES_ON.search(before) and _NUMBER_NEXT.match(after):
        return True
    return bool(_SMALL_GOES_ON.search(before)) and after[0].islower()


def _before_marker(text: str, end: int) -> int:
    start = max(0, end - _LONGEST)
    ahead = _MARKER_AHEAD.search(text[start:end])
    return start + ahead.end() if ahead else end
