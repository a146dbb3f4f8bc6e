"""Every data type of the core, frozen. One place, so that a name means one thing.

An audit has two halves. :class:`Evidence` is what models measured (no parameter of the
verdict enters it, every chunk is scored whether selected or not); :class:`Audit` adds what
arithmetic makes of it under :class:`Parameters`. That is why any audit can be redrawn and
recomputed without a model (:func:`provenance_core.recompute`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


# Of a field that audits of earlier versions lack: when one is read, it takes its default.
ADDED_LATER: Mapping[str, bool] = MappingProxyType({"added_later": True})


# The name of the detector that audits where none is chosen: the paper's method.
DEFAULT_DETECTOR = "two-stage"
# By the name that it had before: audits, files, addresses and options of then still have it.
FORMER_DETECTORS = {"provenance": DEFAULT_DETECTOR}


class Granularity(StrEnum):
    """The parts of the context that the SummaC detector reads as premises."""

    SENTENCE = "sentence"
    PARAGRAPH = "paragraph"
    DOCUMENT = "document"


class ContradictionRule(StrEnum):
    """Which contradictions count in the NLI matrix. ``ABOUT_SENTENCE``: those by chunks that share
    words with the sentence; they lower its entailment. ``ANY``: each, and nothing else counts (the
    paper). ``UNLESS_ENTAILED``: as ``ANY``, but those of sentences that no chunk entails, because
    one chunk may contradict what another supports."""

    ABOUT_SENTENCE = "about_sentence"
    ANY = "any"
    UNLESS_ENTAILED = "unless_entailed"


class SelectionStrategy(StrEnum):
    """How sources are chosen among the chunks (paper section 3.2)."""

    TOP_P = "top_p"
    TOP_K = "top_k"


class RelevanceMethod(StrEnum):
    """What a source's relevance to the claim is. ``CROSS_ENCODER``: the relevance model's score of
    query and chunk (paper equation 1). The others are the paper's appendix A: the similarity of the
    vectors of the claim and each sentence of the context, by dot product (experiment 0.1) or
    cosine; the selected sentences are one premise, joined by decreasing similarity, or,
    ``..._TEMPORAL``, in the order of the context (experiments 0.2 and 0.3)."""

    CROSS_ENCODER = "cross_encoder"
    DOT = "dot_product"
    DOT_TEMPORAL = "dot_product_temporal"
    COSINE = "cosine"
    COSINE_TEMPORAL = "cosine_temporal"


class Aggregation(StrEnum):
    """How the factuality scores of the sources become one (paper section 3.3, step 3)."""

    MIN = "min"
    MAX = "max"
    WEIGHTED_AVERAGE = "weighted_average"


class ClaimForm(StrEnum):
    """What is put to the NLI model as the hypothesis. ``AUTO``: the paper's claim prompt for an
    answer of one sentence to a query, else every sentence of the answer as a claim of its own.
    ``PROMPT``: always the claim prompt around the whole answer (the paper to the letter).
    ``SENTENCES``: always sentence by sentence."""

    AUTO = "auto"
    PROMPT = "prompt"
    SENTENCES = "sentences"


class ClaimAggregation(StrEnum):
    """How the scores of several claims of one answer become the factuality score. ``HARMONIC_MEAN``
    weighs a claim the more the less it is supported: one hallucinated sentence is not hidden by
    several good ones, as it is under ``MEAN``, nor does one doubtful sentence decide alone, as
    under ``MIN``. ``INVERSE_SQUARE_MEAN`` lies between that and ``MIN``."""

    HARMONIC_MEAN = "harmonic_mean"
    INVERSE_SQUARE_MEAN = "inverse_square_mean"
    MEAN = "mean"
    MIN = "min"


class Verdict(StrEnum):
    """What an audit calls an answer. ``NOTHING_TO_CHECK``: every sentence of it is set aside, so
    that its score decides nothing."""

    SUPPORTED = "supported"
    HALLUCINATED = "hallucinated"
    NOTHING_TO_CHECK = "nothing_to_check"


class VerdictState(StrEnum):
    """The verdict, and whether it holds for every sentence: ``FLAGGED`` is a supported answer of
    which at least one sentence is not supported."""

    SUPPORTED = "supported"
    FLAGGED = "supported_flagged"
    HALLUCINATED = "hallucinated"
    NOTHING_TO_CHECK = "nothing_to_check"


def verdict_state(verdict: Verdict, flagged: int | None) -> VerdictState:
    """The state of a verdict with ``flagged`` sentences that are not supported; None where that
    was not kept, which counts as none."""
    if verdict is Verdict.SUPPORTED and flagged:
        return VerdictState.FLAGGED
    return VerdictState(str(verdict))


class SentenceLabel(StrEnum):
    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not_found"
    SET_ASIDE = "set_aside"  # states nothing to check, and so is neither


# The labels of a sentence that was checked and is not supported.
UNSUPPORTED_LABELS = (SentenceLabel.CONTRADICTED, SentenceLabel.NOT_FOUND)


class JudgePrompt(StrEnum):
    """What a judge was asked: the hallucination detection prompts of RAGTruth's appendix C, or the
    prompts of a cross-examination."""

    SUMMARIZATION = "summarization"
    QUESTION_ANSWERING = "question_answering"
    DATA_TO_TEXT = "data_to_text"
    CROSS_EXAMINATION = "cross_examination"


class FindingType(StrEnum):
    """What is wrong with a part of an answer: RAGTruth's four types (its section 3.1), and two
    that say why there is nothing to check."""

    EVIDENT_CONFLICT = "evident_conflict"
    SUBTLE_CONFLICT = "subtle_conflict"
    EVIDENT_BASELESS = "evident_baseless_information"
    SUBTLE_BASELESS = "subtle_baseless_information"
    ABSTENTION = "abstention"
    NOT_CHECKWORTHY = "not_checkworthy"


# The types of a span that is hallucinated, and not merely without anything to check.
HALLUCINATION_TYPES = (
    FindingType.EVIDENT_CONFLICT,
    FindingType.SUBTLE_CONFLICT,
    FindingType.EVIDENT_BASELESS,
    FindingType.SUBTLE_BASELESS,
)


def current_detector(name: str) -> str:
    """The name that a detector has today."""
    return FORMER_DETECTORS.get(name, name)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Every setting that an audit depends on. Ranges are checked; ValueError says which. What each
    is called and means is in :mod:`provenance_core.parameters`. ``detector``: the name of a
    detector, which :func:`provenance_core.detectors.get_detector` checks. The defaults are those of
    the default detector with the profiles that ship; :func:`provenance_core.default_parameters` has
    those of another detector or profile (``replace(default_parameters(detector="summac"),
    threshold=0.6)``)."""

    selection: SelectionStrategy = SelectionStrategy.TOP_K
    top_p: float = 0.9
    top_k: int = 10
    aggregation: Aggregation = Aggregation.MAX
    claim_form: ClaimForm = ClaimForm.AUTO
    claim_aggregation: ClaimAggregation = ClaimAggregation.INVERSE_SQUARE_MEAN
    threshold: float = 0.5
    chunk_tokens: int = 128
    overlap_sentences: int = 1
    detector: str = field(default=DEFAULT_DETECTOR, metadata=ADDED_LATER)
    granularity: Granularity = field(default=Granularity.SENTENCE, metadata=ADDED_LATER)
    contradiction_rule: ContradictionRule = field(
        default=ContradictionRule.ABOUT_SENTENCE, metadata=ADDED_LATER
    )
    count_set_aside: bool = field(default=False, metadata=ADDED_LATER)
    relevance_method: RelevanceMethod = field(
        default=RelevanceMethod.CROSS_ENCODER, metadata=ADDED_LATER
    )
    third_reader: bool = field(default=False, metadata=ADDED_LATER)

    def __post_init__(self) -> None:
        object.__setattr__(self, "detector", current_detector(self.detector))
        for name, kind in (
            ("granularity", Granularity),
            ("contradiction_rule", ContradictionRule),
            ("relevance_method", RelevanceMethod),
            ("selection", SelectionStrategy),
            ("aggregation", Aggregation),
            ("claim_form", ClaimForm),
            ("claim_aggregation", ClaimAggregation),
        ):
            object.__setattr__(self, name, kind(getattr(self, name)))
        if not 0.0 < self.top_p <= 1.0:
            raise ValueError(f"top_p must be in (0, 1], not {self.top_p}")
        if self.top_k < 1:
            raise ValueError(f"top_k must be at least 1, not {self.top_k}")
        if not 0.0 <= self.threshold <= 1.0:
            raise ValueError(f"threshold must be in [0, 1], not {self.threshold}")
        if self.chunk_tokens < 16:
            raise ValueError(f"chunk_tokens must be at least 16, not {self.chunk_tokens}")
        if self.overlap_sentences < 0:
            raise ValueError(f"overlap_sentences must be 0 or more, not {self.overlap_sentences}")


