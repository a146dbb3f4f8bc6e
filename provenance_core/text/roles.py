"""Where a claim says of one what the premise says of the other: "A sued B" beside "B sued A".

English alone, and only verbs that both texts share: what stands before and behind a verb is read
from the order of the words and from the passive, without a parser.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from provenance_core.text.coverage import content_words, is_function_word, without_possessive
from provenance_core.text.phrases import Exchange, ExchangeKind
from provenance_core.text.read_once import read_once
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.stems import singular, word_stem

# Past form, and the participle where it differs.
_IRREGULAR = {
    form: verb
    for verb, forms in {
        "beat": "beat beaten", "bite": "bit bitten", "bring": "brought", "build": "built",
        "buy": "bought", "catch": "caught", "choose": "chose chosen", "draw": "drew drawn",
        "drive": "drove driven", "feed": "fed", "find": "found", "forbid": "forbade forbidden",
        "forgive": "forgave forgiven", "give": "gave given", "hide": "hid hidden",
        "hold": "held", "keep": "kept", "know": "knew known", "lead": "led",
        "leave": "left", "lend": "lent", "lose": "lost", "make": "made", "overtake":
        "overtook overtaken", "pay": "paid", "see": "saw seen", "seek": "sought", "sell": "sold",
        "send": "sent", "shoot": "shot", "steal": "stole stolen", "strike": "struck stricken",
        "take": "took taken", "teach": "taught", "tell": "told", "throw": "threw thrown",
        "win": "won", "write": "wrote written", "wake": "woke woken", "withdraw":
        "withdrew withdrawn", "overthrow": "overthrew overthrown", "outdo": "outdid outdone",
    }.items()
    for form in forms.split()
}  # fmt: skip
_PARTICIPLES = frozenset(
    """beaten bitten brought built bought caught chosen drawn driven fed found forbidden forgiven
    given hidden held kept known led left lent lost made overtaken paid seen sought sold sent shot
    stolen struck stricken taken taught told thrown won written woken withdrawn overthrown outdone
    """.split()  # noqa: SIM905 - a list of words, not of quoted strings
)
_BASES = frozenset(_IRREGULAR.values())
# What one does to the other, the other does too.
_MUTUAL = frozenset(
    map(
        word_stem,
        """meet married marry wed divorced fought fight faced faces played plays bordered borders
        adjoined adjoins tied ties drew dated dates resembled resembles equalled equals merged
        merges collided collides befriended kissed kisses joined joins connected connects linked
        links overlapped overlaps matched matches contacted related corresponded accompanied
        accompanies based located called named titled used including included involved followed
        said says negotiated agreed discussed talked signed shared exchanged debated""".split(),  # noqa: SIM905
    )
)
_BE = frozenset(("is", "are", "was", "were", "be", "been", "being", "got", "gets", "get"))
_BEFORE_VERB = _BE | frozenset(
    """has have had will would did does do could can may might must should also later then never
    first once soon again already finally who which that not n't to""".split()  # noqa: SIM905
)
_PRONOUNS = frozenset(("he", "she", "it", "they"))
_RELATIVE = frozenset(("who", "which", "that"))
_DETERMINERS = frozenset(
    """a an the his her its their our my your this these those some any no each every of very
    most more""".split()  # noqa: SIM905
)
# Where the clause of a verb ends.
_CLAUSE_ENDS = frozenset(
    """and but or because while when where after before although though since until if so as who
    whom which that than""".split()  # noqa: SIM905
)
_PREPOSITIONS = frozenset(
    """of in on at by for from with to into over under about against between through during
    within without towards near behind beside among across along around""".split()  # noqa: SIM905
)
_TOKEN = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*|[,;:()\u2013\u2014]")
_REACH_OF_BY = 6
# Words before a verb, and behind it, that may be of its clause. A text without a full stop may be
# joined by "and" throughout: nobody reads all of it for each verb.
_REACH = 60


@dataclass(frozen=True, slots=True)
class _Token:
    word: str  # without case and the possessive ending
    start: int
    end: int
    capital: bool

    @property
    def is_mark(self) -> bool:
        return not self.word[0].isalnum()


@dataclass(frozen=True, slots=True)
class _Deed:
    """A verb with who does it and to whom, by their content words. ``others``: all of its clause
    but the agent; ``object``: to whom it is done. ``at``: the verb's place in its sentence;
    ``last``: where each content word of the sentence stands last, one mapping for all its verbs.

    ``pronoun``: the agent is one, and has no words. ``agent_is_name``: every word of the agent has
    a capital; ``has_name``: one has.
    ``agent_start`` and ``agent_end`` are the place of the agent, ``start`` and ``end`` of all of
    it, in characters of the text.
    """

    verb: str
    agent: frozenset[str]
    others: frozenset[str]
    object: frozenset[str]
    at: int
    last: Mapping[str, int]
    pronoun: bool
    agent_is_name: bool
    has_name: bool
    agent_start: int
    agent_end: int
    start: int
    end: int

    def shared_behind(self, other: _Deed) -> int:
        """How many content words both sentences have behind their verbs."""
        behind = {word for word, place in self.last.items() if place > self.at}
        return sum(other.last.get(word, -1) > other.at for word in behind)


