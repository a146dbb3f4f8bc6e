"""From texts to what the models read: checked, and cut into chunks, sentences and claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from provenance_core.detectors import MeasurementPlan
from provenance_core.findings.read_texts import ReadPremises, read_premises
from provenance_core.findings.same_writing import as_context_writes
from provenance_core.models.protocol import PairScorer, check_known_words
from provenance_core.progress import Progress
from provenance_core.text.checked_texts import CheckedTexts
from provenance_core.text.chunking import chunk_context
from provenance_core.text.claims import build_claims, claim_texts, split_answer
from provenance_core.text.cuts import cut_sentences, cuts_of_context
from provenance_core.text.input_checks import check_cells, check_pairs
from provenance_core.text.premises import split_premises
from provenance_core.text.recursive_chunks import chunk_recursively, split_into_claims
from provenance_core.text.splitting import TokenCounter
from provenance_core.text.token_counts import CountedOnce
from provenance_core.types import (
    Chunk,
    Claim,
    ContextItem,
    Cut,
    CutKind,
    Granularity,
    ModelInfo,
    Notice,
    Parameters,
    Sentence,
    TokenCounts,
)

_T = TypeVar("_T")

# Chunks are never made shorter than this, or a third of a short window, to make room for a long
# claim; the claim is then scored in sentences instead.
_MIN_CHUNK_TOKENS = 64


@dataclass(frozen=True, slots=True)
class Window:
    """``budget``: tokens that the two texts of a pair may have for every model that reads them.
    ``limit``: of a hypothesis, which leaves room for a chunk."""

    budget: int
    limit: int
    count: TokenCounter


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The answer as the NLI model reads it. ``texts``: of each sentence. ``whole``: the whole
    answer, "" where it is not read. ``distinct``: every text of claims, sentences and whole answer
    once. ``longest``: tokens of the longest. ``cuts``: what is read in parts. ``notices``: what the
    reader must know of it."""

    sentences: tuple[Sentence, ...]
    claims: tuple[Claim, ...]
    texts: tuple[str, ...]
    whole: str
    distinct: tuple[str, ...]
    longest: int
    cuts: tuple[Cut, ...]
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything that is known before a model runs. ``tokens`` has no pairs so far. ``cuts`` and
    ``notices``: of the answer and of the context."""

    texts: CheckedTexts
    hypotheses: Hypotheses
    chunks: tuple[Chunk, ...]
    cuts: tuple[Cut, ...]
    notices: tuple[Notice, ...]
    tokens: TokenCounts


@dataclass(frozen=True, slots=True)
class _Fitted(Generic[_T]):
    """``read``: what the window takes of a text. ``cuts``: what had to be cut for it. ``notices``:
    what the reader must know of that."""

    read: _T
    cuts: tuple[Cut, ...] = ()
    notices: tuple[Notice, ...] = ()


class _Share:
    """How much of the splitting is about done, in [0, 1]. ``characters``: of the context. Reading
    its numbers takes about as long as counting its tokens, as a whole and in sentences."""

    _OF_NUMBERS = 0.4

    def __init__(self, characters: int, progress: Progress) -> None:
        self._to_count = 2 * max(1, characters)
        self._left = self._to_count
        self._written = 0.0
        self._progress = progress

    def counted(self, characters: int) -> None:
        """So many characters were counted."""
        self._left = max(0, self._left - characters)
        self._say()

    def written(self, share: float) -> None:
        """This share of the claims was compared with the numbers of the context."""
        self._written = share
        self._say()

    def _say(self) -> None:
        counted = 1 - self._left / self._to_count
        self._progress(self._OF_NUMBERS * self._written + (1 - self._OF_NUMBERS) * counted)


def prepare(
    relevance: PairScorer,
    nli: PairScorer,
    plan: MeasurementPlan,
    texts: CheckedTexts,
    parameters: Parameters,
    progress: Progress,
) -> Prepared:
    """Cut the texts into what the models are to read: sentences, claims and chunks. Raises
    InputError if that would be more pairs than are scored at once."""
    told = _Share(sum(len(item.text) for item in texts.items), progress)
    window = _window(relevance, nli, plan, parameters, told.counted)
    hypotheses = _hypotheses(texts, plan, window, nli, told.written)
    premises = _premises(texts.items, plan, parameters, window, hypotheses.longest)
    # Relevance, one row a claim and one row a sentence; the evidence sentences are few. Of a long
    # context few pairs are read; they are counted once they are known.
    asked = (1 if texts.query.strip() else len(hypotheses.sentences)) if plan.relevance else 0
    if plan.recursive is not None:
        asked += len(hypotheses.claims)
    wanted = len(premises.read) * (asked + len(hypotheses.distinct))
    check_cells(wanted) if plan.nearest else check_pairs(wanted)
    count = window.count
    return Prepared(
        texts,
        hypotheses,
        premises.read,
        hypotheses.cuts + premises.cuts,
        texts.notices + _notices_of(nli.info) + hypotheses.notices + premises.notices,
        TokenCounts(
            context=sum(count([item.text for item in texts.items])),
            answer=count([texts.answer])[0],
            query=count([texts.query])[0],
        ),
    )


def _notices_of(nli: ModelInfo) -> tuple[Notice, ...]:
    """What the reader must know of the NLI model."""
    if nli.tells_contradiction:
        return ()
    return (
        Notice(
            "no_contradiction",
            f"The NLI model {nli.model_id} tells how likely the context supports a claim, not "
            "whether it contradicts it: contradiction was not measured, and no sentence is "
            "called contradicted.",
        ),
    )


def _window(
    relevance: PairScorer,
    nli: PairScorer,
    plan: MeasurementPlan,
    parameters: Parameters,
    counted: Callable[[int], None],
) -> Window:
    """What both models take, counted by the NLI model. Where the relevance model reads the texts
    with another vocabulary, the larger count of each text is taken."""
    budget = nli.text_budget
    count: TokenCounter = nli.count_tokens
    if plan.relevance or plan.recursive is not None:
        budget = min(budget, relevance.text_budget)
        if relevance.vocabulary != nli.vocabulary:
            count = _larger_count(nli, relevance)
    limit = budget - min(_MIN_CHUNK_TOKENS, parameters.chunk_tokens, budget // 3)
    return Window(budget, limit, CountedOnce(count, counted))


def _larger_count(first: PairScorer, second: PairScorer) -> TokenCounter:
    def count(texts: Sequence[str]) -> list[int]:
        both = first.count_tokens(texts), second.count_tokens(texts)
        return [max(pair) for pair in zip(*both, strict=True)]

    return count


def _hypotheses(
    texts: CheckedTexts,
    plan: MeasurementPlan,
    window: Window,
    nli: PairScorer,
    written: Callable[[float], None],
) -> Hypotheses:
    answer = _sentences(texts.answer, plan, window)
    sentences = answer.read
    claims, claim_notices = build_claims(
        texts.query, texts.answer, sentences, plan.claim_form, window.limit, window.count
    )
    context = read_premises(item.text for item in texts.items)
    rewritten: list[Claim] = []
    for claim in claims:
        rewritten.append(_in_writing_of(context, claim, window))
        written(len(rewritten) / len(claims))
    claims = tuple(rewritten)
    # What stands for a sentence in the matrix: its claim where it has one of its own, so that a
    # one-word answer is read with its query; else its text.
    own = len(sentences) == len(claims)
    of_sentences = (
        [claim.text for claim in claims]
        if own
        else [as_context_writes(text, context) for text in claim_texts(texts.answer, sentences)]
    )
    whole = _whole_answer(plan, texts.answer, len(sentences), window)
    read = [*of_sentences, whole.read] if whole.read else of_sentences
    return Hypotheses(
        sentences,
        claims,
        tuple(of_sentences),
        whole.read,
        tuple(dict.fromkeys([*(claim.text for claim in claims), *read])),
        max([*window.count(read), *(claim.tokens for claim in claims)]),
        answer.cuts + whole.cuts,
        answer.notices + check_known_words(sentences, nli) + claim_notices + whole.notices,
    )


def _in_writing_of(context: ReadPremises, claim: Claim, window: Window) -> Claim:
    """The claim as the models read it, where the window takes that."""
    text = as_context_writes(claim.text, context)
    if text == claim.text:
        return claim
    (tokens,) = window.count([text])
    return replace(claim, text=text, tokens=tokens) if tokens <= window.limit else claim


def _sentences(answer: str, plan: MeasurementPlan, window: Window) -> _Fitted[tuple[Sentence, ...]]:
    """The answer in sentences, or in the parts that the plan asks for, and what had to be cut."""
    limit, count = window.limit, window.count
    if plan.recursive is not None:
        most = min(limit, plan.recursive.claim_tokens)
        return _Fitted(split_into_claims(answer, most, count))
    sentences = split_answer(answer, limit, count)
    cuts = cut_sentences(answer, limit, count, CutKind.ANSWER_SENTENCE)
    if not cuts:
        return _Fitted(sentences)
    notice = Notice(
        "sentence_cut",
        f"A sentence of the answer has over {limit} tokens, more than the model takes beside a "
        "chunk; it was cut between words and scored in parts.",
    )
    return _Fitted(sentences, cuts, (notice,))


def _whole_answer(
    plan: MeasurementPlan, answer: str, sentences: int, window: Window
) -> _Fitted[str]:
    """The whole answer as a hypothesis, where the plan asks for it and the window takes it."""
    if not plan.whole_answer:
        return _Fitted("")
    text = answer.strip()
    (tokens,) = window.count([text])
    if tokens <= window.limit:
        return _Fitted(text)
    cut = Cut(CutKind.ANSWER, 0, tokens, window.limit, sentences)
    notice = Notice(
        "answer_too_long",
        f"The answer has {tokens} tokens and the model takes {window.limit} beside a chunk: it "
        "was compared with the chunks sentence by sentence, not as a whole.",
    )
    return _Fitted("", (cut,), (notice,))


def _premises(
    items: tuple[ContextItem, ...],
    plan: MeasurementPlan,
    parameters: Parameters,
    window: Window,
    longest: int,
) -> _Fitted[tuple[Chunk, ...]]:
    """The context in parts that fit beside a hypothesis of ``longest`` tokens, and what had to be
    cut for it."""
    room = window.budget - longest
    # What is no chunk is as long as the window takes, so that only the longest are cut.
    wanted = parameters.chunk_tokens if plan.granularity is None else window.budget
    if plan.recursive is not None:
        wanted = min(wanted, room // plan.recursive.window_chunks)
    limit = min(wanted, room)
    notices: tuple[Notice, ...] = ()
    if plan.granularity is None and limit < wanted:
        notices += (
            Notice(
                "shorter_chunks",
                f"Chunks were kept to {limit} tokens instead of {parameters.chunk_tokens}, "
                f"because the longest claim has {longest}.",
            ),
        )
    chunks, chunk_notices = _chunks(items, plan, parameters, limit, window.count)
    cuts, cut_notices = cuts_of_context(items, chunks, limit, window.count)
    return _Fitted(chunks, cuts, notices + chunk_notices + cut_notices)


def _chunks(
    items: tuple[ContextItem, ...],
    plan: MeasurementPlan,
    parameters: Parameters,
    limit: int,
    count: TokenCounter,
) -> tuple[tuple[Chunk, ...], tuple[Notice, ...]]:
    """The parts of the context that the claims are compared with, of at most ``limit`` tokens,
    and whether some had to be cut for it."""
    if plan.recursive is not None:
        return chunk_recursively(items, max_tokens=limit, count_tokens=count), ()
    if plan.granularity is None:
        overlap = parameters.overlap_sentences
        return chunk_context(
            items, max_tokens=limit, overlap_sentences=overlap, count_tokens=count
        ), ()
    chunks = split_premises(items, plan.granularity, max_tokens=limit, count_tokens=count)
    filled = sum(bool(item.text.strip()) for item in items)
    if plan.granularity is not Granularity.DOCUMENT or len(chunks) == filled:
        return chunks, ()
    return chunks, (
        Notice(
            "document_in_parts",
            f"A context item has over {limit} tokens, more than the model takes beside the "
            "longest claim: it was scored in parts, cut at sentence ends.",
        ),
    )
