"""Which parts of an answer its context does not support: measured from phrase to sentence.

For each sentence, with the chunks that support it most as premises:

1. The span head of the NLI model marks words; marked words, widened to the number, date or name
   they belong to, and details that the context lacks are its suspects.
2. Each suspect is put to the NLI model alone (the sentence less the other suspects) and left out
   (less all of them), or exchanged for a detail of its kind from the evidence.
3. Where the sentence is not supported, each of its clauses is left out too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from provenance_core.detectors._interface import Models
from provenance_core.findings.coverage import claim_coverage
from provenance_core.findings.phrases import exchangeable_details, find_clauses, word_bounds
from provenance_core.findings.replacements import exchanged, merged, substitutes, without
from provenance_core.lexicon.words import content_words, is_function_word
from provenance_core.scoring.support import calibrated_support
from provenance_core.scoring.tracing import CONTRADICTION_THRESHOLD, evidence_span, sentence_matrix
from provenance_core.text.splitting import Bounds, claim_bounds
from provenance_core.types import Entailment, Evidence, FindingKind, TokenScore

# Words that the span head marks from here on are looked at. Set by hand: low, since the phrase
# map decides what counts.
HEAD_FLOOR = 0.2
# The chunks that a sentence is measured against: those that support it most.
PREMISES = 2
# A sentence under it is not clearly supported: its clauses are looked at.
CLEARLY_SUPPORTED = 0.5
# Marked words with at most so many function words between them are one phrase.
_JOINED_OVER = 2
# Of the texts with a substitute, so many of one sentence are read: each of its details for each of
# the evidence would be thousands where both are lists of numbers.
MOST_SUBSTITUTES = 200
# Of a sentence's content words, what must be left for the rest to say anything.
_LEAST_LEFT = 1 / 3


@dataclass(frozen=True, slots=True)
class PhraseReading:
    """A suspect phrase, ``answer[start:end]``. ``missing``: whether it holds a detail that no chunk
    contains. ``alone``: support of the sentence with this as its only suspect. ``rest``: support
    without it, or with a substitute. All in [0, 1]. ``conflict``: whether the context says
    otherwise, rather than nothing."""

    start: int
    end: int
    missing: bool
    alone: float
    rest: float
    conflict: bool


@dataclass(frozen=True, slots=True)
class ClauseReading:
    """A clause, ``answer[start:end]``, and the support of its sentence without it, in [0, 1].
    ``differs``: whether the context states another value for one of its details."""

    start: int
    end: int
    rest: float
    differs: bool = False


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """A sentence, ``answer[start:end]``, its own support and the support of the best that is left
    of it without its suspects, both in [0, 1]. ``conflict``: whether a chunk contradicts it.
    ``differs``: whether the context states another value for one of its details."""

    start: int
    end: int
    support: float
    rest: float
    conflict: bool
    phrases: tuple[PhraseReading, ...]
    clauses: tuple[ClauseReading, ...]
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Readings:
    """Every sentence of an answer, in its order, and the pairs that the NLI model read for it;
    ``left_out``: substitutes that were not read (:data:`MOST_SUBSTITUTES`)."""

    sentences: tuple[SentenceReading, ...]
    pairs: int
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence as put to the model: ``hypothesis[at : at + length]`` is ``answer[start:]``."""

    index: int
    start: int
    length: int
    hypothesis: str
    at: int
    premises: tuple[int, ...]

    @property
    def own(self) -> str:
        return self.hypothesis[self.at : self.at + self.length]

    def put(self, spans: Iterable[Bounds]) -> list[Bounds]:
        """Spans of ``own`` as spans of ``hypothesis``."""
        return [(a + self.at, b + self.at) for a, b in spans]


@dataclass(frozen=True, slots=True)
class _Suspect:
    span: Bounds  # in the sentence's own text
    missing: bool
    alone: str
    substituted: tuple[str, ...]
    left_out: int


def read_sentences(
    evidence: Evidence, models: Models, progress: Callable[[float], None]
) -> Readings:
    """Measure every sentence of the answer, its suspect phrases and its clauses. One reading for
    each sentence, in order. Raises ModelError where the NLI model has no span head."""
    sentences = _sentences(evidence)
    heads = _head(evidence, sentences, models)
    suspects = [
        _suspects(evidence, sentence, head) for sentence, head in zip(sentences, heads, strict=True)
    ]
    support, _ = sentence_matrix(evidence)
    clauses = [
        _clauses(sentence) if support[sentence.index].max() < CLEARLY_SUPPORTED else []
        for sentence in sentences
    ]
    asked = {
        (sentence.index, text)
        for sentence, found, parts in zip(sentences, suspects, clauses, strict=True)
        for text in _texts(sentence, found, parts)
    }
    cells = _Cells(evidence, models, sentences, sorted(asked), progress)
    readings = tuple(
        _reading(evidence, sentence, found, parts, cells, float(support[sentence.index].max()))
        for sentence, found, parts in zip(sentences, suspects, clauses, strict=True)
    )
    heads_read = sum(len(sentence.premises) for sentence in sentences)
    left_out = sum(suspect.left_out for found in suspects for suspect in found)
    return Readings(readings, heads_read + cells.pairs, left_out)


