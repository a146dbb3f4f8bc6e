"""The encoder of dense retrieval: the bi-encoder in the file of the embedded relevance model.

It is all-MiniLM-L6-v2 (Apache-2.0), shipped with a checksum. All vectors have the same length, so
dot product and cosine rank texts alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from provenance_core.models.catalogue.profiles import (
    EMBEDDED_RELEVANCE,
    embedded_folder,
    embedded_manifest,
)
from provenance_core.models.onnx_models.relevance_model import RelevanceModel
from provenance_core.text.splitting import TokenCounter, fitting_bounds
from provenance_core.types import Floats, ModelInfo


@dataclass(frozen=True, slots=True)
class DenseEncoder:
    """An encoder of texts. ``embed``: turns n texts into vectors, shape (n, D). ``count``: counts
    the tokens of each text."""

    info: ModelInfo
    embed: Callable[[Sequence[str]], Floats]
    count: TokenCounter

    def parts(self, texts: Sequence[str]) -> tuple[list[str], list[int]]:
        """Cut texts into parts that fit the encoder's window. The parts of all texts in order, and
        the index of the first part of each text."""
        parts: list[str] = []
        starts: list[int] = []
        for text in texts:
            starts.append(len(parts))
            bounds = fitting_bounds(text, self.info.max_length - _SPECIAL_TOKENS, self.count)
            parts += [text[start:end] for start, end in bounds]
        return parts, starts


# Special tokens around a text.
_SPECIAL_TOKENS = 2


def encoder_info() -> ModelInfo:
    """Identify the encoder without loading it. The relevance model's info, without a calibration
    slope: similarities have none."""
    info = embedded_manifest(EMBEDDED_RELEVANCE).info
    return replace(info, calibration_slope=1.0)


@lru_cache(maxsize=1)
def load_encoder() -> DenseEncoder:
    """Load the encoder after comparing its checksum. It is loaded once. Raises ModelError where the
    checksum differs."""
    model = RelevanceModel.load(embedded_folder(EMBEDDED_RELEVANCE))
    return DenseEncoder(encoder_info(), model.embed, model.count_tokens)


def similarities(
    encoder: DenseEncoder, claims: Sequence[str], chunks: Sequence[str], *, cosine: bool
) -> Floats:
    """Compute the similarity of each claim to each chunk. It is the dot product of their vectors
    (paper, appendix A, experiments 0.1 and 0.3). A text over the encoder's window is cut into
    parts, and its most similar part counts. Dot products, shape (M, N); in [-1, 1] with
    ``cosine``."""
    (of_claims, claim_starts), (of_chunks, chunk_starts) = map(encoder.parts, (claims, chunks))
    vectors = encoder.embed([*of_claims, *of_chunks])
    if cosine:
        vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    found = vectors[: len(of_claims)] @ vectors[len(of_claims) :].T
    by_claim = np.maximum.reduceat(found, claim_starts, axis=0)
    best: Floats = np.maximum.reduceat(by_claim, chunk_starts, axis=1)
    return best