class SupportTerm(StrEnum):
    """What a :class:`SupportMap` weighs (:mod:`provenance_core.scoring.features`). Those that
    begin with ``second`` are of the model that reads some pairs again."""

    ENTAILMENT = "entailment"
    SENTENCE = "sentence_entailment"
    CONTRADICTION = "contradiction"
    COPIED = "copied"
    COPIED_PAIRS = "copied_pairs"
    MISSING_DETAILS = "missing_details"
    CONFLICTING_DETAILS = "conflicting_details"
    MISSING_WORDS = "missing_words"
    UNENTAILED_WORDS = "unentailed_words"
    SECOND_ENTAILMENT = "second_entailment"
    SECOND_SENTENCE = "second_sentence_entailment"
    SECOND_CONTRADICTION = "second_contradiction"
    CONTRADICTION_ANYWHERE = "contradiction_anywhere"
    SECOND_CONTRADICTION_ANYWHERE = "second_contradiction_anywhere"
    SECOND_WINDOW = "second_window"
    SECOND_WHOLE = "second_whole"


@dataclass(frozen=True, slots=True)
class SupportWeight:
    """How much one term counts: 0 or more, so that nothing that speaks for a claim counts
    against it."""

    term: SupportTerm
    weight: float


class AnswerKind(StrEnum):
    """What an answer is to its context, which decides how much each term counts. A reply answers a
    query. Without a query, a summary is drawn from a context longer than one chunk, and a claim
    stands beside a shorter one."""

    CLAIM = "claim"
    REPLY = "reply"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class SupportMap:
    """From what was measured of a claim and a chunk to the probability that the chunk supports the
    claim: sigmoid(intercept + sum of weight x term). Fitted by ``training.support_map``.
    ``replies`` and ``summaries``: the maps for these kinds of answers; where one is None, this map
    is for them too. They have no maps of their own."""

    intercept: float
    weights: tuple[SupportWeight, ...]
    replies: SupportMap | None = field(default=None, metadata=ADDED_LATER)
    summaries: SupportMap | None = field(default=None, metadata=ADDED_LATER)

    def of_kind(self, kind: AnswerKind) -> SupportMap:
        """The map for answers of a kind."""
        own = {AnswerKind.REPLY: self.replies, AnswerKind.SUMMARY: self.summaries}.get(kind)
        return self if own is None else own


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Identity of a model as used: id, revision, SHA-256 of its weights, calibration, and what it
    ran on. ``calibration_slope``: of the entailment logit, or of the relevance scores before their
    softmax. The others are of entailment alone (:func:`provenance_core.scoring.support`).
    ``tells_contradiction``: whether an NLI model has a probability of contradiction, or only one of
    entailment; then :class:`Entailment` holds the rest as neutral. ``entailment_label``: index of
    the class that means "supported", where it was given and not read from the model's files."""

    task: str  # "relevance", "nli" or "spans"
    model_id: str
    revision: str
    sha256: str
    max_length: int  # tokens of a pair, special tokens included
    calibration_slope: float = 1.0
    calibration_intercept: float = 0.0
    calibration_coverage: float = 0.0
    device: str = field(default="cpu", metadata=ADDED_LATER)
    precision: str = field(default="", metadata=ADDED_LATER)  # of the computation
    tells_contradiction: bool = field(default=True, metadata=ADDED_LATER)
    entailment_label: int | None = field(default=None, metadata=ADDED_LATER)
    support: SupportMap | None = field(default=None, metadata=ADDED_LATER)


