"""The two trivial baselines that every figure is read against.

A model that cannot beat the share of words in common, or the length of the answer, has
learnt nothing about support; some public sets are nearly solved by one of the two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Numbers keep their points and commas; letters do not, because full stops lose their space.
_WORD = re.compile(r"\d+(?:[.,]\d+)+|\w+(?:['\u2019]\w+)*")

# Function words of English: present in almost any text, so that sharing them says nothing.
_FUNCTION_WORDS = frozenset(
    """
    a about above after again against all also am an and any are aren't as at be because been
    before being below between both but by can can't cannot could couldn't did didn't do does
    doesn't doing don't down during each few for from further had hadn't has hasn't have haven't
    having he her here hers herself him himself his how i if in into is isn't it it's its itself
    just may me might more most must my myself of off on once only or other our ours ourselves
    out over own same shall she should shouldn't so some such than that that's the their theirs
    them themselves then there these they this those through to too under until up upon very was
    wasn't we were weren't what when where which while who whom whose why will with won't would
    wouldn't you your yours yourself yourselves
    """.split()  # noqa: SIM905 - a list of words, not of quoted strings
)


def word_overlap(context: Sequence[str], answer: str) -> float:
    """Share of the answer's distinct content words found in the context, in [0, 1].

    Content words are words that are not function words; an answer of function words alone is
    judged by all its words, and one without a word scores 0. Case is ignored.
    """
    words = _words(answer)
    content = words - _FUNCTION_WORDS or words
    if not content:
        return 0.0
    known: set[str] = set()
    for item in context:
        known |= _words(item)
    return len(content & known) / len(content)


def length_score(answer: str) -> float:
    """Minus the answer's length in characters: the shorter, the more likely supported."""
    return -float(len(answer))


def _words(text: str) -> set[str]:
    return {word.replace("\u2019", "'") for word in _WORD.findall(text.casefold())}
