"""Sentences that say nothing whole on their own, read with the one before them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from provenance_core.text.claims import claim_texts
from provenance_core.text.list_markers import marker_length
from provenance_core.types import Sentence

# Sentences read before one, at most: the first of them that stands alone ends the search.
MOST_BEFORE = 2

_LEADS = (
    r"(?:(?:and|but|so|or|however|then|also|later|still|yet|again|additionally|moreover|furthermore"
    r"|in addition|besides|instead|therefore|thus|hence|consequently|as a result|meanwhile"
    r"|afterwards?|finally|eventually|today|now|overall|in total|in fact|for example|for instance"
    r"|similarly|by contrast|in contrast|on the other hand|at (?:the|that) time|that (?:year|day)"
    r"|soon after|in (?:\w+ )?\d{4}|since then|after that|when|while|although|though|because|if|as"
    r"|once|before|after|until),?\s+)*"
)
_PRONOUN = re.compile(
    rf"^{_LEADS}(?:he|she|it|they|him|them|his|her|hers|its|their|theirs|this|that|these|those|such"
    r"|both|neither|each of (?:them|these)|(?:one|some|most|all|none|many|two|three) of "
    r"(?:them|these|those|which)|the (?:former|latter|same)|(?:the )?(?:others?|another)|here)\b",
    re.IGNORECASE,
)
# "It" that stands for nothing before it, and words that only look like pronouns.
_STANDS_ALONE = re.compile(
    rf"^{_LEADS}(?:it(?:\s+(?:is|was|has\s+been|may\s+be|can\s+be)|['’]s)\s+(?:not\s+|also\s+|very\s+)?"
    r"(?:\w+\s+){1,2}(?:that|to|for|when|whether|if)\b|it\s+(?:takes|took|seems|appears|turns\s+out)\b"
    r"|that\s+said\b|this\s+(?:article|text|document|passage|page|answer|summary|list|report)\b"
    r"|both\s+(?:the\s+)?[\w’'-]+(?:\s+[\w’'-]+)?\s+and\s)",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|does|do|did|will|would|can|could|(?-i:may)|might|must|shall"
    r"|should|['’]s|['’]re|['’]ll|said|says|became|becomes|made|makes|won|wrote|began|came|went|took"
    r"|gave|found|left|led|built|held|sold|bought|grew|fell|rose|ran|met|lost|kept|\w{2,}ed"
    r"|(?<!^)\w{3,}(?:[^su\W]s))\b",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(
    r"^(?:because|since|due\s+to|although|unless|in|on|at|by|for|from|to|with|without|about|around"
    r"|nearly|almost|roughly|approximately|over|under|between|until|during|after|before|only|not"
    r"|never|yes|no|both|neither|an?|the|[$€£]?\d[\d.,]*%?)\b",
    re.IGNORECASE,
)
_MOST_WORDS_OF_A_FRAGMENT = 8


def needs_previous(sentence: str) -> bool:
    """Whether ``sentence`` has to be read with the one before it: its subject is a pronoun or a
    demonstrative, or it is a fragment without a verb ("In 1932.", "About 8 km.", "Anna Berg.").

    By the wording alone, without a parser. An imperative stands alone.

    >>> [needs_previous(each) for each in ("It opened in 1932.", "It is known that bees dance.")]
    [True, False]
    """
    text = " ".join(sentence[marker_length(sentence) :].split()).lstrip("\"'“‘(*_")
    if not text:
        return False
    if _PRONOUN.match(text):
        return not _STANDS_ALONE.match(text)
    words = re.findall(r"[\w’'-]+", text)
    if len(words) > _MOST_WORDS_OF_A_FRAGMENT or text.rstrip().endswith((":", "?")):
        return False
    if re.match(r"because\b", text, re.IGNORECASE):
        return True
    if _FINITE.search(text):
        return False
    return bool(_FRAGMENT.match(text)) or all(word[0].isupper() for word in words)


def hypothesis_texts(
    answer: str, sentences: Sequence[Sentence], set_aside: Collection[int] = ()
) -> list[str]:
    """What a model should read of each sentence of ``answer``: :func:`claim_texts`, and before the
    text of a sentence that needs it the one it refers to (at most two back, those in ``set_aside``
    passed over). The claim stays whole at the end of its text.

    >>> parts = (Sentence(0, 0, 18, "The bridge is old. "), Sentence(1, 19, 30, "It is long."))
    >>> hypothesis_texts("The bridge is old. It is long.", parts)
    ['The bridge is old.', 'The bridge is old. It is long.']
    """
    texts = claim_texts(answer, sentences)
    read: list[str] = []
    for place, text in enumerate(texts):
        parts = [text]
        before = place
        while needs_previous(parts[0]) and len(parts) <= MOST_BEFORE:
            before = next(
                (i for i in range(before - 1, -1, -1) if sentences[i].index not in set_aside), -1
            )
            if before < 0:
                break
            parts.insert(0, texts[before])
        read.append(" ".join(parts))
    return read
