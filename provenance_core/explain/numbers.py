"""The numbers of a sentence, each named for what it is."""

from __future__ import annotations

from collections.abc import Callable

from provenance_core.detectors import chunk_name
from provenance_core.explain.names import detector_title
from provenance_core.models.nli_classes import contradiction_text
from provenance_core.scoring.support import claims_are_sentences
from provenance_core.scoring.tracing import CONTRADICTION_THRESHOLD
from provenance_core.types import (
    UNSUPPORTED_LABELS,
    Aggregation,
    Audit,
    Floats,
    SentenceLabel,
    Stance,
    TracedSentence,
)

_EVEN = 0.5
_SAME = 0.0005  # what three decimals do not tell apart


def told_apart(value: float, threshold: float) -> tuple[str, str]:
    """Write a value and the threshold that it does not equal with three decimals, or with as many
    more as tell them apart: 0.49994 is not under 0.500 if it reads 0.500.

    >>> told_apart(0.49994, 0.5), told_apart(0.31, 0.5)
    (('0.4999', '0.5000'), ('0.310', '0.500'))
    """
    digits = 3
    while value != threshold and f"{value:.{digits}f}" == f"{threshold:.{digits}f}":
        digits += 1
    return f"{value:.{digits}f}", f"{threshold:.{digits}f}"


def own_score(audit: Audit, sentence: int) -> float | None:
    """Find the detector's own score of a sentence. In [0, 1]; None where it scores no sentences, or
    its score is the support of the sentence by its sources."""
    if not claims_are_sentences(audit.evidence):
        return None
    score = audit.claims[sentence].score
    return None if abs(score - audit.sentences[sentence].support) < _SAME else score


def numbers_text(audit: Audit, traced: TracedSentence) -> str:
    """Say support and contradiction of a sentence by the sources. After the detector's own score
    where that is another number."""
    measured = " · ".join(source_numbers(audit, traced))
    own = own_score(audit, traced.sentence.index)
    if own is None:
        return measured
    title = detector_title(audit.parameters.detector)
    return f"score by {title} {own:.3f} · by the sources: {measured}"


def source_numbers(
    audit: Audit, traced: TracedSentence, named: Callable[[int], str] = chunk_name
) -> tuple[str, ...]:
    """Say support and contradiction of a sentence, and whose they are where they are not those of
    the chunk that is shown as its evidence: a pair of sentence and chunk has one number. Support,
    and contradiction; of a supported sentence only that by another source."""
    cells, at = audit.cells, traced.sentence.index
    support = f"{cells.measure} {traced.support:.3f}"
    third = audit.evidence.third
    if third is not None and (answer := third.of_sentence(at)):
        name = third.model.model_id
        support += f" by {name}, asked because the models here gave {answer.support:.3f}"
    else:
        row = cells.support.values[at]
        support = _whose(audit, traced, support, traced.support, row, named)
    support += _uncounted(audit, traced)
    against, model = cells.contradiction.values[at], audit.evidence.nli_model
    if not model.tells_contradiction:
        return support, f"contradiction {contradiction_text(0.0, model)}"
    if traced.label is SentenceLabel.SUPPORTED:
        other = cells.chunks(at, Stance.CONTRADICTS)
        most = max(other, key=lambda chunk: float(against[chunk]), default=None)
        if most is None:
            return (support,)
        return support, f"contradiction {float(against[most]):.3f} by {named(most)}"
    if _by_words(traced):
        own = contradiction_text(float(against[traced.evidence_chunk]), model)
        by_words = "where a model reads the whole source; the words contradict it"
        return support, f"contradiction {own} {by_words}"
    text = f"contradiction {contradiction_text(traced.contradiction, model)}"
    return support, _whose(audit, traced, text, traced.contradiction, against, named)


def _whose(
    audit: Audit,
    traced: TracedSentence,
    said: str,
    value: float,
    row: Floats,
    named: Callable[[int], str],
) -> str:
    """A ``value`` as it is ``said`` ("support 0.527"), and which source gives it to a sentence
    where that is not the one shown. ``row``: what each chunk gives, (N,)."""
    joined, weighted = _joined(audit, traced), Aggregation.WEIGHTED_AVERAGE
    if joined:
        together = " together" * (len(joined) > 1)
        return f"{said} by {' and '.join(map(named, joined))}{together}, joined"
    giving = [
        each.chunk.index
        for each in audit.sources
        if (each.selected or each.chunk.index == traced.evidence_chunk)
        and abs(row[each.chunk.index] - value) < _SAME
    ]
    if traced.evidence_chunk in giving:
        return said
    if giving:
        measure, number = said.split(" ", 1)
        return f"the highest {measure} is {number}, by {named(giving[0])}"
    return f"{said} by the sources together" if audit.parameters.aggregation is weighted else said


def _joined(audit: Audit, traced: TracedSentence) -> tuple[int, ...]:
    """The chunks that were joined into the premise of a sentence; none where chunks are read one
    by one."""
    found, at = audit.evidence.joined_scores, traced.sentence.index
    return found[at if len(found) == len(audit.sentences) else 0].chunks if found else ()


def _uncounted(audit: Audit, traced: TracedSentence) -> str:
    """Why a support that reaches the threshold supports nothing: shared words alone made it."""
    evidence, at = audit.evidence, traced.sentence.index
    if evidence.support or traced.label not in UNSUPPORTED_LABELS or traced.selection_miss:
        return ""
    if traced.support < min(audit.parameters.threshold, _EVEN):
        return ""
    scores = evidence.sentence_scores
    entailed = scores.entailment[at] >= scores.contradiction[at]
    if any(entailed[source.chunk.index] for source in audit.sources if source.selected):
        return ""
    return ", which does not count: the model finds it more contradicted than entailed"


def _by_words(traced: TracedSentence) -> bool:
    """Whether words and no model contradict a sentence."""
    said = traced.label is SentenceLabel.CONTRADICTED
    return said and traced.contradiction < CONTRADICTION_THRESHOLD


def two_numbers_text(audit: Audit) -> str:
    """Why a sentence has a score and a support; "" where they are one number."""
    if all(own_score(audit, i) is None for i in range(len(audit.sentences))):
        return ""
    title = detector_title(audit.parameters.detector)
    return (
        f"The bars are the sentences' scores by {title}, which make the answer's score. The colour "
        f"is the sentence's label, which comes from its {audit.cells.measure} by the sources: "
        "another number, beside the evidence of the sentence."
    )