@dataclass(frozen=True, slots=True)
class ContextItem:
    """A context item as the user gave it. ``name`` is a file name or ''."""

    index: int
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """``item.text[start:end] == text``; offsets in characters. ``tokens``: of the model that counts
    more, where relevance and NLI model count differently."""

    index: int
    item: int
    start: int
    end: int
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """``answer[start:end] == text``; the sentences of an answer tile it."""

    index: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A hypothesis: ``text`` is what the model read, ``[start, end)`` its part of the answer."""

    index: int
    start: int
    end: int
    text: str
    form: ClaimForm  # PROMPT or SENTENCES, never AUTO
    tokens: int


@dataclass(frozen=True, slots=True)
class Entailment:
    """NLI probabilities of one (premise, hypothesis) pair; they sum to 1. Of a model that tells no
    contradiction (:attr:`ModelInfo.tells_contradiction`), ``neutral`` is all that is not entailment
    and ``contradiction`` is 0, which means: not measured."""

    entailment: float
    neutral: float
    contradiction: float


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Numbers of texts and chunks, kept as one array that cannot be written to. NaN where nothing
    was read: whatever is computed with it is none either. Two are equal where all their numbers
    are."""

    values: Floats

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64)
        values.setflags(write=False)
        object.__setattr__(self, "values", values)

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return np.array_equal(self.values, other.values, equal_nan=True)

    def __hash__(self) -> int:
        return hash((self.values.shape, self.values.tobytes()))

    def __reduce__(self) -> tuple[type[Scores], tuple[Floats]]:
        # A pickled array comes back writable, unless it is made anew.
        return type(self), (self.values,)


# Of a model that has no support map.
NO_SUPPORT = Scores(np.zeros((0, 0)))


@dataclass(frozen=True, slots=True, eq=False)
class PairScores(Scores):
    """NLI probabilities of many pairs of text and chunk. ``values``: shape (..., 3), the last axis
    as the fields of :class:`Entailment`; three times NaN for a pair that was not read. ValueError
    for another shape and for any other value that is no finite number."""

    def __post_init__(self) -> None:
        Scores.__post_init__(self)
        values = self.values
        if values.ndim < 2 or values.shape[-1] != 3:
            raise ValueError(f"the scores of pairs have the shape (..., 3), not {values.shape}")
        unread = np.isnan(values).all(axis=-1, keepdims=True)
        if not (np.isfinite(values) | unread).all():
            raise ValueError("a score of a pair is no finite number")

    @property
    def read(self) -> Bools:
        """Whether each pair was read, shape (...)."""
        return ~np.isnan(self.values[..., 0])

    @property
    def entailment(self) -> Floats:
        """P(entailment) of each pair, shape (...); NaN of one that was not read."""
        return self.values[..., 0]

    @property
    def contradiction(self) -> Floats:
        """P(contradiction) of each pair, shape (...); NaN of one that was not read."""
        return self.values[..., 2]

    def cell(self, *place: int) -> Entailment:
        """The scores of one pair, by its index on each axis. ValueError where it was not read."""
        if not self.read[place]:
            raise ValueError(f"the pair {place} was not read")
        entailment, neutral, contradiction = self.values[place].tolist()
        return Entailment(entailment, neutral, contradiction)


