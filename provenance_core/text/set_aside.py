"""Parts of an answer that state nothing to check (Grounded in Context, section 3.2, step 2).

By rules over the wording and the lines of the answer, so that a reader can see why a part was set
aside, and by a small classifier of chatter. ``python -m training.claim_filter`` and ``python -m
training.chatter`` print their precision and recall on labelled sentences. When in doubt a part is a
claim: what is set aside wrongly is never checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from provenance_core.text.abstentions import without_abstention
from provenance_core.text.chatter import could_be, is_chatter, probability
from provenance_core.text.citations import find_reference_lists
from provenance_core.text.framing import is_citation
from provenance_core.text.list_markers import marker_length
from provenance_core.text.markdown_tables import find_tables
from provenance_core.text.splitting import strip_bounds
from provenance_core.text.yes_no import answers_nothing
from provenance_core.types import Sentence, SetAside

TITLE = "a title or an introduction"
GREETING = "a greeting"
REMARK = "a remark to the reader"
ABSTENTION = "an abstention"
QUESTION = "a question"
REASONS = (TITLE, GREETING, REMARK, ABSTENTION, QUESTION)
TABLE_HEAD = "the head of a table"
REFERENCE = "a reference"
ANSWERS_NOTHING = "a yes or no to a query that asks for something else"


# Below this the classifier of chatter outweighs a rule: of 64 held-out written sentences that rules
# take for greetings or remarks, it does so for 7 of the 9 that are claims, and for 1 of the others.
_LEAST_CONSENT = 0.1
_OF_THE_MODEL = re.compile(r"\blanguage\s+model\b", re.IGNORECASE)


def _rule(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_MARKS = re.compile(r"[*_`]{1,3}")
_GREETING = _rule(
    r"^(?:hi|hello|hey|greetings)(?:,?\s+(?:and welcome|[\w.]+))?\s*[,.!]*$",
    r"^dear\s+(?:\w+\.?\s*){1,4}[,:!]?$",
    r"^good\s+(?:morning|afternoon|evening|day)(?:,?\s+(?:to\s+)?[\w.]+){0,2}\s*[,.!]*$",
    r"^welcome(?:\s+back)?\s*[,.!]*$",
    r"^(?:many\s+)?(?:thanks|thank\s+you)\b(?!\s+to\b)[^\d,;:]{0,80}$",
    r"^(?:you['’]re|you\s+are)\s+(?:very\s+)?welcome\b[^\d]{0,40}$",
    r"^(?:sure|certainly|of\s+course|absolutely|definitely|gladly|no\s+(?:problem|worries)|my\s+pleasure"
    r"|great\s+question|good\s+question|okay|ok|alright)(?:\s+thing)?\s*[,.!]*$",
    r"^(?:that['’]s|that\s+is|what)\s+an?\s+(?:great|good|excellent|interesting)\s+question\W*$",
    r"^(?:sure|certainly|of\s+course|absolutely)\b[,!]?\s+I(?:['’]d|['’]ll| would| will| can)\b"
    r"[^\d]*\b(?:help|assist|explain|summari[sz]e|answer|provide)\b[^\d]*$",
    r"^(?:sure|certainly|of\s+course|absolutely|okay|ok|great)\b[,!]?\s+here(?:['’]s|\s+is|\s+are)\b"
    r"[^\d:]{0,120}[.!]$",
    r"^(?:always\s+)?(?:happy|glad)\s+to\s+(?:help|assist|be\s+of\s+(?:help|service))\W*$",
    r"^(?:that['’]s|that\s+is)\s+(?:all|it|about\s+it)\W*$",
    r"^(?:enjoy|good\s+luck|stay\s+safe|happy\s+\w+ing)\W*$",
    r"^enjoy\s+(?:your|the)\s+\w+(?:\s+\w+)?\W*$",
    r"^(?:(?:best|kind|warm)\s+(?:regards|wishes)|regards|sincerely|yours\s+\w+),\s+[^\d.!?]{1,40}$",
    r"^(?:I(?:['’]m| am)|we(?:['’]re| are))\s+(?:happy|glad|here)\s+to\s+(?:help|assist)\b[^\d]*$",
    r"^(?:(?:best|kind|warm)\s+(?:regards|wishes)|regards|sincerely|yours\s+\w+|cheers"
    r"|bye|goodbye|take\s+care|see\s+you(?:\s+soon)?)\s*[,.!]*$",
    r"^(?:have|enjoy)\s+a\s+(?:great|nice|good|wonderful|lovely)\s+\w+\W*$",
    r"^(?:(?:I['’]m|I am|we['’]re|we are)\s+)?(?:very |so )?sorry(?:\s+(?:for|to hear)\b"
    r"[^\d]*|\W*)$",
)

# What follows a greeting decides: "Hello, your parcel has arrived."
_GREETS_FIRST = re.compile(
    r"^(?:hi|hello|hey|good\s+(?:morning|afternoon|evening|day))(?:\s+[\w.]+){0,2}\s*[,!]\s+(?=\w+\W+\w+\W+\w)",
    re.IGNORECASE,
)

_REMARK = _rule(
    r"^(?:I|we)?\s*(?:really )?(?:hope|trust)\s+(?:this|that|it|these|you)\b"
    r"[^\d]*\b(?:helps?|helpful|useful|clarif\w+|answers?|find)\b",
    r"^(?:and\s+|I\s+|we\s+)+(?:really\s+)?hope\b[^\d,;]{0,80}$",
    r"^(?:please\s+)?(?:consult|speak|talk|check)\s+(?:with\s+|to\s+)?(?:an?|your)\s+(?:\w+\s+){0,2}"
    r"(?:professional|doctor|physician|pharmacist|lawyer|attorney|advisor|adviser|expert)\b",
    r"\blet\s+(?:me|us)\s+know\b",
    r"\b(?:please\s+)?feel\s+free\s+to\s+(?:ask|contact|reach|let|message|share|write|get\s+in\s+touch"
    r"|tell|say|provide|clarify|rephrase|call|follow)\b",
    r"\bdo(?:n['’]t|\s+not)\s+hesitate\s+to\b",
    r"^you\s+(?:may|might|could)\s+(?:want|wish|like|need|try)\s+(?:to\s+)?(?:ask|check|contact"
    r"|consult|visit|call|look|search|see|refer|speak|try|reach)\w*\b[^\d]*$",
    r"^please\s+(?:consult|check|refer|see|seek|verify|provide|clarify|ask|specify|share|contact|help"
    r"|rephrase|try|be\s+aware\s+that\s+I)\b",
    r"\bas\s+an?\s+(?:AI|artificial\s+intelligence|(?:large\s+)?language\s+model)\b",
    r"^(?:I['’]m|I\s+am)\s+(?:just\s+|only\s+)?(?:an?\s+)(?:AI|assistant|language\s+model|chatbot)\b",
    r"^(?:but\s+|however,?\s+)?(?:I['’]m|I\s+am|we['’]re|we\s+are)\s+not\s+(?:entirely\s+|quite\s+"
    r"|completely\s+|really\s+)?(?:sure|certain|an?\s+(?:doctor|lawyer|expert|physician))\b",
    r"^(?:this|that|it|these|results?|(?:your|individual)\s+\w+|actual\s+\w+)\s+(?:may|might|could"
    r"|can|will)\s+(?:also\s+)?(?:vary|differ|depend)\b[^\d]*$",
    r"^(?:well,?\s+)?(?:it|that)\s+(?:really\s+|all\s+)?depends\b[^\d]*$",
    r"^(?:it(?:['’]s|\s+is)\s+)?(?:always\s+|also\s+|usually\s+|generally\s+)?(?:best|important"
    r"|recommended|advisable|a\s+good\s+idea|essential)\s+to\s+(?:always\s+)?(?:consult|check|verify"
    r"|seek|speak|do\s+your\s+own|contact|refer|talk|confirm)\b",
    r"^(?:you\s+(?:should|may\s+want\s+to)|always)\s+(?:consult|verify|seek|speak\s+(?:to|with)"
    r"|talk\s+to|check\s+with)\b",
    r"^this\s+is\s+not\s+(?:intended\s+as\s+)?(?:medical|legal|financial|professional)\s+advice\b",
    r"^(?:but\s+|however,?\s+)?(?:I|we)\s+(?:may|might|could)\s+be\s+(?:wrong|mistaken)\W*$",
    r"^(?:I|we)\s+(?:think|believe|guess|suppose)\s+so\W*$",
    r"^(?:perhaps|maybe|possibly|probably)(?:\s+not)?\W*$",
)

# Advice for a case that is named states something: "See a doctor if the rash spreads". To turn to
# the speaker, or to anybody if you are unsure, states nothing.
_ADVICE = re.compile(
    r"(?:^|,\s)(?:(?:please|always|also|it(?:['’]s|\s+is)[^.,;]{0,40}\bto)\s+)*"
    r"(?:you\s+(?:should|may|might|could|can|must|need|ought)|see|seek|consult|speak|talk|check|refer"
    r"|ask|tell|call|contact|visit|verify)\b",
    re.IGNORECASE,
)
# What somebody has to do, the classifier leaves alone.
_DUTY = re.compile(
    r"^(?:(?:please|always|also)\s+)*(?:you\s+(?:should|must|need|ought|have\s+to)|make\s+sure|be\s+sure"
    r"|ensure|remember|do(?:n['’]t|\s+not)\s+forget)\b",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"\b(?:I|me|my|we|us|our)\b", re.IGNORECASE)
_CASE = re.compile(
    r"\b(?:if|when|before|after|until|unless|within|once|immediately)\b"
    r"(?!\s+(?:you(?:['’](?:re|d|ve))?\s+(?:\w+\s+)?(?:have|need|want|would|wish|require|like|unsure"
    r"|uncertain|sure|in\s+doubt)\b|necessary|needed|required|possible|in\s+doubt|anything))",
    re.IGNORECASE,
)
# What goes on with a claim of its own is one.
_GOES_ON = re.compile(
    r"^(?!.{0,40}\b(?:sorry|apolog|unfortunately|thank)).*\b(?:but|however,\s+it|though|although|so\s+far)\b"
    r"(?!\s+please\b)"
    r"|:\s+(?:[\w'\u2019]+\s+){2}\w|[,;]\s*(?:yet|while|except)\b|;\s*however|^(?:while|although|though)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:sure|certainly|of\s+course|absolutely|okay|ok|great)?\W*(?:here\s+(?:is|are)|here['’]s"
    r"|below\s+(?:is|are)|the\s+following\s+(?:is|are)|(?:based\s+on|according\s+to|from)\s+the\b"
    r"[^\d:]*|in\s+(?:summary|conclusion|short)|to\s+(?:summari[sz]e|sum\s+up|conclude))[^\d:]{0,120}:$",
    re.IGNORECASE,
)
_NAMES_A_PART = _rule(
    r"^(?:title|summary|answer|final answer|short answer|conclusion|overview|introduction"
    r"|background|references?|sources?|key (?:points|takeaways|facts|findings)|notes?|details"
    r"|question|response|explanation|in (?:summary|conclusion|short)|overall|example)\s*[:.,]?$"
)
_HEADING = re.compile(r"^\s*#{1,6}\s+\S")
_BOLD_LINE = re.compile(r"^\s*(\*\*|__)[^*_]+\1\s*:?\s*$")
_VERB = _rule(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|will|would|can|could|may|might|must"
    r"|shall|should|said|says|became|made|won|wrote|born|died|opened|closed|located|founded)\b"
)
# Words that a title writes small.
_SMALL = re.compile(
    r"(?:an?|and|as|at|by|for|from|in|into|of|on|or|over|per|the|to|under|vs|via|with|[&–—-])$",
    re.IGNORECASE,
)


def find_set_aside(
    answer: str, sentences: Sequence[Sentence], query: str = ""
) -> tuple[SetAside, ...]:
    """Find the sentences of an answer that state nothing to check. Those sentences in order, each
    for one of :data:`REASONS`, as the line of names of a table (:data:`TABLE_HEAD`), as a part of a
    list of references (:data:`REFERENCE`), or for :data:`ANSWERS_NOTHING`."""
    found: list[SetAside] = []
    heads = [(table.start, table.head_end) for table in find_tables(answer) if table.rows]
    references = find_reference_lists(answer)
    for index, sentence in enumerate(sentences):
        reason = by_rules(sentence.text) or (TITLE if _is_title(sentences, index) else None)
        reason = reason or _by_words(sentence.text)
        start, end = strip_bounds(answer, sentence.start, sentence.end)
        if any(a <= start and end <= b for a, b in heads):
            reason = TABLE_HEAD
        if any(a <= start and end <= b for a, b in references):
            reason = REFERENCE
        if index == 0 and answers_nothing(query, sentence.text):
            reason = ANSWERS_NOTHING
        if reason:
            found.append(SetAside(sentence.index, reason))
    return tuple(found)


def why_set_aside(sentence: str) -> str | None:
    """Why a sentence states nothing to check, where its words alone show it. Titles need the lines
    about them: :func:`find_set_aside`. One of :data:`REASONS`; None for a claim.

    >>> why_set_aside("Hope this helps!"), why_set_aside("Tarn has a mill.")
    ('a remark to the reader', None)
    """
    return by_rules(sentence) or _by_words(sentence)


def _plain(sentence: str) -> str:
    text = " ".join(_MARKS.sub("", sentence[marker_length(sentence) :]).split())
    return _GREETS_FIRST.sub("", text)


def is_left(sentence: str) -> bool:
    """Whether the classifier of chatter decides on a sentence: no rule sets it aside, nor keeps it
    because it goes on with a claim or says what to do."""
    return by_rules(sentence) is None and could_be(_plain(sentence)) and not _keeps(sentence)


def _by_words(sentence: str) -> str | None:
    """What the classifier of chatter says of the words."""
    return REMARK if not _keeps(sentence) and is_chatter(_plain(sentence)) else None


def _keeps(sentence: str) -> bool:
    text = _plain(sentence)
    return _states(text) or bool(_DUTY.search(text) and not _SPEAKER.search(text))


def _states(text: str) -> bool:
    """Whether a remark goes on with a claim, or advises for a case that it names."""
    if _GOES_ON.search(text):
        return True
    advises = _ADVICE.search(text) and not _SPEAKER.search(text)
    return bool(advises and _CASE.search(text))


def by_rules(sentence: str) -> str | None:
    """Why a sentence states nothing to check by the rules alone; None for a claim, or chatter."""
    text = _plain(sentence)
    if not text:
        return None
    if _is_question(text):
        return QUESTION
    if _GREETING.search(text) and _sounds_like_it(text):
        return GREETING
    if is_citation(text):
        return REMARK
    if not without_abstention(_MARKS.sub("", sentence).strip()):
        return ABSTENTION
    # Of words that someone else said, the claim is that they were said.
    own = text.split('"')[0].split("“")[0]
    if _REMARK.search(own) and not _states(text) and _sounds_like_it(text):
        return REMARK
    return None


def _sounds_like_it(text: str) -> bool:
    """Whether the classifier of chatter does not speak against what a rule finds: "Please contact
    the embassy to renew your passport" begins as a remark does."""
    if could_be(text):
        return probability(text) >= _LEAST_CONSENT or _OF_THE_MODEL.search(text) is not None
    return not any(c.isdigit() for c in text)


