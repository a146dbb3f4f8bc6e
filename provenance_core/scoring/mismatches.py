"""Where a sentence and the context do not agree in their words, by chunk."""

from __future__ import annotations

from dataclasses import replace

from provenance_core.findings.kinds import Mismatch
from provenance_core.findings.mismatches import find_mismatches
from provenance_core.text.yes_no import statement_of
from provenance_core.types import Evidence


def mismatches_by_chunk(evidence: Evidence, text: str) -> tuple[Mismatch, ...]:
    """Find the mismatches of a sentence, each with its chunk and the place in it.

    The context items are read whole, as for the score. What no chunk holds whole is left out.

    ``premise`` is the index of a chunk; ``other_start`` and ``other_end`` are characters of it.
    """
    found = []
    for each in find_mismatches(text, [item.text for item in evidence.context]):
        item = evidence.context[each.premise].index
        for chunk in evidence.chunks:
            inside = chunk.start <= each.other_start and each.other_end <= chunk.end
            if chunk.item == item and inside:
                found.append(
                    replace(
                        each,
                        premise=chunk.index,
                        other_start=each.other_start - chunk.start,
                        other_end=each.other_end - chunk.start,
                    )
                )
                break
    return tuple(found)


def bare_statement(evidence: Evidence) -> str | None:
    """What an answer of a bare "yes" or "no" states of the query.

    Its numbers, dates, names and negation are compared with the context in the answer's place.

    The statement; None for any other answer.
    """
    if len(evidence.sentences) != 1:
        return None
    return statement_of(evidence.query, evidence.sentences[0].text)
