"""Corrections that the evidence supports: suggestions a reviewer may accept, and the answer with
those that were accepted. Nothing is changed unasked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from provenance_core.audit.stated_instead import (
    Instead,
    StatingSentence,
    evidence_of,
    said_instead,
    unstated_in,
)
from provenance_core.detectors import CONTEXT, Models, get_detector
from provenance_core.findings.details import DetailStatus, compare_details, conflicts
from provenance_core.findings.kinds import DetailKind
from provenance_core.findings.replacements import exchanged, without
from provenance_core.findings.same_subject import (
    is_of_the_same,
    is_of_the_same_thing,
    says_the_same_of_it,
)
from provenance_core.lexicon.words import content_words
from provenance_core.progress import SILENT, Progress
from provenance_core.scoring.tracing import CONTRADICTION_THRESHOLD
from provenance_core.text.references import is_fragment, without_pronoun
from provenance_core.text.splitting import Bounds, claim_bounds
from provenance_core.types import (
    UNSUPPORTED_LABELS,
    Audit,
    Entailment,
    SentenceLabel,
    TracedSentence,
)

# A corrected sentence must be more likely entailed than not.
ENTAILED = 0.5


class SuggestionKind(StrEnum):
    """``DETAIL``: a number, date or name of the evidence for one of the sentence. ``SENTENCE``:
    the evidence's sentence for the whole sentence. ``REMOVAL``: nothing for the whole sentence."""

    DETAIL = "detail"
    SENTENCE = "sentence"
    REMOVAL = "removal"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """``replacement`` for ``answer[start:end]`` in one sentence (index) of the answer.

    ``evidence_chunk`` (index) and ``evidence_start``/``evidence_end`` (characters in its context
    item) say where it is from. ``entailment_before`` and ``entailment_after``: P(entailment), in
    [0, 1], of the sentence by that chunk without and with the replacement; of a sentence with
    several wrong spans, less the others. The premise of a ``SENTENCE`` is its own text, so its
    entailment says only how far the model follows. A ``REMOVAL`` has the replacement "" and 0 for
    both."""

    kind: SuggestionKind
    sentence: int
    start: int
    end: int
    replacement: str
    evidence_chunk: int
    evidence_start: int
    evidence_end: int
    entailment_before: float
    entailment_after: float


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A suggestion before it is measured: the texts put to the model before and after."""

    traced: TracedSentence
    kind: SuggestionKind
    span: Bounds  # in the answer
    instead: Instead
    before: str
    after: str


def has_evidence(audit: Audit) -> bool:
    """Whether the context of an audit can correct the answer: other answers cannot."""
    return get_detector(audit.parameters.detector).traits.context == CONTEXT


def suggest(audit: Audit, models: Models, progress: Progress = SILENT) -> tuple[Suggestion, ...]:
    """Suggest what would fix each sentence that is not supported.

    For each detail of a hallucinated span (of the sentence, where the detector finds no spans):
    what the evidence says of the same thing
    (:func:`is_of_the_same_thing`) in its place, where the context
    has no other value for it and the sentence is then more entailed than before and over 0.5, or
    stands in the evidence in the same words. And the evidence sentence for the whole sentence,
    where it says something of the same (:func:`is_of_the_same`)
    that no supported sentence says, it contradicts the sentence or says the same kind of thing of
    the subject (:func:`says_the_same_of_it`), it has the numbers,
    dates and names that the context has, and no closer sentence can be fixed by it.

    In answer order; none where the context is no evidence."""
    if not has_evidence(audit):
        return ()
    wrong = [traced for traced in audit.sentences if traced.label in UNSUPPORTED_LABELS]
    candidates = []
    looking = progress.stage("Looking in the evidence")
    for number, traced in enumerate(wrong):
        looking(number / len(wrong))
        candidates += [
            candidate
            for candidate in (*_details(audit, traced), *_whole(audit, traced))
            # What is read with its query may be no answer to it and stand in the context.
            if audit.evidence.answer[slice(*candidate.span)].split()
            != candidate.instead.text.split()
        ]
    cells = _measured(audit, candidates, models, progress.stage("Entailment"))
    best: dict[tuple[SuggestionKind, Bounds], Suggestion] = {}
    for candidate in candidates:
        evidence = candidate.instead.evidence
        cell_before = cells.get((evidence.chunk, candidate.before))
        cell_after = cells.get((evidence.chunk, candidate.after))
        if cell_before is None or cell_after is None:
            continue
        found = Suggestion(
            kind=candidate.kind,
            sentence=candidate.traced.sentence.index,
            start=candidate.span[0],
            end=candidate.span[1],
            replacement=candidate.instead.text,
            evidence_chunk=evidence.chunk,
            evidence_start=evidence.start,
            evidence_end=evidence.end,
            entailment_before=cell_before.entailment,
            entailment_after=cell_after.entailment,
        )
        gained = found.entailment_after > max(found.entailment_before, ENTAILED)
        if not (gained or candidate.instead.sure):
            continue
        key = (found.kind, candidate.span)
        if key not in best or found.entailment_after > best[key].entailment_after:
            best[key] = found
    return tuple(sorted(best.values(), key=lambda each: (each.sentence, each.kind, each.start)))


def removals(audit: Audit) -> tuple[Suggestion, ...]:
    """Suggest to leave out each sentence that is not supported, in answer order. None for a
    sentence that a source supports which was not selected, for the only sentence of an answer, and
    where the context is no evidence."""
    if not has_evidence(audit) or len(audit.sentences) < 2:
        return ()
    return tuple(
        Suggestion(
            kind=SuggestionKind.REMOVAL,
            sentence=traced.sentence.index,
            start=traced.sentence.start,
            end=traced.sentence.end,
            replacement="",
            evidence_chunk=traced.evidence_chunk,
            evidence_start=traced.evidence_start,
            evidence_end=traced.evidence_end,
            entailment_before=0.0,
            entailment_after=0.0,
        )
        for traced in audit.sentences
        if traced.label in UNSUPPORTED_LABELS and not traced.selection_miss
    )


def corrected(answer: str, accepted: Iterable[Suggestion]) -> str:
    """Put suggestions into an answer, without white space at its end where its last sentence was
    removed. Raises ValueError where two of them change the same characters, or one lies outside the
    answer."""
    ordered = sorted(accepted, key=lambda each: each.start)
    parts, position = [], 0
    for suggestion in ordered:
        if suggestion.start < position:
            raise ValueError(
                f"Two accepted suggestions change characters {suggestion.start} to {position} of "
                "the answer: accept only one of them."
            )
        if not suggestion.start < suggestion.end <= len(answer):
            raise ValueError(
                f"A suggestion is for characters {suggestion.start} to {suggestion.end} of an "
                f"answer of {len(answer)} characters: it belongs to another answer."
            )
        parts += [answer[position : suggestion.start], suggestion.replacement]
        position = suggestion.end
    text = "".join([*parts, answer[position:]])
    cut = bool(ordered) and not ordered[-1].replacement and position == len(answer)
    return text.rstrip() if cut else text


def _details(audit: Audit, traced: TracedSentence) -> list[_Candidate]:
    sentence = traced.sentence
    start, end = claim_bounds(audit.evidence.answer, sentence.start, sentence.end)
    text = audit.evidence.answer[start:end]
    spans = [(s.start - start, s.end - start) for s in audit.spans if start <= s.start < end]
    context = [item.text for item in audit.evidence.context]
    # Several spans of one sentence are judged apart: each without what the others say.
    apart = spans if len(spans) > 1 else []
    result = []
    for span, instead in said_instead(audit, traced, text):
        if spans and not any(span[0] < b and a < span[1] for a, b in spans):
            continue
        if _in_conflict(exchanged(text, span, instead.text), span[0], len(instead.text), context):
            continue
        others = [(a, b) for a, b in apart if b <= span[0] or span[1] <= a]
        result.append(
            _Candidate(
                traced,
                SuggestionKind.DETAIL,
                (start + span[0], start + span[1]),
                instead,
                _claim(audit, traced, text, without(text, others)),
                _claim(audit, traced, text, exchanged(text, span, instead.text, others)),
            )
        )
    return result


def _in_conflict(text: str, start: int, length: int, context: Sequence[str]) -> bool:
    """Whether the context has another value in place of the detail at ``start``: "4,200 ship
    models" where 4,200 objects are 36 ship models and others."""
    end = start + length
    return any(each.start < end and start < each.end for each in conflicts(text, context))