# Of an answer that was not scored as a whole.
NO_SCORES = PairScores(np.zeros((0, 3)))


@dataclass(frozen=True, slots=True)
class TokenScore:
    """``claim[start:end]`` is a token; ``probability`` in [0, 1] that it is not supported."""

    start: int
    end: int
    probability: float


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """One sentence of a chunk scored as premise for one sentence of the answer. Offsets are
    characters in the context item. Kept for the chunk that most supports and the chunk that most
    contradicts each sentence: its sentence that most entails, and the one that most contradicts.
    Kept too: the sentences of the context that share most words with it."""

    sentence: int
    chunk: int
    start: int
    end: int
    scores: Entailment


@dataclass(frozen=True, slots=True)
class WindowReading:
    """What a model said of the sentences of an answer by W windows of the whole context.
    ``windows``: the parts of each, in order, at most one of an item. ``scores``: S x W, NaN of a
    window that was not read for a sentence. ValueError where both do not fit together."""

    windows: tuple[tuple[PassagePlace, ...], ...]
    scores: PairScores

    def __post_init__(self) -> None:
        if self.scores.values.ndim != 3 or self.scores.values.shape[1] != len(self.windows):
            raise ValueError(
                f"{len(self.windows)} windows have no scores of shape {self.scores.values.shape}"
            )


@dataclass(frozen=True, slots=True)
class WholeReading:
    """What a model said of an answer as one text, without the sentences that are set aside, by the
    window of the context with these parts."""

    parts: tuple[PassagePlace, ...]
    scores: Entailment


@dataclass(frozen=True, slots=True)
class SecondReading:
    """What a larger model said of the pairs that can change a verdict. ``support``: the map from
    both readings to the support of a cell that it read. ``scores``: of each sentence of the answer
    by each chunk, S x N, NaN of a cell that it did not read. ``sentences``: single sentences of the
    context, as :attr:`Evidence.evidence_sentences`. ``together``: windows of several chunks, and
    ``whole``: the answer as one text; None where it read none, as in older audits."""

    model: ModelInfo
    support: SupportMap
    scores: PairScores
    sentences: tuple[EvidenceSentence, ...]
    together: WindowReading | None = field(default=None, metadata=ADDED_LATER)
    whole: WholeReading | None = field(default=None, metadata=ADDED_LATER)


@dataclass(frozen=True, slots=True)
class OppositeReading:
    """What the models said of the opposite of a bare "yes" or "no". ``statement``: what the other
    word would state of the query. ``support``: of that by each chunk, in [0, 1], N, by the support
    map that measured the answer."""

    statement: str
    support: Scores


@dataclass(frozen=True, slots=True)
class LaterReading:
    """What the NLI model said of a sentence (index) by a chunk (index) that the audit had left out,
    when somebody asked for it. No score, label or verdict is made of it."""

    sentence: int
    chunk: int
    scores: Entailment


@dataclass(frozen=True, slots=True)
class MissingDetail:
    """A number, date or name of the answer that no chunk contains. Offsets in the answer."""

    kind: str  # "number", "date" or "name"
    text: str
    start: int
    end: int


class FindingKind(StrEnum):
    """What the words of a sentence are beside those of the context."""

    MISSING = "missing"  # a number, date or name that the context states nowhere
    CONFLICT = "conflict"  # another value stands in the place of a number, date or name
    DENIAL = "denial"  # one denies what the other states
    OPPOSITE = "opposite"  # a word of opposite meaning stands in its place


# The kinds of numbers, dates and names that the context does not state.
UNSTATED = (FindingKind.MISSING, FindingKind.CONFLICT)


@dataclass(frozen=True, slots=True)
class Finding:
    """Words of a sentence (index) that the context does not state, or states otherwise.

    ``answer[start:end]`` is their place, and ``words`` what is wrong, as it was compared: the same
    words, but for a bare "yes" or "no", whose place is its whole sentence. ``detail``: "number",
    "date" or "name", "" of a denial or opposite. ``instead`` is what stands in their place,
    ``chunk.text[chunk_start:chunk_end]`` of the chunk with the index ``chunk``; None and "" where
    no chunk holds it whole. ``same_thing``: whether the wording shows that it is said of the very
    thing. ``held``: whether a chunk has the very words, of something else. ``asked``: whether the
    query names them, so that they are not missing from an answer to it. ``weight``: how often it
    counts as a conflict in a support map, 0 or more."""

    sentence: int
    kind: FindingKind
    detail: str
    words: str
    start: int
    end: int
    chunk: int | None = None
    chunk_start: int = 0
    chunk_end: int = 0
    instead: str = ""
    same_thing: bool = True
    held: bool = False
    asked: bool = False
    weight: int = 0


@dataclass(frozen=True, slots=True)
class WordShares:
    """What of an answer with S sentences stands in its context by its words alone.

    ``verbatim``: the cells (sentence, chunk) of sentences that stand in a chunk word for word.
    ``copied``: how much of each sentence is copied, in [0, 1], S. ``missing``: share of its content
    words that neither context nor query has, in [0, 1], S. ``nearest``: of each sentence the few
    chunks that share its rarest words, the nearest first, S. ``pairs``: share of each sentence's
    pairs of neighbouring words that stand in the context, in [0, 1], S. ``paired``: the chunks that
    hold most of them, or half as many, S. All three are () of audits that did not keep them."""

    verbatim: tuple[tuple[int, int], ...]
    copied: tuple[float, ...]
    missing: tuple[float, ...]
    nearest: tuple[tuple[int, ...], ...] = field(default=(), metadata=ADDED_LATER)
    pairs: tuple[float, ...] = field(default=(), metadata=ADDED_LATER)
    paired: tuple[tuple[int, ...], ...] = field(default=(), metadata=ADDED_LATER)


