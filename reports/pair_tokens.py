"""The token counts of an audit's pairs, and what was read in parts, as the reader sees them."""

from __future__ import annotations

from provenance_core.explain.names import sentence_name
from provenance_core.types import Cut, CutKind, Evidence


def longest_pairs(evidence: Evidence) -> tuple[int, ...]:
    """Find the tokens of the longest pair that the NLI model read with each chunk, 0 of one that it
    did not read; () for an older audit."""
    tokens = evidence.pair_tokens
    if tokens is None:
        return ()
    rows = [*tokens.claims, *tokens.sentences, *([tokens.answer] if tokens.answer else [])]
    return tuple(max(column) for column in zip(*rows, strict=True))


def pair_size(evidence: Evidence, sentence: int, chunk: int) -> str:
    """How long a pair is for the model's window, in words; "" where that was not kept, or the chunk
    was not read."""
    if evidence.pair_tokens is None or not evidence.read[sentence, chunk]:
        return ""
    count = evidence.pair_tokens.sentences[sentence][chunk]
    return f"{count} of {evidence.nli_model.max_length} tokens"


def cut_lines(evidence: Evidence) -> tuple[str, ...]:
    """What was read in parts."""
    return tuple(
        f"{_subject(cut)}: {cut.tokens} tokens in {cut.parts} parts of at most {cut.limit}"
        for cut in evidence.cuts
    )


def _subject(cut: Cut) -> str:
    subjects = {
        CutKind.CONTEXT_ITEM: f"context item {cut.index + 1}",
        CutKind.CONTEXT_SENTENCE: f"a sentence of context item {cut.index + 1}",
        CutKind.ANSWER_SENTENCE: f"a sentence of the answer, from {sentence_name(cut.index)} on",
        CutKind.ANSWER: "the whole answer",
        CutKind.QUERY: "what relevance was scored for",
    }
    return subjects[cut.kind]
