"""Which findings may be shown as a reason: those that hold word for word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from provenance_core.findings.answers import bare_statement
from provenance_core.findings.clauses import Clause, read_clauses
from provenance_core.lexicon.words import is_function_word, word_list
from provenance_core.scoring.features import contradiction
from provenance_core.scoring.label_rules import ALIKE, HOLDING, ONE_VALUE
from provenance_core.scoring.own_texts import own_texts
from provenance_core.scoring.said_alike import denies_alone, says_another_value
from provenance_core.scoring.support import last_entailment
from provenance_core.text.splitting import sentence_around
from provenance_core.types import UNSTATED, Evidence, Finding, FindingKind, Floats

_ENTAILED = 0.5
_CONTRADICTED = 0.5
_FEWEST_SHARED = 3  # content words of two clauses, for one to deny the other
_SHORTEST_STEM, _LONGEST_ENDING, _LONGEST_ACRONYM = 4, 3, 5  # letters
_VALUES = ("number", "date")
# How answers name the context and its parts: "Passage 3" is missing from no context.
_OF_CONTEXT = frozenset(
    """answer article chapter chunk context doc document excerpt fig figure id information item page
    paragraph passage ref reference section sentence source table text unk""".split()  # noqa: SIM905
)


def holding(evidence: Evidence, sentence: int | None = None) -> tuple[Finding, ...]:
    """The findings that hold word for word, in their order; of older audits all. ``sentence``: of
    this one alone (index).

    Nothing holds whose very words a chunk has. A name does not hold that the context has in other
    letters, or that names a part of the context; nor does a denial or an opposite whose clauses are
    not of the very same, or of a sentence that another passage entails or that no model finds
    contradicted there, nor another name in place of one that such a passage entails. A number or
    date that no chunk has holds whatever the models say, unless it numbers a list. What a passage
    has in its place is left out where the passage does not say the rest of the sentence.
    """
    given = tuple(each for each in evidence.findings if sentence in (None, each.sentence))
    if evidence.labelled_by < HOLDING or not given:
        return given
    entailed = last_entailment(evidence)
    denying = evidence.labelled_by >= ALIKE and any(each.kind not in UNSTATED for each in given)
    against = contradiction(evidence) if denying else None  # takes long
    found = (
        each
        for each in given
        if _holds(evidence, each, entailed, None if each.kind in UNSTATED else against)
    )
    if evidence.labelled_by < ALIKE:
        return tuple(found)
    texts = own_texts(evidence)
    return tuple(
        each
        if each.kind not in UNSTATED or says_another_value(evidence, each, texts)
        else replace(each, chunk=None, chunk_start=0, chunk_end=0, instead="")
        for each in found
    )


def lacks_value(evidence: Evidence, sentence: int) -> bool:
    """Whether a number or date of a sentence stands nowhere in the context, and in no query."""
    return evidence.labelled_by >= HOLDING and any(
        each.sentence == sentence
        and each.kind in UNSTATED
        and each.detail in _VALUES
        and not (each.held or each.asked or _is_list_number(evidence, each))
        for each in evidence.findings
    )


def _holds(evidence: Evidence, found: Finding, entailed: Floats, against: Floats | None) -> bool:
    strict = evidence.labelled_by >= ONE_VALUE
    if strict and found.held:
        return False  # what the words are said of there, no rule tells surely
    if found.kind in UNSTATED and found.detail in _VALUES and not found.held:
        return not (strict and _is_list_number(evidence, found))
    if found.kind in UNSTATED and found.detail not in _VALUES:
        words = word_list(found.words)
        of_context = all(word in _OF_CONTEXT or word.isdigit() for word in words)
        if evidence.labelled_by >= ALIKE and all(map(is_function_word, words)):
            return False  # "They"
        if found.held or of_context or (strict and _is_written_otherwise(evidence, found.words)):
            return False
    elif found.kind not in UNSTATED and (
        found.held or (strict and not _is_of_the_same(evidence, found))
    ):
        return False
    if found.chunk is None:
        return found.kind in UNSTATED
    if against is not None and not against[found.sentence, found.chunk] >= _CONTRADICTED:
        return False  # words alone take "no. I did it" for a denial
    elsewhere = [
        chunk.index for chunk in evidence.chunks if not _has_place(evidence, found, chunk.index)
    ]
    return not (entailed[found.sentence, elsewhere] >= _ENTAILED).any()


def _is_list_number(evidence: Evidence, found: Finding) -> bool:
    """Whether a number stands alone on its line, as "3." of a list does."""
    answer = evidence.answer
    first, last = answer.rfind("\n", 0, found.start) + 1, answer.find("\n", found.end)
    line = answer[first : last if last >= 0 else len(answer)]
    return re.fullmatch(r"[\s(\[]*\d+[.):\]]?\s*", line) is not None


def _is_written_otherwise(evidence: Evidence, name: str) -> bool:
    """Whether the context has a name in other letters: "Germany" as "German", "TiO2" as "TiO 2",
    "US" and "ICU" as the words whose initials they are."""
    words = word_list(name)
    return any(
        "".join(words) in letters.joined
        or all(
            _has_form(word, letters.words) or (_is_acronym(word, name) and word in letters.initials)
            for word in words
        )
        for letters in _letters_of(tuple(item.text for item in evidence.context))
    )


@dataclass(frozen=True, slots=True)
class _Letters:
    """The words of a text: the different ones, all joined, and their initials."""

    words: frozenset[str]
    joined: str
    initials: str


# Each missing name is looked for in one context.
@lru_cache(maxsize=1)
def _letters_of(texts: tuple[str, ...]) -> tuple[_Letters, ...]:
    lists = map(word_list, texts)
    return tuple(
        _Letters(frozenset(there), "".join(there), "".join(word[0] for word in there))
        for there in lists
    )


def _is_acronym(word: str, name: str) -> bool:
    return 1 < len(word) <= _LONGEST_ACRONYM and word.upper() in name.replace(".", "")


def _has_form(word: str, words: Iterable[str]) -> bool:
    """Whether one of two words is the beginning of the other, by all but an ending."""
    return any(
        word == each
        or (
            min(len(word), len(each)) >= _SHORTEST_STEM
            and abs(len(word) - len(each)) <= _LONGEST_ENDING
            and (word.startswith(each) or each.startswith(word))
        )
        for each in words
    )


def _is_of_the_same(evidence: Evidence, found: Finding) -> bool:
    """Whether the clause that denies has no word that the other lacks: what is denied of "the
    longest highway" is not denied of "the longest Interstate highway"."""
    if found.chunk is None:
        return False
    sentence, stated = evidence.sentences[found.sentence], bare_statement(evidence)
    owns = read_clauses(sentence.text if stated is None else stated)
    at = found.start - sentence.start
    whole = evidence.chunks[found.chunk].text
    alike = evidence.labelled_by >= ALIKE
    around = whole[slice(*sentence_around(whole, found.chunk_start))]
    return any(
        denies_alone(own, other, around) if alike else _same(own, other, found.kind)
        for own in owns
        if stated is not None or own.start <= at <= own.end
        for other in read_clauses(whole)
        if other.start <= found.chunk_start <= other.end
    ) and bool(found.words or not alike)


def _same(own: Clause, other: Clause, kind: FindingKind) -> bool:
    if len(own.stems & other.stems) < _FEWEST_SHARED - (kind is FindingKind.OPPOSITE):
        return False
    if kind is FindingKind.OPPOSITE:  # each has one word of its own
        return len(own.stems - other.stems) <= 1 and len(other.stems - own.stems) <= 1
    denying, stating = (own, other) if own.head is not None else (other, own)
    return denying.stems <= stating.stems


def _has_place(evidence: Evidence, found: Finding, chunk: int) -> bool:
    """Whether a chunk has the place of what was found too: chunks overlap."""
    assert found.chunk is not None
    own, other = evidence.chunks[found.chunk], evidence.chunks[chunk]
    start, end = own.start + found.chunk_start, own.start + found.chunk_end
    return other.item == own.item and other.start <= start and end <= other.end
