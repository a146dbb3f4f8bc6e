"""Single sentences of the context, read for each sentence of the answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from provenance_core.audit.prepare import Prepared
from provenance_core.models.nli_classes import nli_probabilities
from provenance_core.models.protocol import PairScorer
from provenance_core.scoring.support import support_matrix
from provenance_core.text.context_sentences import (
    SentencePlace,
    closest_sentences,
    context_sentences,
)
from provenance_core.types import Entailment, EvidenceSentence, PairScores


@dataclass(frozen=True, slots=True)
class SentencesRead:
    """The sentences that are kept, the tokens of the pair of each, and how many pairs were
    scored."""

    kept: tuple[EvidenceSentence, ...]
    tokens: tuple[int, ...]
    pairs: int


def read_sentences(nli: PairScorer, prepared: Prepared, scores: PairScores) -> SentencesRead:
    """Score single sentences of the context for each sentence of the answer.

    It reads those of the chunks that most support and most contradict the sentence, and the closest
    by their words, wherever these stand. It keeps of each chunk the sentence that most entails and
    the one that most contradicts, and the closest ones.

    ``scores``: of the sentences by the chunks, shape (S, N). The sentences that are kept, with
    their scores.
    """
    items, hypotheses = prepared.texts.items, prepared.hypotheses
    places = context_sentences(items, prepared.chunks)
    texts = {each: items[each.item].text[each.start : each.end] for each in places}
    closest = [
        {places[at] for at in found}
        for found in closest_sentences(hypotheses.texts, [texts[place] for place in places])
    ]
    wanted = _wanted(nli, prepared, scores, places, closest)
    pairs = [(texts[place], hypotheses.texts[index]) for index, place in wanted]
    lengths = dict(zip(wanted, nli.pair_tokens(pairs), strict=True))
    cells = nli_probabilities(nli.predict(pairs), nli.labels).tolist()
    found: dict[tuple[int, int], list[tuple[SentencePlace, EvidenceSentence]]] = {}
    for (index, place), cell in zip(wanted, cells, strict=True):
        scored = EvidenceSentence(index, place.chunk, place.start, place.end, Entailment(*cell))
        found.setdefault((index, place.chunk), []).append((place, scored))
    kept = [
        (lengths[index, place], scored)
        for (index, _), group in found.items()
        for place, scored in _kept(group, closest[index])
    ]
    return SentencesRead(
        tuple(scored for _, scored in kept), tuple(tokens for tokens, _ in kept), len(pairs)
    )


def _wanted(
    nli: PairScorer,
    prepared: Prepared,
    scores: PairScores,
    places: tuple[SentencePlace, ...],
    closest: list[set[SentencePlace]],
) -> list[tuple[int, SentencePlace]]:
    """The sentences to read for each sentence of the answer, by its index."""
    support = support_matrix(
        scores,
        [sentence.text for sentence in prepared.hypotheses.sentences],
        [chunk.text for chunk in prepared.chunks],
        nli.info,
    )
    wanted: list[tuple[int, SentencePlace]] = []
    for index, near in enumerate(closest):
        chunks = int(np.nanargmax(support[index])), int(np.nanargmax(scores.contradiction[index]))
        wanted += [(index, place) for place in places if place.chunk in chunks or place in near]
    return wanted


def _kept(
    group: list[tuple[SentencePlace, EvidenceSentence]], closest: set[SentencePlace]
) -> list[tuple[SentencePlace, EvidenceSentence]]:
    """Of the sentences of one chunk, those that an audit keeps."""
    entailing = max(group, key=lambda each: each[1].scores.entailment)
    contradicting = max(group, key=lambda each: each[1].scores.contradiction)
    near = [each for each in group if each[0] in closest]
    return list(dict.fromkeys((entailing, contradicting, *near)))
