"""Remembers the scores of pairs: within an audit, between detectors, and with a store between
audits."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from provenance_core.models.protocol import PairScorer
from provenance_core.types import ModelInfo

Pair = tuple[str, str]
Logits = NDArray[np.float64]
# Raise it when the same weights get their texts in another way.
_READ_BY = 1


class PairStore(Protocol):
    """Keeps logits for longer than one audit. It raises no errors: a pair that it cannot read
    counts as not scored, and one that it cannot keep is scored again."""

    def known(self, model: ModelInfo, pairs: Sequence[Pair]) -> Mapping[Pair, Logits]:
        """Look up the logits of pairs that the model scored on the same engine, shape (labels,)
        each."""

    def keep(self, model: ModelInfo, scored: Mapping[Pair, Logits]) -> None:
        """Keep scores of pairs. ``scored``: the logits of each pair, shape (labels,) each."""


class PairMemory:
    """Keeps a model's logits of every pair by a digest of both texts, about 200 bytes for each
    pair. An object serves one audit, several detectors over it, or one file; do not share it
    between users. With ``store``, pairs that are not in memory are looked up there, and
    :meth:`hand_over` gives it the new ones."""

    def __init__(self, store: PairStore | None = None) -> None:
        self._known: dict[bytes, Logits] = {}
        self._store = store
        self._new: dict[ModelInfo, dict[Pair, Logits]] = {}

    def predict(
        self,
        model: PairScorer,
        pairs: Sequence[Pair],
        progress: Callable[[float], None] | None = None,
    ) -> Logits:
        """Score pairs as ``model.predict`` does, and call it only for pairs that it has not scored.
        Batches differ from those of ``model.predict``, and with them the rounding of activations;
        of a relevance model, a call counts as a whole, since the rounding is larger.
        Logits, shape (len(pairs), len(model.labels)). Raises InputError where a pair is over the
        model's window."""
        name = model_digest(model.info)
        if model.info.task == "relevance":  # It rounds all pairs of a call by one scale.
            name += text_digest("\0".join(text for pair in pairs for text in pair))
        keys = [_key(name, pair) for pair in pairs]
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in self._known}
        if new and self._store is not None:
            found = self._store.known(model.info, list(new.values()))
            columns = (len(model.labels),)
            stored = {
                key: found[pair]
                for key, pair in new.items()
                if pair in found and found[pair].shape == columns
            }
            self._known.update(stored)
            new = {key: pair for key, pair in new.items() if key not in stored}
        if new or not pairs:
            logits = model.predict(list(new.values()), progress)
            if not pairs:
                return logits
            self._known.update(zip(new, logits, strict=True))
            if self._store is not None:
                scored = zip(new.values(), logits, strict=True)
                self._new.setdefault(model.info, {}).update(scored)
        elif progress is not None:
            progress(1.0)
        return np.stack([self._known[key] for key in keys])

    def hand_over(self) -> None:
        """Give the store the scores that are new since the last call."""
        if self._store is not None:
            for model, scored in self._new.items():
                self._store.keep(model, scored)
        self._new.clear()


class RememberingScorer:
    """A model that scores each pair once, and remembers it in ``memory``."""

    def __init__(self, model: PairScorer, memory: PairMemory) -> None:
        self._model = model
        self._memory = memory
        # Only scores are remembered; everything else is the model's own.
        self.info = model.info
        self.labels = model.labels
        self.vocabulary = model.vocabulary
        self.text_budget = model.text_budget
        self.finds_spans = model.finds_spans
        self.count_tokens = model.count_tokens
        self.unknown_tokens = model.unknown_tokens
        self.pair_tokens = model.pair_tokens
        self.unsupported_tokens = model.unsupported_tokens

    def predict(
        self, pairs: Sequence[Pair], progress: Callable[[float], None] | None = None
    ) -> Logits:
        """As :meth:`PairScorer.predict`, through :meth:`PairMemory.predict`."""
        return self._memory.predict(self._model, pairs, progress)


def model_digest(model: ModelInfo) -> bytes:
    """Name, in 16 bytes, everything besides the texts that decides a logit: the weights, the engine
    with its precision, and how the texts are joined. Calibration is arithmetic on the logit and
    does not count."""
    parts = (model.task, model.model_id, model.sha256, model.device, model.precision, str(_READ_BY))
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).digest()


def text_digest(text: str) -> bytes:
    """Name a text in 16 bytes.

    >>> text_digest("It is red.") == text_digest("It is red!")
    False
    """
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _key(model: bytes, pair: Pair) -> bytes:
    texts = "\0".join(pair).encode("utf-8", "surrogatepass")
    # The length of the first text tells where it ends: it may hold the separator.
    size = len(pair[0]).to_bytes(8, "little")
    return hashlib.blake2b(model + size + texts, digest_size=16).digest()