def _whole(audit: Audit, traced: TracedSentence) -> list[_Candidate]:
    bounds = claim_bounds(audit.evidence.answer, traced.sentence.start, traced.sentence.end)
    text, evidence = audit.evidence.answer[bounds[0] : bounds[1]], evidence_of(audit, traced)
    new = evidence.text
    place = _evidence_place(audit, traced)
    said = any(
        other.label is SentenceLabel.SUPPORTED and _evidence_place(audit, other) == place
        for other in audit.sentences
    )
    full = _in_full(audit, traced, text)
    if said or not is_of_the_same(full, new):
        return []
    # What contradicts a sentence is about it, whatever its words are.
    against = audit.cells.contradiction.values[traced.sentence.index, traced.evidence_chunk]
    denied = traced.label is SentenceLabel.CONTRADICTED or against >= CONTRADICTION_THRESHOLD
    if not denied and not says_the_same_of_it(full, new):
        return []
    if _is_of_something_else(audit, traced, text, evidence):
        return []
    # Of several sentences with one evidence the closest is fixed, lest it stand there twice.
    wrong = [
        other
        for other in audit.sentences
        if other.label in UNSUPPORTED_LABELS and _evidence_place(audit, other) == place
    ]
    words = content_words(new)
    if max(wrong, key=lambda one: len(content_words(one.sentence.text) & words)) is not traced:
        return []
    before = _claim(audit, traced, text, text)
    # What the context says word for word it entails, however far the model follows.
    instead = Instead(new, evidence, sure=True)
    return [_Candidate(traced, SuggestionKind.SENTENCE, bounds, instead, before, new)]


