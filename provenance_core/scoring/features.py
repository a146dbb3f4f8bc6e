"""What speaks for and against a sentence in each chunk: the terms of the support map.

Every term is a number for a sentence and a chunk; the larger it is, the more the chunk supports
the sentence. None asks a model: all are read from what :class:`Evidence` keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from provenance_core.findings.copied import copied_shares, stands_verbatim
from provenance_core.findings.coverage import word_coverage
from provenance_core.findings.details import conflicts_in_same_words, detail_features
from provenance_core.findings.kinds import MismatchKind
from provenance_core.findings.mismatches import find_mismatches
from provenance_core.lexicon.numerals import normal_words
from provenance_core.lexicon.stems import word_stem
from provenance_core.lexicon.words import content_words, is_function_word, word_list
from provenance_core.scoring.mismatches import bare_statement
from provenance_core.scoring.support import claims_are_sentences, mapped_support
from provenance_core.text.claims import claim_texts
from provenance_core.types import (
    AnswerKind,
    Bools,
    Evidence,
    EvidenceSentence,
    Floats,
    SupportMap,
    SupportTerm,
)

# Models are surer of themselves than they should be: no logit beyond 9.2.
_CLIP = 1e-4
# A chunk whose closest sentence contradicts with at least even odds lifts nothing by its words.
_CONTRADICTED = 0.5
# A chunk that entails a sentence with at least even odds stands against what others say.
_ENTAILED = 0.5
# Runs of so many words count as copied, from this share of them on: with fewer, a sentence is in
# words of its own, and the words that it shares say nothing.
_RUN_WORDS = 3
_LEAST_COPIED = 0.5
_MOST_MISSING = 2
_MOST_CONFLICTING = 3
# Words of an answer that no context needs to have: yes and no, and its talk of the context.
_OF_ANSWERS = frozenset(
    map(
        word_stem,
        """yes yeah yep no nope according answer based context document given information mentioned
        passage provided question source stated text""".split(),  # noqa: SIM905
    )
)
# From so many words of context on, an answer without a query is a summary of it.
_SUMMARY_WORDS = 150
# A sentence that stands in a chunk word for word is supported by it, whatever a model says.
_VERBATIM_SUPPORT = 0.99
_EVEN = 0.5
# A chunk that has fewer of a sentence's content words is about something else: it contradicts
# nothing.
_LEAST_SHARED = 0.3


def hypotheses(evidence: Evidence) -> list[str]:
    """What stands for each sentence of the answer where a model reads it.

    For each of S sentences its claim where it has one of its own, else its text.
    """
    if claims_are_sentences(evidence):
        return [claim.text for claim in evidence.claims]
    return claim_texts(evidence.answer, evidence.sentences)


def answer_kind(evidence: Evidence) -> AnswerKind:
    """What the answer is to its context, which decides the map of its support.

    A reply where there is a query, else a summary of a context of more than 150 words, else a
    claim.
    """
    if evidence.query:
        return AnswerKind.REPLY
    words = sum(len(word_list(item.text)) for item in evidence.context)
    return AnswerKind.SUMMARY if words > _SUMMARY_WORDS else AnswerKind.CLAIM


def applied_map(evidence: Evidence, sentence: int, chunk: int) -> SupportMap | None:
    """Which map made the support of a sentence by a chunk.

    ``sentence``: Index in [0, S). ``chunk``: Index in [0, N). That of the model that read the pair
    last, for the kind of the answer; None where it has none.
    """
    support = evidence.nli_model.support
    if evidence.second is not None and evidence.second.cell(sentence, chunk) is not None:
        support = evidence.second.support
    return None if support is None else support.of_kind(answer_kind(evidence))


@dataclass(frozen=True, slots=True)
class MapInput:
    """All that a support map reads of an answer with S sentences and N chunks.

    ``terms``: (S, N) each; NaN may stand for a chunk that was not read. ``again``: the cells that a
    second model read, (S, N); None where there is none. ``verbatim``: whether each sentence stands
    in each chunk word for word, (S, N). ``opposite``: the most support of the opposite of a bare
    "yes" or "no" by any chunk, in [0, 1]; 0 of any other answer.
    """

    kind: AnswerKind
    terms: Mapping[SupportTerm, Floats]
    again: Bools | None
    verbatim: Bools
    opposite: float = 0.0

    def support(self, first: SupportMap, second: SupportMap | None) -> Floats:
        """Compute the support of each sentence by each chunk by the maps of both models.

        Cells that the second model read again are of its map. The others of such a sentence are at
        most the best of those: what one model only glanced at does not outweigh what two read.

        Shape (S, N), in [0, 1].
        """
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
    """Lower the support of a statement by that of its opposite.

    Of both at most one is true, so the log odds of the opposite are taken from those of the
    statement.

    ``support``: of the statement, in [0, 1], any shape. Shape of ``support``, in [0, 1].

    Examples
    --------
    >>> against_opposite(np.array([0.9]), 0.8).round(2).tolist()
    [0.69]
    """
    stays = support * (1.0 - opposite)
    return np.asarray(stays / (stays + (1.0 - support) * opposite), dtype=np.float64)


def map_input(evidence: Evidence) -> MapInput:
    """Collect what a support map reads.

    Terms, kind of answer and the cells that are read by other rules, shape (S, N) each.
    """
    return MapInput(
        answer_kind(evidence),
        terms(evidence),
        None if evidence.second is None else cells_read_again(evidence),
        _by_words(evidence).verbatim,
        opposite_support(evidence),
    )


def opposite_support(evidence: Evidence) -> float:
    """How well the opposite of a bare "yes" or "no" is supported.

    The most by any chunk, in [0, 1]; 0 where it was not measured.
    """
    if evidence.opposite is None:
        return 0.0
    return max(each for each in evidence.opposite.support if each is not None)


def measured_support(evidence: Evidence) -> tuple[tuple[float | None, ...], ...]:
    """Compute the support of each sentence by each chunk by the NLI model's support map.

    S x N, in [0, 1], as :meth:`MapInput.support` gives it, None of a chunk that was not read; empty
    where the model has no map.
    """
    support = evidence.nli_model.support
    if support is None:
        return ()
    second = None if evidence.second is None else evidence.second.support
    rows = map_input(evidence).support(support, second).tolist()
    read = evidence.read.tolist()
    return tuple(
        tuple(value if known else None for value, known in zip(row, read, strict=True))
        for row in rows
    )


def terms(evidence: Evidence) -> dict[SupportTerm, Floats]:
    """Compute every term of a support map that can be told of the evidence.

    Shape (S, N) each; those of the second model only where there is one. NaN may stand for a chunk
    that was not read.
    """
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
        chunk_entailment, chunk_against = entailment.copy(), against.copy()
        for cell in evidence.second.cells:
            chunk_entailment[cell.sentence, cell.chunk] = cell.scores.entailment
            chunk_against[cell.sentence, cell.chunk] = cell.scores.contradiction
        sentences = evidence.second.sentences
        of_second = contradiction_of_closest(
            evidence, sentences, np.where(cells_read_again(evidence), chunk_against, np.nan)
        )
        last = chunk_entailment
        unread = np.isnan(of_second)
        against = np.where(unread, chunk_against, of_second)
        found |= {
            SupportTerm.SECOND_ENTAILMENT: _logit(chunk_entailment),
            SupportTerm.SECOND_SENTENCE: _logit(
                _best_sentence(evidence, sentences, chunk_entailment)
            ),
            SupportTerm.SECOND_CONTRADICTION: -against,
            SupportTerm.SECOND_CONTRADICTION_ANYWHERE: -_against_anywhere(
                same, chunk_entailment, np.where(unread, 0.0, of_second)
            ),
        }
    by_words = _by_words(evidence)
    # Copying never lifts what the closest sentence contradicts, nor a sentence whose number, date,
    # unit or name differs from the context's or is nowhere in it.
    right = (by_words.missing == 0) & (by_words.conflicting == 0)
    lifted = (against < _CONTRADICTED) & right[:, None]
    found[SupportTerm.COPIED] = np.where(lifted, by_words.copied[:, None], 0.0)
    for name, counts in (
        (SupportTerm.MISSING_DETAILS, np.minimum(by_words.missing, _MOST_MISSING)),
        (SupportTerm.CONFLICTING_DETAILS, np.minimum(by_words.conflicting, _MOST_CONFLICTING)),
        (SupportTerm.MISSING_WORDS, by_words.missing_words),
    ):
        found[name] = np.broadcast_to(-counts[:, None], shape)
    # Other words for the same thing are missing too: they count as far as nothing entails them.
    found[SupportTerm.UNENTAILED_WORDS] = found[SupportTerm.MISSING_WORDS] * (1.0 - last)
    return found


def contradiction(evidence: Evidence) -> Floats:
    """How likely each chunk contradicts each sentence.

    The chunk's sentence that is closest to it tells where one was read, else the chunk; the second
    model where it read them.

    P(contradiction), shape (S, N). 0 where the sentence stands in the chunk word for word, and
    where the chunk shares so few of its content words that it is about something else. NaN of a
    chunk that was not read.
    """
    against = evidence.sentence_scores.contradiction
    if not evidence.support:
        return against
    found = contradiction_of_closest(evidence, evidence.evidence_sentences, against)
    if evidence.second is not None:
        for cell in evidence.second.cells:
            found[cell.sentence, cell.chunk] = cell.scores.contradiction
        found = contradiction_of_closest(evidence, evidence.second.sentences, found)
    # A bare "yes" or "no" has the words of what it states.
    stated = bare_statement(evidence)
    same = _about_the_same(evidence) if stated is None else _shares_words(evidence, [stated])
    found = np.where(_by_words(evidence).verbatim | ~same, 0.0, found)
    return np.where(evidence.read, found, np.nan)


def _against_anywhere(same: Bools, entailment: Floats, against: Floats) -> Floats:
    """What speaks against each sentence beside each chunk, in [0, 1], (S, N): where the chunk
    entails the sentence, ``against`` alone; elsewhere the most that any chunk has against it which
    is about the ``same``.

    A passage that says nothing of a sentence does not clear it of what another says against it.
    """
    most = np.where(same & ~np.isnan(against), against, 0.0).max(axis=1, keepdims=True)
    return np.where(entailment < _ENTAILED, np.maximum(against, most), against)


def _about_the_same(evidence: Evidence) -> Bools:
    """Whether each chunk shares enough words with each sentence to contradict it, (S, N)."""
    return _shares_words(evidence, [sentence.text for sentence in evidence.sentences])


def _shares_words(evidence: Evidence, texts: Sequence[str]) -> Bools:
    shared = word_coverage(
        texts,
        [chunk.text for chunk in evidence.chunks],
    )
    return shared >= _LEAST_SHARED


def contradiction_of_closest(
    evidence: Evidence, read: Iterable[EvidenceSentence], otherwise: Floats
) -> Floats:
    """Take P(contradiction) by the sentence of each chunk that is closest to the answer's.

    Closest is the one that shares most words with what stands for the sentence of the answer
    (:func:`hypotheses`).

    ``otherwise``: P(contradiction) where none was read, shape (S, N). Shape (S, N), in [0, 1]; a
    new array.
    """
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
        item = evidence.chunks[sentence.chunk].item
        yield (
            [
                (sentence.sentence, chunk.index)
                for chunk in evidence.chunks
                if chunk.item == item
                and chunk.start <= sentence.start
                and sentence.end <= chunk.end
            ],
            sentence,
        )


def context_text(evidence: Evidence, sentence: EvidenceSentence) -> str:
    """Take a sentence of the context as it stands there.

    ``sentence``: Its chunk and its characters within the context item. The text.
    """
    text = evidence.context[evidence.chunks[sentence.chunk].item].text
    return text[sentence.start : sentence.end]


def cells_read_again(evidence: Evidence) -> Bools:
    """Which pairs the second model read.

    Shape (S, N); all False where there is no second model.
    """
    again = np.zeros((len(evidence.sentences), len(evidence.chunks)), dtype=np.bool_)
    for cell in evidence.second.cells if evidence.second else ():
        again[cell.sentence, cell.chunk] = True
    return again


def verbatim_sentences(evidence: Evidence) -> list[bool]:
    """Which sentences of the answer stand in a chunk word for word.

    One for each of S sentences.
    """
    return [any(row) for row in _by_words(evidence).verbatim.tolist()]


@dataclass(frozen=True, slots=True)
class _ByWords:
    """What the words of an answer with S sentences say, without a model.

    ``verbatim``: whether each sentence stands in each chunk word for word, (S, N). ``copied``: how
    much of each sentence is copied, in [0, 1], (S,). ``missing``, ``conflicting``: its numbers,
    dates and names that are nowhere in the context, or other there, (S,); ``conflicting`` counts
    mismatches as well (:func:`find_mismatches`), a denial twice, and a value in the same words as
    another's two more.
    ``missing_words``: share of its content words that neither context nor query has, in [0, 1],
    (S,).
    """

    verbatim: Bools
    copied: Floats
    missing: Floats
    conflicting: Floats
    missing_words: Floats


def _by_words(evidence: Evidence) -> _ByWords:
    return _read_words(
        tuple(claim_texts(evidence.answer, evidence.sentences)),
        bare_statement(evidence),
        tuple(chunk.text for chunk in evidence.chunks),
        tuple(item.text for item in evidence.context),
        evidence.query,
    )


# Both readings of a cascade need it, the trace of the sentences, and the page that explains them.
@lru_cache(maxsize=4)
def _read_words(
    texts: tuple[str, ...],
    stated: str | None,
    chunks: tuple[str, ...],
    context: tuple[str, ...],
    query: str,
) -> _ByWords:
    # What the query names is not missing from an answer to it, unless the answer is "yes" to it.
    compared = texts if stated is None else (stated,)
    known = [*context, query] if stated is None else context
    details = [detail_features(text, known) for text in compared]
    return _ByWords(
        verbatim=np.array([[stands_verbatim(text, chunk) for chunk in chunks] for text in texts]),
        copied=_copied(texts, context),
        missing=np.array(
            [float(d.numbers_missing + d.dates_missing + d.names_missing) for d in details]
        ),
        conflicting=np.array(
            [
                float(
                    d.conflicting
                    + (2 * len(conflicts_in_same_words(text, known)) if d.conflicting else 0)
                    + _mismatches(text, context)
                )
                for d, text in zip(details, compared, strict=True)
            ]
        ),
        missing_words=_missing_words(texts, [query, *context]),
    )


def _mismatches(text: str, context: Sequence[str]) -> int:
    found = find_mismatches(text, context)
    # A denial has no second reading.
    return sum(2 if each.kind is MismatchKind.DENIAL else 1 for each in found)


def _copied(texts: Sequence[str], context: Sequence[str]) -> Floats:
    """How much of each text is copied from the context, in [0, 1]: 0 where at most half of its
    runs of three words stand there, 1 where all do. Shape (S,)."""
    shares = np.array([copied_shares(text, context)[_RUN_WORDS - 1] for text in texts])
    return np.clip((shares - _LEAST_COPIED) / (1 - _LEAST_COPIED), 0.0, 1.0)


def _missing_words(texts: Sequence[str], known_texts: Sequence[str]) -> Floats:
    """Share of each text's content words that none of ``known_texts`` has in any form, in [0, 1];
    a number in any writing. Shape (S,)."""
    known = {word_stem(word) for text in known_texts for word in normal_words(text)}
    found = []
    for text in texts:
        wanted = {word_stem(word) for word in normal_words(text) if not is_function_word(word)}
        wanted -= _OF_ANSWERS
        absent = len(wanted - known)
        found.append(absent / max(1, len(wanted)))
    return np.array(found)


def _logit(values: Floats) -> Floats:
    clipped = np.clip(values, _CLIP, 1 - _CLIP)
    return np.asarray(np.log(clipped) - np.log1p(-clipped), dtype=np.float64)
