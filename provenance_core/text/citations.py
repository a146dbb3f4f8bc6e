"""Citations in an answer: "[1]", "(Meyer et al., 2019)", "(Source: x.pdf, p. 17)", footnotes.

They point to a source and claim nothing. In code, in an interval and behind the name of a list, a
bracket is no citation.
"""

from __future__ import annotations

import re

Bounds = tuple[int, int]

# Where white space begins, and not at each of its characters.
_SPACE = r"(?<!\s)\s*"
_PAGES = r"(?:(?:pp?|pages?|s|seiten?)\.?\s?\d{1,4}(?:\s?[\u2013-]\s?\d{1,4})?)"
_NUMBERS = r"\d{1,3}(?:\s*[,;&\u2013-]\s*\d{1,3})*"
_SOURCE = (
    r"(?:sources?|passages?|documents?|docs?|contexts?|chunks?|excerpts?|snippets?|refs?|references?"
    r"|results?|citations?|footnotes?|files?|quellen?|dokumente?)"
)
_FILE = r"[\w .-]{1,80}\.(?:pdf|docx?|pptx?|xlsx?|csv|txt|md|html?|json)\b(?:#[\w=.-]{1,40})?"
_LEAD = r"(?:(?:see|cf\.|vgl\.|siehe|e\.g\.,?)\s)"
_NAME = r"[A-Z\u00c0-\u00de][\w\u2019'-]+"
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_PAGES_BEHIND = rf"(?:,\s{_PAGES})"
_WORK = (
    rf"{_NAME}(?:(?:,\s{_NAME})*,?\s(?:and|&|und)\s{_NAME}|\set\sal\.?),?\s{_YEAR}{_PAGES_BEHIND}?"
)
# One name and a year may be a place; with a page, or behind "see", they are a work.
_MONTH = (
    r"(?:jan|feb|m[a\u00e4]r|apr|ma[yi]|jun|jul|aug|sep|o[ck]t|nov|de[cz]"
    r"|spring|summer|autumn|fall|winter)"
)
_WORK_OF_ONE = rf"(?!{_MONTH}){_NAME},?\s{_YEAR}"
_NUMBERED = rf"{_SOURCE}[\s_:#-]*(?:{_FILE}|{_NUMBERS}){_PAGES_BEHIND}?"
_SHAPES = (
    # [1], [^3], [^1^], [1, 3-5], [[1]], [1](https://...), [chunk_3], [Source: x.pdf, p. 17],
    # [x.pdf], {{2}}, <cite id="2">[2]</cite>
    rf"<cite\b[^<>\n]{{0,80}}>\s?\[?{_NUMBERS}\]?\s?</cite>",
    rf"\{{\{{\s?{_NUMBERS}\s?\}}\}}",
    rf"\[\[\s?\^?{_NUMBERS}\^?\s?\]\](?:\([^()\s]{{1,300}}\))?",
    rf"\[\s?\^?{_NUMBERS}\^?\s?\](?:\([^()\s]{{1,300}}\))?",
    r"\[\^[\w-]{1,20}\]",
    rf"\[{_NUMBERED}(?:[,;]\s?{_NUMBERED})*\]",
    rf"\[{_FILE}{_PAGES_BEHIND}?\]",
    "\u3010[^\u3011]{1,60}\u3011",
    # (Source: x.pdf, p. 17), (see document 2), (chunk_3, chunk_4), (x.pdf), (p. 3)
    rf"\({_LEAD}?{_SOURCE}\b[\s:#]*{_NUMBERED}\)",
    rf"\({_LEAD}?{_NUMBERED}(?:[,;]\s?{_NUMBERED})*\)",
    r"\((?:sources?|quellen?):\s[^()\n]{1,80}\)",
    rf"\((?:source|sources|from|see|quelle)\b:?\s[^()\n]{{1,80}}(?:,\s?{_PAGES}|\.(?:pdf|md|html?|txt))\)",
    rf"\({_LEAD}?(?:{_FILE}|{_PAGES}){_PAGES_BEHIND}?\)",
    # (Meyer et al., 2019; Kim & Lee, 2020), (Meyer, 2019)
    rf"\({_LEAD}?{_WORK}(?:;\s(?:{_WORK}|{_WORK_OF_ONE}))*\)",
    rf"\({_LEAD}?{_WORK_OF_ONE}(?:;\s(?:{_WORK}|{_WORK_OF_ONE}))+\)",
    rf"\({_LEAD}{_WORK_OF_ONE}{_PAGES_BEHIND}?\)",
    rf"\({_WORK_OF_ONE}{_PAGES_BEHIND}\)",
    rf"\((?!{_MONTH}){_NAME},\s(?:19[5-9]|20)\d\d[a-z]?\)(?=\s*(?:[.,;:!?]|\Z))",
    r"<sup>\s?\[?\d{1,3}(?:[,\u2013-]\s?\d{1,3})*\]?\s?</sup>",
    "[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+",
)
_CITATION = re.compile(f"{_SPACE}(?:{'|'.join(_SHAPES)})", re.IGNORECASE)
_WORK_AS_WRITTEN = re.compile(rf"{_WORK}|{_WORK_OF_ONE}")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`|\$[^$\n]{1,200}\$", re.DOTALL)
_RAISED = re.compile("^(?:<sup>|[\u00b9\u00b2\u00b3\u2070\u2074-\u2079])", re.IGNORECASE)
# "5 m²", "x²", "10⁶".
_NOT_RAISED_FROM = re.compile(
    r"(?:\d|[^\w\s.,;:!?)\"'\u201d]|\b(?:[kcdm]?m|ft|mi|yd|in|[^\W\d_]))$", re.IGNORECASE
)
_INTERVAL_LEAD = re.compile(
    r"(?:\b(?:intervals?|ranges?|domain|bounds?|values?|list|array|vector|index|indices|tuple"
    r"|set)|[=<>\u2208+*/(,])\s*$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\s?[=+*/<>(.]\w|\s+[a-z(=]|\[0\]")
# "Use items[1].", "the element rows[2]", "my_list[1]", "a1[2]": a name of code.
_NAME_OF_CODE = re.compile(
    r"(?:\b(?i:use|access|call|returns?|prints?|reads|elements?|entry|entries|index|indices|variable"
    r"|array|list|value\s+of)\s+[a-z]\w*|\w_\w*|\b[a-z]+[A-Z]\w*|\b[a-z]\d*)$"
)
_REACH = 40

# "References:", and the lines behind it; "[^1]: Meyer, 2019".
LIST_HEAD = re.compile(
    r"^[ \t#*_>]*(?:references|sources|citations|bibliography|works\s+cited|footnotes|quellen)"
    r"[ \t:*_]*$",
    re.IGNORECASE | re.MULTILINE,
)
_LINES = re.compile(r"\n+")
_NOTE = re.compile(r"^[ \t]*\[\^?[\w-]{1,20}\]:[ \t]\S[^\n]*$", re.MULTILINE)
_ENTRY = re.compile(r"[ \t]*(?:\[\^?[\w-]{1,20}\]:?|[-*\u2022]|\d{1,3}[.)]|https?:)[^\n]*")


def find_citations(text: str) -> list[Bounds]:
    """Find the citations of a text, each with the white space before it. Start and end of each in
    characters, in order.

    >>> text = "The mill is old [1], as items[1] says (Meyer et al., 2019)."
    >>> [text[a:b] for a, b in find_citations(text)]
    [' [1]', ' (Meyer et al., 2019)']
    """
    code = [match.span() for match in _CODE.finditer(text)]
    found: list[Bounds] = []
    at = 0
    for match in _CITATION.finditer(text):
        start, end = match.span()
        while at < len(code) and code[at][1] <= start:
            at += 1
        in_code = at < len(code) and code[at][0] < end
        behind_citation = bool(found) and found[-1][1] == start
        if not in_code and (behind_citation or _points(text, start, end)):
            found.append((start, end))
    return found


def _points(text: str, start: int, end: int) -> bool:
    """Whether what looks like a citation is one: no index, interval or power."""
    written = text[start:end].lstrip()
    before = text[max(0, start - _REACH) : start]
    if _RAISED.match(written):
        return not _NOT_RAISED_FROM.search(before) and bool(before.strip())
    if written[0] == "(":
        # In small letters any two words and a year look like a work.
        work = _WORK_AS_WRITTEN.search(written)
        return work is not None or not re.search(r"\b(?:1[5-9]|20)\d\d[a-z]?\W*$", written)
    if written[1:2] in "^" or not re.match(r"\[\s?\d", written):
        return True
    if re.match(r"\[\s?0*\s?[\],;&\u2013-]", written) or _INTERVAL_LEAD.search(before):
        return False
    glued = text[start:end] == written and re.search(r"[A-Za-z_)\]\d]$", before) is not None
    return not (glued and (_GOES_ON.match(text, end) or _NAME_OF_CODE.search(before)))


def without_citations(text: str) -> str:
    """Take the citations out of a text.

    >>> without_citations("The mill has 12 wheels [1][2].")
    'The mill has 12 wheels.'
    """
    parts, position = [], 0
    for start, end in find_citations(text):
        parts.append(text[position:start])
        position = end
    return "".join([*parts, text[position:]])


def find_reference_lists(text: str) -> list[Bounds]:
    """Find the lists of references and the footnotes of an answer. Start and end of each in
    characters, in order."""
    found: list[Bounds] = []
    for head in LIST_HEAD.finditer(text):
        end = head.end()
        while line := _LINES.match(text, end):
            entry = _ENTRY.match(text, line.end())
            if entry is None:
                break
            end = entry.end()
        if end > head.end():
            found.append((head.start(), min(len(text), end + 1)))
    found += [match.span() for match in _NOTE.finditer(text)]
    return sorted(found)
