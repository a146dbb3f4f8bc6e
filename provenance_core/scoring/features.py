"""What speaks for and against a sentence in each chunk: the terms of the support map.

Every term is a number for a sentence and a chunk; the larger it is, the more the chunk supports
the sentence. None asks a model: all are read from what :class:`Evidence` keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from provenance_core.findings.answers import bare_statement
from provenance_core.findings.coverage import word_coverage
from provenance_core.lexicon.words import content_words, word_list
from provenance_core.scoring.support import claims_are_sentences, mapped_support
from provenance_core.scoring.words import copied_pairs, stands_in, with_words, words_of
from provenance_core.text.claims import claim_texts
from provenance_core.types import (
    NO_SUPPORT,
    UNSTATED,
    AnswerKind,
    Bools,
    Chunk,
    Evidence,
    EvidenceSentence,
    Floats,
    PairScores,
    Scores,
    SecondReading,
    SupportMap,
    SupportTerm,
)

# Models are surer of themselves than they should be: no logit beyond 9.2.
_CLIP = 1e-4
# A chunk whose closest sentence contradicts with at least even odds lifts nothing by its words.
_CONTRADICTED = 0.5
# A chunk that entails a sentence with at least even odds stands against what others say.
_ENTAILED = 0.5
# A sentence that one chunk entails so much needs no other beside it.
ENTAILED_ALONE = 0.8
_MOST_MISSING = 2
_MOST_CONFLICTING = 3
# From so many words of context on, an answer without a query is a summary of it.
_SUMMARY_WORDS = 150
# A sentence that stands in a chunk word for word is supported by it, whatever a model says.
_VERBATIM_SUPPORT = 0.99
_EVEN = 0.5
# Where words may not lift a sentence, from so many of its word pairs on it is not lowered either.
NOT_LIFTED_PAIRS = 0.2
# A chunk that has fewer of a sentence's content words is about something else: it contradicts
# nothing.
_LEAST_SHARED = 0.3


def hypotheses(evidence: Evidence) -> list[str]:
    """What stands for each sentence of the answer where a model reads it. For each of S sentences
    its claim where it has one of its own, else its text."""
    if claims_are_sentences(evidence):
        return [claim.text for claim in evidence.claims]
    return claim_texts(evidence.answer, evidence.sentences)


def answer_kind(evidence: Evidence) -> AnswerKind:
    """What the answer is to its context, which decides the map of its support. A reply where there
    is a query, else a summary of a context of more than 150 words, else a claim."""
    if evidence.query:
        return AnswerKind.REPLY
    words = sum(len(word_list(item.text)) for item in evidence.context)
    return AnswerKind.SUMMARY if words > _SUMMARY_WORDS else AnswerKind.CLAIM


def applied_map(evidence: Evidence, sentence: int, chunk: int) -> SupportMap | None:
    """Which map made the support of a sentence by a chunk. ``sentence``: Index in [0, S).
    ``chunk``: Index in [0, N). That of the model that read the pair last, for the kind of the
    answer; None where it has none."""
    support = evidence.nli_model.support
    if evidence.second is not None and evidence.second.scores.read[sentence, chunk]:
        support = evidence.second.support
    return None if support is None else support.of_kind(answer_kind(evidence))


@dataclass(frozen=True, slots=True)
class MapInput:
    """All that a support map reads of an answer with S sentences and N chunks. ``terms``: (S, N)
    each; NaN may stand for a chunk that was not read. ``again``: the cells that a second model
    read, (S, N); None where there is none. ``verbatim``: whether each sentence stands in each chunk
    word for word, (S, N). ``opposite``: the most support of the opposite of a bare "yes" or "no" by
    any chunk, in [0, 1]; 0 of any other answer."""

    kind: AnswerKind
    terms: Mapping[SupportTerm, Floats]
    again: Bools | None
    verbatim: Bools
    opposite: float = 0.0

    def support(self, first: SupportMap, second: SupportMap | None) -> Floats:
        """Compute the support of each sentence by each chunk by the maps of both models. Cells that
        the second model read again are of its map. The others of such a sentence are at most the
        best of those: what one model only glanced at does not outweigh what two read. Shape (S, N),
        in [0, 1]."""
        values = mapped_support(self.terms, first.of_kind(self.kind))
        if self.again is not None and second is not None:
            again = mapped_support(self.terms, second.of_kind(self.kind))
            told = self.again & ~np.isnan(again)
            best = np.where(told, again, -np.inf).max(axis=1, keepdims=True)
            rest = np.where(best >= 0, np.minimum(values, best), values)
            values = np.where(self.again, again, rest)
        values = np.where(self.verbatim, np.maximum(values, _VERBATIM_SUPPORT), values)
        return values if self.opposite <= _EVEN else against_opposite(values, self.opposite)


def against_opposite(support: Floats, opposite: float) -> Floats:
    """Lower the support of a statement by that of its opposite. Of both at most one is true, so the
    log odds of the opposite are taken from those of the statement. ``support``: of the statement,
    in [0, 1], any shape. Shape of ``support``, in [0, 1].

    >>> against_opposite(np.array([0.9]), 0.8).round(2).tolist()
    [0.69]
    """
    stays = support * (1.0 - opposite)
    return np.asarray(stays / (stays + (1.0 - support) * opposite), dtype=np.float64)


def map_input(evidence: Evidence) -> MapInput:
    """Collect what a support map reads. Terms, kind of answer and the cells that are read by other
    rules, shape (S, N) each."""
    return MapInput(
        answer_kind(evidence),
        terms(evidence),
        None if evidence.second is None else evidence.second.scores.read,
        stands_in(evidence),
        opposite_support(evidence),
    )


def opposite_support(evidence: Evidence) -> float:
    """How well the opposite of a bare "yes" or "no" is supported. The most by any chunk, in [0, 1];
    0 where it was not measured."""
    if evidence.opposite is None:
        return 0.0
    return float(np.nanmax(evidence.opposite.support.values))


def measured_support(evidence: Evidence) -> Scores:
    """Compute the support of each sentence by each chunk by the NLI model's support map. S x N, in
    [0, 1], as :meth:`MapInput.support` gives it, NaN of a chunk that was not read; empty where the
    model has no map."""
    support = evidence.nli_model.support
    if support is None:
        return NO_SUPPORT
    second = None if evidence.second is None else evidence.second.support
    found = map_input(evidence).support(support, second)
    return Scores(np.where(evidence.read, found, np.nan))


def terms(evidence: Evidence) -> dict[SupportTerm, Floats]:
    """Compute every term of a support map that can be told of the evidence. Shape (S, N) each;
    those of the second model only where there is one. NaN may stand for a chunk that was not
    read."""
    evidence = with_words(evidence)
    shape = (len(evidence.sentences), len(evidence.chunks))
    entailment = evidence.sentence_scores.entailment
    best = _best_sentence(evidence, evidence.evidence_sentences, entailment)
    against = contradiction_of_closest(
        evidence, evidence.evidence_sentences, evidence.sentence_scores.contradiction
    )
    same = _about_the_same(evidence)
    found = {
        SupportTerm.ENTAILMENT: _logit(entailment),
        SupportTerm.SENTENCE: _logit(best),
        SupportTerm.CONTRADICTION: -against,
        SupportTerm.CONTRADICTION_ANYWHERE: -_against_anywhere(same, entailment, against),
    }
    last = entailment
    if evidence.second is not None:
        again = with_windows(evidence.second)
        chunk_entailment = np.where(again.read, again.entailment, entailment)
        chunk_against = np.where(again.read, again.contradiction, against)
        sentences = evidence.second.sentences
        of_second = contradiction_of_closest(evidence, sentences, again.contradiction)
        last = chunk_entailment
        unread = np.isnan(of_second)
        against = np.where(unread, chunk_against, of_second)
        found |= {
            SupportTerm.SECOND_ENTAILMENT: _logit(chunk_entailment),
            SupportTerm.SECOND_SENTENCE: _logit(
                _best_sentence(evidence, sentences, chunk_entailment)
            ),
            SupportTerm.SECOND_WINDOW: _logit(_entailed_by_window(evidence, chunk_entailment)),
            SupportTerm.SECOND_WHOLE: _logit(_entailed_whole(evidence, chunk_entailment)),
            SupportTerm.SECOND_CONTRADICTION: -against,
            SupportTerm.SECOND_CONTRADICTION_ANYWHERE: -_against_anywhere(
                same, chunk_entailment, np.where(unread, 0.0, of_second)
            ),
        }
    unstated, conflicting = _unstated(evidence), _conflicting(evidence)
    words = words_of(evidence)
    # Copying never lifts what the closest sentence contradicts, nor a sentence whose number, date,
    # unit or name differs from the context's or is nowhere in it.
    right = (unstated == 0) & (conflicting == 0)
    lifted = (against < _CONTRADICTED) & right[:, None]
    found[SupportTerm.COPIED] = np.where(lifted, np.array(words.copied)[:, None], 0.0)
    # Nor do they lift what another chunk than that of the words says.
    pairs, holders = copied_pairs(evidence)
    found[SupportTerm.COPIED_PAIRS] = np.where(
        lifted & holders, pairs[:, None], np.minimum(pairs, NOT_LIFTED_PAIRS)[:, None]
    )
    for name, counts in (
        (SupportTerm.MISSING_DETAILS, np.minimum(unstated, _MOST_MISSING)),
        (SupportTerm.CONFLICTING_DETAILS, np.minimum(conflicting, _MOST_CONFLICTING)),
        (SupportTerm.MISSING_WORDS, np.array(words.missing)),
    ):
        found[name] = np.broadcast_to(-counts[:, None], shape)
    # Other words for the same thing are missing too: they count as far as nothing entails them.
    found[SupportTerm.UNENTAILED_WORDS] = found[SupportTerm.MISSING_WORDS] * (1.0 - last)
    return found


def torn(scores: PairScores) -> Bools:
    """Over which sentences chunks differ: one entails it and another contradicts it, each with at
    least even odds. A passage that says nothing of a thing seems to entail that there is none.
    Shape (S,)."""
    entailed, _, against = np.nan_to_num(scores.values).max(axis=1).T
    return np.asarray((entailed >= _ENTAILED) & (against >= _CONTRADICTED))


def with_windows(second: SecondReading) -> PairScores:
    """What the second model said of each cell that it read, (S, N): by the window that most entails
    the sentence, where that entails it more than the chunk alone. A window is one more premise:
    what chunks state together, each of them supports. Where two chunks differ (:func:`torn`), the
    window that holds both stands for the one that entails the sentence."""
    if second.together is None:
        return second.scores
    by_window = second.together.scores
    entailment = np.where(by_window.read, by_window.entailment, -1.0)
    if not entailment.size:
        return second.scores
    best = entailment.argmax(axis=1)
    rows = np.arange(len(best))
    most = entailment[rows, best][:, None]
    own = np.nan_to_num(second.scores.entailment)
    differ = torn(second.scores)[:, None]
    settled = differ & (most >= 0) & (own >= _ENTAILED)
    taken = second.scores.read & (settled | (~differ & (most > own)))
    values = np.where(taken[..., None], by_window.values[rows, best][:, None], second.scores.values)
    return PairScores(values)


def _entailed_by_window(evidence: Evidence, otherwise: Floats) -> Floats:
    """P(entailment) of each sentence by its window, whatever a chunk alone says of it; where none
    was read, ``otherwise``, (S, N). Shape (S, N)."""
    together = None if evidence.second is None else evidence.second.together
    if together is None or not together.scores.values.size:
        return otherwise
    best = np.where(together.scores.read, together.scores.entailment, -1.0).max(axis=1)
    return np.where(best[:, None] < 0, otherwise, best[:, None])


def _entailed_whole(evidence: Evidence, otherwise: Floats) -> Floats:
    """P(entailment) of the answer as one text, (S, N); ``otherwise``, (S, N), where it was not read
    as one. It speaks against the sentence alone that its window, or its chunks, entail least: the
    others keep what theirs say, where that is more."""
    second = evidence.second
    if second is None or second.whole is None:
        return otherwise
    own = _entailed_by_window(evidence, otherwise)
    own = np.where(second.scores.read, own, -1.0).max(axis=1)
    # What stands in the context word for word was not read, and what is set aside does not count.
    counts = np.array(second.scores.read.any(axis=1), dtype=np.bool_)
    counts[[each.sentence for each in evidence.set_aside]] = False
    whole = np.maximum(own, second.whole.scores.entailment)
    if counts.any():
        whole[np.where(counts, own, np.inf).argmin()] = second.whole.scores.entailment
    return np.broadcast_to(whole[:, None], otherwise.shape)


def contradiction(evidence: Evidence) -> Floats:
    """How likely each chunk contradicts each sentence. The chunk's sentence that is closest to it
    tells where one was read, else the chunk; the second model where it read them. P(contradiction),
    shape (S, N). 0 where the sentence stands in the chunk word for word, and where the chunk shares
    so few of its content words that it is about something else. NaN of a chunk that was not
    read."""
    against = evidence.sentence_scores.contradiction
    if not evidence.support:
        return against
    found = contradiction_of_closest(evidence, evidence.evidence_sentences, against)
    if evidence.second is not None:
        again = evidence.second.scores
        found = np.where(again.read, again.contradiction, found)
        found = contradiction_of_closest(evidence, evidence.second.sentences, found)
    # A bare "yes" or "no" has the words of what it states.
    stated = bare_statement(evidence)
    same = _about_the_same(evidence) if stated is None else about_the_same(evidence, [stated])
    found = np.where(stands_in(evidence) | ~same, 0.0, found)
    return np.where(evidence.read, found, np.nan)


def _against_anywhere(same: Bools, entailment: Floats, against: Floats) -> Floats:
    """What speaks against each sentence beside each chunk, in [0, 1], (S, N): where the chunk
    entails the sentence, ``against`` alone; elsewhere the most that any chunk has against it which
    is about the ``same``. A passage that says nothing of a sentence does not clear it of what
    another says against it."""
    most = np.where(same & ~np.isnan(against), against, 0.0).max(axis=1, keepdims=True)
    return np.where(entailment < _ENTAILED, np.maximum(against, most), against)


def _about_the_same(evidence: Evidence) -> Bools:
    """Whether each chunk shares enough words with each sentence to contradict it, (S, N)."""
    return about_the_same(evidence, [sentence.text for sentence in evidence.sentences])


def about_the_same(evidence: Evidence, texts: Sequence[str]) -> Bools:
    """Whether each chunk shares enough words with each text to contradict it, (len(texts), N)."""
    shared = word_coverage(
        texts,
        [chunk.text for chunk in evidence.chunks],
    )
    return shared >= _LEAST_SHARED


def contradiction_of_closest(
    evidence: Evidence, read: Iterable[EvidenceSentence], otherwise: Floats
) -> Floats:
    """Take P(contradiction) by the sentence of each chunk that is closest to the answer's. Closest
    is the one that shares most words with what stands for the sentence of the answer
    (:func:`hypotheses`). ``otherwise``: P(contradiction) where none was read, shape (S, N). Shape
    (S, N), in [0, 1]; a new array."""
    result = otherwise.copy()
    closest = np.full(result.shape, -1.0)
    wanted = [content_words(text) for text in hypotheses(evidence)]
    for cells, sentence in _cells(evidence, read):
        words = content_words(context_text(evidence, sentence))
        near = len(wanted[sentence.sentence] & words) / max(1, len(wanted[sentence.sentence]))
        for cell in cells:
            if near > closest[cell]:
                closest[cell] = near
                result[cell] = sentence.scores.contradiction
    return result


def _best_sentence(
    evidence: Evidence, read: Iterable[EvidenceSentence], otherwise: Floats
) -> Floats:
    """P(entailment) by the best sentence of each chunk that was read, else ``otherwise``."""
    best = np.full(otherwise.shape, -1.0)
    for cells, sentence in _cells(evidence, read):
        for cell in cells:
            best[cell] = max(best[cell], sentence.scores.entailment)
    return np.where(best < 0, otherwise, best)


def _cells(
    evidence: Evidence, read: Iterable[EvidenceSentence]
) -> Iterable[tuple[list[tuple[int, int]], EvidenceSentence]]:
    """Each sentence with the cells (sentence of the answer, chunk) that hold it: chunks overlap."""
    for sentence in read:
        first = last = sentence.chunk
        while first > 0 and _holds(evidence.chunks[first - 1], evidence, sentence):
            first -= 1
        while last + 1 < len(evidence.chunks) and _holds(
            evidence.chunks[last + 1], evidence, sentence
        ):
            last += 1
        cells = [(sentence.sentence, chunk) for chunk in range(first, last + 1)]
        yield cells, sentence


def _holds(chunk: Chunk, evidence: Evidence, sentence: EvidenceSentence) -> bool:
    """Whether a chunk next to that of a sentence of the context holds it too."""
    same_item = chunk.item == evidence.chunks[sentence.chunk].item
    return same_item and chunk.start <= sentence.start and sentence.end <= chunk.end


def context_text(evidence: Evidence, sentence: EvidenceSentence) -> str:
    """Take a sentence of the context as it stands there. ``sentence``: Its chunk and its characters
    within the context item."""
    text = evidence.context[evidence.chunks[sentence.chunk].item].text
    return text[sentence.start : sentence.end]


def verbatim_sentences(evidence: Evidence) -> list[bool]:
    """Which sentences of the answer stand in a chunk word for word. One for each of S sentences."""
    return [any(row) for row in stands_in(evidence).tolist()]


def _unstated(evidence: Evidence) -> Floats:
    """How many numbers, dates and names of each sentence the context does not state, (S,)."""
    found = np.zeros(len(evidence.sentences))
    for each in evidence.findings:
        found[each.sentence] += each.kind in UNSTATED and not each.asked
    return found


def _conflicting(evidence: Evidence) -> Floats:
    """How much the words of each sentence are in conflict with the context's, 0 or more, (S,)."""
    found = np.zeros(len(evidence.sentences))
    for each in evidence.findings:
        found[each.sentence] += each.weight
    return found


def _logit(values: Floats) -> Floats:
    clipped = np.clip(values, _CLIP, 1 - _CLIP)
    return np.asarray(np.log(clipped) - np.log1p(-clipped), dtype=np.float64)