@dataclass(frozen=True, slots=True)
class MeasuredSpan:
    """A part of the answer that a detector measured on its own. ``answer[start:end]``.
    ``unsupported``: how likely it is not supported, in [0, 1]; what makes it a hallucinated span is
    the detector's rule. ``type`` where the measurement itself says it (a judge's reply)."""

    start: int
    end: int
    unsupported: float
    type: FindingType | None = None


@dataclass(frozen=True, slots=True)
class HallucinatedSpan:
    """A part of the answer that is not supported, ``answer[start:end]``. ``type``: one of
    ``HALLUCINATION_TYPES``. ``unsupported`` in [0, 1], as measured."""

    start: int
    end: int
    type: FindingType
    unsupported: float


@dataclass(frozen=True, slots=True)
class SetAside:
    """A sentence of the answer, by index, that states nothing to check, and why: ``reason`` in
    words ("a question", "a greeting", ...)."""

    sentence: int
    reason: str


@dataclass(frozen=True, slots=True)
class Citation:
    """``answer[start:end]`` cites for a sentence (index), which it stands in or right behind.
    ``items``: the context items that it points to; empty where that is not clear, and ``unclear``
    then says why, as a part of a sentence."""

    sentence: int
    start: int
    end: int
    items: tuple[int, ...]
    unclear: str = ""


@dataclass(frozen=True, slots=True)
class JudgeModel:
    """A language model at somebody's endpoint, as asked. ``host``: of the endpoint, with its port
    where the URL names one. ``temperature`` 0 or more, None where the endpoint's own was taken."""

    host: str
    model_id: str
    temperature: float | None


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """What a judge replied, and to what. ``text``: the reply that was used, as it came.
    ``attempts``: how many replies were asked for, it included."""

    model: JudgeModel
    prompt: JudgePrompt
    text: str
    attempts: int


@dataclass(frozen=True, slots=True)
class PassagePlace:
    """The characters ``start`` to ``end`` of the context item ``item`` (index)."""

    item: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a language model answered when asked whether passages support a sentence (index).
    ``support``: that of the models here, which was in doubt, in [0, 1]. ``passages``: what the
    language model was sent, in their order. ``probability``: of "yes" beside "no", in [0, 1];
    ``by_tokens``: whether that is of its tokens, or 1 or 0 by its word. ``text``: its reply as it
    came."""

    sentence: int
    support: float
    passages: tuple[PassagePlace, ...]
    probability: float
    by_tokens: bool
    text: str


@dataclass(frozen=True, slots=True)
class ThirdReading:
    """What a language model answered about the sentences whose support was in doubt. ``low`` and
    ``high``: in doubt was a support from ``low`` to under ``high``. ``answers``: in the order of
    the answer. ``unread``: the sentences in doubt that it did not read, for the reason ``problem``,
    or because there were too many; they keep the support of the models here."""

    model: JudgeModel
    low: float
    high: float
    answers: tuple[ModelAnswer, ...]
    unread: tuple[int, ...]
    problem: str

    def of_sentence(self, sentence: int) -> ModelAnswer | None:
        """What it answered about a sentence; None where it was not asked, or gave no answer."""
        return next((each for each in self.answers if each.sentence == sentence), None)


@dataclass(frozen=True, slots=True)
class ExaminationTurn:
    """A turn of a cross-examination: the ``questions`` of one model, and the ``replies`` of the
    other, which has the context alone."""

    questions: str
    replies: str


@dataclass(frozen=True, slots=True)
class JoinedPremise:
    """The chunks that were retrieved for a claim, and what all of them together say of it.
    ``chunks``: indices; their texts joined in this order are the premise
    (:func:`provenance_core.text.recursive_chunks.joined_text`) that ``scores`` are of. In original
    order, but for dense retrieval without temporal order."""

    chunks: tuple[int, ...]
    scores: Entailment


@dataclass(frozen=True, slots=True)
class StructuredItem:
    """A context item that was read as data: ``original`` is what was given as item ``item``,
    whose text is now one statement a field. ``kind`` in words ("JSON object", "CSV table")."""

    item: int
    kind: str
    original: str


class CutKind(StrEnum):
    """What did not fit a model's window and was read in parts."""

    CONTEXT_ITEM = "context_item"  # at sentence ends, in chunks
    CONTEXT_SENTENCE = "context_sentence"  # between words
    ANSWER_SENTENCE = "answer_sentence"  # between words
    ANSWER = "answer"  # read sentence by sentence, or in groups of sentences
    QUERY = "query"  # at sentence ends


@dataclass(frozen=True, slots=True)
class Cut:
    """A text that was read in parts. No claim is ever shortened, and nothing is left out.
    ``index``: of the context item, or of the first of the answer's sentences that were made; 0 of a
    query or a whole answer. ``tokens``: of the text. ``limit``: of a part. ``parts``: how many."""

    kind: CutKind
    index: int
    tokens: int
    limit: int
    parts: int


