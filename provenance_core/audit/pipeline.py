"""The models of a profile, and what they make of texts: an :class:`Audit`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from provenance_core.audit.assembly import assemble
from provenance_core.audit.evidence_sentences import SentencesRead, read_sentences
from provenance_core.audit.nearest_chunks import long_context, nearest_notice
from provenance_core.audit.prepare import Prepared, prepare
from provenance_core.audit.relevance import Relevance, score_relevance
from provenance_core.detectors import MeasurementPlan, default_parameters, get_detector, unusable
from provenance_core.errors import ModelError
from provenance_core.findings.details import find_missing_details
from provenance_core.models.catalogue.profiles import (
    Profile,
    PublicModel,
    default_profile,
    get_profile,
)
from provenance_core.models.dense_encoder import encoder_info
from provenance_core.models.hub.cache import find_model, require_models, verified_folder
from provenance_core.models.loading import load_nli, load_relevance, load_spans
from provenance_core.models.nli_classes import NliClass, nli_probabilities
from provenance_core.models.onnx_models.cross_encoder import read_manifest
from provenance_core.models.pair_memory import PairMemory, RememberingScorer
from provenance_core.models.protocol import PairScorer, SpanScorer
from provenance_core.progress import SILENT, Progress
from provenance_core.scoring.label_rules import LABELLED_BY
from provenance_core.scoring.selection import relevance_probabilities, select
from provenance_core.scoring.words import with_words
from provenance_core.text.checked_texts import CheckedTexts, check_texts
from provenance_core.text.cited_items import find_cited
from provenance_core.text.input_checks import check_pairs
from provenance_core.text.languages import check_language
from provenance_core.text.structured_context import given_context
from provenance_core.types import (
    NO_SCORES,
    Audit,
    Bools,
    ContextItem,
    Entailment,
    Evidence,
    Floats,
    ModelInfo,
    Notice,
    PairScores,
    PairTokens,
    Parameters,
    RelevanceMethod,
    SupportMap,
    Timings,
)


@dataclass(frozen=True, slots=True)
class _Matrix:
    """What the NLI model said of T hypotheses by N chunks. ``rows``: the row of each, by its text.
    ``values``: (T, N, 3), NaN of a pair that was not read. ``tokens``: of each pair, (T, N), 0 of
    one that was not read."""

    rows: Mapping[str, int]
    values: Floats
    tokens: NDArray[np.int64]
    notices: tuple[Notice, ...] = ()

    def scores_of(self, texts: Sequence[str]) -> PairScores:
        """Shape (len(texts), N)."""
        return PairScores(self.values[[self.rows[text] for text in texts]])

    def tokens_of(self, texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """Tokens of each pair, len(texts) x N."""
        return tuple(map(tuple, self.tokens[[self.rows[text] for text in texts]].tolist()))


@dataclass(eq=False, repr=False)
class Provenance:
    """The loaded models of a profile, which audit answers.

    Examples
    --------
    >>> provenance = Provenance.load()
    >>> audit = provenance.audit(
    ...     query="Where is the Eiffel Tower?",
    ...     answer="The Eiffel Tower is in Paris.",
    ...     context=["The Eiffel Tower is a landmark in Paris, France."],
    ... )
    >>> 0.0 <= audit.score <= 1.0
    True
    """

    relevance: PairScorer
    nli: PairScorer
    profile: str
    spans: SpanScorer | None = None
    second: PairScorer | None = None
    second_support: SupportMap | None = None
    support: SupportMap | None = None
    reads_english_only: bool = False

    def __post_init__(self) -> None:
        if NliClass.ENTAILMENT not in self.nli.labels:
            raise ModelError(
                f"{self.nli.info.model_id}: one of its classes must be entailment, not "
                f"{', '.join(self.nli.labels)}."
            )

    @property
    def nli_info(self) -> ModelInfo:
        """The NLI model, with the support map that applies: its own, or one fitted to labels."""
        info = self.nli.info
        return info if self.support is None else replace(info, support=self.support)

    @classmethod
    def load(cls, profile: str | Profile | None = None) -> Provenance:
        """Load the models of a profile and check their checksums.

        Parameters
        ----------
        profile : str | Profile | None, default None
            Name of a profile, or the profile itself; None means the one that
            ``PROVENANCE_PROFILE`` names, else ``cascade``.

        Returns
        -------
        Provenance
            The models, ready to audit.

        Raises
        ------
        ModelError
            A model is not downloaded, is not as its manifest says, or there is no such profile.

        Examples
        --------
        >>> Provenance.load("embedded").profile
        'embedded'
        """
        given = profile or default_profile()
        chosen = get_profile(given) if isinstance(given, str) else given
        require_models(chosen)
        second, second_support = None, None
        # The large model takes most of the time, which other cores have for the small ones.
        with ThreadPoolExecutor(1) as beside:
            if chosen.second is not None:
                folder = verified_folder(chosen.second)
                second_support = read_manifest(folder).second_support
                coming = beside.submit(load_nli, _as_found(chosen.second), folder)
            folder = verified_folder(chosen.relevance)
            relevance = load_relevance(_as_found(chosen.relevance), folder)
            nli = load_nli(_as_found(chosen.nli), verified_folder(chosen.nli))
            spans = None
            if chosen.spans is not None:
                spans = load_spans(_as_found(chosen.spans), verified_folder(chosen.spans))
            if chosen.second is not None:
                second = coming.result()
        support = None
        if chosen.fitted is not None:  # In the place of the map of the last reading.
            if second is None:
                support = chosen.fitted.support
            else:
                second_support = chosen.fitted.support
        return cls(
            relevance,
            nli,
            chosen.name,
            spans,
            second,
            second_support,
            support,
            chosen.nli.is_embedded,
        )

    def _remembering(self, memory: PairMemory) -> Provenance:
        """The same models, which score no pair that is in ``memory``."""
        return replace(
            self,
            relevance=RememberingScorer(self.relevance, memory),
            nli=RememberingScorer(self.nli, memory),
            second=None if self.second is None else RememberingScorer(self.second, memory),
        )

    def models_of(self, parameters: Parameters) -> tuple[ModelInfo, ...]:
        """Name the models that an audit under these parameters is measured with.

        Parameters
        ----------
        parameters : Parameters
            Every setting; the detector and the relevance method count.

        Returns
        -------
        tuple[ModelInfo, ...]
            The relevance model, or the encoder of dense retrieval in its place; the NLI model;
            the span model where the detector reads it; the model of the second reading, with
            the map from both readings, where there is one.

        Examples
        --------
        >>> from provenance_core import default_parameters
        >>> models = Provenance.load("embedded").models_of(default_parameters())
        >>> [model.task for model in models]
        ['relevance', 'nli']
        """
        traits = get_detector(parameters.detector).traits
        if parameters.relevance_method is not RelevanceMethod.CROSS_ENCODER:
            return (encoder_info(), self.nli_info)
        found = [self.relevance.info, self.nli_info]
        if self.spans is not None and traits.reads_span_model:
            found.append(self.spans.info)
        if self.second is not None and traits.reads_again:
            found.append(replace(self.second.info, support=self.second_support))
        return tuple(found)

    def audit(
        self,
        *,
        answer: str,
        context: Sequence[str | ContextItem],
        query: str = "",
        parameters: Parameters | None = None,
        progress: Progress = SILENT,
        memory: PairMemory | None = None,
    ) -> Audit:
        """Audit one answer.

        Parameters
        ----------
        answer : str
            The answer to check.
        context : Sequence[str | ContextItem]
            The context items, each a text of any length.
        query : str, default ""
            The question. Without one the answer takes its place in the relevance score.
        parameters : Parameters | None, default None
            Every setting; None means the default ones of the profile.
        progress : Progress, default SILENT
            Told at each stage how much of it is done.
        memory : PairMemory | None, default None
            Pairs that were scored before, which are not scored again; it grows with every audit.
            With a store, pairs of earlier audits too.

        Returns
        -------
        Audit
            Evidence, sources, claims, traced sentences, score and verdict.

        Raises
        ------
        InputError
            The texts cannot be audited; the message says which and how to fix it. It is a
            ValueError.
        ModelError
            The detector cannot be used as things are set.

        Examples
        --------
        >>> audit = Provenance.load().audit(
        ...     answer="The bridge was opened in 1932.",
        ...     context=["The bridge was opened on 19 March 1932."],
        ... )
        >>> str(audit.verdict)
        'supported'
        """
        texts = check_texts(answer=answer, context=context, query=query)
        return self.audit_texts(texts, parameters, progress, memory)

    def audit_texts(
        self,
        texts: CheckedTexts,
        parameters: Parameters | None = None,
        progress: Progress = SILENT,
        memory: PairMemory | None = None,
    ) -> Audit:
        """Audit one answer whose texts are checked already.

        Parameters
        ----------
        texts : CheckedTexts
            What :func:`check_texts` made of answer, context and query.
        parameters : Parameters | None, default None
            As for :meth:`audit`.
        progress : Progress, default SILENT
            As for :meth:`audit`.
        memory : PairMemory | None, default None
            As for :meth:`audit`.

        Returns
        -------
        Audit
            As from :meth:`audit`.

        Raises
        ------
        InputError
            The texts make more pairs than are scored at once.
        ModelError
            The detector cannot be used as things are set.

        Examples
        --------
        >>> texts = check_texts(answer="It is red.", context=["The car is red."])
        >>> str(Provenance.load().audit_texts(texts).verdict)
        'supported'
        """
        parameters = parameters or default_parameters(self.profile)
        return assemble(self.measure(texts, parameters, progress, memory), parameters)

    def measure(
        self,
        texts: CheckedTexts,
        parameters: Parameters,
        progress: Progress = SILENT,
        memory: PairMemory | None = None,
    ) -> Evidence:
        """Measure everything that an audit needs, without a verdict.

        Parameters
        ----------
        texts : CheckedTexts
            What :func:`check_texts` made of answer, context and query.
        parameters : Parameters
            Every setting. Those of the verdict change nothing here.
        progress : Progress, default SILENT
            As for :meth:`audit`.
        memory : PairMemory | None, default None
            As for :meth:`audit`.

        Returns
        -------
        Evidence
            What the models measured.

        Raises
        ------
        InputError
            The texts make more pairs than are scored at once.
        ModelError
            The detector cannot be used as things are set.

        Examples
        --------
        >>> from provenance_core import default_parameters
        >>> evidence = Provenance.load().measure(
        ...     check_texts(answer="It is red. It is fast.", context=["The car is red."]),
        ...     default_parameters(),
        ... )
        >>> len(evidence.sentences), len(evidence.chunks)
        (2, 1)
        """
        # A chunk of one sentence, for one, is also read as a sentence of the context.
        models = self._remembering(PairMemory() if memory is None else memory)
        detector = get_detector(parameters.detector)
        if reason := unusable(parameters) or detector.unfit(models):
            raise ModelError(reason)
        evidence = models._measure(detector.plan(parameters), texts, parameters, progress)
        notices = evidence.notices
        if self.reads_english_only and not detector.traits.sends_texts:
            notices = check_language(evidence.answer, given_context(evidence)) + notices
        evidence = replace(evidence, measured_by=detector.measured_by, notices=notices)
        started = time.perf_counter()
        extended = detector.extend(evidence, parameters, models, progress.stage("Details"))
        if extended is evidence:
            return evidence
        spent = time.perf_counter() - started
        before = evidence.timings
        return replace(
            extended, timings=replace(before, nli=before.nli + spent, total=before.total + spent)
        )

    def _measure(
        self, plan: MeasurementPlan, texts: CheckedTexts, parameters: Parameters, progress: Progress
    ) -> Evidence:
        """What ``plan`` asks for, measured."""
        started = time.perf_counter()
        splitting = progress.stage("Splitting")
        splitting(0.0)
        prepared = prepare(self.relevance, self.nli, plan, texts, parameters, splitting)
        split_done = time.perf_counter()
        long = long_context(prepared) if plan.nearest else None
        relevance = score_relevance(
            self.relevance, plan, prepared, long, parameters, progress.stage("Relevance")
        )
        relevance_done = time.perf_counter()
        cells = None if long is None else long.to_read(self._selected(relevance, parameters))
        matrix = self._entailments(prepared, cells, progress.stage("Entailment"))
        evidence = progress.stage("Evidence")
        evidence(0.0)
        sentences = read_sentences(self.nli, prepared, matrix.scores_of(prepared.hypotheses.texts))
        evidence(1.0)
        done = time.perf_counter()
        timings = Timings(
            split=split_done - started,
            relevance=relevance_done - split_done,
            nli=done - relevance_done,
            total=done - started,
        )
        return with_words(self._evidence(prepared, relevance, matrix, sentences, timings))

    def _evidence(
        self,
        prepared: Prepared,
        relevance: Relevance,
        matrix: _Matrix,
        read: SentencesRead,
        timings: Timings,
    ) -> Evidence:
        """What was measured, in one."""
        texts, hypotheses = prepared.texts, prepared.hypotheses
        whole = hypotheses.whole
        return Evidence(
            query=texts.query,
            answer=texts.answer,
            context=texts.items,
            chunks=prepared.chunks,
            relevance_query=relevance.query,
            relevance=relevance.scores,
            claims=hypotheses.claims,
            claim_scores=matrix.scores_of([claim.text for claim in hypotheses.claims]),
            sentences=hypotheses.sentences,
            sentence_scores=matrix.scores_of(hypotheses.texts),
            answer_scores=PairScores(matrix.values[matrix.rows[whole]]) if whole else NO_SCORES,
            evidence_sentences=read.kept,
            missing_details=find_missing_details(
                hypotheses.sentences, [item.text for item in texts.items]
            ),
            relevance_model=self.relevance.info,
            nli_model=self.nli_info,
            profile=self.profile,
            structured=texts.structured,
            pair_tokens=PairTokens(
                relevance=relevance.tokens,
                claims=matrix.tokens_of([claim.text for claim in hypotheses.claims]),
                sentences=matrix.tokens_of(hypotheses.texts),
                answer=matrix.tokens_of([whole])[0] if whole else (),
                evidence_sentences=read.tokens,
            ),
            cuts=prepared.cuts + relevance.cuts,
            notices=prepared.notices + relevance.notices + matrix.notices,
            tokens=replace(
                prepared.tokens,
                pairs=int(np.count_nonzero(matrix.tokens)) + read.pairs,
                longest_pair=int(matrix.tokens.max()),
            ),
            timings=timings,
            labelled_by=LABELLED_BY,
            citations=find_cited(texts.answer, hypotheses.sentences, texts.items),
        )

    def _selected(self, relevance: Relevance, parameters: Parameters) -> list[int]:
        """The sources under ``parameters``."""
        slope = self.relevance.info.calibration_slope
        scores = np.array(relevance.scores, dtype=np.float64)
        return select(relevance_probabilities(scores, slope), parameters)

    def _entailments(self, prepared: Prepared, cells: Bools | None, progress: Progress) -> _Matrix:
        """Every hypothesis by every chunk, or by those of ``cells``, (T, N)."""
        texts, chunks = prepared.hypotheses.distinct, prepared.chunks
        read = np.ones((len(texts), len(chunks)), np.bool_) if cells is None else cells
        pairs = [(chunks[at].text, texts[row]) for row, at in np.argwhere(read).tolist()]
        check_pairs(len(pairs))
        scores = np.full((*read.shape, 3), np.nan)
        scores[read] = self.probabilities(pairs, progress)
        lengths = np.zeros(read.shape, dtype=np.int64)
        lengths[read] = self.nli.pair_tokens(pairs)
        return _Matrix(
            rows={text: row for row, text in enumerate(texts)},
            values=scores,
            tokens=lengths,
            notices=() if cells is None else (nearest_notice(cells),),
        )

    def relevance_logits(
        self, pairs: Sequence[tuple[str, str]], progress: Callable[[float], None] | None = None
    ) -> NDArray[np.float64]:
        """Score how relevant texts are to queries.

        Parameters
        ----------
        pairs : Sequence[tuple[str, str]]
            Query and text of each pair.
        progress : Callable[[float], None] | None, default None
            Called with the share that is done, in [0, 1].

        Returns
        -------
        NDArray[np.float64]
            A logit for each pair, shape (len(pairs),).

        Examples
        --------
        >>> near, far = Provenance.load().relevance_logits(
        ...     [("Who built it?", "Ann built it."), ("Who built it?", "Tea is served at five.")]
        ... )
        >>> bool(near > far)
        True
        """
        return self.relevance.predict(pairs, progress)[:, 0]

    def entailment(
        self, pairs: Sequence[tuple[str, str]], progress: Callable[[float], None] | None = None
    ) -> list[Entailment]:
        """Score whether premises entail hypotheses.

        Parameters
        ----------
        pairs : Sequence[tuple[str, str]]
            Premise and hypothesis of each pair.
        progress : Callable[[float], None] | None, default None
            Called with the share that is done, in [0, 1].

        Returns
        -------
        list[Entailment]
            Three probabilities for each pair, which sum to 1.

        Examples
        --------
        >>> (found,) = Provenance.load().entailment([("It is red and fast.", "It is red.")])
        >>> found.entailment > 0.5
        True
        """
        return [Entailment(*found) for found in self.probabilities(pairs, progress).tolist()]

    def probabilities(
        self, pairs: Sequence[tuple[str, str]], progress: Callable[[float], None] | None = None
    ) -> Floats:
        """Score whether premises entail hypotheses, as one array.

        Parameters
        ----------
        pairs : Sequence[tuple[str, str]]
            Premise and hypothesis of each pair.
        progress : Callable[[float], None] | None, default None
            Called with the share that is done, in [0, 1].

        Returns
        -------
        Floats
            Entailment, neutral and contradiction of each pair, shape (len(pairs), 3).

        Examples
        --------
        >>> Provenance.load().probabilities([("It is red.", "It is red.")]).shape
        (1, 3)
        """
        return nli_probabilities(self.nli.predict(pairs, progress), self.nli.labels)


def _as_found(model: PublicModel) -> PublicModel:
    """``model`` with the commit that was downloaded, where its revision is a branch or tag."""
    cached = None if model.is_embedded or model.given_folder else find_model(model)
    return model if cached is None else replace(model, revision=cached.commit)
