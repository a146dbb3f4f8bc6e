"""Why each sentence of an answer is not supported, in plain words. Plain text; whoever shows it
escapes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from provenance_core.detectors import DETECTORS, chunk_name
from provenance_core.explain.numbers import told_apart
from provenance_core.explain.quotes import quoted, quoted_where_new, telling_stems
from provenance_core.explain.wrong_words import named, span_words, stands_instead, wrong_words
from provenance_core.findings.answered import find_answer
from provenance_core.findings.answers import bare_statement
from provenance_core.findings.coverage import word_coverage
from provenance_core.lexicon.words import content_stems
from provenance_core.scoring.holding import lacks_value
from provenance_core.scoring.label_rules import ALIKE
from provenance_core.scoring.support import sentence_support
from provenance_core.text.set_aside import ABSTENTION, by_rules
from provenance_core.types import (
    UNSTATED,
    UNSUPPORTED_LABELS,
    Audit,
    Finding,
    SentenceLabel,
    TracedSentence,
)

LEAST_RELEVANCE = 0.1

LEAST_STATED = 0.5

_EVEN_ODDS = 0.5  # of a support: below it a sentence is rather not supported

# From such a support, or such a share of its content words in a context item, a sentence may be
# stated though the models do not see it (benchmarks/REASONS.md).
_UNLIKELY = 0.3
_MOST_HELD = 0.75


@dataclass(frozen=True, slots=True)
class SentenceReason:
    """Why a sentence is not supported. ``said``: as part of a sentence. ``about_it``: whether any
    chunk is about the sentence at all (:data:`LEAST_RELEVANCE`)."""

    traced: TracedSentence
    wrong: tuple[Finding, ...]
    said: str
    about_it: bool


def evidence_relevance(audit: Audit, sentence: int) -> float:
    """The largest share of a sentence's content words that one chunk has, in [0, 1]."""
    chunks = [chunk.text for chunk in audit.evidence.chunks]
    # A bare yes or no is about what the query asks.
    text = bare_statement(audit.evidence) or audit.evidence.sentences[sentence].text
    share = float(word_coverage([text], chunks).max())
    wanted = _parts(text) if share < LEAST_RELEVANCE else frozenset()
    if not wanted:
        return share
    return max(share, max(len(wanted & _parts(chunk)) for chunk in chunks) / len(wanted))


def _parts(text: str) -> frozenset[str]:
    """The stems of a text's content words; those of an address ("wiki/Puerto_Rico") one by one."""
    return content_stems(text.replace("_", " "))


def sentence_reasons(audit: Audit) -> tuple[SentenceReason, ...]:
    """Why each sentence that is not supported is not, in the order of the answer."""
    return tuple(
        _reason(audit, traced) for traced in audit.sentences if traced.label in UNSUPPORTED_LABELS
    )


def reason_texts(audit: Audit, reasons: Sequence[SentenceReason] | None = None) -> tuple[str, ...]:
    """Why each sentence is not supported, may be doubted, or was set aside: a part of a sentence
    for each, in order; "" where there is nothing to say."""
    found = sentence_reasons(audit) if reasons is None else reasons
    said = {each.sentence: each.reason for each in audit.evidence.set_aside}
    said |= {each.traced.sentence.index: each.said for each in found}
    return tuple(
        said.get(traced.sentence.index) or sentence_doubt(audit, traced)
        for traced in audit.sentences
    )


def foreign_sentences(audit: Audit) -> frozenset[int]:
    """Find the sentences that nothing in the context is about. The same as those of
    :func:`sentence_reasons` that are not ``about_it``, but the reasons of the others, which take
    long, are not looked for. Their indices, from 0."""
    return frozenset(
        traced.sentence.index
        for traced in audit.sentences
        if traced.label in UNSUPPORTED_LABELS
        and evidence_relevance(audit, traced.sentence.index) < LEAST_RELEVANCE
        and not _reason(audit, traced).about_it
    )


def sentence_doubt(audit: Audit, traced: TracedSentence) -> str:
    """What a supported sentence says otherwise than the context: a model may read over a digit.
    Where a low threshold alone calls it supported, what the context does not have is named too; not
    elsewhere, because a plainly supported sentence often has a number in words of its own. A part
    of a sentence; "" where there is no such number, date or name, or the sentence is not supported,
    which :func:`sentence_reasons` explain."""
    if traced.label is not SentenceLabel.SUPPORTED or traced.selection_miss:
        return ""
    doubted = traced.support < _EVEN_ODDS
    found = [
        each
        for each in wrong_words(audit, traced)
        if each.kind in UNSTATED
        and (doubted or (stands_instead(each) and each.chunk == traced.evidence_chunk))
    ]
    return named(found)


def context_name(audit: Audit) -> str:
    """What the audit's detector calls the context, as in "the context"."""
    return f"the {DETECTORS[audit.parameters.detector].traits.context}"


