"""The numbers of a sentence, each named for what it is."""

from __future__ import annotations

from provenance_core import Audit
from provenance_core.models.nli_classes import contradiction_text
from provenance_core.scoring.support import claims_are_sentences, sentence_support
from provenance_core.scoring.tracing import CONTRADICTION_THRESHOLD
from provenance_core.types import SentenceLabel, TracedSentence
from reports.wording import chunk_name, detector_title

_SAME = 0.0005  # what three decimals do not tell apart


def own_score(audit: Audit, sentence: int) -> float | None:
    """Find the detector's own score of a sentence.

    Parameters
    ----------
    audit : Audit
        An audit of any detector.
    sentence : int
        Index of a sentence of the answer, from 0.

    Returns
    -------
    float | None
        In [0, 1]; None where it scores no sentences, or its score is the support of the sentence by
        its sources.
    """
    if not claims_are_sentences(audit.evidence):
        return None
    score = audit.claims[sentence].score
    return None if abs(score - audit.sentences[sentence].support) < _SAME else score


def numbers_text(audit: Audit, traced: TracedSentence) -> str:
    """Say support and contradiction of a sentence by the sources.

    Parameters
    ----------
    audit : Audit
        An audit of any detector.
    traced : TracedSentence
        A sentence of the audit, traced to its evidence.

    Returns
    -------
    str
        After the detector's own score where that is another number.
    """
    against = contradiction_text(traced.contradiction, audit.evidence.nli_model)
    measured = (
        f"support {traced.support:.3f}{_by_another(audit, traced)} · contradiction {against}"
        f"{_by_words(traced)}"
    )
    own = own_score(audit, traced.sentence.index)
    if own is None:
        return measured
    title = detector_title(audit.parameters.detector)
    return f"score by {title} {own:.3f} · by the sources: {measured}"


def _by_another(audit: Audit, traced: TracedSentence) -> str:
    """Which source gives a contradicted sentence its support, where it is not the one shown."""
    if traced.label is not SentenceLabel.CONTRADICTED:
        return ""
    row = sentence_support(audit.evidence)[traced.sentence.index]
    giving = [
        each.chunk.index
        for each in audit.sources
        if each.selected and abs(row[each.chunk.index] - traced.support) < _SAME
    ]
    return "" if traced.evidence_chunk in giving or not giving else f" by {chunk_name(giving[0])}"


def _by_words(traced: TracedSentence) -> str:
    """That words and no model contradict a sentence, where that is so."""
    said = traced.label is SentenceLabel.CONTRADICTED
    by_words = said and traced.contradiction < CONTRADICTION_THRESHOLD
    return " by the model; the words contradict it" if by_words else ""


def two_numbers_text(audit: Audit) -> str:
    """Say why a sentence has a score and a support, and which of them its label is from.

    Parameters
    ----------
    audit : Audit
        An audit of any detector.

    Returns
    -------
    str
        Sentences; "" where they are one number.
    """
    if all(own_score(audit, i) is None for i in range(len(audit.sentences))):
        return ""
    title = detector_title(audit.parameters.detector)
    return (
        f"The bars are the sentences' scores by {title}, which make the answer's score. The colour "
        "is the sentence's label, which comes from its support by the sources: another number, "
        "beside the evidence of the sentence."
    )
