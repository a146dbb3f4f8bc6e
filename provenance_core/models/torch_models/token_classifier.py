"""A token classifier as a span detector: LettuceDetect, which reads (prompt, answer) pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from provenance_core.models.torch_models.pairs import Features, Loaded, TorchPairs
from provenance_core.types import TokenScore


class TokenClassifier(TorchPairs):
    """Marks the tokens of an answer that its prompt does not support. ``hallucinated``: index of
    that class, 0 or 1."""

    def __init__(self, loaded: Loaded, hallucinated: int) -> None:
        self._hallucinated = hallucinated
        super().__init__(loaded)

    def unsupported_tokens(
        self, pairs: Sequence[tuple[str, str]]
    ) -> tuple[tuple[TokenScore, ...], ...]:
        """As :meth:`SpanScorer.unsupported_tokens`. The first text of a pair is a prompt, which may
        hold the query too. The probability is the softmax of the hallucinated class. Raises
        ModelError where not even one pair fits the device's memory."""
        if not pairs:
            return ()
        encoded = self._batch(pairs)
        found: dict[int, tuple[TokenScore, ...]] = {}
        for index, logits in self._outputs(pairs):
            probability = _softmax(logits)[:, self._hallucinated]
            found[index] = tuple(
                TokenScore(start, end, float(probability[at]))
                for at, (part, (start, end)) in enumerate(
                    zip(encoded.sequence_ids(index), encoded["offset_mapping"][index], strict=True)
                )
                if part == 1 and end > start
            )
        return tuple(found[index] for index in range(len(pairs)))

    def _batch(self, pairs: Sequence[tuple[str, str]]) -> Any:
        first, second = (list(texts) for texts in zip(*pairs, strict=True))
        return self._tokenizer(
            first, second, return_offsets_mapping=True, return_token_type_ids=True, verbose=False
        )

    def _encode(self, pairs: Sequence[tuple[str, str]]) -> list[Features]:
        return self._features(self._batch(pairs))

    def _logits(self, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        found: torch.Tensor = self._model(**inputs).logits
        return found


def _softmax(logits: np.ndarray[Any, np.dtype[np.float64]]) -> Any:
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)
