"""What a detector is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from provenance_core.models.protocol import PairScorer, SpanScorer
from provenance_core.scoring.cells import CellMeasure
from provenance_core.scoring.support import sentence_support
from provenance_core.types import (
    Audit,
    ClaimAggregation,
    ClaimForm,
    ClaimResult,
    Entailment,
    Evidence,
    Floats,
    Granularity,
    HallucinatedSpan,
    JudgeModel,
    Parameters,
    SupportMap,
    TracedSentence,
)

# What the context items of most detectors are (:attr:`Traits.context`).
CONTEXT = "context"


@dataclass(frozen=True, slots=True)
class RecursiveChunking:
    """Claims and chunks as the recursive chunker cuts them, and relevance claim by claim.
    ``claim_tokens``: most tokens of a claim. ``window_chunks``: how many of the longest chunks fit
    the model's window beside the longest claim, which with ``Parameters.chunk_tokens`` bounds the
    length of a chunk."""

    claim_tokens: int
    window_chunks: int


@dataclass(frozen=True, slots=True)
class MeasurementPlan:
    """What the models are to measure for a detector.

    ``granularity``: the parts that the context is read in, None for chunks of at most
    ``Parameters.chunk_tokens`` tokens. ``relevance``: whether chunks are scored for relevance;
    if not, all weigh alike. ``whole_answer``: whether the whole answer is scored by every chunk
    too (:attr:`Evidence.answer_scores`). ``recursive``: how claims and chunks are cut by the
    recursive chunker; then ``granularity`` is None, and each claim is the claim of one sentence.
    ``nearest``: whether of a long context each text is read against the chunks nearest to it alone
    (:mod:`provenance_core.audit.nearest_chunks`)."""

    claim_form: ClaimForm
    granularity: Granularity | None = None
    relevance: bool = True
    whole_answer: bool = False
    recursive: RecursiveChunking | None = None
    nearest: bool = False


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """An answer's score and the steps to it, for M claims and N chunks.

    ``factuality``: what each chunk says of each claim, in [0, 1], (M, N). ``probabilities``:
    softmax of the relevance, (N,). ``selected``: indices of the sources, in original order.
    ``weights``: (N,), 0 for what is not selected. ``claims``: the score of each claim, (M,), with
    the chunk that decided it (or None) in ``decided_by``. ``shares``: how much each claim counts,
    (M,), sum 1, or all 0 where no claim counts. ``score`` is in [0, 1]. ``by_sources``: whether it
    is made of what the chunks say; if not, no source contributes to it."""

    factuality: Floats
    probabilities: Floats
    selected: tuple[int, ...]
    weights: Floats
    claims: Floats
    decided_by: tuple[int | None, ...]
    shares: Floats
    score: float
    by_sources: bool = True


class Quantity(StrEnum):
    """What is shown of a cell of sentence and chunk: calibrated support, the NLI model's own
    probability of entailment or of contradiction, each in [0, 1]; or which of its three
    probabilities is the largest."""

    SUPPORT = "support"
    ENTAILMENT = "entailment"
    CONTRADICTION = "contradiction"
    VERDICT = "verdict of the cell"


@dataclass(frozen=True, slots=True)
class Traits:
    """``uses``: the names of the :class:`Parameters` that the detector reads beside threshold,
    chunk size and overlap. ``order_matters``: whether the order of the context items changes the
    score. ``context``: what the context items are, in words. ``finds_spans``: whether it names
    parts of sentences (:meth:`Detector.spans`). ``sends_texts``: whether it sends the texts to a
    model outside of this process (:meth:`Detector.what_is_sent`). ``reads_span_model``: whether
    it measures with a profile's span model, where there is one; ``reads_again``: with its second
    model. ``quantity``: what of a cell its
    score is made from, which a heatmap shows first. ``compares``: the name of a parameter under
    whose every value a report shows the score; "" where it shows only the audit's own."""

    uses: tuple[str, ...]
    order_matters: bool = False
    context: str = CONTEXT
    finds_spans: bool = False
    sends_texts: bool = False
    reads_span_model: bool = False
    reads_again: bool = False
    quantity: Quantity = Quantity.SUPPORT
    compares: str = ""


class Models(Protocol):
    """The loaded models of a profile (:class:`provenance_core.Provenance`)."""

    relevance: PairScorer
    nli: PairScorer
    spans: SpanScorer | None
    second: PairScorer | None
    second_support: SupportMap | None

    def relevance_logits(
        self, pairs: Sequence[tuple[str, str]], progress: Callable[[float], None] | None = None
    ) -> NDArray[np.float64]:
        """As :meth:`Provenance.relevance_logits`: a logit for each pair, shape (len(pairs),)."""

    def entailment(
        self, pairs: Sequence[tuple[str, str]], progress: Callable[[float], None] | None = None
    ) -> list[Entailment]:
        """As :meth:`Provenance.entailment`: three probabilities for each pair."""