def find_exchanged_roles(
    claim: str, premises: Sequence[str], before: str = ""
) -> tuple[Exchange, ...]:
    """Find the agents of a claim that are on the other side of the same verb in the premises.

    None is found where a premise has the claim's order too, nor for verbs that go both ways
    ("meet").

    The agent in the claim, and the clause of the premise that has it on the other side.

    Examples
    --------
    >>> claim = "The council sued the Varga works."
    >>> premise = "The steel came from the Varga works, which later sued the council."
    >>> [(claim[e.start : e.end], premise[e.other_start : e.other_end])
    ...  for e in find_exchanged_roles(claim, [premise])]
    [('council', 'the Varga works, which later sued the council')]
    """
    found = []
    named_before = frozenset(singular(word) for word in content_words(before)) if before else None
    for own in _deeds(claim):
        if own.pronoun:
            if not (names := _leading_name(before)):
                continue
            own = replace(own, agent=names, agent_is_name=True, has_name=True)
        same = [
            (index, deed)
            for index, text in enumerate(premises)
            for deed in _deeds_by_verb(text).get(own.verb, ())
        ]
        if any(own.agent & deed.agent or (own.pronoun and deed.pronoun) for _, deed in same):
            continue
        for index, deed in same:
            if not deed.pronoun and _is_exchanged(own, deed, named_before):
                found.append(
                    Exchange(
                        ExchangeKind.ROLE,
                        own.agent_start,
                        own.agent_end,
                        index,
                        deed.start,
                        deed.end,
                    )
                )
                break
    return tuple(found)


def _leading_name(sentence: str) -> frozenset[str]:
    """The words of the name that ``sentence`` begins with: what a pronoun behind it stands for."""
    match = re.match(r"(?:[A-Z][\w'\u2019-]*\s+(?:of\s+|de\s+)?)+", sentence)
    found = match.group().split() if match else []
    names = [word for word in found if word[0].isupper() and not is_function_word(word)]
    return frozenset(singular(without_possessive(word)) for word in names)


def _is_exchanged(own: _Deed, other: _Deed, before: frozenset[str] | None) -> bool:
    """Whether two who do the same thing have changed places, or a name does what another does.
    ``before``: the words that a pronoun may stand for."""
    done_to = own.agent & other.others
    does = other.agent & own.others
    if done_to and does:
        return True
    if own.has_name and own.agent <= other.others:
        return True
    if other.agent_is_name and own.agent_is_name and other.agent <= own.others:
        return True
    if not (own.has_name and other.has_name):
        return False
    if own.pronoun and not (own.object or other.object):
        return own.shared_behind(other) > 1
    if not other.object:
        return False
    if not own.object:
        return before is not None and 2 * len(other.object & before) >= len(other.object)
    shared = 2 * len(own.object & other.object) >= len(own.object)
    return own.agent_is_name and other.agent_is_name and shared


@read_once
def _deeds(text: str) -> tuple[_Deed, ...]:
    found: list[_Deed] = []
    for start, end in sentence_bounds(text):
        tokens = [
            _Token(
                without_possessive(match.group()).casefold() or match.group(),
                start + match.start(),
                start + match.end(),
                match.group()[0].isupper(),
            )
            for match in _TOKEN.finditer(text[start:end])
        ]
        # A sentence may have thousands of verbs: nobody reads all that is behind each.
        last = {singular(token.word): at for at, token in enumerate(tokens) if _counts(token)}
        for at in range(len(tokens)):
            deed = _deed(tokens, at, last)
            if deed is not None:
                found.append(deed)
    return tuple(found)


@read_once
def _deeds_by_verb(text: str) -> Mapping[str, Sequence[_Deed]]:
    found: dict[str, list[_Deed]] = {}
    for deed in _deeds(text):
        found.setdefault(deed.verb, []).append(deed)
    return found


def _deed(tokens: Sequence[_Token], at: int, last: Mapping[str, int]) -> _Deed | None:
    """What is done at the verb ``tokens[at]``; None where that is no verb, or has no agent."""
    verb = _verb(tokens, at)
    if verb is None:
        return None
    before, behind = _before(tokens, at), _behind(tokens, at)
    if _is_passive(tokens, at):
        by = next((i for i, token in enumerate(behind[:_REACH_OF_BY]) if token.word == "by"), None)
        if by is None:
            return None
        agent, others = _up_to_preposition(behind[by + 1 :]), before + behind[:by]
        to = before
    else:
        if _is_participle(tokens, at):
            return None
        agent, others, to = before, behind, _up_to_preposition(behind)
    doers, done_to = _content(agent), _content(others)
    pronoun = not doers and len(agent) == 1 and agent[0].word in _PRONOUNS
    if not (doers or pronoun) or doers & done_to:
        return None
    named = [token for token in agent if _counts(token)] or agent
    every = [*agent, *others]
    return _Deed(
        verb,
        doers,
        done_to,
        _content(to),
        at,
        last,
        pronoun,
        all(token.capital for token in named),
        any(token.capital for token in named),
        named[0].start,
        named[-1].end,
        min(token.start for token in every),
        max(token.end for token in every),
    )


