"""Whether what a sentence cites supports it. No verdict depends on it: a right sentence with a
wrong citation is supported. Plain text; whoever shows it escapes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from provenance_core.detectors import CONTEXT, DETECTORS, chunk_name
from provenance_core.explain.names import sentence_name
from provenance_core.explain.quotes import quoted
from provenance_core.scoring.support import sentence_support
from provenance_core.scoring.tracing import evidence_span
from provenance_core.text.cited_items import points_to_no_item
from provenance_core.types import Audit, Bools, Citation, Floats, SentenceLabel, TracedSentence

_EVEN_ODDS = 0.5
_NEARLY = 0.2  # of a support: as good as that of the best chunk


class CitationState(StrEnum):
    """What the check of a sentence's citations found."""

    SUPPORTED = "supported"  # a cited context item supports the sentence
    ELSEWHERE = "elsewhere"  # another context item supports it, and none that it cites
    UNSUPPORTED = "unsupported"  # no context item supports it
    UNCLEAR = "unclear"  # what it cites is not known
    MISSING = "missing"  # it cites a number that no context item has


_WRONGLY = {
    CitationState.ELSEWHERE: "supported, but not by what is cited there",
    CitationState.MISSING: "an item that the context does not have",
}


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """What a sentence (index) cites, and whether that supports it. ``items``: the context items.
    ``support``: the most that a chunk of them has, in [0, 1]; None where no item is known.
    ``chunk``: of another item, that supports the sentence in their place, with the place of its
    sentence, ``start`` and ``end`` in that item; None but for ``ELSEWHERE``. ``said``: the finding
    in a sentence; "" where there is nothing to say."""

    sentence: int
    state: CitationState
    items: tuple[int, ...]
    support: float | None
    chunk: int | None
    start: int
    end: int
    said: str


def cited_sentences(audit: Audit) -> tuple[CitedSentence, ...]:
    """Check each sentence that cites and that the verdict counts, in the order of the answer."""
    evidence = audit.evidence
    if not evidence.citations or DETECTORS[audit.parameters.detector].traits.context != CONTEXT:
        return ()
    support = np.nan_to_num(sentence_support(evidence), nan=0.0)
    by_sentence: dict[int, list[Citation]] = {}
    for citation in evidence.citations:
        by_sentence.setdefault(citation.sentence, []).append(citation)
    return tuple(
        _checked(audit, traced, by_sentence[traced.sentence.index], support[at])
        for at, traced in enumerate(audit.sentences)
        if traced.sentence.index in by_sentence and traced.label is not SentenceLabel.SET_ASIDE
    )


def citation_texts(audit: Audit) -> tuple[str, ...]:
    """What there is to say of the citations of each sentence, "" where nothing is."""
    said = {each.sentence: each.said for each in cited_sentences(audit)}
    return tuple(said.get(traced.sentence.index, "") for traced in audit.sentences)


def citations_text(audit: Audit) -> str:
    """What came of the answer's citations, in one sentence; "" where all that are clear support
    their sentences."""
    found = cited_sentences(audit)
    unclear = sum(each.state is CitationState.UNCLEAR for each in found)
    parts = _wrong(found)
    if unclear:
        parts.append(f"the citations of {unclear} were not checked")
    if not parts:
        return ""
    count = f"{len(found)} sentence{' cites' if len(found) == 1 else 's cite'} a source"
    return f"{count}: {'; '.join(parts)}. The verdict does not depend on it."


def wrong_citations_text(audit: Audit) -> str:
    """Which sentences cite wrongly, to be read behind the verdict; "" where none does."""
    return " ".join(f"{part}." for part in _wrong(cited_sentences(audit)))


def _wrong(found: Sequence[CitedSentence]) -> list[str]:
    """Of the sentences with a wrong citation, what is wrong, each as a part of a sentence."""
    parts = []
    for state, one, several in (
        (CitationState.ELSEWHERE, "is", "are"),
        (CitationState.MISSING, "cites", "cite"),
    ):
        names = [sentence_name(each.sentence) for each in found if each.state is state]
        if names:
            verb = one if len(names) == 1 else several
            parts.append(f"{', '.join(names)} {verb} {_WRONGLY[state]}")
    return parts


