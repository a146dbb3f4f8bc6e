"""What an answer says of its own ignorance: "The context does not mention parking."

An abstention claims nothing; what stands with it in one sentence does: "There is no information
about parking; a card costs 12 euros." In doubt a part is a claim.
"""

from __future__ import annotations

import re

from provenance_core.text.framing import GIVEN, THE

_NOT = r"(?:\s*not|n['’]t|['’]t)"
_SOURCE = (
    r"(?:context|passages?|texts?|documents?|articles?|sources?|excerpts?|snippets?|paragraphs?"
    r"|(?:search )?results|(?:provided |given |available |supplied )?(?:information|data|material))"
)
_SUBJECT = r"\b(?:I|we)(?:['’]m|['’]re|\s+am|\s+are|\s+was|\s+were)?"
_SOUGHT = (
    r"(?:information|answers?|mention|details?|data|references?|results?|specifics|evidence"
    r"|anything|what|when|where|who|which|why|how|whether|if|it|this|that|your|the question)"
)

_KNOWLEDGE = (
    r"(?:access|information|info|answers?|details?|data|idea|knowledge|context|records?|documents?"
    r"|evidence|clue|specifics|sources?|mention|passages?|figures|facts?|opinions?"
    r"|abilit(?:y|ies)|capabilit(?:y|ies)|functionality|experiences?|preferences?|feelings?)"
)
_TELL = (
    r"(?:find|locate|see|determine|answer|provide|confirm|verify|tell|say|help|assist|know|give|access"
    r"|comment|respond|identify|establish|offer|sure|certain|aware|have\s+(?:\w+\s+){0,4}"
    + _KNOWLEDGE
    + ")"
)

