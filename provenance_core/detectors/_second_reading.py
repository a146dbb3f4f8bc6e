"""The second reading of a cascade: a larger model reads again what can change a verdict.

The small model reads every pair. For each sentence of the answer the large model reads the chunk
that most supports it, the chunk of the sentence that is closest to it by its words, a few single
sentences, and windows of the whole context, which hold what no chunk holds together. It also reads
the answer as one text.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import replace

import numpy as np

from provenance_core.detectors._interface import Models
from provenance_core.findings.answers import bare_statement
from provenance_core.lexicon.words import content_words, word_list
from provenance_core.models.nli_classes import nli_probabilities
from provenance_core.models.protocol import PairScorer
from provenance_core.scoring.features import (
    ENTAILED_ALONE,
    answer_kind,
    context_text,
    hypotheses,
    measured_support,
    torn,
    verbatim_sentences,
)
from provenance_core.scoring.support import sentence_support
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.windows import Window, windows
from provenance_core.text.yes_no import opposite_answer, statement_of
from provenance_core.types import (
    Entailment,
    Evidence,
    EvidenceSentence,
    OppositeReading,
    PairScores,
    Scores,
    SecondReading,
    Sentence,
    SupportMap,
    SupportTerm,
    WholeReading,
    WindowReading,
)

# Single sentences that are read again for each sentence of the answer: those closest by words, and
# the one that most entails it.
CLOSEST_AGAIN = 2
# What one chunk contradicts so much, others do not make true together: a window with more words of
# a table finds the value of another row.
CONTRADICTED_ALONE = 0.5


def with_support(evidence: Evidence, models: Models, progress: Callable[[float], None]) -> Evidence:
    """Add the support of each sentence by each chunk, where the NLI model has a support map. The
    profile's second model reads again first, where there is one. A bare "yes" or "no" is held
    against the other word, which both models read as well. The evidence with support, shape
    (sentences, chunks) in [0, 1]; without a map, as it was."""
    if evidence.nli_model.support is None:
        return evidence
    read = _with_support(evidence, models, progress)
    opposite = opposite_evidence(evidence, models)
    if opposite is None:
        return read
    (by_chunk,) = _with_support(opposite, models, lambda _: None).support.values
    read = replace(read, opposite=OppositeReading(opposite.claims[0].text, Scores(by_chunk)))
    return replace(read, support=measured_support(read))


def _with_support(
    evidence: Evidence, models: Models, progress: Callable[[float], None]
) -> Evidence:
    first = replace(evidence, support=measured_support(evidence))
    if models.second is None or models.second_support is None:
        return first
    second = read_again(first, models.second, models.second_support, progress)
    again = replace(first, second=second)
    return replace(again, support=measured_support(again))


def read_again(
    evidence: Evidence, model: PairScorer, support: SupportMap, progress: Callable[[float], None]
) -> SecondReading:
    """Read the pairs again that can change a verdict. A sentence that stands in the context word
    for word is not read again: nothing can change its support. A chunk that the first model did not
    read is read here all the same where a sentence of it is the closest by its words: what it says
    counts for the other chunks as well. Windows are read for the sentences that no chunk entails
    alone (:data:`ENTAILED_ALONE`) or contradicts, or over which two chunks differ, and that are not
    set aside. What the second
    model said."""
    texts = hypotheses(evidence)
    first = sentence_support(evidence)
    copied = verbatim_sentences(evidence)
    cells: list[tuple[int, int]] = []
    sentences: list[EvidenceSentence] = []
    for index in range(len(evidence.sentences)):
        if copied[index]:
            continue
        near = _closest(evidence, index, texts[index])
        entailing = max(near, key=lambda e: e.scores.entailment, default=None)
        chosen = dict.fromkeys([*near[:CLOSEST_AGAIN], *([entailing] if entailing else [])])
        sentences += chosen
        chunks = dict.fromkeys([int(np.nanargmax(first[index])), *(e.chunk for e in near[:1])])
        cells += [(index, chunk) for chunk in chunks]
    pairs = [(evidence.chunks[chunk].text, texts[row]) for row, chunk in cells]
    pairs += [(context_text(evidence, each), texts[each.sentence]) for each in sentences]
    found = np.zeros((0, 3))
    if pairs:
        said = model.predict(pairs, lambda done: progress(done / 2))
        found = nli_probabilities(said, model.labels)
    values = np.full((len(evidence.sentences), len(evidence.chunks), 3), np.nan)
    for (row, chunk), said in zip(cells, found[: len(cells)], strict=True):
        values[row, chunk] = said
    scores = PairScores(values)
    aside = {each.sentence for each in evidence.set_aside}
    # A window takes as long as all chunks of a sentence: none is read that no map weighs.
    weights = support.of_kind(answer_kind(evidence)).weights
    weighed = any(each.term is SupportTerm.SECOND_WHOLE for each in weights)
    entailed, _, against = np.nan_to_num(values).max(axis=1).T
    apart = (entailed < ENTAILED_ALONE) & (against < CONTRADICTED_ALONE)
    apart |= torn(scores)
    rows = [row for row in range(len(texts)) if apart[row] and not copied[row] and row not in aside]
    return SecondReading(
        model=model.info,
        support=support,
        scores=scores,
        sentences=tuple(
            replace(each, scores=Entailment(*said))
            for each, said in zip(sentences, found[len(cells) :].tolist(), strict=True)
        ),
        together=read_windows(evidence, texts, rows, model, lambda done: progress((1 + done) / 2)),
        whole=read_whole(evidence, aside, model) if weighed and not all(copied) else None,
    )


def _closest(evidence: Evidence, index: int, text: str) -> list[EvidenceSentence]:
    """The sentences of the context that were read for a sentence, those whose words are closest to
    ``text`` first."""
    wanted = content_words(text)
    read = [each for each in evidence.evidence_sentences if each.sentence == index]
    shared = [len(wanted & content_words(context_text(evidence, each))) for each in read]
    return [read[at] for at in sorted(range(len(read)), key=lambda at: -shared[at])]


def opposite_evidence(evidence: Evidence, models: Models) -> Evidence | None:
    """Read the other word in the place of a bare "yes" or "no", by the first model. The chunks and
    the single sentences of the context are those that were read for the answer. The evidence of the
    other word; None for any other answer, and where a claim is not read as a statement."""
    stated = bare_statement(evidence)
    if stated is None or len(evidence.claims) != 1:
        return None
    word = opposite_answer(evidence.answer)
    opposite = statement_of(evidence.query, word)
    # A long statement was read in the claim prompt, and numbers may be in the context's writing.
    if opposite is None or evidence.claims[0].text.split()[0] != stated.split()[0]:
        return None
    (read,) = evidence.read
    premises = [chunk.text for chunk in evidence.chunks if read[chunk.index]]
    premises += [context_text(evidence, each) for each in evidence.evidence_sentences]
    found = models.entailment([(premise, opposite) for premise in premises])
    values = np.full((1, len(read), 3), np.nan)
    count = int(read.sum())
    values[0, read] = [(e.entailment, e.neutral, e.contradiction) for e in found[:count]]
    of_chunks, of_sentences = PairScores(values), found[count:]
    return replace(
        evidence,
        answer=word,
        sentences=(Sentence(0, 0, len(word), word),),
        claims=(replace(evidence.claims[0], start=0, end=len(word), text=opposite),),
        claim_scores=of_chunks,
        sentence_scores=of_chunks,
        evidence_sentences=tuple(
            replace(each, sentence=0, scores=scores)
            for each, scores in zip(evidence.evidence_sentences, of_sentences, strict=True)
        ),
        missing_details=(),
        findings=(),
        words=None,
    )


# Shorter windows join nothing: beside a claim that leaves them no more room, none is read.
_LEAST_TOKENS = 96


def read_windows(
    evidence: Evidence,
    claims: Sequence[str],
    rows: Sequence[int],
    model: PairScorer,
    progress: Callable[[float], None],
) -> WindowReading:
    """Read the sentences with the indices ``rows`` against windows of the context. Each against the
    one that shares most content words with what stands for it in ``claims``. None where one chunk
    holds the whole context, which was read already."""
    count = len(claims)
    several = len(evidence.chunks) > 1
    found = _windows(evidence, [claims[row] for row in rows], model) if several else ()
    held = [content_words(window.text) for window in found]
    cells = [(row, _nearest(content_words(claims[row]), held)) for row in rows if found]
    used = sorted({at for _, at in cells})
    scores = np.full((count, len(used), 3), np.nan)
    if cells:
        pairs = [(found[at].text, claims[row]) for row, at in cells]
        said = nli_probabilities(model.predict(pairs, progress), model.labels)
        for (row, at), values in zip(cells, said, strict=True):
            scores[row, used.index(at)] = values
    return WindowReading(tuple(found[at].parts for at in used), PairScores(scores))


# An answer of fewer words is read in a sentence that names its query, by chunks and windows.
_LEAST_WORDS = 5


def read_whole(evidence: Evidence, aside: Container[int], model: PairScorer) -> WholeReading | None:
    """Read an answer as one text, without what is set ``aside``, against the window that shares
    most content words with it. A sentence leans on those before it, and what is wrong between two
    of them stands in neither. None for a few words, which say nothing without their query, and for
    an answer that leaves a window no room."""
    text = " ".join(each.text for each in evidence.sentences if each.index not in aside)
    if len(word_list(text)) < _LEAST_WORDS:
        return None
    found = _windows(evidence, [text], model)
    if not found:
        return None
    near = found[_nearest(content_words(text), [content_words(each.text) for each in found])]
    said = nli_probabilities(model.predict([(near.text, text)], lambda _: None), model.labels)
    return WholeReading(near.parts, Entailment(*said[0].tolist()))


def _windows(evidence: Evidence, claims: Sequence[str], model: PairScorer) -> tuple[Window, ...]:
    """Windows with room for each of the claims beside them."""
    if not claims:
        return ()
    room = model.text_budget - max(model.count_tokens(claims))
    if room < _LEAST_TOKENS:
        return ()
    items = [item.text for item in evidence.context]
    bounds = [sentence_bounds(text) for text in items]
    return windows(items, bounds, most_tokens=room, count_tokens=model.count_tokens)


def _nearest(wanted: frozenset[str], held: Sequence[frozenset[str]]) -> int:
    """The window with most of the wanted words, the first of equal ones."""
    return max(range(len(held)), key=lambda at: len(wanted & held[at]))