def _verb(tokens: Sequence[_Token], at: int) -> str | None:
    """The stem of the verb at ``at``, or None where its form or the word before it speaks
    against a verb."""
    token = tokens[at]
    word = token.word
    if token.capital or len(word) < 3 or is_function_word(word) or word in _BEFORE_VERB:
        return None
    previous = tokens[at - 1].word if at else ""
    if previous in _DETERMINERS or not at:
        return None
    if word in _IRREGULAR:
        stem = _IRREGULAR[word]
    elif word.endswith("ed") or (word.endswith("s") and _after_noun(tokens, at)):
        stem = word_stem(word)
        stem = next((base for base in _BASES if word_stem(base) == stem), stem)
    else:
        return None
    return None if word_stem(word) in _MUTUAL or word_stem(stem) in _MUTUAL else stem


def _after_noun(tokens: Sequence[_Token], at: int) -> bool:
    """Whether a word in -s stands where a verb does: behind a name or "who", before an object."""
    behind = tokens[at + 1].word if at + 1 < len(tokens) else ""
    previous = tokens[at - 1]
    return (previous.capital or previous.word in _RELATIVE) and (
        behind in _DETERMINERS or (at + 1 < len(tokens) and tokens[at + 1].capital)
    )


def _is_participle(tokens: Sequence[_Token], at: int) -> bool:
    """Whether a form in -ed may be no verb of its clause: "land leased from the farmer"."""
    behind = tokens[at + 1].word if at + 1 < len(tokens) else ""
    word = tokens[at].word
    return (
        (word.endswith("ed") or word in _PARTICIPLES)
        and behind in _PREPOSITIONS - {"over", "by"}
        and not tokens[at - 1].capital
        and tokens[at - 1].word not in _BEFORE_VERB
    )


def _is_passive(tokens: Sequence[_Token], at: int) -> bool:
    word = tokens[at].word
    if word in _IRREGULAR and word not in _PARTICIPLES:
        return False
    if at + 1 < len(tokens) and tokens[at + 1].word == "by":
        return True
    if _is_participle(tokens, at) and any(
        t.word == "by" for t in tokens[at + 1 : at + _REACH_OF_BY]
    ):
        return True
    before = [token.word for token in tokens[max(0, at - 3) : at]]
    while (
        before and before[-1] not in _BE and (before[-1] in _BEFORE_VERB or before[-1][-2:] == "ly")
    ):
        before.pop()
    return bool(before) and before[-1] in _BE


def _before(tokens: Sequence[_Token], at: int) -> list[_Token]:
    """The noun phrase before a verb, of the antecedent where a relative pronoun stands between."""
    end = at
    relative = False
    while end and (
        tokens[end - 1].word in _BEFORE_VERB
        or tokens[end - 1].word.endswith("ly")
        or (relative and tokens[end - 1].word == ",")
    ):
        relative = relative or tokens[end - 1].word in _RELATIVE
        end -= 1
    if not relative and end > 1 and tokens[end - 1].word == ",":
        opened = next((i for i in range(end - 2, 0, -1) if tokens[i].word == ","), None)
        if opened is None or tokens[opened + 1].word not in (*_RELATIVE, "a", "an", "the"):
            return []
        return _phrase_before(tokens, opened, relative=True)
    phrase = _phrase_before(tokens, end, relative=relative)
    first = end - len(phrase)
    if (
        relative
        and phrase
        and phrase[0].word in ("a", "an", "the")
        and tokens[first - 1].word == ","
    ):
        phrase = _phrase_before(tokens, first - 1, relative=relative) + phrase
    return phrase


def _phrase_before(tokens: Sequence[_Token], end: int, *, relative: bool) -> list[_Token]:
    start = end
    while start and end - start < _REACH and not tokens[start - 1].is_mark:
        word = tokens[start - 1].word
        if word in _CLAUSE_ENDS - {"and"} or (relative and word in _PREPOSITIONS - {"of"}):
            break
        start -= 1
    return list(tokens[start:end])


def _behind(tokens: Sequence[_Token], at: int) -> list[_Token]:
    """The rest of the verb's clause."""
    found: list[_Token] = []
    for token in tokens[at + 1 : at + 1 + _REACH]:
        if token.is_mark or token.word in _CLAUSE_ENDS - {"and"}:
            break
        found.append(token)
    return found


def _up_to_preposition(tokens: Sequence[_Token]) -> list[_Token]:
    found: list[_Token] = []
    for token in tokens:
        if token.word in _PREPOSITIONS - {"of"}:
            break
        found.append(token)
    return found


def _counts(token: _Token) -> bool:
    return not (token.word[0].isdigit() or token.is_mark or is_function_word(token.word))


def _content(tokens: Sequence[_Token]) -> frozenset[str]:
    return frozenset(singular(token.word) for token in tokens if _counts(token))