def _is_question(text: str) -> bool:
    ends = re.search(r"\?[\s\"”'’)\]]*$", text)
    if ends is None:
        return False
    quote = re.search(r"[\"“]|(?<=\s)['‘]", text)
    return quote is None or quote.start() == 0 or not re.search(r"[\"”'’]", ends.group())


def _is_title(sentences: Sequence[Sentence], index: int) -> bool:
    """Whether a part stands on lines of its own, over others, and names what follows."""
    text = sentences[index].text
    before = sentences[index - 1].text if index else "\n"
    if index + 1 < len(sentences) and _OPENING.match(_MARKS.sub("", text).strip()):
        return True
    # A part that other words of its line precede, or none follows, heads nothing. The line break
    # between two parts may be the end of the one or the start of the other.
    if index + 1 == len(sentences):
        return False
    if not (re.search(r"\n\s*$", before) or re.match(r"\s*\n", text)):
        return False
    if not (re.search(r"\n\s*$", text) or re.match(r"\s*\n", sentences[index + 1].text)):
        return False
    line = text.strip()
    if "\n" in line:
        return False
    plain = _MARKS.sub("", line).strip()
    if _HEADING.match(line) or _BOLD_LINE.match(line) or _NAMES_A_PART.match(plain):
        return True
    if _OPENING.match(plain):
        return True
    # A first line may as well be the answer itself, in a few words.
    long_enough = index > 0 or line.endswith(":") or len(line.split()) >= 3
    return long_enough and _is_heading(line) and not _is_heading(sentences[index + 1].text.strip())


def _is_heading(line: str) -> bool:
    """A short line with capitals and without a verb, a full stop or a bullet."""
    if marker_length(line) or re.search(r"[.!?;,]$|:\s*\S", line) or "\n" in line:
        return False
    words = line.rstrip(":").split()
    if not 1 <= len(words) <= 10 or _VERB.search(line):
        return False
    large = [word for word in words if not _SMALL.match(word)]
    capital = [word for word in large if word[0].isupper() or not word[0].isalpha()]
    return len(large) > 0 and words[0][0].isupper() and len(capital) == len(large)
