"""The two-stage scorer (paper section 3), from texts to an :class:`Audit`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from provenance_core.audit.assembly import assemble
from provenance_core.detectors import MeasurementPlan, default_parameters, get_detector
from provenance_core.errors import ModelError
from provenance_core.models.cache import find_model, require_models, verified_folder
from provenance_core.models.dense_encoder import encoder_info
from provenance_core.models.loading import load_nli, load_relevance, load_spans
from provenance_core.models.nli_classes import NliClass, nli_probabilities
from provenance_core.models.onnx_pairs import read_manifest
from provenance_core.models.pair_memory import PairMemory, RememberingScorer
from provenance_core.models.profiles import (
    Profile,
    PublicModel,
    default_profile,
    get_profile,
)
from provenance_core.models.protocol import PairScorer, SpanScorer
from provenance_core.models.unread_words import check_known_words
from provenance_core.scoring.support import support_matrix
from provenance_core.text.chunking import chunk_context
from provenance_core.text.claims import build_claims, claim_texts, split_answer
from provenance_core.text.context_sentences import (
    SentencePlace,
    closest_sentences,
    context_sentences,
)
from provenance_core.text.cuts import cut_sentences, cuts_of_context
from provenance_core.text.details import find_missing_details
from provenance_core.text.input_checks import (
    check_answer,
    check_context,
    check_length_of,
    check_pairs,
    check_query,
)
from provenance_core.text.premises import split_premises
from provenance_core.text.recursive_chunks import chunk_recursively, split_into_claims
from provenance_core.text.splitting import (
    TokenCounter,
    fitting_bounds,
)
from provenance_core.text.structured_context import verbalise
from provenance_core.types import (
    NO_SCORES,
    Audit,
    Chunk,
    Claim,
    ContextItem,
    Cut,
    CutKind,
    Entailment,
    Evidence,
    EvidenceSentence,
    Floats,
    Granularity,
    ModelInfo,
    Notice,
    PairScores,
    PairTokens,
    Parameters,
    RelevanceMethod,
    Sentence,
    SupportMap,
    Timings,
    TokenCounts,
)

Progress = Callable[[str, float], None]
# Chunks are never made shorter than this, or a third of a short window, to make room for a long
# claim; the claim is then scored in sentences instead.
_MIN_CHUNK_TOKENS = 64


def _silent(stage: str, fraction: float) -> None:
    """The progress callback of callers that want none."""


@dataclass(frozen=True, slots=True)
class _Weighed:
    """What relevance was scored for, the score of each chunk with the tokens of the longest pair
    for it, and what is to be said of it."""

    query: str
    scores: tuple[float, ...]
    tokens: tuple[int, ...]
    cuts: tuple[Cut, ...]
    notices: tuple[Notice, ...]


class Provenance:
    """A pair of loaded models that audits answers.

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

    def __init__(
        self,
        relevance: PairScorer,
        nli: PairScorer,
        profile: str,
        spans: SpanScorer | None = None,
        second: PairScorer | None = None,
        second_support: SupportMap | None = None,
    ) -> None:
        self.relevance = relevance
        self.nli = nli
        self.spans = spans
        self.second = second
        self.second_support = second_support
        self.profile = profile
        if NliClass.ENTAILMENT not in nli.labels:
            raise ModelError(
                f"{nli.info.model_id}: one of its classes must be entailment, not "
                f"{', '.join(nli.labels)}."
            )

    @classmethod
    def load(cls, profile: str | Profile | None = None) -> Provenance:
        """Load the models of a profile and check their checksums.

        Parameters
        ----------
        profile : str | Profile, optional
            Name of a profile, or the profile itself.

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
        >>> Provenance.load().profile
        'embedded'
        """
        given = profile or default_profile()
        chosen = get_profile(given) if isinstance(given, str) else given
        require_models(chosen)
        relevance = load_relevance(_as_found(chosen.relevance), verified_folder(chosen.relevance))
        nli = load_nli(_as_found(chosen.nli), verified_folder(chosen.nli))
        spans = None
        if chosen.spans is not None:
            spans = load_spans(_as_found(chosen.spans), verified_folder(chosen.spans))
        second, second_support = None, None
        if chosen.second is not None:
            folder = verified_folder(chosen.second)
            second = load_nli(_as_found(chosen.second), folder)
            second_support = read_manifest(folder).second_support
        return cls(relevance, nli, chosen.name, spans, second=second, second_support=second_support)

    def remembering(self, memory: PairMemory) -> Provenance:
        """Share scores between several audits of the same texts.

        Parameters
        ----------
        memory : PairMemory
            The pairs that were scored already; it grows with every audit. With a store, pairs of
            earlier audits too.

        Returns
        -------
        Provenance
            The same models, which score no pair that is in ``memory``.

        Examples
        --------
        >>> from provenance_core.models.pair_memory import PairMemory
        >>> memory = PairMemory()
        >>> provenance = Provenance.load().remembering(memory)
        >>> pair = ("The bridge was opened in 1932.", "It opened in 1932.")
        >>> provenance.entailment([pair]) == provenance.entailment([pair])
        True
        """
        return Provenance(
            RememberingScorer(self.relevance, memory),
            RememberingScorer(self.nli, memory),
            self.profile,
            self.spans,
            None if self.second is None else RememberingScorer(self.second, memory),
            self.second_support,
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
            return (encoder_info(), self.nli.info)
        found = [self.relevance.info, self.nli.info]
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
        progress: Progress | None = None,
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
        progress : Progress | None, default None
            Called with the name of a stage and the share of it that is done, in [0, 1].
        memory : PairMemory | None, default None
            Pairs that were scored before, as for :meth:`remembering`.

        Returns
        -------
        Audit
            Evidence, sources, claims, traced sentences, score and verdict.

        Raises
        ------
        InputError
            The texts cannot be audited; the message says which and how to mend it. It is a
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
        parameters = parameters or default_parameters(self.profile)
        models = self if memory is None else self.remembering(memory)
        return assemble(
            models.measure(
                answer=answer,
                context=context,
                query=query,
                parameters=parameters,
                progress=progress,
            ),
            parameters,
        )

    def measure(
        self,
        *,
        answer: str,
        context: Sequence[str | ContextItem],
        query: str,
        parameters: Parameters,
        progress: Progress | None = None,
    ) -> Evidence:
        """Measure everything that an audit needs, without a verdict.

        Parameters
        ----------
        answer : str
            The answer to check.
        context : Sequence[str | ContextItem]
            The context items, each a text of any length.
        query : str
            The question; may be empty.
        parameters : Parameters
            Every setting. Those of the verdict change nothing here.
        progress : Progress | None, default None
            Called with the name of a stage and the share of it that is done, in [0, 1].

        Returns
        -------
        Evidence
            What the models measured.

        Raises
        ------
        InputError
            The texts cannot be audited.
        ModelError
            The detector cannot be used as things are set.

        Examples
        --------
        >>> from provenance_core import default_parameters
        >>> evidence = Provenance.load().measure(
        ...     answer="It is red. It is fast.",
        ...     context=["The car is red."],
        ...     query="",
        ...     parameters=default_parameters(),
        ... )
        >>> len(evidence.sentences), len(evidence.chunks)
        (2, 1)
        """
        if not isinstance(self.nli, RememberingScorer):
            # A chunk of one sentence, for one, is also read as a sentence of the context.
            return self.remembering(PairMemory()).measure(
                answer=answer,
                context=context,
                query=query,
                parameters=parameters,
                progress=progress,
            )
        report = progress or _silent
        detector = get_detector(parameters.detector)
        if reason := detector.unavailable() or detector.unfit(self):
            raise ModelError(reason)
        evidence = self._measure(
            detector.plan(parameters), answer, context, query, parameters, report
        )
        evidence = replace(evidence, measured_by=detector.measured_by)
        started = time.perf_counter()
        extended = detector.extend(evidence, parameters, self, lambda done: report("Details", done))
        if extended is evidence:
            return evidence
        spent = time.perf_counter() - started
        before = evidence.timings
        return replace(
            extended,
            timings=replace(before, nli=before.nli + spent, total=before.total + spent),
        )

    def _measure(
        self,
        plan: MeasurementPlan,
        answer: str,
        context: Sequence[str | ContextItem],
        query: str,
        parameters: Parameters,
        report: Progress,
    ) -> Evidence:
        """What ``plan`` asks for."""
        started = time.perf_counter()
        report("Splitting", 0.0)
        given, notices = check_context(context)
        items, structured, data_notices = verbalise(given)
        check_length_of(items)
        notices += data_notices
        answer, answer_notices = check_answer(answer)
        query, query_notices = check_query(query)
        notices += answer_notices + query_notices

        if not self.nli.info.tells_contradiction:
            notices += (_no_contradiction(self.nli.info),)
        budget, count = self._window(plan)
        limit = budget - min(_MIN_CHUNK_TOKENS, parameters.chunk_tokens, budget // 3)
        cuts: tuple[Cut, ...] = ()
        if plan.recursive is not None:
            most = min(limit, plan.recursive.claim_tokens)
            sentences = split_into_claims(answer, most, count)
        else:
            sentences = split_answer(answer, limit, count)
            if cut := cut_sentences(answer, limit, count, CutKind.ANSWER_SENTENCE):
                cuts += cut
                notices += (
                    Notice(
                        "sentence_cut",
                        f"A sentence of the answer has over {limit} tokens, more than the model "
                        "takes beside a chunk; it was cut between words and scored in parts.",
                    ),
                )
        notices += check_known_words(sentences, self.nli)
        claims, claim_notices = build_claims(
            query, answer, sentences, plan.claim_form, limit, count
        )
        notices += claim_notices
        hypotheses = self._hypotheses(answer, sentences, claims)
        longest = max([*count(hypotheses), *(claim.tokens for claim in claims)])
        whole, whole_cuts, whole_notices = self._whole_answer(
            plan, answer, len(sentences), limit, count
        )
        cuts += whole_cuts
        notices += whole_notices
        longest = max([longest, *count(whole)])
        # What is no chunk is as long as the window takes, so that only the longest are cut.
        wanted = parameters.chunk_tokens if plan.granularity is None else budget
        if plan.recursive is not None:
            wanted = min(wanted, (budget - longest) // plan.recursive.window_chunks)
        chunk_tokens = min(wanted, budget - longest)
        if plan.granularity is None and chunk_tokens < wanted:
            notices += (
                Notice(
                    "shorter_chunks",
                    f"Chunks were kept to {chunk_tokens} tokens instead of "
                    f"{parameters.chunk_tokens}, because the longest claim has {longest}.",
                ),
            )
        chunks, chunk_notices = self._premises(plan, items, chunk_tokens, parameters, count)
        notices += chunk_notices
        context_cuts, cut_notices = cuts_of_context(items, chunks, chunk_tokens, count)
        cuts += context_cuts
        notices += cut_notices
        texts = list(dict.fromkeys([*(claim.text for claim in claims), *hypotheses, *whole]))
        # Relevance, one row a claim and one row a sentence; the evidence sentences are few.
        asked = (1 if query.strip() else len(sentences)) if plan.relevance else 0
        if plan.recursive is not None:
            asked += len(claims)
        check_pairs(len(chunks) * (asked + len(texts)))
        split_done = time.perf_counter()

        weighed = self._weigh(
            plan, query, answer, sentences, chunks, lambda done: report("Relevance", done)
        )
        cuts += weighed.cuts
        notices += weighed.notices
        relevance_done = time.perf_counter()

        pairs = [(chunk.text, text) for text in texts for chunk in chunks]
        scores = self.probabilities(pairs, lambda done: report("Entailment", done))
        lengths = self.nli.pair_tokens(pairs)
        n = len(chunks)
        rows = dict(zip(texts, scores.reshape(len(texts), n, 3), strict=True))
        sizes = {text: tuple(lengths[i * n : (i + 1) * n]) for i, text in enumerate(texts)}
        sentence_scores = PairScores(np.stack([rows[text] for text in hypotheses]))
        report("Evidence", 0.0)
        evidence_sentences, evidence_tokens, evidence_pairs = self._evidence_sentences(
            items, chunks, sentences, hypotheses, sentence_scores
        )
        report("Evidence", 1.0)
        done = time.perf_counter()
        return Evidence(
            query=query,
            answer=answer,
            context=items,
            chunks=chunks,
            relevance_query=weighed.query,
            relevance=weighed.scores,
            claims=claims,
            claim_scores=PairScores(np.stack([rows[claim.text] for claim in claims])),
            sentences=sentences,
            sentence_scores=sentence_scores,
            answer_scores=PairScores(rows[whole[0]]) if whole else NO_SCORES,
            evidence_sentences=evidence_sentences,
            missing_details=find_missing_details(sentences, [item.text for item in items]),
            relevance_model=self.relevance.info,
            nli_model=self.nli.info,
            profile=self.profile,
            structured=structured,
            pair_tokens=PairTokens(
                relevance=weighed.tokens,
                claims=tuple(sizes[claim.text] for claim in claims),
                sentences=tuple(sizes[text] for text in hypotheses),
                answer=sizes[whole[0]] if whole else (),
                evidence_sentences=evidence_tokens,
            ),
            cuts=cuts,
            notices=notices,
            tokens=TokenCounts(
                context=sum(count([item.text for item in items])),
                answer=count([answer])[0],
                query=count([query])[0],
                pairs=len(pairs) + evidence_pairs,
                longest_pair=max(lengths),
            ),
            timings=Timings(
                split=split_done - started,
                relevance=relevance_done - split_done,
                nli=done - relevance_done,
                total=done - started,
            ),
        )

    @staticmethod
    def _premises(
        plan: MeasurementPlan,
        items: tuple[ContextItem, ...],
        limit: int,
        parameters: Parameters,
        count: TokenCounter,
    ) -> tuple[tuple[Chunk, ...], tuple[Notice, ...]]:
        """The parts of the context that the claims are compared with, of at most ``limit``
        tokens, and whether some had to be cut for it."""
        if plan.recursive is not None:
            return chunk_recursively(items, max_tokens=limit, count_tokens=count), ()
        if plan.granularity is None:
            return chunk_context(
                items,
                max_tokens=limit,
                overlap_sentences=parameters.overlap_sentences,
                count_tokens=count,
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

    @staticmethod
    def _whole_answer(
        plan: MeasurementPlan, answer: str, sentences: int, limit: int, count: TokenCounter
    ) -> tuple[list[str], tuple[Cut, ...], tuple[Notice, ...]]:
        """The whole answer as a hypothesis, where the plan asks for it and the window takes it."""
        if not plan.whole_answer:
            return [], (), ()
        text = answer.strip()
        (tokens,) = count([text])
        if tokens <= limit:
            return [text], (), ()
        cut = Cut(CutKind.ANSWER, 0, tokens, limit, sentences)
        notice = Notice(
            "answer_too_long",
            f"The answer has {tokens} tokens and the model takes {limit} beside a chunk: it "
            "was compared with the chunks sentence by sentence, not as a whole.",
        )
        return [], (cut,), (notice,)

    def _window(self, plan: MeasurementPlan) -> tuple[int, TokenCounter]:
        """Tokens that the two texts of a pair may have for every model that reads them, and who
        counts them."""
        if not plan.relevance and plan.recursive is None:
            return self.nli.text_budget, self.nli.count_tokens
        budget = min(self.nli.text_budget, self.relevance.text_budget)
        if self.relevance.vocabulary == self.nli.vocabulary:
            return budget, self.nli.count_tokens

        def larger(texts: list[str]) -> list[int]:
            both = self.nli.count_tokens(texts), self.relevance.count_tokens(texts)
            return [max(pair) for pair in zip(*both, strict=True)]

        return budget, larger

    def _weigh(
        self,
        plan: MeasurementPlan,
        query: str,
        answer: str,
        sentences: tuple[Sentence, ...],
        chunks: tuple[Chunk, ...],
        progress: Callable[[float], None],
    ) -> _Weighed:
        """The relevance of each chunk, 0 where the plan asks for none."""
        if not plan.relevance:
            return _Weighed("", (0.0,) * len(chunks), (), (), ())
        if query.strip():
            return self._relevance(query, [query], chunks, progress)
        # One vector of weights for a text that joins facts of several chunks would leave
        # most of them out, so each sentence of the answer asks for its own.
        found = self._relevance(answer, claim_texts(answer, sentences), chunks, progress)
        how = (
            ", sentence by sentence, and the largest score of each chunk was kept."
            if len(sentences) > 1
            else "."
        )
        no_query = Notice(
            "no_query",
            f"No query was given: the answer took its place in the relevance score{how}",
        )
        return replace(found, notices=(no_query, *found.notices))

    @staticmethod
    def _hypotheses(
        answer: str, sentences: tuple[Sentence, ...], claims: tuple[Claim, ...]
    ) -> list[str]:
        """What stands for each sentence in the matrix: its claim where it has one of its own
        (so that a one-word answer is read with its query), else its text."""
        if len(sentences) == len(claims):
            return [claim.text for claim in claims]
        return claim_texts(answer, sentences)

    def _relevance(
        self,
        asked: str,
        queries: Sequence[str],
        chunks: tuple[Chunk, ...],
        progress: Callable[[float], None],
    ) -> _Weighed:
        """S = Cross-Encoder(Q, D) for every chunk (paper equation 1); a logit each.

        The largest over ``queries``, the parts of ``asked``; one too long for the window is
        scored in parts.
        """
        count = self.relevance.count_tokens
        room = self.relevance.text_budget - max(count([chunk.text for chunk in chunks]))
        parts: list[str] = []
        cuts: list[Cut] = []
        for query in queries:
            bounds = fitting_bounds(query, room, count)
            parts += [query[a:b] for a, b in bounds]
            if len(bounds) > 1:
                cuts.append(Cut(CutKind.QUERY, 0, count([query])[0], room, len(bounds)))
        pairs = [(part, chunk.text) for part in dict.fromkeys(parts) for chunk in chunks]
        logits = self.relevance_logits(pairs, progress).reshape(-1, len(chunks))
        tokens = np.array(self.relevance.pair_tokens(pairs)).reshape(-1, len(chunks))
        notices: tuple[Notice, ...] = ()
        if cuts:
            notices = (
                Notice(
                    "query_in_parts",
                    f"The text that relevance was scored for is too long for the model: it was "
                    f"scored in {len(parts)} parts and the largest score of each chunk kept.",
                ),
            )
        return _Weighed(
            query=asked,
            scores=tuple(float(value) for value in logits.max(axis=0)),
            tokens=tuple(int(value) for value in tokens.max(axis=0)),
            cuts=tuple(cuts),
            notices=notices,
        )

    def relevance_logits(
        self,
        pairs: Sequence[tuple[str, str]],
        progress: Callable[[float], None] | None = None,
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
        self,
        pairs: Sequence[tuple[str, str]],
        progress: Callable[[float], None] | None = None,
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
        self,
        pairs: Sequence[tuple[str, str]],
        progress: Callable[[float], None] | None = None,
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

    def _evidence_sentences(
        self,
        items: tuple[ContextItem, ...],
        chunks: tuple[Chunk, ...],
        sentences: tuple[Sentence, ...],
        hypotheses: list[str],
        scores: PairScores,
    ) -> tuple[tuple[EvidenceSentence, ...], tuple[int, ...], int]:
        """Scores single sentences of the context for each sentence of the answer: those of the
        chunks that most support and most contradict it, and the closest by their words.

        Keeps of each chunk the sentence that most entails and the one that most contradicts, and
        the closest ones. Also the tokens of each kept pair, and how many pairs were scored.
        """
        support = support_matrix(
            scores, [s.text for s in sentences], [c.text for c in chunks], self.nli.info
        )
        places = context_sentences(items, chunks)
        closest = [
            {places[at] for at in found}
            for found in closest_sentences(
                [sentence.text for sentence in sentences],
                [items[place.item].text[place.start : place.end] for place in places],
            )
        ]
        wanted: list[tuple[int, SentencePlace]] = []
        for index in range(len(sentences)):
            supports = int(np.argmax(support[index]))
            contradicts = int(np.argmax(scores.contradiction[index]))
            wanted += [
                (index, place)
                for place in places
                if place.chunk in (supports, contradicts) or place in closest[index]
            ]
        pairs = [(items[p.item].text[p.start : p.end], hypotheses[s]) for s, p in wanted]
        lengths = dict(zip(wanted, self.nli.pair_tokens(pairs), strict=True))
        found: dict[tuple[int, int], list[tuple[SentencePlace, EvidenceSentence]]] = {}
        for (s, p), cell in zip(wanted, self.entailment(pairs), strict=True):
            scored = EvidenceSentence(s, p.chunk, p.start, p.end, cell)
            found.setdefault((s, p.chunk), []).append((p, scored))
        kept: list[EvidenceSentence] = []
        tokens: list[int] = []
        for (s, _), group in found.items():
            entailing = max(group, key=lambda e: e[1].scores.entailment)
            contradicting = max(group, key=lambda e: e[1].scores.contradiction)
            near = [each for each in group if each[0] in closest[s]]
            for place, scored in dict.fromkeys((entailing, contradicting, *near)):
                kept.append(scored)
                tokens.append(lengths[s, place])
        return tuple(kept), tuple(tokens), len(pairs)


def _as_found(model: PublicModel) -> PublicModel:
    """``model`` with the commit that was downloaded, where its revision is a branch or tag."""
    cached = None if model.is_embedded or model.given_folder else find_model(model)
    return model if cached is None else replace(model, revision=cached.commit)


def _no_contradiction(nli: ModelInfo) -> Notice:
    return Notice(
        "no_contradiction",
        f"The NLI model {nli.model_id} tells how likely the context supports a claim, not whether "
        "it contradicts it: contradiction was not measured, and no sentence is called "
        "contradicted.",
    )
