"""A bare "yes" or "no" to a query: the statement that it makes, or that it makes none."""

from __future__ import annotations

import re

_BE = "is|are|was|were|am"
_OTHER = "do|does|did|has|have|had|can|could|will|would|should|may|might|must"
_QUERY = re.compile(rf"^(?P<verb>{_BE}|{_OTHER})\s+(?P<rest>[^?]+)\?*\s*$", re.IGNORECASE)
_ANSWER = re.compile(
    r"^(?P<word>yes|yeah|yep|no|nope|correct|incorrect|true|false)\b[\s,.!;:–-]*"
    rf"(?:(?:he|she|it|they|there|that|this|we|you|I)\s+(?:{_BE}|{_OTHER})(?:\s*n[o'’]t|\s+correct)?"
    r"|that(?:['’]s|\s+is)\s+(?:correct|right|true|so|not\s+\w+)|not\s+at\s+all"
    r"|(?:it|that)(?:['’]s)\s+not)?[\s.!]*$",
    re.IGNORECASE,
)
_NO = ("no", "nope", "incorrect", "false")
_ANY = re.compile(r"any(?P<whom>one|body|thing)\b", re.IGNORECASE)
_EVERY = re.compile(r"(?:all|every|everyone|everybody|each)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"^(?:it|he|she|they|we|you|I|there|this|that|these|those)\b", re.IGNORECASE)
_POINTING = re.compile(r"^(?:this|that|these|those)\b", re.IGNORECASE)
# The verb of "Does the Tarn Bridge carry a railway?", by what follows it: any word but one that an
# article may follow elsewhere.
_BEFORE_OBJECT = re.compile(
    r"(?<=\s)(?!(?:of|in|on|at|by|from|to|into|for|with|without|about|above|below|under|over|near"
    r"|inside|outside|between|among|during|before|after|since|until|like|as|and|or|than|that|behind"
    r"|beside|along|across|through|around|both|all|not|no)\b)"
    r"[a-z]{3,}(?=\s+(?:an?|any|the|its|their|his|her|some)\s)"
)
# Nouns that have the ending of a participle.
_NOUNS = (
    "building|meeting|painting|ceiling|wedding|evening|morning|spring|string|heating|lighting|hearing"
    "|opening|crossing|landing|seed|shed|speed|need|hundred|breed"
)
# What cannot stand within a subject, and so ends it.
_ENDS_SUBJECT = re.compile(
    r"(?<=\s)(?:(?:in|on|at|by|from|to|into|for|with|without|about|above|below|under|over|near|inside"
    r"|outside|between|among|during|before|after|since|until|like|as|an?|the|not|never|always"
    r"|still|also|ever|only|now|more|less|very|too|most|part|one|free|open|closed|available|safe"
    r"|legal|able|made|born|built|held|known|used|found|located|older|larger|longer|higher|taller"
    r"|smaller|faster|cheaper|better|worse|located|there|\d[\w.,]*|been"
    r"|sold|stolen|forbidden|left|torn|broken|written|taken|given|paid|lost|won|sunk|drawn|chosen"
    r"|hidden|kept|led|sent|spent|taught|bought|brought|caught|eaten|driven|fallen|flown|frozen|gone"
    r"|grown|hurt|met|seen|shown|shot|shut|spoken|sung|thrown|told|worn|effective|active|expensive"
    r"|inclusive|exclusive|sensitive|necessary|\w{2,}(?:able|ible|ful|ous))\b"
    rf"|(?!(?:{_NOUNS})\b)\w{{3,}}(?:ed|ing)\b|\w{{3,}}er(?=\s+than\b))"
)
_DETERMINER = re.compile(
    r"(?:an?|the|this|that|these|those|his|her|its|their|our|your|my|any|all)", re.IGNORECASE
)
# Verbs in their plain form that follow a subject.
_PLAIN_VERB = re.compile(
    r"(?<=\s)(?:be|have|get|take|make|go|come|live|work|win|lose|play|open|close|cost|need|require"
    r"|include|contain|use|allow|accept|offer|provide|support|cause|help|serve|sell|buy|own|die"
    r"|become|begin|start|end|stop|run|rain|eat|drink|grow|contain|cover|charge|belong|produce"
    r"|reach|spread|lead|write|read|speak|teach|study|say|know|think|believe|want|like|visit|stay"
    r"|leave|arrive|enter|join|sign|pay|earn|receive|give|hold|keep|build|design|invent|discover"
    r"|found|happen|change|increase|decrease|rise|fall|improve|reduce|prevent|treat|affect|damage"
    r"|protect|expire|apply|exist|remain|ship|deliver|return|refund|store|freeze|boil|melt|fly"
    r"|swim|drive|walk|travel|marry|vote|pass|fail|publish|release|perform|appear|feature|host"
    r"|ride|invest|sink|survive|sail|crash|explode|collapse|defeat|beat|move|settle|depart|climb|qualify"
    r"|compete|finish|complete|destroy|repair|rebuild|restore|renovate|demolish|paint|compose|translate"
    r"|choose|elect|appoint|dismiss|promote|nominate|donate|lend|borrow|owe|merge|acquire|expand|shrink"
    r"|exceed|contribute|participate|enrol|register|negotiate|agree|admit|deny|accuse|sue|convict|arrest"
    r"|escape|surrender|invade|conquer|occupy|bring|carry|collect|convert|decide|depend|describe|develop"
    r"|differ|disappear|emit|erupt|extend|generate|guarantee|inherit|inspect|install|kill|launch|learn"
    r"|obtain|operate|organise|organize|park|predict|prefer|propose|prove|recommend|recover|refuse"
    r"|remove|renew|resist|settle|solve|study|suffer|swallow|threaten|transfer|wash|wear|withdraw"
    r"|approve|reject|hunt|graze|encrypt|store|replace|send|follow|own|attend|graduate|retire|resign|cancel|delete|sync|export|import|manage|employ|hire|train|sing|act|star|cross|connect|flow|replace|ban|last|pay|weigh|measure|mean|work|ever|still|also)\b"
)

# "When did it open?" and "In which year …?"; "What about dogs?" may be answered with a yes.
_ASKS_FOR_MORE = re.compile(
    r"^(?:(?:about|at|by|for|from|in|of|on|since|to|under|until|with)\s+)?"
    r"(?:who|whom|whose|which|when|where|why|(?:what|how)(?!\s+(?:about|if)\b))\b[^?,;.]*\?*\s*$",
    re.IGNORECASE,
)
_BARE = re.compile(r"\W*(?:yes|yeah|yep|no|nope)\W*$", re.IGNORECASE)


def is_bare(sentence: str) -> bool:
    """Whether a sentence is the one word "yes" or "no", or another word for it. False where it says
    anything more.

    >>> is_bare("Yes."), is_bare("No, it is closed.")
    (True, False)
    """
    return _BARE.match(sentence) is not None


def answers_nothing(query: str, sentence: str) -> bool:
    """Whether a bare "yes" or "no" states nothing, because the query asks for more. False in doubt.

    >>> answers_nothing("When did the bridge open?", "Yes.")
    True
    >>> answers_nothing("Did the bridge open in 1911?", "Yes.")
    False
    """
    return is_bare(sentence) and _ASKS_FOR_MORE.match(" ".join(query.split())) is not None


def opposite_answer(answer: str) -> str:
    """ "No." for an answer that begins with "yes" or a word like it; else "Yes.". One word with its
    full stop.

    >>> opposite_answer("Yes, it does."), opposite_answer("No.")
    ('No.', 'Yes.')
    """
    said = _ANSWER.match(" ".join(answer.split()))
    denied = said is not None and said["word"].lower() in _NO
    return "Yes." if denied or said is None else "No."


def statement_of(query: str, answer: str) -> str | None:
    """Make of a bare "yes" or "no" the statement that it makes of the query. Rules decide, not a
    parser. The statement; None where the answer is another, or the query does not show it.

    >>> statement_of("Is the Eiffel Tower in Paris?", "Yes.")
    'The Eiffel Tower is in Paris.'
    >>> statement_of("Does the museum open on Mondays?", "No, it does not.")
    'The museum does not open on Mondays.'
    >>> statement_of("Was anyone hurt in the fire?", "No.")
    'No one was hurt in the fire.'
    """
    asked = _QUERY.match(" ".join(query.split()))
    said = _ANSWER.match(" ".join(answer.split()))
    if asked is None or said is None or re.search(r"\bor\b|\?.*\?", query):
        return None
    verb, rest = asked["verb"].lower(), asked["rest"].strip(" .!,")
    subject = _subject(verb, rest)
    if subject is None:
        return None
    predicate = rest[len(subject) :].strip()
    denied = said["word"].lower() in _NO
    anyone = _ANY.fullmatch(subject)
    if anyone and denied:
        subject = "no one" if anyone["whom"] == "one" else f"no{anyone['whom']}"
    elif anyone and verb not in ("can", "could", "may"):
        subject = f"some{anyone['whom']}"
    every = _EVERY.match(subject)
    if denied and every:  # "All rooms are not heated" may say that none is
        subject = f"not {subject}"
        verb, predicate = _affirmed(verb, predicate)
    elif denied and not anyone:
        # Who says no to "must" says that nobody has to, not that nobody may.
        verb = {"can": "cannot", "must": "need not"}.get(verb, f"{verb} not")
    else:
        verb, predicate = _affirmed(verb, predicate)
    statement = " ".join(filter(None, (subject, verb, predicate))) + "."
    return statement[:1].upper() + statement[1:]


def _affirmed(verb: str, predicate: str) -> tuple[str, str]:
    """Auxiliary and predicate as a statement has them: without "do", "any" and "ever"."""
    predicate = _OF_QUESTIONS.sub("", predicate)
    if verb not in ("do", "does"):
        return verb, predicate
    first, _, rest = predicate.partition(" ")
    return "", f"{_third_person(first) if verb == 'does' else first} {rest}".strip()


def _third_person(verb: str) -> str:
    """A plain verb as it follows "she": "approves", "carries", "has"."""
    if verb in ("have", "be"):
        return {"have": "has", "be": "is"}[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search(r"(?:s|sh|ch|x|z|o)$", verb) else f"{verb}s"


def _subject(verb: str, rest: str) -> str | None:
    """The subject at the start of ``rest``; None where the wording does not show its end."""
    plain = verb not in (*_BE.split("|"), "has", "have", "had")
    if pronoun := _PRONOUN.match(rest):
        # "Does this phone lack a jack?": "this" is no subject of its own.
        first = (_PLAIN_VERB if plain else _ENDS_SUBJECT).match(rest, pronoun.end() + 1)
        if first or not _POINTING.match(rest) or len(rest.split()) == 2:
            return pronoun.group() if len(rest) > pronoun.end() else None
    if anyone := _ANY.match(rest):
        return anyone.group()
    if re.match(r"any\b", rest, re.IGNORECASE):  # "Were any trees cut?" denied is "no trees were"
        return None
    verbs = [
        match for match in _PLAIN_VERB.finditer(rest) if not _OF_NOUN.search(rest, 0, match.start())
    ] or list(_BEFORE_OBJECT.finditer(rest))
    ends = next(iter(verbs), None) if plain else _end_of_subject(rest)
    words = rest.split()
    determined = _DETERMINER.fullmatch(words[0]) is not None
    if ends is None:
        # "Is the bridge long?", "Did the ship sink?": a short query ends in its predicate.
        fewest, most = (2 + determined,) * 2 if plain else (2, 3 + determined)
        if not fewest <= len(words) <= most or words[-1][0].isupper():
            return None
        return " ".join(words[:-1])
    subject = rest[: ends.start()].strip()
    if re.fullmatch(r"\w+ed", words[-1]) and _PREPOSITION.match(ends.group()):
        # "Are bags over 32 kg accepted?"
        return " ".join(words[:-1]) if len(words) <= _MOST_SUBJECT_WORDS + 2 else None
    if _PREPOSITION.search(subject):
        # "spending on roads" rises, where no other word may be the verb.
        return subject if plain and len(verbs) == 1 else None
    short = len(subject.split()) <= (_MOST_SUBJECT_WORDS - 1 if _LOOSE.match(ends.group()) else 5)
    named = subject.split()[-1][0].isupper()
    return subject if subject and (short or named) else None


def _end_of_subject(rest: str) -> re.Match[str] | None:
    """What ends a subject, but no word that belongs to a noun: "the reading room"."""
    return next(
        (
            match
            for match in _ENDS_SUBJECT.finditer(rest)
            if not _DETERMINER.fullmatch(rest, 0, match.start() - 1)
        ),
        None,
    )


_MOST_SUBJECT_WORDS = 4
# Behind these stands a noun ("the train"), also one that may be a verb.
_OF_NOUN = re.compile(
    r"\b(?:an?|the|this|that|his|her|its|their|our|your|my|on|of|in|at|by|for|from|with|to)\s+$",
    re.IGNORECASE,
)
# Words of questions and denials.
_OF_QUESTIONS = re.compile(r"\b(?:any|ever)\s+")
_PREPOSITION = re.compile(
    r"(?:^|(?<=\s))(?:in|on|at|by|from|to|into|for|with|without|about|above|below|under|over|near"
    r"|during|before|after|between)\b"
)
# Words that a noun in front of them may belong to ("dishwasher safe").
_LOOSE = re.compile(r"free|open|closed|safe|able|made|found|part|used|more|less")
