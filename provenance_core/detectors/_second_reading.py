"""The second reading of a cascade: a larger model reads again what can change a verdict.

The small model reads every pair. For each sentence of the answer the large model reads the chunk
that most supports it, the chunk of the sentence that is closest to it by its words, a few single
sentences, and windows of the whole context, which hold what no chunk holds together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from provenance_core.detectors._interface import Models
from provenance_core.detectors._opposite import opposite_evidence
from provenance_core.detectors._windows import read_windows
from provenance_core.lexicon.words import content_words
from provenance_core.models.nli_classes import nli_probabilities
from provenance_core.models.protocol import PairScorer
from provenance_core.scoring.features import (
    context_text,
    hypotheses,
    measured_support,
    verbatim_sentences,
)
from provenance_core.scoring.support import sentence_support
from provenance_core.types import (
    Entailment,
    Evidence,
    EvidenceSentence,
    OppositeReading,
    PairScores,
    Scores,
    SecondReading,
    SupportMap,
)

# Single sentences that are read again for each sentence of the answer: those closest by words, and
# the one that most entails it.
CLOSEST_AGAIN = 2
# A sentence that one chunk entails so much needs no other beside it.
ENTAILED_ALONE = 0.8


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
    evidence: Evidence,
    model: PairScorer,
    support: SupportMap,
    progress: Callable[[float], None],
) -> SecondReading:
    """Read the pairs again that can change a verdict. A sentence that stands in the context word
    for word is not read again: nothing can change its support. A chunk that the first model did not
    read is read here all the same where a sentence of it is the closest by its words: what it says
    counts for the other chunks as well. Windows are read for the sentences that no chunk entails
    alone (:data:`ENTAILED_ALONE`) and that are not set aside. What the second model said."""
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
    scores = np.full((len(evidence.sentences), len(evidence.chunks), 3), np.nan)
    for (row, chunk), said in zip(cells, found[: len(cells)], strict=True):
        scores[row, chunk] = said
    aside = {each.sentence for each in evidence.set_aside}
    alone = np.where(np.isnan(scores[..., 0]), 0.0, scores[..., 0]).max(axis=1)
    rows = [
        row
        for row in range(len(texts))
        if not copied[row] and row not in aside and alone[row] < ENTAILED_ALONE
    ]
    return SecondReading(
        model=model.info,
        support=support,
        scores=PairScores(scores),
        sentences=tuple(
            replace(each, scores=Entailment(*said))
            for each, said in zip(sentences, found[len(cells) :].tolist(), strict=True)
        ),
        together=read_windows(evidence, texts, rows, model, lambda done: progress((1 + done) / 2)),
    )


def _closest(evidence: Evidence, index: int, text: str) -> list[EvidenceSentence]:
    """The sentences of the context that were read for a sentence, those whose words are closest to
    ``text`` first."""
    wanted = content_words(text)
    read = [each for each in evidence.evidence_sentences if each.sentence == index]
    shared = [len(wanted & content_words(context_text(evidence, each))) for each in read]
    return [read[at] for at in sorted(range(len(read)), key=lambda at: -shared[at])]
