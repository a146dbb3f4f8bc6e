"""Spans by a model of their own: a token classifier that reads prompt and answer (LettuceDetect).

The prompts are those that LettuceDetect was trained with: RAGTruth's, for question answering and,
where there is no query, for summaries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from provenance_core.models.protocol import SpanScorer
from provenance_core.text.splitting import Bounds, fitting_bounds, strip_bounds
from provenance_core.types import Cut, CutKind, Evidence, MeasuredSpan, Notice, PairTokens

# Room that is kept for the context beside the longest part of an answer.
_LEAST_CONTEXT = 256
# Tokens that two passages may have more together than on their own.
_SLACK = 4


def read_tokens(
    evidence: Evidence, model: SpanScorer, progress: Callable[[float], None]
) -> Evidence:
    """Measure how likely each token of the answer is not supported. The context is read in windows
    where it does not fit at once, and the least of a token's probabilities counts, since what one
    window supports is supported. (LettuceDetect's own code takes the largest, by which a sentence
    would need the support of every window.) An answer that leaves no room for context is read in
    groups of sentences, with a notice. ``progress``: Called with the share that is done, in [0, 1].
    The evidence with a span for each token, ``unsupported`` in [0, 1]."""
    texts = [item.text for item in evidence.context if item.text.strip()]
    frame = model.count_tokens([_prompt([""], evidence.query)])[0] + _SLACK
    room = model.text_budget - frame
    parts = fitting_bounds(evidence.answer, max(1, room - _LEAST_CONTEXT), model.count_tokens)
    longest = max(model.count_tokens([evidence.answer[a:b] for a, b in parts]))
    prompts, cuts = _windows(texts, evidence, room - longest, model)
    notices: tuple[Notice, ...] = ()
    if len(parts) > 1:
        (tokens,) = model.count_tokens([evidence.answer])
        cuts = (*cuts, Cut(CutKind.ANSWER, 0, tokens, room - _LEAST_CONTEXT, len(parts)))
        notices = (
            Notice(
                "answer_in_parts",
                f"The answer has {tokens} tokens, too many for the span model beside the context: "
                f"it was read in {len(parts)} parts, cut at sentence ends.",
            ),
        )
    measured: list[MeasuredSpan] = []
    lengths: list[int] = []
    for done, (start, end) in enumerate(parts):
        text = evidence.answer[start:end]
        pairs = [(prompt, text) for prompt in prompts]
        lengths += model.pair_tokens(pairs)
        for column in zip(*model.unsupported_tokens(pairs), strict=True):
            least = min(column, key=lambda token: token.probability)
            measured.append(MeasuredSpan(start + least.start, start + least.end, least.probability))
        progress((done + 1) / len(parts))
    before = evidence.pair_tokens or PairTokens((), (), (), (), ())
    return replace(
        evidence,
        spans=tuple(measured),
        span_model=model.info,
        pair_tokens=replace(before, spans=tuple(lengths)),
        cuts=(*evidence.cuts, *cuts),
        notices=(*evidence.notices, *notices),
        tokens=replace(evidence.tokens, pairs=evidence.tokens.pairs + len(lengths)),
    )


def merged_tokens(evidence: Evidence, threshold: float) -> list[MeasuredSpan]:
    """Join tokens in a row that are not supported (their score, 1 - their probability, is under the
    threshold) into one span each, with the largest probability of its tokens and without the white
    space at its ends. ``evidence``: what :func:`read_tokens` gave. ``threshold``: a score in [0,
    1]."""
    runs: list[list[MeasuredSpan]] = []
    open_run = False
    end = 0
    for token in evidence.spans:
        # As the score of the answer is computed, so that verdict and spans agree.
        over = 1.0 - token.unsupported < threshold
        # Between two tokens whose sentence was set aside stands other text.
        if over and open_run and not evidence.answer[end : token.start].strip():
            runs[-1].append(token)
        elif over:
            runs.append([token])
        open_run, end = over, token.end
    found = []
    for run in runs:
        start, end = strip_bounds(evidence.answer, run[0].start, run[-1].end)
        found.append(MeasuredSpan(start, end, max(token.unsupported for token in run)))
    return found


def _prompt(passages: Sequence[str], query: str) -> str:
    block = "\n".join(f"passage {place + 1}: {text}" for place, text in enumerate(passages))
    if not query.strip():
        return f"Summarize the following text:\n{block}\noutput:"
    return (
        f"Briefly answer the following question:\n{query}\nBear in mind that your response should "
        f"be strictly based on the following {len(passages)} passages:\n{block}\nIn case the "
        "passages do not contain the necessary information to answer the question, "
        'please reply with: "Unable to answer based on given passages."\noutput:'
    )


def _windows(
    texts: Sequence[str], evidence: Evidence, room: int, model: SpanScorer
) -> tuple[list[str], tuple[Cut, ...]]:
    """Prompts of at most ``room`` tokens of context each, which together hold all of it."""
    pieces: list[str] = []
    cuts: list[Cut] = []
    given = [item.index for item in evidence.context if item.text.strip()]
    for index, text in zip(given, texts, strict=True):
        bounds: list[Bounds] = fitting_bounds(text, room - _label_tokens(model), model.count_tokens)
        pieces += [text[a:b] for a, b in bounds]
        if len(bounds) > 1:
            (tokens,) = model.count_tokens([text])
            cuts.append(Cut(CutKind.CONTEXT_ITEM, index, tokens, room, len(bounds)))
    groups: list[list[str]] = [[]]
    total = 0
    for piece, tokens in zip(pieces, model.count_tokens(pieces), strict=True):
        size = tokens + _label_tokens(model)
        if groups[-1] and total + size > room:
            groups.append([])
            total = 0
        groups[-1].append(piece)
        total += size
    return [_prompt(group, evidence.query) for group in groups], tuple(cuts)


def _label_tokens(model: SpanScorer) -> int:
    """Tokens of what stands before a passage; the widest number counts."""
    return model.count_tokens(["passage 9999: \n"])[0] + _SLACK