def _is_of_something_else(
    audit: Audit, traced: TracedSentence, text: str, evidence: StatingSentence
) -> bool:
    """Whether ``evidence`` lacks a number, date or name of ``text`` that the context has elsewhere,
    or has another value in its place that is of something else."""
    start, _ = claim_bounds(audit.evidence.answer, traced.sentence.start, traced.sentence.end)
    lacking = [(f.start - start, f.end - start) for f in unstated_in(audit, traced)]
    for each in compare_details(text, [f"{evidence.lead} {evidence.text}"]):
        known = not any(a < each.end and each.start < b for a, b in lacking)
        if each.status is not DetailStatus.STATED and known:
            return True
    query = audit.evidence.query if is_fragment(text) else ""
    return any(
        each.kind is not DetailKind.NAME
        and not is_of_the_same_thing(
            text,
            (each.start, each.end),
            evidence.text,
            (each.other_start, each.other_end),
            lead=evidence.lead,
            query=query,
            wrong=lacking,
        )
        for each in conflicts(text, [evidence.text])
    )


def _in_full(audit: Audit, traced: TracedSentence, text: str) -> str:
    """``text`` of a sentence with what it leaves out: the subject that a pronoun stands for, the
    query of a reply without a verb."""
    if is_fragment(text):
        return f"{audit.evidence.query} {text}"
    index = traced.sentence.index
    before = audit.evidence.sentences[index - 1].text if index else ""
    return without_pronoun(text, before)


def _evidence_place(audit: Audit, traced: TracedSentence) -> tuple[int, int, int]:
    item = audit.evidence.chunks[traced.evidence_chunk].item
    return item, traced.evidence_start, traced.evidence_end


def _claim(audit: Audit, traced: TracedSentence, text: str, new: str) -> str:
    """``new`` in the place of ``text`` in the sentence's claim: an answer of one sentence may
    be read with its query."""
    claims, index = audit.evidence.claims, traced.sentence.index
    if len(claims) != len(audit.evidence.sentences):
        return new
    old, new = text.removesuffix("."), new.removesuffix(".")
    if not old:
        return new
    head, found, tail = claims[index].text.rpartition(old)
    return head + new + tail if found else new


def _measured(
    audit: Audit, candidates: Sequence[_Candidate], models: Models, progress: Progress
) -> dict[tuple[int, str], Entailment]:
    """Each text by its evidence chunk; a text too long beside it is left out."""
    keys = list(
        dict.fromkeys(
            (candidate.instead.evidence.chunk, text)
            for candidate in candidates
            for text in (candidate.before, candidate.after)
        )
    )
    if not keys:
        return {}
    lengths = models.nli.count_tokens([text for _, text in keys])
    chunks = audit.evidence.chunks
    fitting = [
        key
        for key, length in zip(keys, lengths, strict=True)
        if chunks[key[0]].tokens + length <= models.nli.text_budget
    ]
    cells = models.entailment([(chunks[chunk].text, text) for chunk, text in fitting], progress)
    return dict(zip(fitting, cells, strict=True))
