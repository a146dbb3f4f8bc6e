"""Where a claim says "increase" and the premise says "decrease" of the same thing.

English alone: pairs of words of opposite meaning, in two clauses that share nearly all of their
other content words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from provenance_core.text.clauses import Clause, numbered_clauses, read_clauses
from provenance_core.text.phrases import Mismatch, MismatchKind
from provenance_core.text.quantities import find_quantities
from provenance_core.text.stems import word_stem
from provenance_core.text.values import same_value

# A word, and after the stroke what is its opposite.
_PAIRS = """
able/unable above/below accept/reject accepted/refused acid/alkaline active/inactive add/remove
alive/dead allowed/banned allowed/forbidden allowed/prohibited ally/enemy ancient/modern
appear/disappear appointed/dismissed approve/reject approved/refused arrive/depart
artificial/natural ascend/descend attack/defend available/unavailable aware/unaware begin/end
began/ended benefit/harm best/worst better/worse big/small bigger/smaller biggest/smallest
black/white borrow/lend bottom/top boy/girl brother/sister cheap/expensive clockwise/anticlockwise
closed/open cold/hot cold/warm common/rare complete/incomplete compulsory/optional
compulsory/voluntary connect/disconnect conscious/unconscious convicted/acquitted correct/incorrect
cut/raise daily/weekly daughter/son day/night day/week dead/living decrease/increase deep/shallow
descended/ascended difficult/easy direct/indirect discourage/encourage dislike/like
dismissed/hired domestic/foreign doubled/halved dry/wet early/late earlier/later east/west
eastern/western easier/harder empty/full enter/leave equal/unequal
exclude/include expand/contract export/import external/internal fail/pass fail/succeed
failure/success fall/rise fell/rose faster/slower father/mother female/male fewer/more fewest/most
finish/start first/last forbidden/permitted formal/informal found/lost free/paid frequently/rarely
friend/enemy gain/lose good/bad grew/shrank guilty/innocent happy/sad happy/unhappy hate/love
healthy/unhealthy heavy/light high/low higher/lower highest/lowest husband/wife
important/unimportant indoor/outdoor indoors/outdoors inside/outside junior/senior king/queen
known/unknown large/small larger/smaller largest/smallest least/most legal/illegal
likely/unlikely liquid/solid long/short longer/shorter longest/shortest lower/raise lower/upper
major/minor majority/minority man/woman mandatory/optional mandatory/voluntary married/divorced
married/single maximum/minimum meat/vegetarian men/women monthly/annual monthly/weekly
monthly/yearly month/year morning/afternoon morning/evening morning/night narrow/wide
necessary/unnecessary negative/positive new/old newest/oldest north/south northern/southern
often/rarely often/seldom older/younger oldest/youngest optimistic/pessimistic optional/required
peace/war permanent/temporary permitted/prohibited poor/rich popular/unpopular possible/impossible
praise/criticise praise/criticize precede/follow precede/succeed predecessor/successor
present/absent private/public profit/loss reduce/increase regular/irregular reliable/unreliable
rural/urban safe/dangerous safe/unsafe satisfied/dissatisfied shut/open start/end
strengthen/weaken stronger/weaker strength/weakness strong/weak successful/unsuccessful
summer/winter supported/opposed support/oppose thick/thin true/false usual/unusual usually/rarely
visible/invisible wider/narrower widely/narrowly worsen/improve young/old
"""
_SHARED = 0.8  # of the other content words of the shorter clause
_OF_CLAIM = 0.75  # of the claim's
_FEWEST = 2


def _opposites() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS.split():
        one, other = map(word_stem, pair.split("/"))
        if one != other:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {stem: frozenset(others) for stem, others in found.items()}


_OPPOSITES = _opposites()


def find_opposites(claim: str, premises: Sequence[str]) -> tuple[Mismatch, ...]:
    """Find the words of a claim in whose place a clause of the premises has their opposite.

    None is found where a clause of the premises that is as close has no opposite of the claim's
    words, or where one of the two clauses denies and the other does not. The units of one value are
    no opposites: "14 days" are "2 weeks".

    The word in the claim, and its opposite in the premise.

    Examples
    --------
    >>> claim = "Oil prices rose in the north."
    >>> premise = "Oil prices fell in the north in May."
    >>> (found,) = find_opposites(claim, [premise])
    >>> claim[found.start : found.end], premise[found.other_start : found.other_end]
    ('rose', 'fell')
    """
    others = numbered_clauses(premises)
    return tuple(
        found
        for own in read_clauses(claim)
        if (found := _opposite(claim, own, premises, others)) is not None
    )


def _opposite(
    claim: str, own: Clause, premises: Sequence[str], others: Sequence[tuple[int, Clause]]
) -> Mismatch | None:
    best: Mismatch | None = None
    most = agreed = 0.0
    for index, other in others:
        shared = len(own.stems & other.stems)
        share = shared / len(own.stems)
        pairs = [
            (a, b)
            for a, b in _pairs(own, other)
            if not _of_one_value(claim, own.places[a], premises[index], other.places[b])
        ]
        least = _SHARED * (min(len(own.stems), len(other.stems)) - len(pairs))
        if shared < max(_FEWEST, least):
            continue
        if not pairs:
            agreed = max(agreed, share)
        elif len(pairs) == 1 and share > most and _same_place(own, other, *pairs[0]):
            most = share
            here, there = own.places[pairs[0][0]], other.places[pairs[0][1]]
            best = Mismatch(MismatchKind.OPPOSITE, *here, index, *there)
    return best if agreed <= most else None


def _pairs(own: Clause, other: Clause) -> list[tuple[str, str]]:
    only_own, only_other = own.stems - other.stems, other.stems - own.stems
    return [
        (a, b)
        for a in sorted(only_own & _OPPOSITES.keys())
        for b in sorted(_OPPOSITES[a] & only_other)
    ]


def _of_one_value(
    claim: str, place: tuple[int, int], premise: str, other_place: tuple[int, int]
) -> bool:
    """Whether two words, by their places, belong to values that are equal."""
    return any(
        same_value(own, other)
        for own in find_quantities(claim)
        if own.start <= place[0] and place[1] <= own.end
        for other in find_quantities(premise)
        if other.start <= other_place[0] and other_place[1] <= other.end
    )


def _same_place(own: Clause, other: Clause, word: str, opposite: str) -> bool:
    """Whether a word and its opposite say something of the same thing."""
    enough = len(own.stems & other.stems) >= _OF_CLAIM * (len(own.stems) - 1)
    both = (own.head is None) == (other.head is None)
    return enough and both and bool(own.near_any(word) & other.near_any(opposite))
