"""Dense retrieval in place of the relevance model: the paper's appendix A (Table 7).

Sentences of the context are ranked by the similarity of their vector to that of the claim
prompt, selected by TopP, joined into one premise and put to the NLI model in one pair.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from provenance_core.errors import InputError
from provenance_core.evaluation.scorers import code_digest, require_context
from provenance_core.evaluation.types import Column, Method, RowScores
from provenance_core.files.types import LabelledRow
from provenance_core.models.dense_encoder import DEFAULT_ENCODER
from provenance_core.models.nli_classes import nli_probabilities
from provenance_core.models.protocol import PairScorer
from provenance_core.scoring.selection import relevance_probabilities, select_top_p
from provenance_core.text.claims import claim_prompt
from provenance_core.text.splitting import sentence_bounds
from provenance_core.types import Floats

_TOP_P = 0.9
_LEAST_ROOM = 32  # tokens


class Similarity(StrEnum):
    """Experiments 0.1 to 0.3 of appendix A."""

    DOT = "dot product"
    DOT_TEMPORAL = "dot product, temporal order"
    COSINE = "cosine, temporal order"


# From n texts to their vectors, shape (n, D).
Encoder = Callable[[Sequence[str]], Floats]


@dataclass(frozen=True, slots=True)
class DenseScorer:
    """P(entailment) of the claim prompt by the joined sentences, under each similarity.

    The most similar sentence has the first choice of the room that the window leaves beside the
    claim; one that does not fit what is left is passed over.
    """

    encoder: Encoder
    nli: PairScorer
    method: Method = field(default=Method.DENSE, init=False)

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(Column(str(similarity)) for similarity in Similarity)

    @property
    def fingerprint(self) -> str:
        return f"{DEFAULT_ENCODER} {self.nli.info.sha256[:16]} {code_digest()[:16]}"

    def score(self, row: LabelledRow) -> RowScores:
        require_context(row)
        sentences = [item[a:b].strip() for item in row.context for a, b in sentence_bounds(item)]
        claim = claim_prompt(row.query, row.answer) if row.query else row.answer
        vectors = self.encoder([*sentences, claim])
        dots = vectors[:-1] @ vectors[-1]
        lengths = np.linalg.norm(vectors, axis=1)
        cosines = dots / (lengths[:-1] * lengths[-1])
        room = self.nli.text_budget - self.nli.count_tokens([claim])[0]
        if room < _LEAST_ROOM:
            raise InputError(
                "the claim prompt fills the model's window, so no sentence fits beside it"
            )
        premises = {
            similarity: self._premise(
                sentences,
                room,
                cosines if similarity is Similarity.COSINE else dots,
                temporal=similarity is not Similarity.DOT,
            )
            for similarity in Similarity
        }
        logits = self.nli.predict([(premises[s], claim) for s in Similarity])
        return RowScores(tuple(nli_probabilities(logits, self.nli.labels)[:, 0].tolist()))

    def _premise(
        self, sentences: list[str], room: int, similarity: Floats, *, temporal: bool
    ) -> str:
        selected = set(select_top_p(relevance_probabilities(similarity), _TOP_P))
        tokens = self.nli.count_tokens(sentences)
        kept: list[int] = []
        for index in np.argsort(-similarity, kind="stable").tolist():
            if index in selected and tokens[index] <= room:
                kept.append(index)
                room -= tokens[index]
        if not kept:
            raise InputError("no sentence that was selected fits the model's window")
        return " ".join(sentences[i] for i in (sorted(kept) if temporal else kept))
