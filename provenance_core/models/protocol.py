"""What the pipeline asks of a model, whatever reads it: ONNX Runtime or torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from provenance_core.errors import InputError
from provenance_core.types import ModelInfo, TokenScore


class TextPairs(Protocol):
    """A model that reads pairs of texts; safe to share between threads."""

    @property
    def info(self) -> ModelInfo:
        """Which model it is, and how it is run."""

    @property
    def text_budget(self) -> int:
        """Tokens that both texts of a pair may have together."""

    @property
    def vocabulary(self) -> str:
        """SHA-256, hexadecimal, of the tokenizer: equal where two models count tokens alike."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without special tokens."""

    def unknown_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text that the vocabulary does not have."""

    def pair_tokens(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """Tokens of each pair as the model reads it, special tokens and prompt included."""


class SpanScorer(TextPairs, Protocol):
    """A model that marks the tokens of a pair's second text."""

    def unsupported_tokens(
        self, pairs: Sequence[tuple[str, str]]
    ) -> tuple[tuple[TokenScore, ...], ...]:
        """For each pair, the tokens of its second text and how likely each is what the first
        text does not support. InputError for a pair over the window."""


class PairScorer(SpanScorer, Protocol):
    """A model that scores pairs of texts, and marks tokens where it ``finds_spans``."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What each column of :meth:`predict` is: "relevance", or an NLI class each
        (:class:`provenance_core.models.nli_classes.NliClass`)."""

    @property
    def finds_spans(self) -> bool:
        """Whether :meth:`unsupported_tokens` can be asked; ModelError there if not."""

    def predict(
        self,
        pairs: Sequence[tuple[str, str]],
        progress: Callable[[float], None] | None = None,
    ) -> NDArray[np.float64]:
        """Logits of ``pairs``, shape (len(pairs), len(labels)), in their order.

        ``progress`` gets the share done in (0, 1]. InputError for a pair over the window.
        """


def check_window(tokens: int, info: ModelInfo) -> None:
    """InputError when a pair of ``tokens``, special tokens included, is over the model's window:
    nothing is ever cut where it is scored."""
    if tokens > info.max_length:
        raise InputError(
            f"There are {tokens} tokens to read at once, over the {info.max_length} of "
            f"{info.model_id}. Split the text before scoring."
        )
