"""What the pipeline needs from a model, whether ONNX Runtime, OpenVINO or torch runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from provenance_core.errors import InputError
from provenance_core.types import ModelInfo, Notice, Sentence, TokenScore


class TextPairs(Protocol):
    """A model that reads pairs of texts. Several threads may share it."""

    @property
    def info(self) -> ModelInfo:
        """The model and how it runs."""

    @property
    def text_budget(self) -> int:
        """Tokens that both texts of a pair may have together."""

    @property
    def vocabulary(self) -> str:
        """SHA-256 of the tokenizer, hexadecimal. Models with the same one count tokens alike."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of texts. A number for each text, without special tokens."""

    def unknown_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens that the vocabulary lacks. A number for each text."""

    def pair_tokens(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """Count the tokens of pairs as the model reads them, special tokens and prompt included."""


class SpanScorer(TextPairs, Protocol):
    """A model that marks the tokens of a pair's second text."""

    def unsupported_tokens(
        self, pairs: Sequence[tuple[str, str]]
    ) -> tuple[tuple[TokenScore, ...], ...]:
        """How likely the first text of a pair does not support each token of the second. For each
        pair the tokens of the second text, with offsets in it and a probability in [0, 1]. Raises
        InputError where a pair is over the model's window, and ModelError where a score is not a
        number."""


class PairScorer(SpanScorer, Protocol):
    """A model that scores pairs of texts, and marks tokens where it ``finds_spans``."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The meaning of each column of :meth:`predict`: "relevance", or an NLI class each
        (:class:`provenance_core.models.nli_classes.NliClass`)."""

    @property
    def finds_spans(self) -> bool:
        """Whether :meth:`unsupported_tokens` works; it raises ModelError if not."""

    def predict(
        self, pairs: Sequence[tuple[str, str]], progress: Callable[[float], None] | None = None
    ) -> NDArray[np.float64]:
        """Score pairs. Logits, shape (len(pairs), len(labels)), in the order of ``pairs``. Raises
        InputError where a pair is over the model's window, and ModelError where a score is not a
        number."""


def check_window(tokens: int, info: ModelInfo) -> None:
    """Raises InputError where a pair of ``tokens``, special tokens included, is over the model's
    window: nothing is ever cut where it is scored."""
    if tokens > info.max_length:
        raise InputError(
            f"There are {tokens} tokens to read at once, over the {info.max_length} of "
            f"{info.model_id}. Split the text before scoring."
        )


def check_known_words(sentences: Sequence[Sentence], model: TextPairs) -> tuple[Notice, ...]:
    """Name the sentences of which a model does not know at least half of the tokens. Raises
    InputError where all sentences are like that: they look alike to the model, and its score would
    be meaningless."""
    texts = [sentence.text for sentence in sentences]
    counts = zip(model.unknown_tokens(texts), model.count_tokens(texts), strict=True)
    unread = [
        sentence
        for sentence, (unknown, tokens) in zip(sentences, counts, strict=True)
        if tokens and 2 * unknown >= tokens
    ]
    if not unread:
        return ()
    name = model.info.model_id
    if len(unread) == len(sentences):
        raise InputError(
            f"The NLI model {name} does not know the words of the answer, so no score of it would "
            "mean anything. The embedded models read English; for another language choose a "
            "profile that was trained on it."
        )
    named = ", ".join(f"S{sentence.index + 1}" for sentence in unread)
    return (
        Notice(
            "unread_sentence",
            f"The NLI model {name} does not know most of the words of {named}: what it says of "
            f"{'it' if len(unread) == 1 else 'them'} means little.",
        ),
    )