class Detector(ABC):
    """One method: what it has measured, what it makes of that, and how it says so. Holds no state.
    A module of this folder has one subclass and, as ``DETECTOR``, an instance of it; the registry
    names the module. ``name``: lower-case words with hyphens, which audits keep."""

    name: str
    title: str
    explanation: str  # one sentence for the reader
    source: str  # the document that describes it
    # How the score is made, in one line, where docs/explanation/formulas.md has no section on it.
    formula: str = ""
    traits: Traits
    # The version of the code and the constants that measure. Count it up where the same texts give
    # other evidence, so that an older audit is not taken for one of today's. 1: of audits that did
    # not keep it.
    measured_by: int = 9

    def unavailable(self) -> str:
        """What has to be set or installed before the method can be used, and how.

        Returns
        -------
        str
            Sentences; "" when it can be used as it is.
        """
        return ""

    def unfit(self, models: Models) -> str:
        """Why the method cannot be used with some models, and what to choose instead.

        Parameters
        ----------
        models : Models
            The models of a profile.

        Returns
        -------
        str
            Sentences; "" when it can.
        """
        return ""

    def judge(self) -> JudgeModel | None:
        """Name the model outside of this process that the method asks, as set now.

        Returns
        -------
        JudgeModel | None
            The model; None from most methods.

        Raises
        ------
        JudgeError
            The method asks one, and none is set.
        """
        return None

    def what_is_sent(self) -> str:
        """What an audit sends out of this process and where to, as set now.

        Returns
        -------
        str
            Sentences; "" from most methods.

        Raises
        ------
        JudgeError
            The method asks a model outside, and none is set.
        """
        return ""

    # The default of :attr:`Parameters.claim_aggregation`.
    claim_aggregation: ClassVar[ClaimAggregation] = ClaimAggregation.INVERSE_SQUARE_MEAN

    @abstractmethod
    def plan(self, parameters: Parameters) -> MeasurementPlan:
        """What the models are to measure.

        Parameters
        ----------
        parameters : Parameters
            Every setting.

        Returns
        -------
        MeasurementPlan
            The plan, which depends on no text.
        """

    def extend(
        self,
        evidence: Evidence,
        parameters: Parameters,
        models: Models,
        progress: Callable[[float], None],
    ) -> Evidence:
        """Measure what the method needs beyond its plan; most need nothing more.

        Parameters
        ----------
        evidence : Evidence
            What the plan asked for.
        parameters : Parameters
            Every setting.
        models : Models
            The models of the profile.
        progress : Callable[[float], None]
            Called with the share that is done, in [0, 1].

        Returns
        -------
        Evidence
            The evidence with what was measured, or the same object.

        Raises
        ------
        InputError
            The texts cannot be measured.
        ModelError
            A model cannot be loaded or read.
        JudgeError
            A model outside cannot be asked, or gives no reply that can be used.
        """
        return evidence

    @abstractmethod
    def threshold(self, profile: str) -> float:
        """Give the method's own default threshold.

        Parameters
        ----------
        profile : str
            The name of the profile whose models measure.

        Returns
        -------
        float
            A factuality score in [0, 1]; from there on an answer is supported.

        Raises
        ------
        ModelError
            There is no such profile, where the threshold depends on it.
        """

    @abstractmethod
    def score(self, evidence: Evidence, parameters: Parameters) -> AnswerScore:
        """Score what was measured. It is arithmetic only, and pure.

        Parameters
        ----------
        evidence : Evidence
            What was measured, for M claims and N chunks.
        parameters : Parameters
            Every setting.

        Returns
        -------
        AnswerScore
            The score in [0, 1] and the steps to it.

        Raises
        ------
        InputError
            The evidence lacks what the method scores.
        """

    def spans(self, evidence: Evidence, parameters: Parameters) -> tuple[HallucinatedSpan, ...]:
        """Find the hallucinated parts of the answer.

        Parameters
        ----------
        evidence : Evidence
            What was measured.
        parameters : Parameters
            Every setting.

        Returns
        -------
        tuple[HallucinatedSpan, ...]
            The spans, in the order of the answer; none from most methods.
        """
        return ()

    @abstractmethod
    def trace(
        self, evidence: Evidence, parameters: Parameters, scored: AnswerScore
    ) -> tuple[TracedSentence, ...]:
        """Label each sentence of the answer, and find its evidence.

        Parameters
        ----------
        evidence : Evidence
            What was measured.
        parameters : Parameters
            Every setting.
        scored : AnswerScore
            What :meth:`score` gave.

        Returns
        -------
        tuple[TracedSentence, ...]
            One for each sentence, in order.
        """

    def cell_measure(self, evidence: Evidence, parameters: Parameters) -> CellMeasure:
        """Say what counts of each sentence and chunk: what every cell shows.

        Parameters
        ----------
        evidence : Evidence
            What was measured.
        parameters : Parameters
            Every setting.

        Returns
        -------
        CellMeasure
            Its name, its values and its threshold: of most methods the support.
        """
        return CellMeasure("support", sentence_support(evidence), parameters.threshold)

    @abstractmethod
    def claim_formula(self, audit: Audit, result: ClaimResult) -> str:
        """Write how the score of a claim comes about, with the audit's numbers.

        Parameters
        ----------
        audit : Audit
            The audit.
        result : ClaimResult
            One of its claims.

        Returns
        -------
        str
            One line, without the score itself.
        """

    @abstractmethod
    def answer_formula(self, audit: Audit) -> str:
        """Write how the answer's score comes about from its claims.

        Parameters
        ----------
        audit : Audit
            The audit.

        Returns
        -------
        str
            One line of words.
        """

    def scores_sources(self, parameters: Parameters) -> bool:
        """Whether another selection or aggregation of stored supports gives another score.

        Parameters
        ----------
        parameters : Parameters
            Every setting.

        Returns
        -------
        bool
            True where the score is :func:`provenance_core.detectors.two_stage.score_sources`.
        """
        return False
