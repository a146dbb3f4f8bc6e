"""The relevance model: a cross-encoder that adds to what a bi-encoder says of the same pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from .cross_encoder import CrossEncoder
from .errors import ModelError

_VECTORS = "vectors"


class RelevanceModel(CrossEncoder):
    """Scores how relevant a text is to a query (paper equation 1).

    The embedded model's file holds two encoders on one matrix of words: a bi-encoder, which reads
    each text alone, and a cross-encoder, which was trained to correct it and reads both together.
    A model without a bi-encoder scores by its cross-encoder alone.
    """

    @property
    def embeds(self) -> bool:
        """Whether the model has a bi-encoder (:meth:`embed`)."""
        return _VECTORS in self._outputs

    def embed(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The vector of each text, shape (len(texts), hidden size).

        All have one length, so that dot products order texts as cosines do. InputError for a
        text over the window; ModelError from a model without a bi-encoder.
        """
        if not self.embeds:
            raise ModelError(f"{self.info.model_id} has no bi-encoder.")
        rows: dict[int, NDArray[np.float64]] = {}
        for batch in self._batches(texts):
            vectors = self._finite(self._run(_VECTORS, batch))
            rows.update(zip(batch.rows.tolist(), vectors, strict=True))
        return np.array([rows[index] for index in range(len(texts))], dtype=np.float64)

    def predict(
        self,
        pairs: Sequence[tuple[str, str]],
        progress: Callable[[float], None] | None = None,
    ) -> NDArray[np.float64]:
        """Relevance scores (logits) of (query, text) ``pairs``, shape (len(pairs), 1).

        The cross-encoder's logit plus the dot product of both vectors; else as
        :meth:`CrossEncoder.predict`.
        """
        logits = super().predict(pairs, progress)
        if not self.embeds or not pairs:
            return logits
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        at = {text: index for index, text in enumerate(texts)}
        vectors = self.embed(texts)
        queries = vectors[[at[query] for query, _ in pairs]]
        others = vectors[[at[text] for _, text in pairs]]
        return logits + (queries * others).sum(axis=1, keepdims=True)
