"""Kind words that a chat answer begins or ends with: "What a lovely idea!", "Don't worry!".

Rules over the wording, no model. A sentence counts only where it is short, has no number and says
nothing else: "Don't worry, the museum is open" states something to check.
"""

from __future__ import annotations

import re

_MOST_WORDS = 12
_FEELING = (
    r"(?:amazing|annoying|awesome|awful|beautiful|brilliant|charming|confusing|cool|cute|delicious"
    r"|delightful|disappointing|enjoyable|exciting|fabulous|fantastic|fascinating|frustrating|fun|good"
    r"|great|hard|impressive|inspiring|interesting|intriguing|lovely|magical|nice|painful|perfect"
    r"|rough|sad|scary|smart|special|splendid|stressful|super|sweet|terrible|terrific|tough"
    r"|tricky|understandable|unfortunate|upsetting|wise|wonderful|worrying)"
)
_VERY = r"(?:so|really|very|quite|pretty|rather|truly|absolutely|indeed|such|like|an?)"
_THING = (
    r"(?:adventure|birthday|choice|celebration|figure|gesture|idea|moment|news|occasion|one|place|plan"
    r"|point|project|question|situation|spot|story|surprise|thought|time|topic|treat|trip)"
)
_IT = r"(?:that|this|it|he|she|they)"
_IS = (
    r"(?:['\u2019]s|['\u2019]re|\s+is|\s+are|\s+must\s+(?:be|have\s+been)|\s+(?:sound|look|seem)s?)"
)
_EXCLAIMED = rf"{_IT}{_IS}(?:\s+{_VERY})*\s+{_FEELING}(?:\s+{_THING})?(?:\s+to\s+hear)?"
_GLAD = (
    r"(?:(?:I['\u2019]m|I\s+am|we['\u2019]re|we\s+are)\s+)?(?:so\s+|very\s+|really\s+)?"
    r"(?:glad|happy|pleased|delighted|thrilled)"
)
_SMALL_TALK = tuple(
    re.compile(rf"{pattern}\W*$", re.IGNORECASE)
    for pattern in (
        rf"(?:(?:oh|ah|aww?|wow|ugh|yikes|yay|hooray|ouch|oops|haha)(?:\s+(?:no|dear|my|wow))?"
        rf"(?:[,!\u2026\s]+(?:{_EXCLAIMED}|what\s+an?\s+(?:\w+\s+)?\w+))?)",
        rf"what\s+an?\s+(?:{_VERY}\s+)*{_FEELING}\s+{_THING}(?:\s+for\s+(?:you|her|him|them))?",
        rf"what\s+an?\s+{_THING}",
        r"(?:lucky|poor|good\s+for|kudos\s+to)\s+you(?:,\s+[^,\d]{1,30}\ssounds?\s+\w+)?",
        r"(?:no\s+(?:worries|problem|trouble)(?:\s+at\s+all)?|not\s+to\s+worry"
        r"|(?:do\s+not|don['\u2019]t)\s+(?:worry|panic)(?:\s+(?:about\s+(?:it|that)|at\s+all|too\s+much))?"
        r"|no\s+need\s+to\s+(?:worry|panic|apologi[sz]e)|not\s+(?:silly|stupid|a\s+\w+\s+question)"
        r"(?:\s+at\s+all)?|fair\s+(?:enough|point|question)|fingers\s+crossed|sounds\s+good|got\s+it"
        r"|(?:good|great|nice|excellent|smart|wise)\s+(?:choice|pick|thinking|point|idea|one|news))",
        r"(?:congratulations|congrats|well\s+done|good\s+job)(?:\s+(?:to|on)\s+[^,\d]{1,40})?",
        r"(?:happy|merry)\s+(?:belated\s+)?(?:birthday|anniversary|new\s+year|christmas|easter"
        r"|holidays|diwali|eid)(?:\s+to\s+\w+(?:\s+\w+)?)?",
        r"(?:safe|happy)\s+travels?|bon\s+(?:voyage|app[e\u00e9]tit)|get\s+well\s+soon"
        r"|have\s+(?:lots\s+of\s+)?fun(?:\s+(?:there|with\s+it|out\s+there|exploring))?",
        rf"{_GLAD}\s+(?:that\s+)?(?:I|we|it|this|that)\s+"
        r"(?:could|can|was|were|helped|worked)(?:\s+(?:able\s+to|be\s+of))?(?:\s+\w+){0,4}",
        rf"{_GLAD}\s+to\s+(?:hear|know)(?:\s+(?:that|it|so))?",
        r"(?:please\s+)?(?:go\s+ahead\s+and\s+)?(?:well\s+)?ask\s+(?:me\s+)?(?:away|anything"
        r"|whatever|as\s+(?:many|much|often)\s+as|any\s+time|anytime)(?:\s+\w+){0,4}",
        rf"{_IT}(?:['\u2019]s|\s+is)\s+(?:perfectly\s+|completely\s+|quite\s+|totally\s+|only\s+)?"
        r"(?:natural|normal|understandable|okay|ok|fine)\s+(?:to\s+(?:feel|be|worry|wonder)"
        r"\s+(?:a\s+(?:little|bit)\s+)?(?:nervous|worried|anxious|confused|unsure|scared|concerned"
        r"|about\s+(?:that|this|it)))",
        r"(?:I|we)\s+(?:completely\s+|totally\s+|fully\s+)?(?:understand|get|hear|appreciate|feel)\s+"
        r"(?:you|that|your\s+(?:concern|worry|frustration|confusion|question|pain|disappointment)s?)",
        r"(?:I|we)\s+(?:can\s+)?(?:completely\s+|totally\s+|fully\s+)?(?:understand|imagine|see|know)\s+"
        rf"(?:how|why|that)\s+(?:{_FEELING}\s+)?(?:this|that|it|you)(?:\s+\w+){{0,3}}(?:\s+{_FEELING})?",
    )
)
# Said with an exclamation mark only: "It is worth a visit." may be what a guide book says.
_CRIED = tuple(
    re.compile(rf"{pattern}\s*!+\W*$", re.IGNORECASE)
    for pattern in (
        _EXCLAIMED,
        rf"{_IT}(?:['\u2019]s|\s+is)\s+(?:\w+ly\s+|well\s+)?worth\s+(?:it|an?\s+(?:look|visit|try|trip))",
        r"enjoy\b[^,;:\d]{0,40}",
    )
)


def is_small_talk(text: str) -> bool:
    """Whether a sentence is a kind word to the reader and nothing else.

    False in doubt.

    Examples
    --------
    >>> is_small_talk("What a lovely idea!"), is_small_talk("The castle is lovely in May!")
    (True, False)
    """
    if len(text.split()) > _MOST_WORDS:
        return False
    return any(pattern.match(text) for pattern in (*_SMALL_TALK, *_CRIED))
