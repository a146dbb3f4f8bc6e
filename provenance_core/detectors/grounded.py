"""Grounded in Context: a premise of its own, retrieved, for each claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from provenance_core.detectors._arithmetic import trace_joined
from provenance_core.detectors._formula import (
    claim_aggregation_name,
    counted_sentences,
    of_claims,
    of_joined_chunks,
)
from provenance_core.detectors._interface import (
    AnswerScore,
    Detector,
    MeasurementPlan,
    Models,
    Quantity,
    RecursiveChunking,
    Traits,
)
from provenance_core.detectors._set_aside import counted_claims, scored_claims, with_set_aside
from provenance_core.scoring.aggregation import claim_shares
from provenance_core.scoring.cells import CellMeasure
from provenance_core.scoring.selection import relevance_probabilities
from provenance_core.text.recursive_chunks import joined_text
from provenance_core.types import (
    Audit,
    Claim,
    ClaimAggregation,
    ClaimForm,
    ClaimResult,
    Evidence,
    JoinedPremise,
    PairTokens,
    Parameters,
    TracedSentence,
)

# "Setting s_max = 60 tokens captures almost all of cases" (step 1).
CLAIM_TOKENS = 60
# Three of the longest chunks fit beside the longest claim; of shorter ones, more do.
WINDOW_CHUNKS = 3


class GroundedDetector(Detector):
    """Claims of at most 60 tokens, each against the chunks that are most relevant to it.

    1. The answer is cut into claims by the recursive chunker.
    2. What states nothing to check (titles, greetings, remarks to the reader, abstentions,
       questions) is set aside, by rules (:mod:`provenance_core.text.set_aside`).
    3. The context is cut by the same chunker into chunks of at most (window - longest claim) / 3
       tokens, or ``Parameters.chunk_tokens`` if that is less.
    4. For each claim i the k_i most relevant chunks are retrieved, k_i being the largest number
       that fits the model's window together with the claim.
    5. p_i = P(entailment) of the claim by these chunks, joined in their original order.
    6. The score is the sum over the claims of w_i p_i, with weights that sum to 1 and are larger
       the less a claim is supported: w_i proportional to 1 / max(p_i, 1e-6), which is the
       harmonic mean (:func:`claim_shares`; the document gives no
       formula). ``Parameters.claim_aggregation`` can be the mean or the minimum instead.

    A claim that was set aside has a weight of 0 unless ``Parameters.count_set_aside``. If none
    has a weight, nothing can be unsupported: the score is 1 and the verdict "supported", and a
    notice says so."""

    name = "grounded-in-context"
    title = "Grounded in Context"
    explanation = (
        "Leaves out what states nothing to check, retrieves for each remaining claim the chunks "
        "that are most relevant to it, and asks whether these together entail it."
    )
    source = "Grounded in Context, section 3.2"
    traits = Traits(
        uses=("claim_aggregation", "count_set_aside"),
        order_matters=True,
        quantity=Quantity.ENTAILMENT,
    )

    claim_aggregation = ClaimAggregation.HARMONIC_MEAN

    def plan(self, parameters: Parameters) -> MeasurementPlan:
        return MeasurementPlan(
            ClaimForm.SENTENCES,
            relevance=False,
            recursive=RecursiveChunking(CLAIM_TOKENS, WINDOW_CHUNKS),
        )

    def threshold(self, profile: str) -> float:
        return 0.5

    def extend(
        self,
        evidence: Evidence,
        parameters: Parameters,
        models: Models,
        progress: Callable[[float], None],
    ) -> Evidence:
        pairs = [(c.text, chunk.text) for c in evidence.claims for chunk in evidence.chunks]
        logits = models.relevance_logits(pairs, lambda done: progress(0.8 * done))
        relevance = logits.reshape(len(evidence.claims), len(evidence.chunks))
        window = models.nli.text_budget
        retrieved: list[tuple[int, ...]] = []
        premises: list[str] = []
        longest = 0
        for claim, row in zip(evidence.claims, relevance.tolist(), strict=True):
            found = _retrieve(evidence, claim, row, window - claim.tokens, models.nli.count_tokens)
            retrieved.append(found.chunks)
            premises.append(found.text)
            longest = max(longest, found.tokens + claim.tokens)
        joined = [(text, claim.text) for text, claim in zip(premises, evidence.claims, strict=True)]
        scores = models.entailment(joined, lambda done: progress(0.8 + 0.2 * done))
        lengths = np.array(models.relevance.pair_tokens(pairs)).reshape(relevance.shape)
        before = evidence.pair_tokens or PairTokens((), (), (), (), ())
        longest += models.nli.info.max_length - window
        return replace(
            with_set_aside(evidence),
            # What a chunk is to the answer is what it is to the claim that it is most relevant to.
            relevance_query=evidence.answer,
            relevance=tuple(relevance.max(axis=0).tolist()),
            claim_relevance=tuple(map(tuple, relevance.tolist())),
            joined_scores=tuple(map(JoinedPremise, retrieved, scores)),
            pair_tokens=replace(
                before,
                relevance=tuple(lengths.max(axis=0).tolist()),
                joined=tuple(models.nli.pair_tokens(joined)),
            ),
            tokens=replace(
                evidence.tokens,
                pairs=evidence.tokens.pairs + len(premises),
                longest_pair=max(evidence.tokens.longest_pair, longest),
            ),
        )

    def score(self, evidence: Evidence, parameters: Parameters) -> AnswerScore:
        entailed = np.array([joined.scores.entailment for joined in evidence.joined_scores])
        counted = counted_claims(evidence, parameters)
        shares = np.zeros(len(entailed))
        score = 1.0
        if counted.any():
            shares = claim_shares(entailed, parameters.claim_aggregation, counted)
            score = min(1.0, max(0.0, float(shares @ entailed)))
        used = np.flatnonzero(scored_claims(evidence, parameters))
        uses = Counter(chunk for row in used for chunk in evidence.joined_scores[row].chunks)
        weights = np.zeros(len(evidence.chunks))
        for chunk, times in uses.items():
            weights[chunk] = times / uses.total()
        return AnswerScore(
            factuality=evidence.claim_scores.entailment,
            probabilities=relevance_probabilities(
                np.array(evidence.relevance, dtype=np.float64),
                evidence.relevance_model.calibration_slope,
            ),
            selected=tuple(sorted(uses)),
            weights=weights,
            claims=entailed,
            decided_by=(None,) * len(entailed),
            shares=shares,
            score=score,
        )

    def trace(
        self, evidence: Evidence, parameters: Parameters, scored: AnswerScore
    ) -> tuple[TracedSentence, ...]:
        """Label each sentence by what the chunks that were retrieved for its claim say together.

        A sentence is supported when its claim's entailment by the joined chunks reaches the
        threshold, else contradicted when their contradiction reaches 0.5, else not found; it is set
        aside when its claim does not count. Its evidence is the retrieved chunk that alone most
        entails (or contradicts) it. Where a chunk that was not retrieved reaches the threshold, the
        sentence is supported only by a chunk that was not selected.

        One for each sentence, in order."""
        counted = counted_claims(evidence, parameters)
        return tuple(
            trace_joined(
                evidence,
                sentence,
                joined,
                joined.scores.entailment,
                parameters.threshold,
                counted=bool(counted[sentence.index]),
            )
            for sentence, joined in zip(evidence.sentences, evidence.joined_scores, strict=True)
        )

    def cell_measure(self, evidence: Evidence, parameters: Parameters) -> CellMeasure:
        return CellMeasure("entailment", evidence.sentence_scores.entailment, parameters.threshold)

    def claim_formula(self, audit: Audit, result: ClaimResult) -> str:
        return of_joined_chunks("entailment", audit, result)

    def answer_formula(self, audit: Audit) -> str:
        if not counted_sentences(audit):
            return "1 by definition, since nothing is to be checked"
        return of_claims(claim_aggregation_name(audit), audit)


DETECTOR = GroundedDetector()


@dataclass(frozen=True, slots=True)
class _Retrieved:
    """Chunks by their indices in original order, their joined text, and the tokens of that."""

    chunks: tuple[int, ...]
    text: str
    tokens: int


def _retrieve(
    evidence: Evidence,
    claim: Claim,
    relevance: list[float],
    room: int,
    count_tokens: Callable[[list[str]], list[int]],
) -> _Retrieved:
    """The most relevant chunks that fit ``room`` tokens together. One always fits."""
    ranked = sorted(range(len(relevance)), key=lambda index: (-relevance[index], index))
    best: _Retrieved | None = None
    for k in range(1, len(ranked) + 1):
        chosen = tuple(sorted(ranked[:k]))
        text = joined_text(evidence.context, [evidence.chunks[index] for index in chosen])
        (tokens,) = count_tokens([text])
        if best is not None and tokens > room:
            break
        best = _Retrieved(chosen, text, tokens)
    if best is None:
        raise ValueError(f"claim {claim.index} has no chunk to be compared with")
    return best
