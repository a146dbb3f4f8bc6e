"""Single sentences of the context, read for each sentence of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from provenance_core.audit.prepare import Prepared
from provenance_core.lexicon.words import content_words
from provenance_core.models.nli_classes import nli_probabilities
from provenance_core.models.protocol import PairScorer
from provenance_core.scoring.support import support_matrix
from provenance_core.text.chunking import context_sentences
from provenance_core.text.nearest import nearest, shared_words
from provenance_core.types import Entailment, EvidencePlace, EvidenceSentence, PairScores


@dataclass(frozen=True, slots=True)
class SentencesRead:
    """The sentences that are kept, the tokens of the pair of each, and how many pairs were
    scored."""

    kept: tuple[EvidenceSentence, ...]
    tokens: tuple[int, ...]
    pairs: int


def read_sentences(nli: PairScorer, prepared: Prepared, scores: PairScores) -> SentencesRead:
    """Score single sentences of the context for each sentence of the answer. Of the chunks that the
    sentence was read against, it reads those of the chunks that most support and most contradict
    it, and the closest by their words, wherever these stand. It keeps of each chunk the sentence
    that most entails and the one that most contradicts, and the closest ones. ``scores``: of the
    sentences by the chunks, shape (S, N)."""
    closest, wanted = _wanted(nli, prepared, scores)
    pairs = [(_text(prepared, place), prepared.hypotheses.texts[index]) for index, place in wanted]
    lengths = dict(zip(wanted, nli.pair_tokens(pairs), strict=True))
    cells = nli_probabilities(nli.predict(pairs), nli.labels).tolist()
    found: dict[tuple[int, int], list[tuple[EvidencePlace, EvidenceSentence]]] = {}
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
    nli: PairScorer, prepared: Prepared, scores: PairScores
) -> tuple[list[set[EvidencePlace]], list[tuple[int, EvidencePlace]]]:
    """The sentences of the context that are closest to each sentence of the answer, and those to
    read for it, by its index."""
    support = support_matrix(
        scores,
        [sentence.text for sentence in prepared.hypotheses.sentences],
        [chunk.text for chunk in prepared.chunks],
        nli.info,
    )
    alike: dict[bytes, list[int]] = {}  # sentences that were read against the same chunks
    for index, row in enumerate(scores.read):
        alike.setdefault(row.tobytes(), []).append(index)
    closest: dict[int, set[EvidencePlace]] = {}
    wanted: list[tuple[int, EvidencePlace]] = []
    for rows in alike.values():
        read = [prepared.chunks[at] for at in np.flatnonzero(scores.read[rows[0]])]
        places = context_sentences(read)
        near = _closest(prepared, rows, places)
        for index in rows:
            closest[index] = near[index]
            best = (
                int(np.nanargmax(support[index])),
                int(np.nanargmax(scores.contradiction[index])),
            )
            wanted += [(index, at) for at in places if at.chunk in best or at in near[index]]
    return [closest[index] for index in range(len(closest))], sorted(wanted, key=lambda w: w[0])


def _closest(
    prepared: Prepared, rows: Sequence[int], places: Sequence[EvidencePlace]
) -> dict[int, set[EvidencePlace]]:
    """Of ``places``, those closest to each of some sentences of the answer by their words."""
    found = closest_sentences(
        [prepared.hypotheses.texts[index] for index in rows],
        [_text(prepared, place) for place in places],
    )
    return {index: {places[at] for at in near} for index, near in zip(rows, found, strict=True)}


def _text(prepared: Prepared, place: EvidencePlace) -> str:
    item = prepared.chunks[place.chunk].item
    return prepared.texts.items[item].text[place.start : place.end]


def _kept(
    group: list[tuple[EvidencePlace, EvidenceSentence]], closest: set[EvidencePlace]
) -> list[tuple[EvidencePlace, EvidenceSentence]]:
    """Of the sentences of one chunk, those that an audit keeps."""
    entailing = max(group, key=lambda each: each[1].scores.entailment)
    contradicting = max(group, key=lambda each: each[1].scores.contradiction)
    near = [each for each in group if each[0] in closest]
    return list(dict.fromkeys((entailing, contradicting, *near)))


# Closest sentences of the context that are read for each sentence of the answer.
CLOSEST = 3


def closest_sentences(
    texts: Sequence[str], sentences: Sequence[str]
) -> tuple[tuple[int, ...], ...]:
    """Find for each text the at most :data:`CLOSEST` sentences that share its rarest content words,
    the closest first. A shared word counts by how few of the sentences have it (inverse document
    frequency)."""
    shared = shared_words(texts, sentences, content_words)
    return tuple(tuple(nearest(row, CLOSEST)) for row in shared)
