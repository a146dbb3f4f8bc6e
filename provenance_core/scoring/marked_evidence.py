"""Which sentences of the context stand beside a sentence of the answer: the one that is nearest to
it in words and by what the models say, and a second one where it has words that the first lacks
(benchmarks/REASONS.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from provenance_core.lexicon.words import content_stems
from provenance_core.text.chunking import context_sentences
from provenance_core.types import Evidence, EvidencePlace, EvidenceSentence

_QUESTION = 0.5  # what a question counts: it asks, and states nothing
_PREFERRED = 0.2  # what a chunk counts more that decided
_LEAST_NEW = 0.25  # share of the sentence's words, by weight, that a second passage adds


@dataclass(frozen=True, slots=True)
class _Candidate:
    place: EvidencePlace
    item: int
    stems: frozenset[str]
    asks: bool


class Passages:
    """The sentences of the chunks of an audit, each chunk split when it is first asked for."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._of_chunk: dict[int, tuple[_Candidate, ...]] = {}
        self._scored: dict[int, dict[tuple[int, int, int], EvidenceSentence]] = {}
        read = evidence.second.sentences if evidence.second is not None else ()
        for each in (*evidence.evidence_sentences, *read):  # the second model tells, where it read
            place = evidence.chunks[each.chunk].item, each.start, each.end
            self._scored.setdefault(each.sentence, {})[place] = each

    def nearest(
        self,
        sentence: int,
        text: str,
        chunks: Sequence[int],
        *,
        supporting: bool,
        preferred: Iterable[int] = (),
    ) -> tuple[EvidencePlace, ...]:
        """One or two places in ``chunks`` that stand beside a sentence (index) with a ``text``, the
        nearest first. ``supporting``: whether they are to support it, so that entailment alone
        counts beside the words, and not what contradicts it. ``preferred``: chunks that count more.
        """
        found = self._candidates(chunks)
        weights = _weights(text, found)
        scored, first_choice = self._scored.get(sentence, {}), frozenset(preferred)

        def nearness(each: _Candidate) -> float:
            own = scored.get((each.item, each.place.start, each.place.end))
            said = 0.0
            if own is not None:
                against = 0.0 if supporting else own.scores.contradiction
                said = max(own.scores.entailment, against)
            near = _share(each.stems, weights) + said
            near = near * _QUESTION if each.asks else near
            return near + _PREFERRED * (each.place.chunk in first_choice)

        first = max(found, key=nearness)
        left = {stem: weight for stem, weight in weights.items() if stem not in first.stems}
        total = sum(weights.values())
        others = [each for each in found if each is not first and not each.asks]
        if not others:
            return (first.place,)
        second = max(others, key=lambda each: (_sum(each.stems, left), nearness(each)))
        new = [stem for stem in left if stem in second.stems]
        if len(new) < 2 or _sum(second.stems, left) < _LEAST_NEW * total:
            return (first.place,)
        return first.place, second.place

    def _candidates(self, chunks: Sequence[int]) -> list[_Candidate]:
        """The sentences of some chunks, each once: chunks overlap."""
        found: dict[tuple[int, int, int], _Candidate] = {}
        for chunk in chunks:
            if chunk not in self._of_chunk:
                places = context_sentences([self._evidence.chunks[chunk]])
                self._of_chunk[chunk] = tuple(_candidate(self._evidence, each) for each in places)
            for each in self._of_chunk[chunk]:
                found.setdefault((each.item, each.place.start, each.place.end), each)
        return list(found.values())


def _candidate(evidence: Evidence, place: EvidencePlace) -> _Candidate:
    item = evidence.chunks[place.chunk].item
    text = evidence.context[item].text[place.start : place.end]
    return _Candidate(place, item, content_stems(text), text.endswith(("?", "\uff1f")))


def _weights(text: str, found: Sequence[_Candidate]) -> Mapping[str, float]:
    """What each content word of a text counts, by its stem: the fewer passages have it, the more;
    nothing where none has."""
    having = Counter(stem for each in found for stem in each.stems)
    return {
        stem: log(1 + len(found) / having[stem]) for stem in content_stems(text) if having[stem]
    }


def _share(stems: frozenset[str], weights: Mapping[str, float]) -> float:
    return _sum(stems, weights) / (sum(weights.values()) or 1.0)


def _sum(stems: frozenset[str], weights: Mapping[str, float]) -> float:
    return sum(weight for stem, weight in weights.items() if stem in stems)
