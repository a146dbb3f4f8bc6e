"""What frames a statement in an answer and is no part of it: "According to the context, …", "[1]",
bold type.

The models read a statement without its frame, because a frame moves a score although it claims
nothing. Sentences and their places in the answer stay as they are.
"""

from __future__ import annotations

import re

from provenance_core.text.citations import find_citations, without_citations

# What answers call the context that they were given.
GIVEN = r"(?:provided|given|available|supplied|retrieved|above|following|present)"
THE = r"(?:the|this|these|your)"
_GIVEN = rf"(?:(?:{GIVEN}|search)\s+)"
_NAMED = r"(?:context|passages?|text|excerpts?|snippets?|search\s+results)"
_OTHER = r"(?:information|data|documents?|articles?|sources?|paragraphs?|material|details)"
_SOURCE = (
    rf"{THE}\s+(?:{_GIVEN}*{_NAMED}|{_GIVEN}+{_OTHER}"
    rf"|{_OTHER}(?=\s+(?:provided|given|above|you)\b))"
    r"(?:\s+(?:provided|given|above|you(?:['\u2019]ve|\s+have)?\s+(?:provided|shared|given)))?"
)
_LEADS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:according\s+to|based\s+on|as\s+per|as\s+(?:mentioned|stated|noted|described|explained"
        rf"|indicated)\s+in)\s+(?:{_SOURCE}|the\s+(?:documents?|articles?|sources?|information)),\s+",
        rf"{_SOURCE}\s+(?:(?:clearly|also|explicitly|further)\s+)?(?:states?|says?|mentions?|notes?"
        r"|indicates?|explains?|confirms?)\s+that\s+",
        r"(?:it\s+is|it['\u2019]s)\s+(?:also\s+)?(?:important|worth|useful)\s+(?:to\s+(?:note|mention"
        r"|remember)|noting|mentioning|remembering)\s+that\s+",
        r"(?:please\s+)?note\s+that\s+",
        r"(?:in\s+(?:summary|short|conclusion|brief|essence)|to\s+(?:summari[sz]e|sum\s+up|conclude)),\s+",
        r"(?:(?:short|final|direct|quick|brief)\s+)?(?:answer|summary):\s+",
        r"(?:(?:sure|certainly|of\s+course|absolutely)[!,.]?\s+)?here(?:['\u2019]s|\s+is)\s+(?:the|your|a)\s+"
        r"(?:(?:short|brief|quick)\s+)?(?:answer|summary)\b[^:.!?]{0,40}:\s+",
    )
)
# "According to [2] and [3], ...", "[1] states that ...": without its citations no sentence is left.
_CITING = re.compile(
    r"(?:according\s+to|based\s+on|as\s+per|as\s+(?:mentioned|stated|noted|described|explained"
    r"|indicated|shown)\s+(?:in|by))\Z",
    re.IGNORECASE,
)
_BETWEEN_CITED = re.compile(r"\s*(?:,|,?\s*(?:and|&|or))?\s*")
_CITED_SAYS = re.compile(
    r"\s+(?:(?:clearly|also|explicitly|further)\s+)?(?:states?|says?|mentions?|notes?|indicates?"
    r"|explains?|confirms?|reports?)\s+that\s+",
    re.IGNORECASE,
)
_BEHIND_CITED = re.compile(r",\s+")
# Where white space begins, and not at each of its characters.
_SPACE = r"(?<!\s)\s*"
# "[the mill](https://...)" says "the mill".
_LINK = re.compile(r"(?<![\w!])\[([^\[\]\n]{1,200})\]\(https?://[^\s()]{1,500}\)")
_EMPHASIS = re.compile(
    r"(\*\*|__)(?=\S)(?P<strong>[^*_\n]+?)(?<=\S)\1|(?<![\w*])\*(?=[^\s*])(?P<weak>[^*\n]+?)(?<=\S)\*(?![\w*])"
)
# But for ticks and crosses, which stand for yes and no.
_PICTURE = re.compile(
    f"{_SPACE}[\U0001f300-\U0001faff\u2600-\u2704\u2706-\u2712\u2719-\u27bf\ufe0f\u200d]+"
)
_MOST_LEADS = 3


def is_citation(text: str) -> bool:
    """Whether a text is a citation and nothing else. True for "[2]" and "(Source: passage 1)"."""
    rest = without_citations(text)
    return rest != text and not re.search(r"\w", rest)


def _without_cited_lead(text: str) -> str:
    """Without the citations at the head that carry the sentence, and their words."""
    cited = find_citations(text)
    if not cited:
        return text
    lead, end = text[: cited[0][0]].strip(), cited[0][1]
    if lead and not _CITING.match(lead):
        return text
    for start, next_end in cited[1:]:
        if not _BETWEEN_CITED.fullmatch(text, end, start):
            break
        end = next_end
    behind = (_BEHIND_CITED if lead else _CITED_SAYS).match(text, end)
    if behind is None or behind.end() == len(text):
        return text
    rest = text[behind.end() :]
    return rest[:1].upper() + rest[1:]


def without_frame(text: str) -> str:
    """Take a statement out of what frames it. The statement without citations, emphasis, pictures
    and phrases that point to the context or announce an answer; ``text`` where nothing else is in
    it.

    >>> without_frame("According to the provided context, the mill has **12** wheels [2].")
    'The mill has 12 wheels.'
    >>> without_frame("According to [2] and [3], the mill has 12 wheels.")
    'The mill has 12 wheels.'
    """
    plain = _PICTURE.sub("", _LINK.sub(r"\1", without_citations(_without_cited_lead(text))))
    plain = _EMPHASIS.sub(lambda match: match["strong"] or match["weak"], plain)
    for _ in range(_MOST_LEADS):
        lead = next((found for each in _LEADS if (found := each.match(plain))), None)
        if lead is None:
            break
        plain = plain[lead.end() :]
        plain = plain[:1].upper() + plain[1:]
    return plain if re.search(r"\w", plain) else text