@dataclass(frozen=True, slots=True)
class PairTokens:
    """Tokens of every pair as a model read it, special tokens and prompt included. ``relevance``:
    of each chunk with the query (the longest part of it), N, or empty where none was measured.
    ``claims``: M x N. ``sentences``: S x N. 0 of a pair that was not read. ``answer``: of the whole
    answer, N, or empty. ``evidence_sentences``: one each. ``joined``: M, where each claim was
    compared with several chunks at once. ``spans``: of each window that a span model read."""

    relevance: tuple[int, ...]
    claims: tuple[tuple[int, ...], ...]
    sentences: tuple[tuple[int, ...], ...]
    answer: tuple[int, ...]
    evidence_sentences: tuple[int, ...]
    joined: tuple[int, ...] = ()
    spans: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader must know about how this audit was made (nothing is silent)."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds of wall time."""

    split: float = 0.0
    relevance: float = 0.0
    nli: float = 0.0
    total: float = 0.0


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Tokens of the inputs, pairs scored, and tokens of the longest of them."""

    context: int = 0
    answer: int = 0
    query: int = 0
    pairs: int = 0  # pairs scored by the NLI model
    longest_pair: int = 0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the models measured. ``S`` sentences, ``M`` claims, ``N`` chunks.

    ``relevance``: N relevance scores (logits, any real number), None of a chunk that the relevance
    model did not read. ``claim_scores``: M x N pairs.
    ``sentence_scores``: S x N. ``answer_scores``: of the whole answer by each chunk, N, where the
    detector measures it, else empty. ``claim_relevance``: M x N where each claim has sources of
    its own, else empty. ``spans`` and ``set_aside``: in the order of the answer, from detectors
    that measure or leave out parts of it. ``judge``: the reply of a judge, where one was asked.
    ``joined_scores``: M, where each claim was compared with several chunks at once, else empty.
    ``structured``: the context items that were read as data; of those, ``context`` holds the
    statements, which all offsets refer to. ``span_model``: the model of its own that measured
    ``spans``, token by token, where one did. ``pair_tokens`` is None in older audits. ``cuts``:
    what was read in parts. ``measured_by``: the version of the measuring code
    (:attr:`Detector.measured_by`), 1 in audits that name none. ``second``: what a larger model said
    of some pairs, where one was asked. ``support``: S x N, in [0, 1], by the support map of the
    model; empty where it has none. ``opposite``: of an answer that is a bare "yes" or "no", what
    was said of the other word. ``findings``: where the words of the answer and the context
    differ, by sentence. ``words``: what of the answer stands in the context; None, with no
    findings, of audits that did not keep both (:func:`provenance_core.scoring.words.with_words`
    adds them). ``labelled_by``: the version of the rules that label its sentences, 1 in audits that
    name none (:mod:`provenance_core.scoring.label_rules`). ``citations``: what the answer cites, in
    its order; empty in older audits. ``third``: what a language model answered about the sentences
    in doubt, where one was asked. Of a long context the NLI model reads each text against the
    chunks nearest to it (:mod:`provenance_core.audit.nearest_chunks`): other scores are NaN.
    ``read_later``: those of the others that somebody had read after the audit.
    ValueError for scores of another shape."""

    query: str
    answer: str
    context: tuple[ContextItem, ...]
    chunks: tuple[Chunk, ...]
    relevance_query: str  # what the relevance model read: the query, or the answer without one
    relevance: tuple[float | None, ...]
    claims: tuple[Claim, ...]
    claim_scores: PairScores
    sentences: tuple[Sentence, ...]
    sentence_scores: PairScores
    evidence_sentences: tuple[EvidenceSentence, ...]
    missing_details: tuple[MissingDetail, ...]
    relevance_model: ModelInfo
    nli_model: ModelInfo
    profile: str = "embedded"
    answer_scores: PairScores = field(default=NO_SCORES, metadata=ADDED_LATER)
    claim_relevance: tuple[tuple[float, ...], ...] = field(default=(), metadata=ADDED_LATER)
    spans: tuple[MeasuredSpan, ...] = field(default=(), metadata=ADDED_LATER)
    set_aside: tuple[SetAside, ...] = field(default=(), metadata=ADDED_LATER)
    joined_scores: tuple[JoinedPremise, ...] = field(default=(), metadata=ADDED_LATER)
    structured: tuple[StructuredItem, ...] = field(default=(), metadata=ADDED_LATER)
    judge: JudgeReply | None = field(default=None, metadata=ADDED_LATER)
    # Of a cross-examination, in order; the examiner's conclusion is the reply in ``judge``.
    examination: tuple[ExaminationTurn, ...] = field(default=(), metadata=ADDED_LATER)
    span_model: ModelInfo | None = field(default=None, metadata=ADDED_LATER)
    pair_tokens: PairTokens | None = field(default=None, metadata=ADDED_LATER)
    cuts: tuple[Cut, ...] = field(default=(), metadata=ADDED_LATER)
    measured_by: int = field(default=1, metadata=ADDED_LATER)
    second: SecondReading | None = field(default=None, metadata=ADDED_LATER)
    support: Scores = field(default=NO_SUPPORT, metadata=ADDED_LATER)
    opposite: OppositeReading | None = field(default=None, metadata=ADDED_LATER)
    findings: tuple[Finding, ...] = field(default=(), metadata=ADDED_LATER)
    words: WordShares | None = field(default=None, metadata=ADDED_LATER)
    labelled_by: int = field(default=1, metadata=ADDED_LATER)
    citations: tuple[Citation, ...] = field(default=(), metadata=ADDED_LATER)
    third: ThirdReading | None = field(default=None, metadata=ADDED_LATER)
    read_later: tuple[LaterReading, ...] = field(default=(), metadata=ADDED_LATER)
    notices: tuple[Notice, ...] = ()
    tokens: TokenCounts = field(default_factory=TokenCounts)
    timings: Timings = field(default_factory=Timings)

    def __post_init__(self) -> None:
        n = len(self.chunks)
        shape = (len(self.sentences), n, 3)
        wanted: tuple[tuple[str, Scores, tuple[int, ...]], ...] = (
            ("claim_scores", self.claim_scores, (len(self.claims), n, 3)),
            ("sentence_scores", self.sentence_scores, shape),
            ("answer_scores", self.answer_scores, (n if self.answer_scores else 0, 3)),
            ("support", self.support, shape[:2] if self.support else (0, 0)),
            *([("second", self.second.scores, shape)] if self.second else []),
            *(
                [("together", read.scores, (shape[0], len(read.windows), 3))]
                if self.second and (read := self.second.together)
                else []
            ),
        )
        for name, scores, expected in wanted:
            if scores.values.shape != expected:
                raise ValueError(
                    "the parts of the evidence do not fit together: "
                    f"{name} must have the shape {expected}, not {scores.values.shape}"
                )
        self._check_read()
        self._check_words()

    def _check_read(self) -> None:
        """ValueError where a claim or a sentence was read against no chunk, or where a pair that
        was read lacks its support, or another has one."""
        for scores in (self.claim_scores, self.sentence_scores):
            if not scores.read.any(axis=1).all():
                raise ValueError("each claim and sentence must be read against a chunk")
        if self.support and (np.isnan(self.support.values) == self.read).any():
            raise ValueError("each pair that was read must have its support, and no other")
        rows, columns = self.read.shape
        for later in self.read_later:
            there = 0 <= later.sentence < rows and 0 <= later.chunk < columns
            if not there or self.read[later.sentence, later.chunk]:
                raise ValueError("a pair that was read later must be one that the audit left out")

    def _check_words(self) -> None:
        """ValueError where a finding or a share of words is of no sentence or chunk, or where a
        chunk has other words at a place than a finding says."""
        count, chunks = len(self.sentences), self.chunks
        for each in self.findings:
            chunk = None if each.chunk is None else chunks[each.chunk : each.chunk + 1]
            if each.sentence >= count or chunk == ():
                raise ValueError(f"a finding is of sentence {each.sentence} and chunk {each.chunk}")
            if chunk and chunk[0].text[each.chunk_start : each.chunk_end] != each.instead:
                raise ValueError(f"chunk {each.chunk} has no {each.instead!r} where it is said")
        for cited in self.citations:
            if cited.sentence >= count or any(at >= len(self.context) for at in cited.items):
                raise ValueError("a citation is of a sentence or a context item that there is not")
        answers = () if self.third is None else self.third.answers
        if any(each.sentence >= count for each in answers):
            raise ValueError("a language model read a sentence that there is not")
        words = self.words
        if words is None:
            return
        if len(words.copied) != count or len(words.missing) != count:
            raise ValueError(f"words must have {count} values of each kind")
        if len(words.pairs) != len(words.paired) or len(words.pairs) not in (0, count):
            raise ValueError(f"words must have {count} shares of word pairs, and their chunks")
        if words.nearest and len(words.nearest) != count:
            raise ValueError(f"words must have {count} rows of nearest chunks")
        cells = [
            *words.verbatim,
            *((0, at) for near in (*words.nearest, *words.paired) for at in near),
        ]
        if any(row >= count or not 0 <= column < len(chunks) for row, column in cells):
            raise ValueError("words name a sentence or a chunk that there is not")

    def __repr__(self) -> str:
        """One line: the matrices fill pages."""
        return f"Evidence({len(self.sentences)} sentences, {len(self.chunks)} chunks)"

    @property
    def read(self) -> Bools:
        """Whether the NLI model read each sentence against each chunk, (S, N)."""
        return self.sentence_scores.read

    def later(self, sentence: int, chunk: int) -> Entailment | None:
        """What was read of a pair that the audit left out, because somebody asked for it.

        Parameters
        ----------
        sentence : int
            Index in [0, S).
        chunk : int
            Index in [0, N).

        Returns
        -------
        Entailment | None
            The three probabilities, sum 1; None where nothing was read after the audit.

        Examples
        --------
        >>> from provenance_core import Provenance
        >>> audit = Provenance.load().audit(answer="It is red.", context=["The car is red."])
        >>> audit.evidence.later(0, 0) is None
        True
        """
        return next(
            (e.scores for e in self.read_later if (e.sentence, e.chunk) == (sentence, chunk)), None
        )

    @property
    def models(self) -> tuple[ModelInfo, ...]:
        """Every model that measured it: relevance, NLI, and those of spans and of the second
        reading where there was one, the last with the map from both readings."""
        second = replace(self.second.model, support=self.second.support) if self.second else None
        found = (self.relevance_model, self.nli_model, self.span_model, second)
        return tuple(model for model in found if model is not None)


