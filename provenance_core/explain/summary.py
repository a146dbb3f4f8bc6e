"""An audit as programs read it: a stable, documented shape, for ``audit --json`` and the REST
interface.

The whole record, with every pair's probabilities, is
:func:`provenance_core.audit.serialization.audit_to_json`; this one is what a script wants to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from provenance_core.audit.mitigation import Suggestion
from provenance_core.audit.serialization import SecondReadingCells, read_again
from provenance_core.explain.citations import CitedSentence, cited_sentences
from provenance_core.explain.sentences import reason_texts, sentence_reasons
from provenance_core.explain.verdict import verdict_sentence
from provenance_core.scoring.tracing import evidence_span
from provenance_core.types import (
    Audit,
    ClaimForm,
    Cut,
    FindingType,
    JudgeReply,
    MissingDetail,
    ModelInfo,
    Notice,
    PairTokens,
    Parameters,
    SentenceLabel,
    SetAside,
    Source,
    Stance,
    ThirdReading,
    Timings,
    TokenCounts,
    TracedSentence,
    Verdict,
    VerdictState,
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of the context: ``text`` is ``[start:end]``, in characters, of the context item
    ``item``, within its chunk ``chunk``."""

    item: int
    chunk: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class SummarySource:
    """A chunk as source, with the values of :class:`provenance_core.types.Source`. ``name``: of
    its context item. ``contradicts``: the sentences (index) that it contradicts. ``relevance``
    and ``factuality`` are None of a chunk that the model did not read."""

    item: int
    name: str
    chunk: int
    start: int
    end: int
    text: str
    relevance: float | None
    probability: float
    selected: bool
    weight: float
    factuality: float | None
    contribution: float
    contradicts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of the answer, ``answer[start:end]``, and what became of it. ``reason``: why it is
    not supported, may be doubted, or was set aside; "" where there is nothing to say.
    ``contradiction``: None where the NLI model measures none. ``evidence``: the passage that
    decided. ``cited``: what it cites, and whether that supports it; None where it cites nothing.
    ``together``: the passages that support it when they are read together, where none does alone.
    ``evidence_too``: another passage, with words of the sentence that ``evidence`` lacks."""

    start: int
    end: int
    text: str
    label: SentenceLabel
    reason: str
    support: float
    contradiction: float | None
    evidence: Passage
    selection_miss: bool
    missing_details: tuple[MissingDetail, ...]
    cited: CitedSentence | None = None
    together: tuple[Passage, ...] = ()
    evidence_too: Passage | None = None


@dataclass(frozen=True, slots=True)
class SummarySpan:
    """A hallucinated part of the answer, ``answer[start:end] == text``; ``unsupported`` in
    [0, 1]."""

    start: int
    end: int
    type: FindingType
    unsupported: float
    text: str


@dataclass(frozen=True, slots=True)
class SummaryClaim:
    """A hypothesis, its score in [0, 1] and the chunk that decided it."""

    text: str
    form: ClaimForm
    start: int
    end: int
    score: float
    decided_by: int | None


@dataclass(frozen=True, slots=True)
class SummaryModels:
    """The models that measured it."""

    relevance: ModelInfo
    nli: ModelInfo


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """What came of an audit. Offsets are characters: of the context item for sources, of the answer
    for sentences, spans and suggestions. Indices count from 0. ``score``, ``threshold`` in [0, 1];
    ``margin`` is their difference; both decide nothing where there is nothing to check. ``flagged``
    of the ``checked`` sentences are not supported. ``reason``: the verdict in one sentence."""

    verdict: Verdict
    state: VerdictState
    reason: str
    flagged: int
    checked: int
    score: float
    threshold: float
    margin: float
    sources: tuple[SummarySource, ...]
    sentences: tuple[SummarySentence, ...]
    spans: tuple[SummarySpan, ...]
    set_aside: tuple[SetAside, ...]
    suggestions: tuple[Suggestion, ...]
    claims: tuple[SummaryClaim, ...]
    parameters: Parameters
    profile: str
    models: SummaryModels
    span_model: ModelInfo | None
    second: SecondReadingCells | None
    judge: JudgeReply | None
    third: ThirdReading | None
    notices: tuple[Notice, ...]
    tokens: TokenCounts
    pair_tokens: PairTokens | None
    cuts: tuple[Cut, ...]
    timings: Timings
    created_at: str


def audit_summary(audit: Audit, suggestions: Sequence[Suggestion] = ()) -> AuditSummary:
    """What a program reads of an audit, with the fields of the JSON."""
    evidence, found = audit.evidence, sentence_reasons(audit)
    texts = reason_texts(audit, found)
    cited = {each.sentence: each for each in cited_sentences(audit)}
    return AuditSummary(
        verdict=audit.verdict,
        state=audit.state,
        reason=verdict_sentence(audit, found),
        flagged=audit.flagged,
        checked=audit.checked,
        score=audit.score,
        threshold=audit.parameters.threshold,
        margin=audit.margin,
        sources=tuple(_source(audit, source) for source in audit.sources),
        sentences=tuple(
            _sentence(audit, traced, said, cited.get(traced.sentence.index))
            for traced, said in zip(audit.sentences, texts, strict=True)
        ),
        spans=tuple(
            SummarySpan(s.start, s.end, s.type, s.unsupported, evidence.answer[s.start : s.end])
            for s in audit.spans
        ),
        set_aside=evidence.set_aside,
        suggestions=tuple(suggestions),
        claims=tuple(
            SummaryClaim(
                text=result.claim.text,
                form=result.claim.form,
                start=result.claim.start,
                end=result.claim.end,
                score=result.score,
                decided_by=result.decided_by,
            )
            for result in audit.claims
        ),
        parameters=audit.parameters,
        profile=evidence.profile,
        models=SummaryModels(evidence.relevance_model, evidence.nli_model),
        span_model=evidence.span_model,
        second=None if evidence.second is None else read_again(evidence.second),
        judge=evidence.judge,
        third=evidence.third,
        notices=evidence.notices,
        tokens=evidence.tokens,
        pair_tokens=evidence.pair_tokens,
        cuts=evidence.cuts,
        timings=evidence.timings,
        created_at=audit.created_at,
    )


def _source(audit: Audit, source: Source) -> SummarySource:
    chunk = source.chunk
    return SummarySource(
        item=chunk.item,
        name=audit.evidence.context[chunk.item].name,
        chunk=chunk.index,
        start=chunk.start,
        end=chunk.end,
        text=chunk.text,
        relevance=source.relevance,
        probability=source.probability,
        selected=source.selected,
        weight=source.weight,
        factuality=source.factuality,
        contribution=source.contribution,
        contradicts=audit.cells.sentences(chunk.index, Stance.CONTRADICTS),
    )


def _sentence(
    audit: Audit, traced: TracedSentence, reason: str, cited: CitedSentence | None
) -> SummarySentence:
    tells = audit.evidence.nli_model.tells_contradiction
    return SummarySentence(
        start=traced.sentence.start,
        end=traced.sentence.end,
        text=traced.sentence.text,
        label=traced.label,
        reason=reason,
        support=traced.support,
        contradiction=traced.contradiction if tells else None,
        evidence=evidence_passage(audit, traced),
        selection_miss=traced.selection_miss,
        missing_details=traced.missing_details,
        cited=cited,
        together=passages_together(audit, traced),
        evidence_too=_evidence_too(audit, traced),
    )


def evidence_passage(audit: Audit, traced: TracedSentence) -> Passage:
    """The sentence of the context that decided a sentence: its place and its text."""
    chunk = audit.evidence.chunks[traced.evidence_chunk]
    start, end = traced.evidence_start, traced.evidence_end
    text = audit.evidence.context[chunk.item].text[start:end]
    return Passage(chunk.item, chunk.index, start, end, text)


def _evidence_too(audit: Audit, traced: TracedSentence) -> Passage | None:
    place = traced.evidence_too
    if place is None:
        return None
    chunk = audit.evidence.chunks[place.chunk]
    text = audit.evidence.context[chunk.item].text[place.start : place.end]
    return Passage(chunk.item, place.chunk, place.start, place.end, text)


def other_passages(audit: Audit, traced: TracedSentence) -> tuple[Passage, ...]:
    """The passages that stand beside the evidence of a sentence, each once: those that were read
    together with it, else the one that has words which it lacks."""
    if traced.together:
        shown = traced.evidence_chunk
        return tuple(each for each in passages_together(audit, traced) if each.chunk != shown)
    too = _evidence_too(audit, traced)
    return () if too is None else (too,)


def passages_together(audit: Audit, traced: TracedSentence) -> tuple[Passage, ...]:
    """The passages that support a sentence when they are read together, where none does alone: of
    each chunk the sentence that is closest to it, each once, for chunks overlap."""
    found: dict[tuple[int, int], Passage] = {}
    # Of what the chunk that is shown and another have in common, the former's is kept.
    for index in sorted(traced.together, key=lambda at: at != traced.evidence_chunk):
        at = traced.sentence.index
        start, end = evidence_span(audit.evidence, at, index, contradiction=False)
        shown = replace(traced, evidence_chunk=index, evidence_start=start, evidence_end=end)
        passage = evidence_passage(audit, shown)
        found.setdefault((passage.item, start), passage)
    return tuple(sorted(found.values(), key=lambda each: each.chunk))
