"""Pairs of English words of opposite meaning, by their stems."""

from __future__ import annotations

from collections.abc import Mapping

from provenance_core.lexicon.stems import word_stem

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


def _opposites() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS.split():
        one, other = map(word_stem, pair.split("/"))
        if one != other:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {stem: frozenset(others) for stem, others in found.items()}


OPPOSITES = _opposites()
