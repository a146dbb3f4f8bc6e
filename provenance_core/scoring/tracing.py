"""Sentences of the answer traced to chunks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from provenance_core.findings.coverage import word_coverage
from provenance_core.lexicon.words import content_words
from provenance_core.scoring.features import ENTAILED_ALONE, hypotheses
from provenance_core.scoring.features import contradiction as contradiction_of
from provenance_core.scoring.holding import holding, lacks_value
from provenance_core.scoring.label_rules import ALIKE, OF_ONE_ITEM
from provenance_core.scoring.marked_evidence import Passages
from provenance_core.scoring.own_texts import own_texts
from provenance_core.scoring.said_alike import is_more_exact
from provenance_core.scoring.support import claims_are_sentences, last_entailment, sentence_support
from provenance_core.text.splitting import sentence_around, sentence_bounds, strip_bounds
from provenance_core.types import (
    Bools,
    Chunk,
    Evidence,
    EvidencePlace,
    EvidenceSentence,
    Finding,
    FindingKind,
    Floats,
    MissingDetail,
    PassagePlace,
    Sentence,
    SentenceLabel,
    TracedSentence,
)

# A chunk contradicts a sentence when contradiction holds at least even odds.
CONTRADICTION_THRESHOLD = 0.5
# Of support measured by a map, a model alone contradicts only from here on: below, one in six of
# what it calls a contradiction is one (benchmarks/REASONS.md).
SURE_CONTRADICTION = 0.96
# Supports of a sentence that differ by less do not tell which chunk is about it.
_NEARLY = 0.05


def sentence_matrix(evidence: Evidence) -> tuple[Floats, Floats]:
    """How well each chunk supports, and how likely it contradicts, each sentence. Support and
    P(contradiction), shape (S, N) each, in [0, 1]; NaN of a chunk that was not read."""
    return sentence_support(evidence), contradiction_of(evidence)


def evidence_span(
    evidence: Evidence, sentence: int, chunk: int, *, contradiction: bool
) -> tuple[int, int]:
    """Find the sentence of a chunk that is nearest to a sentence of the answer: in words, and by
    what the models read of entailment, or contradiction.

    Start and end, in characters of the context item.
    """

    def strength(found: EvidenceSentence) -> float:
        return found.scores.contradiction if contradiction else found.scores.entailment

    if evidence.labelled_by >= ALIKE and not contradiction:
        text = own_texts(evidence)[sentence]
        passages = Passages(evidence)
        (found, *_) = passages.nearest(sentence, text, [chunk], supporting=True)
        return found.start, found.end
    if scored := _scored_sentences(evidence, sentence, chunk):
        best = max(scored, key=strength)
        return best.start, best.end
    whole = evidence.chunks[chunk]
    bounds = sentence_bounds(whole.text)
    texts = [whole.text[a:b] for a, b in bounds]
    shares = word_coverage([evidence.sentences[sentence].text], texts)[0]
    a, b = strip_bounds(whole.text, *bounds[int(np.argmax(shares))])
    return whole.start + a, whole.start + b


def _scored_sentences(evidence: Evidence, sentence: int, chunk: int) -> list[EvidenceSentence]:
    """The sentences of a chunk that a model scored against a sentence: the second model's, where
    it read any."""
    read = evidence.second.sentences if evidence.second is not None else ()
    return [e for e in read if (e.sentence, e.chunk) == (sentence, chunk)] or [
        e for e in evidence.evidence_sentences if (e.sentence, e.chunk) == (sentence, chunk)
    ]


def trace_sentences(
    evidence: Evidence,
    sources: Sequence[int],
    threshold: float,
    claims: Floats | None = None,
    also: Bools | None = None,
    measured: Floats | None = None,
) -> tuple[TracedSentence, ...]:
    """Label every sentence by the sources.

    A sentence is supported when its support reaches ``threshold``; else contradicted when a
    source's P(contradiction) reaches 0.5 or a source states another value for one of its details;
    else not found, and its evidence is the chunk with most support, selected or not; of several
    with nearly as much, the one that shares most words with it. Where the evidence of a sentence
    that is not supported states another value, the span is the sentence with that value.

    A sentence that no source supports, but a chunk that selection dropped does, is supported only
    by a chunk that was not selected: it is labelled not found, whatever a source says against it,
    as the context states it. That chunk is its evidence.

    ``threshold``: in [0, 1]. ``claims``: Score of each claim, shape (M,), where a support map
    measured the support: then it is the support of a sentence that is a claim. Any other sentence
    has its best source's, and one that a language model read has what that answered. ``also``:
    Chunks that are sources of a sentence too, (S, N). ``measured``: what counts in the place of the
    support, (S, N). One for each of S sentences, in order."""
    selected = list(sources)
    support, contradicted_by = sentence_matrix(evidence)
    if measured is not None:
        support = measured
    backing = support
    if not evidence.support:
        # Of a model without a support map: shared words alone make no support.
        backing = np.where(
            evidence.sentence_scores.entailment >= contradicted_by, support, np.zeros_like(support)
        )
    backing = np.where(evidence.read, backing, 0.0)
    own_claims = claims if evidence.support and claims_are_sentences(evidence) else None
    alike = evidence.labelled_by >= ALIKE
    read = _Matrices(
        support,
        backing,
        contradicted_by,
        own_claims,
        by_words=alike and measured is None and bool(evidence.support),
        texts=own_texts(evidence) if alike else [],
        passages=Passages(evidence) if alike else None,
    )
    own = [selected] * len(evidence.sentences)
    if also is not None:
        own = [sorted({*selected, *np.flatnonzero(row).tolist()}) for row in also]
    return tuple(
        _traced(evidence, sentence, own[sentence.index], threshold, read)
        for sentence in evidence.sentences
    )


@dataclass(frozen=True, slots=True)
class _Matrices:
    """What the sentences are traced by, each (S, N): ``support``, that of it which counts
    (``backing``), and P(contradiction), ``against``. ``claims``: the score of each sentence's own
    claim, (S,); None where sentences are no claims. ``by_words``: whether only words contradict a
    sentence, and no model alone. ``texts``: what the models read of each sentence, S. ``passages``:
    None in audits whose evidence is chosen by older rules."""

    support: Floats
    backing: Floats
    against: Floats
    claims: Floats | None
    by_words: bool
    texts: Sequence[str]
    passages: Passages | None


def _traced(
    evidence: Evidence,
    sentence: Sentence,
    selected: Sequence[int],
    threshold: float,
    read: _Matrices,
) -> TracedSentence:
    at = sentence.index
    row, backed, against = read.support[at], read.backing[at], read.against[at]
    best = max(selected, key=lambda i: (backed[i], row[i]))
    worst = max(selected, key=lambda i: against[i])
    own = float(row[best] if read.claims is None else read.claims[at])
    is_supported = (backed[best] if read.claims is None else own) >= threshold
    answer = None if evidence.third is None else evidence.third.of_sentence(at)
    if answer is not None:  # a language model read it after the models here
        own, is_supported = answer.probability, answer.probability >= threshold
    miss = not is_supported and bool(backed.max() >= threshold > backed[best])
    differing: tuple[Finding, ...] = ()
    if is_supported:
        label, chunk = SentenceLabel.SUPPORTED, best
    elif miss:
        label, chunk = SentenceLabel.NOT_FOUND, int(np.argmax(backed))
    else:
        differing = _differing(evidence, at, selected)
        label, chunk = _against(evidence, sentence, differing, worst, read)
    backing = [i for i in selected if backed[i] >= threshold] if is_supported else []
    choice = _Choice(label, chunk, miss, backing, differing)
    first, *others = _shown(evidence, at, selected, read, choice)
    return TracedSentence(
        sentence=sentence,
        label=label,
        support=own,
        contradiction=float(against[worst]),
        evidence_chunk=first.chunk,
        evidence_start=first.start,
        evidence_end=first.end,
        selection_miss=miss,
        missing_details=() if label is SentenceLabel.SUPPORTED else missing_in(evidence, sentence),
        together=read_together(evidence, at, first.chunk) if is_supported else (),
        evidence_too=others[0] if others else None,
    )


@dataclass(frozen=True, slots=True)
class _Choice:
    """What became of a sentence. ``chunk``: the one that decided; ``backing``: those that support
    it, where it is supported; ``miss``: selection dropped the one that supports it; ``differing``:
    what speaks against one that nothing supports."""

    label: SentenceLabel
    chunk: int
    miss: bool
    backing: Sequence[int]
    differing: Sequence[Finding]


def _against(
    evidence: Evidence,
    sentence: Sentence,
    differing: Sequence[Finding],
    worst: int,
    read: _Matrices,
) -> tuple[SentenceLabel, int]:
    """The label of a sentence that nothing supports, and the chunk that decided. ``worst``: the
    source that contradicts it most."""
    least = SURE_CONTRADICTION if read.by_words else CONTRADICTION_THRESHOLD
    contradicted = bool(read.against[sentence.index, worst] >= least)
    contrary = [each for each in differing if not (read.by_words and is_more_exact(each))]
    stating = contrary[0].chunk if contrary and evidence.support else None
    if stating is not None and (read.by_words or not contradicted):
        return SentenceLabel.CONTRADICTED, stating
    if contradicted:
        return SentenceLabel.CONTRADICTED, worst
    return SentenceLabel.NOT_FOUND, _nearest(evidence, sentence, read.support[sentence.index])


def _shown(
    evidence: Evidence, at: int, selected: Sequence[int], read: _Matrices, chosen: _Choice
) -> tuple[EvidencePlace, ...]:
    """The places that stand beside a sentence (index), the first of them its evidence."""
    chunk, is_supported = chosen.chunk, chosen.label is SentenceLabel.SUPPORTED
    if stating := [each for each in chosen.differing if each.chunk == chunk]:
        return (EvidencePlace(chunk, *_sentence_around(evidence, stating[0], chunk)),)
    if read.passages is None:
        contradiction = chosen.label is SentenceLabel.CONTRADICTED
        return (
            EvidencePlace(chunk, *evidence_span(evidence, at, chunk, contradiction=contradiction)),
        )
    among = selected if is_supported else np.flatnonzero(evidence.read[at]).tolist()
    if not read.by_words or chosen.miss or chosen.label is SentenceLabel.CONTRADICTED:
        among = [chunk]
    return read.passages.nearest(
        at,
        read.texts[at],
        among,
        preferred=[*chosen.backing, chunk],
        supporting=is_supported or chosen.miss,
    )


def flag_values(evidence: Evidence, traced: Iterable[TracedSentence]) -> tuple[TracedSentence, ...]:
    """Flag each supported sentence with a number or date that stands nowhere in the context. It is
    contradicted where its evidence states another value of the same thing, else not found. All
    sentences, in order."""
    return tuple(
        _flagged(evidence, each)
        if each.label is SentenceLabel.SUPPORTED and lacks_value(evidence, each.sentence.index)
        else each
        for each in traced
    )


def _flagged(evidence: Evidence, traced: TracedSentence) -> TracedSentence:
    found = [
        each
        for each in _differing(evidence, traced.sentence.index, [traced.evidence_chunk])
        if each.kind is FindingKind.CONFLICT
        and each.same_thing
        and not (evidence.labelled_by >= ALIKE and is_more_exact(each))
    ]
    label, bounds = SentenceLabel.NOT_FOUND, (traced.evidence_start, traced.evidence_end)
    if found:
        label = SentenceLabel.CONTRADICTED
        bounds = _sentence_around(evidence, found[0], traced.evidence_chunk)
    return replace(
        traced,
        label=label,
        evidence_start=bounds[0],
        evidence_end=bounds[1],
        missing_details=missing_in(evidence, traced.sentence),
        together=(),
        evidence_too=None,
    )


def missing_in(evidence: Evidence, sentence: Sentence) -> tuple[MissingDetail, ...]:
    """The numbers, dates and names of a sentence that no chunk contains."""
    return tuple(
        detail
        for detail in evidence.missing_details
        if sentence.start <= detail.start and detail.end <= sentence.end
    )


def _nearest(evidence: Evidence, sentence: Sentence, support: Floats) -> int:
    """The chunk with most support, (N,); of those that have nearly as much, the one that shares
    most content words with the sentence."""
    shared = word_coverage([sentence.text], [chunk.text for chunk in evidence.chunks])[0]
    nearly = support >= np.nanmax(support) - _NEARLY
    return int(np.argmax(np.where(nearly, shared + support, -1.0)))


def _differing(evidence: Evidence, sentence: int, selected: Sequence[int]) -> tuple[Finding, ...]:
    """Where the sources state another value for a number, date, unit or name of a sentence; else
    where their words deny or oppose its own, in the order of the sources."""
    found = [
        each
        for each in holding(evidence, sentence)
        if each.chunk in selected and each.chunk is not None
    ]
    conflicts = tuple(each for each in found if each.kind is FindingKind.CONFLICT)
    return conflicts or tuple(each for at in selected for each in found if each.chunk == at)


def _sentence_around(evidence: Evidence, found: Finding, chunk: int) -> tuple[int, int]:
    """Start and end of the chunk's sentence with what was found, in characters of the context
    item."""
    whole, first = evidence.chunks[chunk], found.chunk_start
    for each in _scored_sentences(evidence, found.sentence, chunk):
        if each.start <= whole.start + first < each.end:
            return each.start, each.end
    a, b = strip_bounds(whole.text, *sentence_around(whole.text, first))
    return whole.start + a, whole.start + b


_ENTAILED = 0.5


def read_together(evidence: Evidence, sentence: int, first: int) -> tuple[int, ...]:
    """The chunks whose window entails a sentence (index) with at least even odds, where no chunk
    alone entails it as much, or enough (:data:`ENTAILED_ALONE`): ``first`` (index) where it is one
    of them, and those with more of its content words, rising; none where one chunk is enough.
    Where one has all its words, the window adds what stands around them in the context item."""
    reading = evidence.second.together if evidence.second else None
    if reading is None:
        return ()
    by_window = np.nan_to_num(reading.scores.entailment[sentence])
    alone = np.nan_to_num(last_entailment(evidence)[sentence])
    if not by_window.size or by_window.max() < _ENTAILED:
        return ()
    if alone.max() >= min(by_window.max(), ENTAILED_ALONE):
        return ()
    parts = reading.windows[int(by_window.argmax())]
    inside = [chunk for chunk in evidence.chunks if _overlaps(chunk, parts)]
    wanted = content_words(hypotheses(evidence)[sentence])
    held = {chunk.index: wanted & content_words(chunk.text) for chunk in inside}
    chosen = [first] if first in held else []
    while held:
        known = frozenset[str]().union(*(held[at] for at in chosen))
        best = max(held, key=lambda at: len(held[at] - known))
        if held[best] <= known:
            break
        chosen.append(best)
    if len(chosen) > 1:
        return tuple(sorted(chosen))
    around = sorted(held)
    if evidence.labelled_by >= OF_ONE_ITEM:
        items = {evidence.chunks[at].item for at in chosen}
        around = [at for at in around if evidence.chunks[at].item in items]
    return tuple(around) if len(around) > 1 else ()


def _overlaps(chunk: Chunk, parts: Sequence[PassagePlace]) -> bool:
    return any(
        part.item == chunk.item and part.start < chunk.end and chunk.start < part.end
        for part in parts
    )