@dataclass(frozen=True, slots=True)
class Source:
    """A chunk as source: what it weighs and says. One a chunk, selected or not.

    ``relevance``: logit; None of a chunk that the relevance model did not read. ``probability``:
    softmax over the others, 0 of it. ``weight``: probability renormalised over the selected, 0 for
    the rest. ``factuality``: calibrated probability of support in [0, 1], mean over the claims that
    were read against the chunk; None where none was. ``contribution``:
    what it adds to the score (weight x factuality under the weighted average; under min and max the
    share of claims that this source decides, times what it says of them)."""

    chunk: Chunk
    relevance: float | None
    probability: float
    selected: bool
    weight: float
    factuality: float | None
    contribution: float


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """A claim's aggregated score over the sources and the chunk that decided it (or None)."""

    claim: Claim
    factuality: tuple[float | None, ...]  # calibrated, one a chunk; None of one not read
    score: float
    decided_by: int | None


@dataclass(frozen=True, slots=True)
class EvidencePlace:
    """A sentence of the context: the characters ``start`` to ``end`` of its item, in a chunk
    (index) of it."""

    chunk: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TracedSentence:
    """A sentence of the answer and what became of it.

    ``evidence_chunk``: the source with most support (supported), the chunk with most support,
    selected or not (not found), or the source with most contradiction (contradicted).
    ``evidence_start``/``evidence_end``: the sentence in it, characters in the context item.
    ``evidence_too``: another sentence, which has words that this one lacks.
    ``selection_miss``: only a chunk that selection dropped supports it. ``support`` is calibrated,
    ``contradiction`` the raw probability; both the largest over the selected sources.
    ``together``: the chunks that support it together, where none does alone
    (:mod:`provenance_core.scoring.tracing`)."""

    sentence: Sentence
    label: SentenceLabel
    support: float
    contradiction: float
    evidence_chunk: int
    evidence_start: int
    evidence_end: int
    selection_miss: bool
    missing_details: tuple[MissingDetail, ...]
    together: tuple[int, ...] = ()
    evidence_too: EvidencePlace | None = None