_PATTERNS = (
    r"^\W*(?:N/?A|unknown|unanswerable|no\s+answer|(?:not|nothing)\s+(?:found|available|applicable|given"
    r"|specified|stated|mentioned|provided|known|disclosed)(?:\s+(?:in|by|from)\b[^\d,;]{0,80})?)\W*$",
    rf"\b(?:I|we)\s+(?:could|can|did){_NOT}\s+find\s+[^.,;:]{{1,80}}\s+in\s+(?:{THE}|any)\s+"
    rf"(?:{GIVEN}\s+)*{_SOURCE}\b",
    rf"\b(?:{THE}|any\s+of\s+the)\s+(?:{GIVEN}\s+)*{_SOURCE}\s+(?:(?:{GIVEN}|you\s+provided)\s+)?"
    r"(?:contain|provide|mention|specif(?:y|ie)|say|state|include|give|offer|have|ha)s?\s+"
    r"(?:no|nothing|neither|little)\b",
    _SUBJECT + rf"\s*(?:could|can|do|did|was|were|am|are)?(?:{_NOT}|not)\s+(?:been\s+)?"
    r"(?:able\s+to\s+)?(?:find|locate|see|determine|answer|provide|confirm|verify|tell|say)\s+"
    rf"(?:an?y?\s+|the\s+|enough\s+|specific\s+|relevant\s+|clear\s+|direct\s+|more\s+|you\s+)*{_SOUGHT}\b",
    _SUBJECT + rf"\s*(?:could|can){_NOT}\s+(?:find|answer|help|say|tell|know)\W*$",
    rf"\b(?:I|we)\s+can{_NOT}\s+(?:answer|respond|comment|give|assist|help)\b",
    r"^(?:(?:sorry|unfortunately|well|honestly|however|but|I['’]m\s+sorry|I\s+am\s+sorry)[,.]?\s+)*"
    rf"(?:I|we)\s+(?:really\s+|just\s+)?do{_NOT}\s+(?:really\s+)?know\b",
    rf"\b(?:is|are|was|were)(?:{_NOT}|not)\s+(?:found\s+|available\s+|included\s+|contained\s+)?in\s+"
    rf"{THE}\s+(?:{GIVEN}\s+)*(?:context|passages?|documents|text|search\s+results)\b",
    rf"\b(?:I|we)\s+(?:do{_NOT}\s+have|have\s+no|lack)\s+(?:\w+[\s-]+){{0,4}}{_KNOWLEDGE}\b",
    _SUBJECT + r"\s+(?:\w+ly\s+)?unable\s+to\s+(?:answer|find|determine|provide|locate|confirm"
    r"|verify|assist|help|give|say|access)\b",
    # An "I" is the assistant that answers; a "we" may be the firm that it speaks for.
    r"^(?:sorry|unfortunately|apologies)[,.!]*\s*(?:but\s+)?(?:I\s+(?:can|could|do|did|am)"
    rf"(?:{_NOT}|not)\b(?![^.]*\b(?:because|since|as)\b)|(?:I|we)\s+(?:can|could|do|did|am|are)"
    rf"(?:{_NOT}|not)\s+(?:\w+ly\s+)?(?:(?:been\s+)?able\s+to\s+)?{_TELL}\b)",
    r"^unable\s+to\s+(?:answer|find|determine|provide|locate|confirm|verify)\b",
    r"^(?:insufficient|not\s+enough|no(?:\s+relevant)?)\s+(?:information|context|data|answer|details)"
    r"(?:\s+(?:is|are|was|were|could\s+be))?(?:\s+(?:found|available|given|provided))?"
    r"(?:\s+(?:to|in|about|on|for)\b[^\d]*)?\W*$",
    r"\bthere(?:['’]s|\s+is|\s+was|\s+are)\s+(?:no|not\s+(?:enough|any|sufficient)|insufficient"
    r"|nothing)\b(?:\s+\w+){0,4}?\s*(?:information|mention|details?|data|reference|context|answer)?"
    rf"\b[^.]{0, 200}\b(?:in|from|within|by)\s+(?:{THE}|any\s+of\s+the)\s+"
    rf"(?:{GIVEN}\s+)?{_SOURCE}\b",
    r"^there(?:['’]s|\s+is|\s+was)\s+(?:no|not\s+enough|not\s+any|insufficient)\s+(?:\w+\s+){0,2}?"
    r"(?:information|mention|details?)\s+(?:provided|given|available|about|on|regarding|to|of)\b",
    rf"\b(?:{THE}|any\s+of\s+the)\s+(?:{GIVEN}\s+)*{_SOURCE}\s+"
    rf"(?:(?:{GIVEN}|you\s+provided)\s+)?(?:do(?:es)?|did){_NOT}\s+(?:\w+ly\s+)?(?:contain|provide"
    r"|mention|specify|say|state|include|give|answer|have|indicate|discuss|cover|offer|address"
    r"|explain|describe|tell)\b",
    rf"\b(?:is|are|was|were|has|have)(?:{_NOT}|not)\s+(?:been\s+)?(?:\w+ly\s+)?(?:mentioned|specified"
    r"|stated|provided|given|discussed|covered|addressed|clear|possible\s+to\s+\w+)\s+(?:\w+\s+){0,4}?"
    rf"(?:in|from|by|within|based\s+on)\s+{THE}\s+(?:{GIVEN}\s+)*{_SOURCE}\b",
    r"\bunclear\s+(?:from|based\s+on)\s+(?:the|this|these)\b",
    rf"\bcan{_NOT}\s+be\s+(?:answered|determined|found|inferred|verified|confirmed)\s+(?:\w+\s+){{0,2}}?"
    r"(?:from|based|with|in|using|by)\b",
)
_ABSTENTION = re.compile("|".join(f"(?:{each})" for each in _PATTERNS), re.IGNORECASE)
# Behind an abstention these go on with it: "it does not say", "nor how much it costs".
_MORE = re.compile(
    rf"^(?:(?:it|they|this|I|we)\s+(?:(?:also|only)\s+)?(?:do(?:es)?|did|can|could|was|were){_NOT}"
    r"|n?either\b|nor\b|or\b|only\b|including\b|such\s+as\b"
    r"|(?:what|when|where|who|whom|whose|why|how|whether|if)\b|please\b|I\b|we\b|sorry\b|unfortunately\b)",
    re.IGNORECASE,
)
_BORDER = re.compile(
    r"(?P<sure>;\s*|\s*\n+\s*|\s+[-\u2013\u2014]+\s+|\u2014|:\s+|\s\(|\)"
    r"|,?\s+(?:but|so|although|though|while|whereas|yet|except(?:\s+that)?|however)\s+"
    r"|,\s+(?=which\b))"
    r"|,?\s+and\s+|,\s+"
)
_LEAD = re.compile(
    r"^(?:(?:but|and|so|although|though|while|whereas|yet|however|that\s+said|still)\b,?\s+)+",
    re.IGNORECASE,
)
_SUBJECT_LEAD = re.compile(
    r"(?:an?|the|it|its|they|their|he|she|his|her|this|that|these|those|there|you|your|in|[A-Z]\w+|\d+)\s"
)
_SURE_VERB = (
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|does|did|became|made|won"
    r"|wrote|born|died|began|built|cost|costs|opens|opened|closed|founded)\b"
    r"|\b[a-z]{2,}s\s+(?:\d|an?\b|the\b|its\b|no\b)"
    r"|\b(?!provided|given|related|mentioned|based|included|listed)[a-z]{2,}ed\s+"
    r"(?:\d|an?\b|the\b|in\b|at\b|on\b|from\b|by\b)"
)
# "Runs from", but "the hours in" too.
_VERB = re.compile(rf"{_SURE_VERB}|\b[a-z]{{2,}}s\s+(?:in|at|on|from|about|to)\b")
_CLAUSE = re.compile(_SURE_VERB)
_FEWEST_WORDS = 3
_REACH = 120  # characters behind a border that show whether a clause begins there


