"""Which findings may be shown as a reason: those that hold word for word."""

from __future__ import annotations

from provenance_core.lexicon.words import word_list
from provenance_core.scoring.support import last_entailment
from provenance_core.types import UNSTATED, Evidence, Finding, Floats

# From this version of the rules on, a finding labels and explains only where it holds.
HOLDING = 2
_ENTAILED = 0.5
_EVEN = 0.5
_VALUES = ("number", "date")
# How answers name the context and its parts: "Passage 3" is missing from no context.
_OF_CONTEXT = frozenset(
    """answer article chapter chunk context doc document excerpt fig figure information item page
    paragraph passage ref reference section sentence source table text""".split()  # noqa: SIM905
)


def holding(evidence: Evidence) -> tuple[Finding, ...]:
    """The findings that hold word for word, in their order; of older audits all.

    A name does not hold that a chunk has in any case, or that names a part of the context; nor does
    a denial or an opposite whose words a chunk has, or of a sentence that another passage entails,
    nor another name in place of one that such a passage entails. A number or date that no chunk has
    holds whatever the models say.
    """
    if evidence.labelled_by < HOLDING:
        return evidence.findings
    entailed = last_entailment(evidence)
    return tuple(each for each in evidence.findings if _holds(evidence, each, entailed))


def lacks_value(evidence: Evidence, sentence: int) -> bool:
    """Whether a number or date of a sentence stands nowhere in the context, and in no query.

    Not of a sentence that a language model found supported: it may be counted or converted.
    """
    answer = None if evidence.third is None else evidence.third.of_sentence(sentence)
    if answer is not None and answer.probability >= _EVEN:
        return False
    return evidence.labelled_by >= HOLDING and any(
        each.sentence == sentence
        and each.kind in UNSTATED
        and each.detail in _VALUES
        and not (each.held or each.asked)
        for each in evidence.findings
    )


def _holds(evidence: Evidence, found: Finding, entailed: Floats) -> bool:
    if found.kind in UNSTATED and found.detail in _VALUES and not found.held:
        return True
    if found.kind in UNSTATED and found.detail not in _VALUES:
        of_context = all(word in _OF_CONTEXT or word.isdigit() for word in word_list(found.words))
        if found.held or of_context:
            return False
    elif found.kind not in UNSTATED and found.held:
        return False
    if found.chunk is None:
        return found.kind in UNSTATED
    elsewhere = [
        chunk.index for chunk in evidence.chunks if not _has_place(evidence, found, chunk.index)
    ]
    return not (entailed[found.sentence, elsewhere] >= _ENTAILED).any()


def _has_place(evidence: Evidence, found: Finding, chunk: int) -> bool:
    """Whether a chunk has the place of what was found too: chunks overlap."""
    assert found.chunk is not None
    own, other = evidence.chunks[found.chunk], evidence.chunks[chunk]
    start, end = own.start + found.chunk_start, own.start + found.chunk_end
    return other.item == own.item and other.start <= start and end <= other.end
