"""A sequence classifier of any architecture, with one, two or three logits for each pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from provenance_core.errors import ModelError
from provenance_core.models.torch_models.pairs import Features, Loaded, TorchPairs
from provenance_core.types import TokenScore


class SequenceClassifier(TorchPairs):
    """Logits of pairs, in the order that the tokenizer joins them: premise and hypothesis, or query
    and text. ``labels``: what each column of :meth:`predict` is. ``joined``: whether the two texts
    are read as one, with the tokenizer's end-of-sequence token between them, as MiniCheck was
    trained."""

    def __init__(self, loaded: Loaded, labels: tuple[str, ...], *, joined: bool = False) -> None:
        self._labels = labels
        self._joined = joined
        super().__init__(loaded)

    @property
    def _slack(self) -> int:
        # Behind a special token, a word may be cut into other tokens than at a text's start.
        return 4 if self._joined else 0

    @property
    def labels(self) -> tuple[str, ...]:
        return self._labels

    @property
    def finds_spans(self) -> bool:
        return False

    def unsupported_tokens(
        self, pairs: Sequence[tuple[str, str]]
    ) -> tuple[tuple[TokenScore, ...], ...]:
        """Refuse: a sequence classifier has no span head. Raises ModelError where always."""
        raise ModelError(f"{self.info.model_id} has no span head.")

    def predict(
        self, pairs: Sequence[tuple[str, str]], progress: Callable[[float], None] | None = None
    ) -> NDArray[np.float64]:
        """As :meth:`PairScorer.predict`. It runs equal pairs once. Raises ModelError where not even
        one pair fits the device's memory."""
        rows = {pair: index for index, pair in enumerate(dict.fromkeys(pairs))}
        result = np.zeros((len(rows), len(self.labels)))
        for index, row in self._outputs(list(rows), progress):
            result[index] = row
        return result[[rows[pair] for pair in pairs]]

    def _encode(self, pairs: Sequence[tuple[str, str]]) -> list[Features]:
        first, second = (list(texts) for texts in zip(*pairs, strict=True))
        if self._joined:
            end = self._tokenizer.eos_token or self._tokenizer.sep_token
            if end is None:
                raise ModelError(
                    f"The tokenizer of {self.info.model_id} names no end of a text (eos_token), "
                    "which stands between document and claim: name it in tokenizer_config.json."
                )
            first = [end.join(pair) for pair in pairs]
        encoded = self._tokenizer(
            first, None if self._joined else second, return_token_type_ids=True, verbose=False
        )
        return self._features(encoded)

    def _logits(self, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        found: torch.Tensor = self._model(**inputs).logits
        return found


class RelevanceDifference(SequenceClassifier):
    """A relevance model with two classes. Its score is the logit of the relevant class minus that
    of the other, which ranks pairs as the probability does."""

    def __init__(self, loaded: Loaded, relevant: int) -> None:
        self._relevant = relevant
        super().__init__(loaded, ("relevance",))

    def _logits(self, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        found = super()._logits(inputs).float()
        return found[:, [self._relevant]] - found[:, [1 - self._relevant]]
