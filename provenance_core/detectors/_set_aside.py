"""Sentences that state nothing to check, left out of a score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from provenance_core.findings.answered import is_answered
from provenance_core.text.set_aside import ABSTENTION, find_set_aside
from provenance_core.text.splitting import strip_bounds
from provenance_core.types import (
    Bools,
    Evidence,
    MeasuredSpan,
    Notice,
    Parameters,
    SentenceLabel,
    SetAside,
    TracedSentence,
)

# Code of the notice of an answer that states nothing to check and is scored by its words.
ONLY_SET_ASIDE = "only_set_aside"


def with_set_aside(evidence: Evidence) -> Evidence:
    """Find what of the answer states nothing to check. The evidence with that, and with a notice
    where the answer holds nothing else."""
    aside = _stating_nothing(evidence)
    notices = evidence.notices
    if len(aside) == len(evidence.sentences):
        notices += (
            Notice(
                "nothing_to_check",
                "Every part of the answer was set aside, because it states nothing to check. "
                "Unless what was set aside is counted, its score is 1 by definition and decides "
                "nothing.",
            ),
        )
    return replace(evidence, set_aside=aside, notices=notices)


def _stating_nothing(evidence: Evidence) -> tuple[SetAside, ...]:
    """What states nothing to check; an abstention that the context disproves does."""
    found = find_set_aside(evidence.answer, evidence.sentences, evidence.query)
    if not any(each.reason == ABSTENTION for each in found):
        return found
    if not is_answered(evidence.query, [item.text for item in evidence.context]):
        return found
    return tuple(each for each in found if each.reason != ABSTENTION)


def beside_claims(evidence: Evidence) -> Evidence:
    """Find what of the answer states nothing to check, beside what is scored. An answer that states
    nothing else is scored by its words. The evidence with that, and with the notice
    ``ONLY_SET_ASIDE`` where the answer holds nothing else."""
    aside = _stating_nothing(evidence)
    notices = evidence.notices
    if len(aside) == len(evidence.sentences):
        notices += (
            Notice(
                ONLY_SET_ASIDE,
                "The answer is a greeting, a question, an abstention or the like and states "
                "nothing to check. Unless what was set aside is counted, its score, which is that "
                "of its words, decides nothing.",
            ),
        )
    return replace(evidence, set_aside=aside, notices=notices)


def left_out(evidence: Evidence, parameters: Parameters) -> frozenset[int]:
    """Indices of the sentences that do not count."""
    if parameters.count_set_aside:
        return frozenset()
    if any(notice.code == ONLY_SET_ASIDE for notice in evidence.notices):
        # Audits of before such answers had a verdict of their own name no sentence.
        return frozenset(sentence.index for sentence in evidence.sentences)
    return frozenset(each.sentence for each in evidence.set_aside)


def traced_aside(
    traced: Iterable[TracedSentence], evidence: Evidence, parameters: Parameters
) -> tuple[TracedSentence, ...]:
    """Label the sentences that do not count. They have no details to miss either. All sentences, in
    order."""
    aside = left_out(evidence, parameters)
    return tuple(
        replace(each, label=SentenceLabel.SET_ASIDE, selection_miss=False, missing_details=())
        if each.sentence.index in aside
        else each
        for each in traced
    )


def counted_spans(evidence: Evidence, parameters: Parameters) -> tuple[MeasuredSpan, ...]:
    """The measured parts outside sentences that are set aside, in order."""
    aside = left_out(evidence, parameters)
    bounds = [(s.start, s.end) for s in evidence.sentences if s.index in aside]
    return tuple(
        span
        for span in evidence.spans
        # A token may begin with the white space before it, which belongs to the sentence before.
        for a, b in (strip_bounds(evidence.answer, span.start, span.end),)
        if not any(start <= a and b <= end for start, end in bounds)
    )


def counted_claims(evidence: Evidence, parameters: Parameters) -> Bools:
    """Which claims count in a score, shape (M,): those with a sentence that was not set aside. A
    claim around the whole answer counts unless every sentence was."""
    aside = left_out(evidence, parameters)
    kept = [sentence for sentence in evidence.sentences if sentence.index not in aside]
    return np.array(
        [
            any(claim.start < sentence.end and sentence.start < claim.end for sentence in kept)
            for claim in evidence.claims
        ],
        dtype=np.bool_,
    )


def scored_claims(evidence: Evidence, parameters: Parameters) -> Bools:
    """Which claims count, shape (M,); all where none does, because a score needs a claim."""
    counted = counted_claims(evidence, parameters)
    return counted if counted.any() else np.ones_like(counted)
