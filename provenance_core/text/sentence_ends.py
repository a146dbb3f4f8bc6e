"""Where the sentences of a text end: sentencex's places, with what it misses and cuts wrongly.

Besides, a heading, a list item and a row of a table end with their lines.

sentencex reads every text by the rules of one language, and those of another cut or join English
wrongly ("art.", "ago."). A chunk may be too short to tell its language. So the dates, amounts and
abbreviations of other languages are told here by themselves, in a text of any language.
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
_APART = r"(?:^|[\s(\[\"“„«])"
# What stands behind these belongs to them, whatever it is.
_ALWAYS_GOES_ON = re.compile(
    rf"{_APART}(?:e\.\s?g|i\.\s?e|approx|ca|cf|vs|viz|incl|esp"
    r"|z\.\s?B|d\.\s?h|bspw|bzw|vgl|inkl|zzgl|sog|p\.\s?ej|c\.?-à-d|d\.w\.z|bijv|p\.\s?es)\.,?\s*$",
    re.IGNORECASE,
)
# So does a number behind these, or a Roman one.
_NUMBER_GOES_ON = re.compile(
    rf"{_APART}(?:c|vols?|nos?|figs?|secs?|chs?|chap|pp?|arts?|paras?|eqs?|al|tab|est|dept|rd"
    r"|st|ave|apt|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    r"|nr|abb|bd|kap|ziff|abs|env|aprox|núms?|nums?|págs?|pags?|cap|tél|tel|blz|str)\.\s*$",
    re.IGNORECASE,
)
# A title or the first half of an abbreviation, and what has a capital behind it.
_NAME_GOES_ON = re.compile(
    rf"{_APART}(?:Sra|Srta|Dña|Dott|Sig|sig|Hr|Mlle|Mme|MM|Dipl|Kap|Abb|Bd)\.\s*$"
)
_TWO_PARTS = re.compile(r"\bEE\.\s+UU\.|\b(?:av|apr)\.\s+J\.")
# "3,7 Mio. €": a unit of the amount, in a symbol, a code or a word.
_AMOUNT = re.compile(
    r"\d\s?(?P<size>Mio|Mrd|Bio|Tsd|mill|millones|Md|Mld|mln|mn|mio|bn|tn|m|k)\.\s*$"
)
_UNIT_NEXT = re.compile(
    r"[€$£¥%]|(?:US|A|C)?\$|(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK)\b|(?:US-)?Dollar|Euro|Franken|Pfund|Kronen"
)
# "am 11. Januar", "3. ledna", "5. tammikuuta": an ordinal number of a language that marks it so.
_ORDINAL = re.compile(
    r"(?:(?P<lead>\b(?:am|vom|zum|bis|ab|seit|beim|im|der|das|dem|den|die|des|zur)|,|\.)\s+)?"
    r"(?<![\w.,])(?P<number>\d{1,2})\.\s*$",
    re.IGNORECASE,
)
_MONTH_NEXT = re.compile(
    r"(?:Januar|Jänner|Februar|Feber|März|Mai|Juni|Juli|Oktober|Dezember"
    r"|januar|februar|marts?|mars|april|mai|maj|juni|juli|august|september|oktober|november"
    r"|desember|december|jan[uú]ar|febr[uú]ar|apríl|maí|júní|júlí|ágúst|október|nóvember"
    r"|jaanuar|veebruar|märts|aprill|juuni|juuli"
    r"|ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince"
    r"|siječnja|veljače|ožujka|travnja|svibnja|lipnja|srpnja|kolovoza|rujna|listopada|studenoga"
    r"|prosinca|[a-zä]+kuu(?:ta|n|ssa))\w{0,3}\b"
)
_RANGE_NEXT = re.compile(r"(?:bis|und|oder|til|og|až)\s+(?:zum\s+)?\d|[-–]\s?\d")
# English has these names too, where a number may end a sentence.
_SHARED_MONTH_NEXT = re.compile(r"(?:April|August|September|November)\b(?P<year>\s+\d{4}\b)?")
_CENTURY_NEXT = re.compile(r"(?:Jahrhundert|Jh\b|Jhd\b|Jahrtausend|Lebensjahr)")
# "der 1. FC", "im 3. Stock": a noun behind an article and a number, and no new sentence.
_NOUN_LEADS = frozenset(("der", "das", "dem", "im", "zum", "zur", "vom", "beim"))
_NOUN_NEXT = re.compile(r"[A-ZÄÖÜ][\wäöüß-]*")
# "Ludwig XIV. war": a Roman number, and a small letter.
_ROMAN = re.compile(r"\b[A-ZÄÖÜ]\w+\s+(?:[IVX]{2,}|[IVX])\.\s*$")
_STARTS = frozenset(
    """aber als am an auch auf aus bei bis da dabei daher damit danach dann das dass dem den denn
    der des deshalb dies diese dieser dieses doch ein eine einer es er für heute hier ich ihr ihre
    im in ist ja jedoch man mit nach nun nur ob oder seit sein seine sie so sowie trotzdem um und
    viele vom von vor war wegen weil wenn wer wie wir wo zu zum zur zwar the a it he she they we on
    at this that but and then il elle le la les un une et el los y""".split()  # noqa: SIM905
)
# And a small letter behind these.
_SMALL_GOES_ON = re.compile(
    r"(?:^|[\s\d(\[\"“$€£])(?:tn|trn|bn|mn|mln|mil|mio|etc|al|inc|ltd|co|corp|dept|univ|assn|est|ft"
    r"|in|lbs?|oz|yds?|hrs?|mins?|secs?|max|min|avg|no|vol|fig|a\.m|p\.m|u\.s|u\.k|u\.n|e\.u|d\.c"
    r"|ph\.d|jr|sr|[vn]\.\s?chr|j\.-c|usw|mill|mrd|tsd|uu|env|aprox|evtl|ggf|tz|fr)\.\s*$",
    re.IGNORECASE,
)
_NUMBER_NEXT = re.compile(r"[(\[#]?(?:\d|[IVXLC]{2,}\b|[VX]\b)")
# "Do this: 1. Wash it.": the number opens what follows.
_MARKER_AHEAD = re.compile(r"[:;]\s+(?=\(?\d{1,2}[.)]\s*$)")
# sentencex looks for the partner of each of these up to the end of the text.
_QUOTES = str.maketrans(dict.fromkeys("“„«»‘‹", '"') | {"'": "’"})
_MOST_LOOKS = 10**8  # characters that it may look at for them: a tenth of a second
_LONGEST = 24
_DAYS = 31  # of a month


def sentence_ends(text: str) -> list[int]:
    """Find the ends of the sentences of a text, rising; the last one is the length of the text. The
    white space behind a sentence belongs to it."""
    position, ends = 0, set()
    # sentencex reads no half characters; each is replaced by one that keeps the places.
    for segment in sentencex.segment("en", _plain_quotes(clean_text(text, "text")[0])):
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


def _plain_quotes(text: str) -> str:
    """``text``, with quotes of one kind where it has so many that the search for partners would
    take minutes."""
    looks = len(text) * sum(text.count(chr(quote)) for quote in _QUOTES)
    return text.translate(_QUOTES) if looks > _MOST_LOOKS else text


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
    if _NAME_GOES_ON.search(before) and after[0].isupper():
        return True
    if (parts := _TWO_PARTS.search(before + after)) and parts.start() < len(before) < parts.end():
        return True
    if _SMALL_GOES_ON.search(before) and after[0].islower():
        return True
    return _is_amount(before, after) or _is_ordinal(before, after)


def _is_amount(before: str, after: str) -> bool:
    """Whether a number with a short "million" ends one of the parts, and its unit begins the
    other."""
    amount = _AMOUNT.search(before)
    if amount is None:
        return False
    # "2 Mio. Menschen": no English word is written so.
    counted = amount["size"] in ("Mio", "Mrd", "Tsd") and _is_noun(after)
    return counted or _UNIT_NEXT.match(after) is not None


def _is_ordinal(before: str, after: str) -> bool:
    """Whether the full stop makes an ordinal number: of a day, a century, a king or a noun."""
    if _ROMAN.search(before) and after[0].islower():
        return True
    found = _ORDINAL.search(before)
    if found is None:
        return False
    lead = (found["lead"] or "").casefold()
    if _RANGE_NEXT.match(after):
        return True
    if _MONTH_NEXT.match(after):
        return int(found["number"]) <= _DAYS
    if shared := _SHARED_MONTH_NEXT.match(after):
        return int(found["number"]) <= _DAYS and (bool(lead) or shared["year"] is not None)
    return bool(_CENTURY_NEXT.match(after)) or (lead in _NOUN_LEADS and _is_noun(after))


def _is_noun(after: str) -> bool:
    """Whether a word with a capital goes on with the sentence, as a German noun does."""
    found = _NOUN_NEXT.match(after)
    return found is not None and found.group().casefold() not in _STARTS


def _before_marker(text: str, end: int) -> int:
    start = max(0, end - _LONGEST)
    ahead = _MARKER_AHEAD.search(text[start:end])
    return start + ahead.end() if ahead else end