def _checked(
    audit: Audit, traced: TracedSentence, citations: Sequence[Citation], support: Floats
) -> CitedSentence:
    missing = [each for each in citations if points_to_no_item(each)]
    others = [each for each in citations if each not in missing]
    if not missing:
        return _checked_by_items(audit, traced, others, support)
    said = " ".join(f"{_mark(audit, each)} does not exist: {each.unclear}." for each in missing)
    if not others:
        return CitedSentence(
            traced.sentence.index, CitationState.MISSING, (), None, None, 0, 0, said
        )
    found = _checked_by_items(audit, traced, others, support)
    elsewhere = found.state is CitationState.ELSEWHERE
    state = found.state if elsewhere else CitationState.MISSING
    return replace(found, state=state, said=f"{said} {found.said}".rstrip())


def _checked_by_items(
    audit: Audit, traced: TracedSentence, citations: Sequence[Citation], support: Floats
) -> CitedSentence:
    evidence, threshold = audit.evidence, audit.parameters.threshold
    items = tuple(dict.fromkeys(item for each in citations for item in each.items))
    cited = np.array([chunk.item in items for chunk in evidence.chunks])
    most = float(support[cited].max()) if cited.any() else None
    is_supported = traced.label is SentenceLabel.SUPPORTED
    shown = evidence.chunks[traced.evidence_chunk].item

    def found(state: CitationState, said: str = "") -> CitedSentence:
        return CitedSentence(traced.sentence.index, state, items, most, None, 0, 0, said)

    if is_supported and (shown in items or _states_it(audit, traced, cited, support)):
        return found(CitationState.SUPPORTED)
    if not is_supported and most is not None and most >= threshold:
        return found(CitationState.SUPPORTED)  # only selection dropped it
    if unclear := [each for each in citations if not each.items]:
        return found(CitationState.UNCLEAR, _unclear_text(audit, unclear))
    if not is_supported:
        return found(CitationState.UNSUPPORTED)
    other = int(np.argmax(np.where(cited, -1.0, support)))
    if support[other] < threshold:  # Several passages support it together.
        return found(CitationState.SUPPORTED)
    start, end = evidence_span(evidence, traced.sentence.index, other, contradiction=False)
    item = evidence.chunks[other].item
    passage = quoted(evidence.context[item].text[start:end])
    said = (
        f"Supported, but not by what it cites ({_named(audit, citations)}): "
        f"{chunk_name(other)} of {_item_name(audit, item)} supports it, {passage}."
    )
    return CitedSentence(
        traced.sentence.index, CitationState.ELSEWHERE, items, most, other, start, end, said
    )


def _states_it(audit: Audit, traced: TracedSentence, cited: Bools, support: Floats) -> bool:
    """Whether a cited chunk states a supported sentence. Where another one supports it better by
    far, the support of the rest is partly that of the words that all have, so that it must entail
    the sentence."""
    if not cited.any():
        return False
    entailment = np.nan_to_num(audit.evidence.sentence_scores.entailment[traced.sentence.index])
    if entailment[cited].max() >= _EVEN_ODDS:
        return True
    most = support[cited].max()
    return bool(most >= max(audit.parameters.threshold, support.max() - _NEARLY))


def _unclear_text(audit: Audit, citations: Sequence[Citation]) -> str:
    """Why citations were not checked, in one sentence: the first reason, and the marks that have
    it."""
    why = citations[0].unclear
    marks = [_mark(audit, each) for each in citations if each.unclear == why]
    were = "was" if len(marks) == 1 else "were"
    return f"{', '.join(marks)} {were} not checked: {why}."


def _named(audit: Audit, citations: Sequence[Citation]) -> str:
    return "; ".join(
        f"{_mark(audit, each)} is {' and '.join(_item_name(audit, item) for item in each.items)}"
        for each in citations
    )


def _mark(audit: Audit, citation: Citation) -> str:
    return audit.evidence.answer[citation.start : citation.end]


def _item_name(audit: Audit, item: int) -> str:
    name = audit.evidence.context[item].name
    return f"context item {item + 1}" + (f" {quoted(name)}" if name else "")