def _sentences(evidence: Evidence) -> list[_Sentence]:
    support, _ = sentence_matrix(evidence)
    result = []
    for sentence in evidence.sentences:
        start, end = claim_bounds(evidence.answer, sentence.start, sentence.end)
        text = hypothesis = whole = evidence.answer[start:end]
        at = 0
        # As in the matrix: a sentence whose claim is its own is read as that claim.
        if len(evidence.sentences) == len(evidence.claims):
            hypothesis = evidence.claims[sentence.index].text
            # The claim prompt has a full stop of its own.
            at = hypothesis.rfind(text)
            if at < 0:
                text = text.removesuffix(".")
                at = hypothesis.rfind(text)
            # A claim in words of its own (a table's row, a bare yes) has no place for a span.
            if at < 0:
                text, hypothesis, at = whole, whole, 0
        order = np.argsort(-support[sentence.index], kind="stable")[:PREMISES]
        premises = tuple(int(chunk) for chunk in order)
        result.append(_Sentence(sentence.index, start, len(text), hypothesis, at, premises))
    return result


def _head(
    evidence: Evidence, sentences: Sequence[_Sentence], models: Models
) -> list[tuple[TokenScore, ...]]:
    """What the span head says of the tokens of each sentence: the least over its premises, since a
    word that one chunk supports is supported."""
    pairs = [
        (evidence.chunks[c].text, sentence.hypothesis)
        for sentence in sentences
        for c in sentence.premises
    ]
    if not pairs:
        return []
    found = iter(models.nli.unsupported_tokens(pairs))
    result = []
    for sentence in sentences:
        rows = [next(found) for _ in sentence.premises]
        columns = zip(*rows, strict=True)
        result.append(tuple(min(c, key=lambda token: token.probability) for c in columns))
    return result


def _largest(tokens: Sequence[TokenScore], start: int, end: int) -> float:
    """The largest probability of the tokens in ``[start, end)``."""
    return max((t.probability for t in tokens if t.start < end and t.end > start), default=0.0)


