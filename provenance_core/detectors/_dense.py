"""Dense retrieval in place of the relevance model (Provenance, appendix A): similar sentences of
the context, joined into one premise for each claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, replace

import numpy as np

from provenance_core.detectors._arithmetic import trace_joined
from provenance_core.detectors._interface import AnswerScore, Models
from provenance_core.detectors._set_aside import left_out, scored_claims
from provenance_core.errors import InputError
from provenance_core.models.dense_encoder import load_encoder, similarities
from provenance_core.scoring.aggregation import claim_shares
from provenance_core.scoring.selection import relevance_probabilities, select, source_weights
from provenance_core.scoring.support import support_matrix
from provenance_core.text.recursive_chunks import joined_text
from provenance_core.types import (
    Claim,
    Evidence,
    Floats,
    JoinedPremise,
    PairScores,
    PairTokens,
    Parameters,
    RelevanceMethod,
    TracedSentence,
)

_LEAST_ROOM = 32  # tokens
_BY_COSINE = (RelevanceMethod.COSINE, RelevanceMethod.COSINE_TEMPORAL)


def measure_dense(
    evidence: Evidence, parameters: Parameters, models: Models, progress: Callable[[float], None]
) -> Evidence:
    """Measure how similar each sentence of the context is to each claim, and join the most similar.
    The most similar has the first choice of the room that the window leaves beside the claim; one
    that does not fit what is left is passed over (paper, appendix A). ``progress``: Called with the
    share that is done, in [0, 1]. The evidence with the similarities and what the joined premises
    say of the claims. Raises InputError where a claim leaves no room in the model's window, and
    ModelError where the encoder is not the file that its manifest names."""
    encoder = load_encoder()
    chunks = [chunk.text for chunk in evidence.chunks]
    claims = [claim.text for claim in evidence.claims]
    similarity = similarities(
        encoder, claims, chunks, cosine=parameters.relevance_method in _BY_COSINE
    )
    progress(0.8)
    chosen = [
        _chosen(evidence, claim, row, parameters, models)
        for claim, row in zip(evidence.claims, similarity, strict=True)
    ]
    premises = [_premise(evidence, indices, parameters) for indices in chosen]
    joined = list(zip(premises, claims, strict=True))
    scores = models.entailment(joined)
    lengths = models.nli.pair_tokens(joined)
    progress(1.0)
    return replace(
        evidence,
        relevance_model=encoder.info,
        relevance_query=claims[0] if len(claims) == 1 else evidence.answer,
        relevance=tuple(similarity.max(axis=0).tolist()),
        claim_relevance=tuple(map(tuple, similarity.tolist())),
        joined_scores=tuple(map(JoinedPremise, chosen, scores)),
        pair_tokens=replace(
            evidence.pair_tokens or PairTokens((), (), (), (), ()), joined=tuple(lengths)
        ),
        tokens=replace(
            evidence.tokens,
            pairs=evidence.tokens.pairs + len(premises),
            longest_pair=max(evidence.tokens.longest_pair, *lengths),
        ),
    )


def score_dense(evidence: Evidence, parameters: Parameters) -> AnswerScore:
    """Aggregate the claims' support by their joined premises. The selection is the one that was
    made when the premises were joined. No source contributes to it alone."""
    joined = evidence.joined_scores
    claims = np.array(
        [
            support_matrix(
                PairScores(np.array([[astuple(found.scores)]])),
                [evidence.answer[claim.start : claim.end]],
                [_premise(evidence, found.chunks, parameters)],
                evidence.nli_model,
            )[0, 0]
            for claim, found in zip(evidence.claims, joined, strict=True)
        ]
    )
    counted = scored_claims(evidence, parameters)
    shares = claim_shares(claims, parameters.claim_aggregation, counted)
    probabilities = relevance_probabilities(np.array(evidence.relevance, dtype=np.float64))
    selected = sorted({chunk for found in joined for chunk in found.chunks})
    return AnswerScore(
        factuality=evidence.claim_scores.entailment,
        probabilities=probabilities,
        selected=tuple(selected),
        weights=source_weights(probabilities, selected),
        claims=claims,
        decided_by=(None,) * len(claims),
        shares=shares,
        score=min(1.0, max(0.0, float(shares @ claims))),
        by_sources=False,
    )


def trace_dense(
    evidence: Evidence, parameters: Parameters, scored: AnswerScore
) -> tuple[TracedSentence, ...]:
    """Label each sentence by the premise of its claim; of one claim for several sentences, by that.
    One for each sentence, in order."""
    whole = len(evidence.claims) != len(evidence.sentences)
    aside = left_out(evidence, parameters)
    return tuple(
        trace_joined(
            evidence,
            sentence,
            evidence.joined_scores[0 if whole else sentence.index],
            float(scored.claims[0 if whole else sentence.index]),
            parameters.threshold,
            counted=sentence.index not in aside,
        )
        for sentence in evidence.sentences
    )


def _chosen(
    evidence: Evidence, claim: Claim, similarity: Floats, parameters: Parameters, models: Models
) -> tuple[int, ...]:
    """The selected sentences that fit beside the claim, the most similar first."""
    room = models.nli.text_budget - claim.tokens
    if room < _LEAST_ROOM:
        raise InputError(
            f"A claim of {claim.tokens} tokens fills the model's window, so that no sentence of "
            "the context fits beside it. Choose sentences as the claim form, or shorten the query."
        )
    selected = set(select(relevance_probabilities(similarity), parameters))
    kept: list[int] = []
    for index in np.argsort(-similarity, kind="stable").tolist():
        tokens = evidence.chunks[index].tokens
        if index in selected and tokens <= room:
            kept.append(index)
            room -= tokens
    if not kept:
        raise InputError(
            "No selected sentence of the context fits the model's window beside the claim."
        )
    temporal = parameters.relevance_method in (
        RelevanceMethod.DOT_TEMPORAL,
        RelevanceMethod.COSINE_TEMPORAL,
    )
    return tuple(sorted(kept) if temporal else kept)


def _premise(evidence: Evidence, chosen: tuple[int, ...], parameters: Parameters) -> str:
    chunks = [evidence.chunks[index] for index in chosen]
    if list(chosen) == sorted(chosen):
        return joined_text(evidence.context, chunks)
    return "\n".join(chunk.text for chunk in chunks)