def _reason(audit: Audit, traced: TracedSentence) -> SentenceReason:
    made = partial(SentenceReason, traced)
    about_it = evidence_relevance(audit, traced.sentence.index) >= LEAST_RELEVANCE
    context, sentence = context_name(audit), quoted(traced.sentence.text)
    stated = bare_statement(audit.evidence)
    if stated is not None:
        sentence += f", read as {quoted(stated)},"
    evidence = chunk_name(traced.evidence_chunk)
    if traced.selection_miss:
        reaches = f"only {evidence}, which was not selected, reaches the threshold"
        return made((), f"{reaches} for {sentence}", True)
    details = wrong_words(audit, traced)
    conflicting = tuple(filter(stands_instead, details))
    wrong = details or span_words(audit, traced)
    if conflicting:
        return made(wrong, named(conflicting), True)
    if answering := _answering(audit, traced):
        abstains = f"{sentence} abstains, but {context} may answer the query"
        return made((), f"{abstains}: {answering}", True)
    flagged = lacks_value(audit.evidence, traced.sentence.index)
    flagged = flagged and traced.support >= audit.parameters.threshold
    if details and (flagged or not _is_missing_as_a_whole(audit, traced, details)):
        return made(wrong, named(details), about_it)
    # One word of it would be named for many. The models may overlook a passage that states it in
    # other words, so that no more is said than that none was found.
    wrong = wrong if not details else ()
    nearest = _nearest_passages(audit, traced)
    differing = _where_new(audit, traced) if stated is None else sentence
    if traced.label is SentenceLabel.CONTRADICTED:
        against = f"the model reads a contradiction in {evidence} ({traced.contradiction:.3f})"
        return made(wrong, f"{_under(audit, traced, differing)}, and {against}", True)
    if _may_be_stated(audit, traced):
        return made(wrong, f"{_under(audit, traced, differing)} ({nearest})", True)
    none = f"no single passage of {context}"
    if not audit.evidence.read[traced.sentence.index].all():
        none = f"none of the passages of {context} that are nearest to it"
    if not about_it:
        share = "none has more than a tenth of its content words"
        return made(wrong, f"{none} was found to state {sentence}; {share}", False)
    return made(wrong, f"{none} was found to state {differing} ({nearest})", True)


def _answering(audit: Audit, traced: TracedSentence) -> str:
    """The passage that answers the query of which a sentence says that it is not answered; "" of a
    sentence that does not abstain."""
    if by_rules(traced.sentence.text) != ABSTENTION:
        return ""
    texts = [item.text for item in audit.evidence.context]
    found = find_answer(audit.evidence.query, texts)
    if found is None:
        return ""
    item, start, end = found
    holding = [
        chunk.index
        for chunk in audit.evidence.chunks
        if chunk.item == item and chunk.start < end and start < chunk.end
    ]
    shown = traced.evidence_chunk
    chunk = shown if shown in holding or not holding else holding[0]
    return f"{chunk_name(chunk)} has {quoted(texts[item][start:end].strip())}"


def _under(audit: Audit, traced: TracedSentence, sentence: str) -> str:
    """What was measured of a sentence, where more than that is not certain."""
    if traced.support >= audit.parameters.threshold:
        return f"{sentence} is not supported"
    value, threshold = told_apart(traced.support, audit.parameters.threshold)
    return f"{sentence} has the {audit.cells.measure} {value}, under the threshold {threshold}"


def _may_be_stated(audit: Audit, traced: TracedSentence) -> bool:
    """Whether a passage may state a sentence after all: its support is not low, or a context item
    has most of its words."""
    items = [item.text for item in audit.evidence.context]
    held = float(word_coverage([traced.sentence.text], items).max())
    return traced.support >= _UNLIKELY or held >= _MOST_HELD


def _nearest_passages(audit: Audit, traced: TracedSentence) -> str:
    """The passages that are shown beside a sentence; of older audits the one that is shown and the
    one that supports the sentence most of the rest, where that has nearly as much."""
    if audit.evidence.labelled_by >= ALIKE:
        too = [] if traced.evidence_too is None else [traced.evidence_too.chunk]
        names = [chunk_name(chunk) for chunk in dict.fromkeys([traced.evidence_chunk, *too])]
        return f"nearest: {' and '.join(names)}"
    support = sentence_support(audit.evidence)[traced.sentence.index].copy()
    shown = traced.evidence_chunk
    most, support[shown] = support[shown], np.nan
    names = [chunk_name(shown)]
    if not np.isnan(support).all():
        other = int(np.nanargmax(support))
        if support[other] >= most / 2:
            names.append(chunk_name(other))
    return f"nearest: {' and '.join(names)}"


def _where_new(audit: Audit, traced: TracedSentence) -> str:
    return quoted_where_new(traced.sentence.text, [chunk.text for chunk in audit.evidence.chunks])


def _is_missing_as_a_whole(
    audit: Audit, traced: TracedSentence, details: Sequence[Finding]
) -> bool:
    """Whether every chunk lacks most content words of a sentence, those of ``details`` aside."""
    if bare_statement(audit.evidence) is not None:
        return False
    rest, position = [], traced.sentence.start
    for each in details:
        rest.append(audit.evidence.answer[position : each.start])
        position = max(position, each.end)
    rest.append(audit.evidence.answer[position : traced.sentence.end])
    wanted = telling_stems(" ".join(rest))
    if not wanted:
        return False
    chunks = (telling_stems(chunk.text) for chunk in audit.evidence.chunks)
    return max(len(wanted & held) for held in chunks) < LEAST_STATED * len(wanted)