def without_abstention(text: str) -> str:
    """Take what an answer says of its own ignorance out of a sentence. What the sentence claims
    besides; "" where it claims nothing, and ``text`` where it does not abstain.

    >>> without_abstention("There is no information about parking; a card costs 12 euros.")
    'A card costs 12 euros.'
    >>> without_abstention("The context does not mention the mill.")
    ''
    """
    # Of words that someone else said, the claim is that they were said.
    own = re.split('["\u201c]', text, maxsplit=1)[0]
    if not any(_ABSTENTION.search(_plain(part)) for part, _ in _parts(own)):
        return text
    return " ".join(_sentence(part) for part, sure in _parts(text) if _asserts(part, sure))


def _parts(text: str) -> list[tuple[str, bool]]:
    """The parts of a sentence, and whether a sure border leads to each."""
    found: list[tuple[str, bool]] = []
    start, sure = 0, True
    for border in _BORDER.finditer(text):
        behind_is_sure = border["sure"] is not None
        # A weak border parts only what is a clause of its own.
        ahead = text[border.end() : border.end() + _REACH]
        if not (behind_is_sure or (_SUBJECT_LEAD.match(ahead) and _CLAUSE.search(ahead))):
            continue
        found.append((text[start : border.start()], sure))
        start, sure = border.end(), behind_is_sure
    return [*found, (text[start:], sure)]


def _plain(part: str) -> str:
    return _LEAD.sub("", part.strip())


def _asserts(part: str, sure: bool) -> bool:
    said = _plain(part)
    if len(said.split()) < _FEWEST_WORDS or _ABSTENTION.search(said) or _MORE.match(said):
        return False
    verb = _VERB.search(said) is not None
    return verb or (sure and any(c.isdigit() for c in said))


def _sentence(part: str) -> str:
    said = _plain(part).strip(" ,;:()")
    said = re.sub(r"^(?:which|who)\b", "It", said)
    return said[:1].upper() + said[1:] + ("" if said[-1:] in ".!?" else ".")