def _suspects(
    evidence: Evidence, sentence: _Sentence, tokens: tuple[TokenScore, ...]
) -> list[_Suspect]:
    own = sentence.own
    strength = {
        (a, b): _largest(tokens, a + sentence.at, b + sentence.at) for a, b in word_bounds(own)
    }
    missing = [
        (detail.start - sentence.start, detail.end - sentence.start)
        for detail in evidence.missing_details
        if sentence.start <= detail.start and detail.end <= sentence.start + sentence.length
    ]
    spans = _widened(own, [*_marked(own, strength), *missing])
    source = evidence.chunks[sentence.premises[0]]
    a, b = evidence_span(evidence, sentence.index, source.index, contradiction=False)
    evidence_text = evidence.context[source.item].text[a:b]
    result = []
    for span in spans:
        others = tuple(other for other in spans if other != span)
        possible = substitutes(own, span, evidence_text)
        read = possible[: max(1, MOST_SUBSTITUTES // len(spans))]
        put = tuple(sentence.put(others))
        (at,) = sentence.put([span])
        result.append(
            _Suspect(
                span=span,
                missing=_touches(span, missing),
                alone=without(sentence.hypothesis, put),
                substituted=tuple(exchanged(sentence.hypothesis, at, new, put) for new in read),
                left_out=len(possible) - len(read),
            )
        )
    return result


def _marked(own: str, strength: dict[Bounds, float]) -> list[Bounds]:
    """Runs of words that the head marks."""
    runs: list[Bounds] = []
    gap = 0
    for (a, b), probability in strength.items():
        if probability >= HEAD_FLOOR:
            close = runs and gap <= _JOINED_OVER and not set(own[runs[-1][1] : a]) & set(",;:()")
            runs[-1:] = [(runs[-1][0], b)] if close else [*runs[-1:], (a, b)]
            gap = 0
        else:
            gap += 1 if is_function_word(own[a:b]) else _JOINED_OVER + 1
    return runs


def _widened(own: str, spans: Sequence[Bounds]) -> list[Bounds]:
    """``spans`` with the whole of the number, date or name that they touch."""
    details = [(d.start, d.end) for d in exchangeable_details(own)]
    touched = [(a, b) for a, b in details if any(a < y and x < b for x, y in spans)]
    return merged([*spans, *touched])


def _clauses(sentence: _Sentence) -> list[Bounds]:
    found = find_clauses(sentence.own)
    return found if len(found) > 1 else []


def _says_something(sentence: _Sentence, dropped: Sequence[Bounds]) -> bool:
    """Whether what is left of a sentence is enough to be supported or not."""
    left = content_words(without(sentence.own, dropped)) & content_words(sentence.own)
    return len(left) >= max(2.0, _LEAST_LEFT * len(content_words(sentence.own)))


def _texts(
    sentence: _Sentence, suspects: Sequence[_Suspect], clauses: Sequence[Bounds]
) -> list[str]:
    """What is put to the model beside the sentence itself."""
    texts = [text for suspect in suspects for text in (suspect.alone, *suspect.substituted)]
    return [
        *texts,
        *(text for text in _rests(sentence, suspects) if text),
        *_left(sentence, clauses),
    ]


def _rests(sentence: _Sentence, suspects: Sequence[_Suspect]) -> list[str]:
    """The sentence less all its suspects, where that says something."""
    spans = [suspect.span for suspect in suspects]
    if not spans or not _says_something(sentence, spans):
        return []
    return [without(sentence.hypothesis, sentence.put(spans))]


def _left(sentence: _Sentence, clauses: Sequence[Bounds]) -> list[str]:
    return [
        without(sentence.hypothesis, sentence.put([clause]))
        for clause in clauses
        if _says_something(sentence, [clause])
    ]


class _Cells:
    """Calibrated support and contradiction of edited sentences by their sentence's premises."""

    def __init__(
        self,
        evidence: Evidence,
        models: Models,
        sentences: Sequence[_Sentence],
        asked: Sequence[tuple[int, str]],
        progress: Callable[[float], None],
    ) -> None:
        texts = list(dict.fromkeys(text for _, text in asked))
        lengths = dict(zip(texts, models.nli.count_tokens(texts) if texts else [], strict=True))
        budget = models.nli.text_budget
        wanted = [
            (text, chunk)
            for index, text in asked
            for chunk in sentences[index].premises
            # A substitute may be longer than what it stands for.
            if lengths[text] + evidence.chunks[chunk].tokens <= budget
        ]
        wanted = list(dict.fromkeys(wanted))
        self.pairs = len(wanted)
        chunk_texts = [chunk.text for chunk in evidence.chunks]
        scores = models.entailment([(chunk_texts[c], text) for text, c in wanted], progress)
        coverage = dict(zip(texts, claim_coverage(texts, chunk_texts), strict=True))
        support = calibrated_support(
            np.array([cell.entailment for cell in scores]),
            np.array([cell.contradiction for cell in scores]),
            np.array([coverage[text][c] for text, c in wanted]),
            evidence.nli_model,
        )
        self._support = dict(zip(wanted, support.tolist(), strict=True))
        self._scores: dict[tuple[str, int], Entailment] = dict(zip(wanted, scores, strict=True))

    def support(self, sentence: _Sentence, texts: Sequence[str], least: float) -> float:
        """The largest support of any of ``texts``, ``least`` where none was measured."""
        found = [
            self._support[text, chunk]
            for text in texts
            for chunk in sentence.premises
            if (text, chunk) in self._support
        ]
        return max([least, *found])

    def contradiction(self, sentence: _Sentence, text: str) -> float:
        """The largest P(contradiction) of ``text`` by a premise."""
        found = [self._scores.get((text, chunk)) for chunk in sentence.premises]
        return max((cell.contradiction for cell in found if cell), default=0.0)


def _reading(
    evidence: Evidence,
    sentence: _Sentence,
    suspects: Sequence[_Suspect],
    clauses: Sequence[Bounds],
    cells: _Cells,
    support: float,
) -> SentenceReading:
    rests = _rests(sentence, suspects)
    differing = [
        (each.start - sentence.start, each.end - sentence.start)
        for each in evidence.findings
        if each.sentence == sentence.index and each.kind is FindingKind.CONFLICT
    ]
    phrases = []
    for suspect in suspects:
        alone = cells.support(sentence, [suspect.alone], 0.0)
        without_it = cells.support(sentence, rests, 0.0) if rests else alone
        substituted = cells.support(sentence, suspect.substituted, 0.0)
        phrases.append(
            PhraseReading(
                start=sentence.start + suspect.span[0],
                end=sentence.start + suspect.span[1],
                missing=suspect.missing,
                alone=alone,
                rest=max(without_it, substituted),
                conflict=cells.contradiction(sentence, suspect.alone) >= CONTRADICTION_THRESHOLD
                or substituted > max(without_it, CLEARLY_SUPPORTED)
                or _touches(suspect.span, differing),
            )
        )
    row = evidence.sentence_scores.contradiction[sentence.index, list(sentence.premises)]
    return SentenceReading(
        start=sentence.start,
        end=sentence.start + sentence.length,
        support=support,
        rest=max([support, *(phrase.rest for phrase in phrases)]),
        conflict=bool(row.max() >= CONTRADICTION_THRESHOLD),
        phrases=tuple(phrases),
        clauses=tuple(
            ClauseReading(
                sentence.start + clause[0],
                sentence.start + clause[1],
                cells.support(sentence, _left(sentence, [clause]), 0.0),
                _touches(clause, differing),
            )
            for clause in clauses
        ),
        differs=bool(differing),
    )


def _touches(span: Bounds, others: Sequence[Bounds]) -> bool:
    return any(a < span[1] and span[0] < b for a, b in others)
