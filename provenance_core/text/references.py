"""What a sentence of an answer refers to beyond itself: a pronoun at its head, a reply without a
verb.

Rules over the wording, for English. Where they do not show what is meant, nothing is put in.
"""

from __future__ import annotations

import re

from provenance_core.lexicon.words import is_function_word
from provenance_core.text.splitting import sentence_bounds

_NAME = r"(?:[A-Z][\w\u2019'-]*)(?:\s+(?:(?:of|de|van|von)\s+)?[A-Z][\w\u2019'-]*)*"
_AUXILIARY = r"(?:is|are|was|were|has|have|had|will|can|could|may|might|must|would|should|does|did)"
_VERB = (
    rf"(?:{_AUXILIARY}|[a-z]+ed|[a-z]{{2,}}s|won|wrote|led|lost|made|took|became|began|built|bought|sold|left|gave"
    r"|ran|went|came|grew|held|met|paid|got|saw|said|told|taught|stood|rose|fell|found|wore)"
)
# A subject that is a name or begins with "the", and the verb behind it.
_SUBJECT = re.compile(
    rf"^\W*(?P<subject>(?!(?:The|This|An?|There|Wh\w+|How|In|On|At|By)\b){_NAME}|(?:The|This)\s+(?:[\w-]+\s+){{0,3}}?[\w-]+)(?:,[^,.;]{{1,60}},)?"
    rf"\s+(?:\w+ly\s+|also\s+|then\s+)?(?:co-)?{_VERB}\b(?!\s+{_AUXILIARY}\b)"
)
_MOST_WORDS = 6
_ANY_VERB = re.compile(
    rf"{_VERB}|n[o\u2019']t|be|been|do|go|goes|get|can't|won't|let|please", re.IGNORECASE
)
# A pronoun at the head has a verb behind it; a greeting or an order is no reply.
_AT_HEAD = re.compile(
    r"\W*(?:(?:I|you|he|she|it|we|they|there|hello|hi|thanks|sure|here)\b|\w+:)", re.IGNORECASE
)
_PRONOUN = re.compile(
    r"^\W*(?P<pronoun>He|She|It|They|His|Her|Its|Their)(?=\s+[a-z])(?!\s+(?:is|was|'s)\s+(?:\w+\s+){0,2}"
    r"(?:that|to|who)\b)"
)
# "He did so in 1990": what he did stands in the sentence before.
_AGAIN = re.compile(r"^\W*(?:He|She|It|They)\s+(?:did|does|do)\s+(?:so|this)\b(?=\s+\w)")
_ENDS = " \t\n.!"
_POSSESSIVES = ("his", "her", "its", "their")
_PERSONS = ("he", "she", "his", "her")
_PLURALS = ("they", "their")
_OTHER_NAME = re.compile(
    rf"(?<!\bin )(?<!\bat )(?<!\bof )(?<!\bon )(?<!\bto )(?<!\bfrom )(?<!\bfor )\b{_NAME}"
)
# "The mayor proposed a tax. It was rejected."
_PERSON_NOUN = re.compile(r"(?:or|er|ist|man|[tnd]r?ess|ian)$")
# "The north lift.", an answer without a verb.
_FRAGMENT = re.compile(rf"^\W*(?P<subject>(?:(?:The|This)\s+[\w\u2019' -]+|{_NAME}))[.!]?\s*$")
# "Her wife was Ann Lee.": who is meant stands behind the verb.
_NAMED_BEHIND = re.compile(
    rf"^(?:[A-Z][\w-]*[\u2019']s?\s|His\s|Her\s|Its\s|Their\s|The\s)[^.,;A-Z]*?\b(?:is|was)\s+(?P<name>{_NAME})\W*$"
)


def is_fragment(sentence: str) -> bool:
    """Whether a short reply has no verb of its own, as "In 1932." has none. False for a long one, a
    question, and one with a pronoun at its head.

    >>> is_fragment("The north lift."), is_fragment("It works.")
    (True, False)
    """
    words = re.findall(r"[\w\u2019'-]+", sentence)
    if not 1 <= len(words) <= _MOST_WORDS or _AT_HEAD.match(sentence) or "?" in sentence:
        return False
    return not any(_ANY_VERB.fullmatch(word) for word in words)


def without_pronoun(sentence: str, before: str) -> str:
    """Put the subject of the sentence ``before`` in the place of a pronoun at a sentence's head,
    where the wording shows it.

    >>> without_pronoun("She led it until 2011.", "Hedda Morlan founded the firm.")
    'Hedda Morlan led it until 2011.'
    >>> without_pronoun("Its roof is red.", "The old barn is empty.")
    "The old barn's roof is red."
    >>> without_pronoun("She did so in 1990.", "Hedda Morlan founded the firm.")
    'Hedda Morlan founded the firm in 1990.'
    """
    again = _AGAIN.match(sentence)
    if again is not None and _SUBJECT.match(before) and len(sentence_bounds(before)) == 1:
        return f"{before.rstrip(_ENDS)} {sentence[again.end() :].lstrip()}"
    found = _PRONOUN.match(sentence)
    if found is None:
        return sentence
    word = found["pronoun"].lower()
    subject = _subject(before, word)
    if not subject:
        return sentence
    if word in _POSSESSIVES:
        subject += "'" if subject.endswith("s") else "'s"
    start, end = found.span("pronoun")
    return sentence[:start] + subject + sentence[end:]


def subject_of(sentence: str) -> str:
    """Find the subject of a sentence where its wording shows it, a name or what begins with "the"
    or "this"; "" for any other.

    >>> subject_of("The old barn is empty."), subject_of("Entry costs 12 euros.")
    ('The old barn', 'Entry')
    >>> subject_of("It is empty.")
    ''
    """
    match = _SUBJECT.match(sentence)
    return "" if match is None or _PRONOUN.match(sentence) else match["subject"]


def _subject(before: str, pronoun: str) -> str:
    """The subject of ``before`` where ``pronoun`` may stand for it and for nothing else there."""
    if pronoun in _PERSONS and (behind := _NAMED_BEHIND.match(before)):
        return behind["name"]
    match = _SUBJECT.match(before)
    if match is None and is_fragment(before):
        match = _FRAGMENT.match(before)
    if match is None or _PRONOUN.match(before):
        return ""
    subject = match["subject"]
    named = not is_function_word(subject.split()[0])
    if subject.endswith(("'s", "\u2019s")) or " and " in before[: match.end()]:
        return ""
    if pronoun in _PERSONS:
        return "" if not named or _OTHER_NAME.search(before, match.end()) else subject
    if pronoun in _PLURALS:
        return subject if subject.endswith("s") else ""
    return "" if not named and _PERSON_NOUN.search(subject) else subject
