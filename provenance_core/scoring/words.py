"""What of an answer stands in its context by its words alone, without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from provenance_core.findings.answers import find_in_answer
from provenance_core.findings.copied import copied_shares_of, most_pairs, verbatim_places
from provenance_core.lexicon.numerals import normal_words
from provenance_core.lexicon.stems import word_stem
from provenance_core.lexicon.words import is_function_word
from provenance_core.scoring.label_rules import HOLDING
from provenance_core.text.claims import claim_texts
from provenance_core.text.nearest import nearest, shared_words
from provenance_core.types import Bools, Evidence, Floats, WordShares

# Runs of so many words count as copied, from this share of them on: with fewer, a sentence is in
# words of its own, and the words that it shares say nothing.
_RUN_WORDS = 3
_LEAST_COPIED = 0.5
# Chunks nearest to a sentence that count as its sources beside those that the query selects.
JOINING = 3
# Words of an answer that no context needs to have: yes and no, and its talk of the context.
_OF_ANSWERS = frozenset(
    map(
        word_stem,
        """yes yeah yep no nope according answer based context document given information mentioned
        passage provided question source stated text""".split(),  # noqa: SIM905
    )
)


def with_words(evidence: Evidence) -> Evidence:
    """``evidence`` with its findings and word shares; as it is where they were kept."""
    if evidence.words is not None:
        return evidence
    return replace(evidence, findings=find_in_answer(evidence), words=word_shares(evidence))


def word_shares(evidence: Evidence) -> WordShares:
    """What of each sentence stands in the context by its words."""
    texts = claim_texts(evidence.answer, evidence.sentences)
    context = [item.text for item in evidence.context]
    chunks = [chunk.text for chunk in evidence.chunks]
    near: tuple[tuple[int, ...], ...] = ()
    if evidence.labelled_by >= HOLDING:  # an older audit keeps the sources that it had
        shared = shared_words(texts, chunks)
        shared = np.where(evidence.read, shared, 0.0)
        near = tuple(tuple(nearest(row, JOINING)) for row in shared)
    shares = copied_shares_of(texts, context)
    return WordShares(
        verbatim=tuple(verbatim_places(texts, chunks)),
        copied=tuple(map(_copied, shares)),
        missing=_missing(texts, [evidence.query, *context]),
        nearest=near,
        pairs=tuple(of_pairs for _, of_pairs, *_ in shares),
        paired=most_pairs(texts, chunks),
    )


def words_of(evidence: Evidence) -> WordShares:
    """The word shares that were kept; of evidence without them, as they are now."""
    return evidence.words or word_shares(evidence)


def copied_pairs(evidence: Evidence) -> tuple[Floats, Bools]:
    """Share of each sentence's pairs of neighbouring words that stand in the context, (S,), and
    which chunks hold most of them or half as many, (S, N); counted now where an audit did not keep
    it."""
    words = words_of(evidence)
    if not words.paired:
        words = word_shares(evidence)
    holders = np.zeros((len(evidence.sentences), len(evidence.chunks)), dtype=np.bool_)
    for row, chunks in enumerate(words.paired):
        holders[row, list(chunks)] = True
    return np.array(words.pairs), holders


def stands_in(evidence: Evidence) -> Bools:
    """Whether each sentence stands in each chunk word for word, (S, N)."""
    found = np.zeros((len(evidence.sentences), len(evidence.chunks)), dtype=np.bool_)
    for cell in words_of(evidence).verbatim:
        found[cell] = True
    return found


def joining(evidence: Evidence) -> Bools:
    """Which chunks count as sources of each sentence whatever the query selects, (S, N). Those
    nearest to the sentence by their words, and those in which it stands word for word; none of an
    audit that did not keep them."""
    words = words_of(evidence)
    if not words.nearest:
        return np.zeros((len(evidence.sentences), len(evidence.chunks)), dtype=np.bool_)
    found = stands_in(evidence)
    for row, near in enumerate(words.nearest):
        found[row, list(near)] = True
    return found & evidence.read


def joining_claims(evidence: Evidence) -> Bools:
    """Which chunks count as sources of each claim whatever the query selects, (M, N): those of the
    sentences that it holds."""
    of_sentences = joining(evidence)
    found = np.zeros((len(evidence.claims), len(evidence.chunks)), dtype=np.bool_)
    for claim in evidence.claims:
        held = [s.index for s in evidence.sentences if s.start < claim.end and claim.start < s.end]
        found[claim.index] = of_sentences[held].any(axis=0)
    return found & evidence.claim_scores.read


def _copied(shares: Sequence[float]) -> float:
    """How much of a text is copied, in [0, 1]: 0 where at most half of its runs of three words
    stand in the context, 1 where all do."""
    share = shares[_RUN_WORDS - 1]
    return float(np.clip((share - _LEAST_COPIED) / (1 - _LEAST_COPIED), 0.0, 1.0))


def _missing(texts: Sequence[str], known_texts: Sequence[str]) -> tuple[float, ...]:
    """Share of each text's content words that none of ``known_texts`` has in any form, in [0, 1];
    a number in any writing."""
    known = {word_stem(word) for text in known_texts for word in normal_words(text)}
    found = []
    for text in texts:
        wanted = {word_stem(word) for word in normal_words(text) if not is_function_word(word)}
        wanted -= _OF_ANSWERS
        found.append(len(wanted - known) / max(1, len(wanted)))
    return tuple(found)