class Stance(StrEnum):
    """What a chunk says of a sentence. Every label, colour, list and export shows this one."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    NEITHER = "neither"
    NOT_READ = "not read"


@dataclass(frozen=True, slots=True)
class Cells:
    """What each of N chunks says of each of S sentences, as the detector counts it. ``measure``:
    what ``support`` is called, such as "support" or "entailment". ``support`` and
    ``contradiction``: in [0, 1], (S, N), NaN of a chunk that was not read. ``stances``: S x N."""

    measure: str
    support: Scores
    contradiction: Scores
    stances: tuple[tuple[Stance, ...], ...]

    def chunks(self, sentence: int, stance: Stance) -> tuple[int, ...]:
        """The chunks with a stance on a sentence, by index."""
        return tuple(at for at, each in enumerate(self.stances[sentence]) if each is stance)

    def sentences(self, chunk: int, stance: Stance) -> tuple[int, ...]:
        """The sentences on which a chunk has a stance, by index."""
        return tuple(at for at, row in enumerate(self.stances) if row[chunk] is stance)


@dataclass(frozen=True, slots=True)
class Audit:
    """A whole audit. ``margin`` = score - threshold; supported when it is >= 0. Where every
    sentence is set aside, the verdict is that there is nothing to check, whatever the score.
    ``cells``: what every chunk says of every sentence. ``spans``: the hallucinated parts of the
    answer, in its order, from a detector that finds them."""

    evidence: Evidence
    parameters: Parameters
    sources: tuple[Source, ...]
    claims: tuple[ClaimResult, ...]
    sentences: tuple[TracedSentence, ...]
    cells: Cells
    score: float
    margin: float
    verdict: Verdict
    created_at: str  # ISO 8601, UTC
    spans: tuple[HallucinatedSpan, ...] = ()

    def __repr__(self) -> str:
        """One line: what was measured fills pages."""
        return (
            f"Audit({self.verdict}, score {self.score:.3f}, "
            f"{self.flagged} of {self.checked} sentences not supported)"
        )

    @property
    def contradicts(self) -> tuple[tuple[int, ...], ...]:
        """For every chunk, the sentences that it contradicts (index of each)."""
        chunks = range(len(self.evidence.chunks))
        return tuple(self.cells.sentences(chunk, Stance.CONTRADICTS) for chunk in chunks)

    @property
    def flagged(self) -> int:
        """Sentences of the answer that are not supported."""
        return sum(sentence.label in UNSUPPORTED_LABELS for sentence in self.sentences)

    @property
    def checked(self) -> int:
        """Sentences of the answer that state something to check."""
        return sum(s.label is not SentenceLabel.SET_ASIDE for s in self.sentences)

    @property
    def state(self) -> VerdictState:
        """The verdict, and whether it holds for every sentence."""
        return verdict_state(self.verdict, self.flagged)
