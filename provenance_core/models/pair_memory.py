"""Scores of pairs that were scored before, for several detectors over the same texts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from provenance_core.models.protocol import PairScorer


class PairMemory:
    """Keeps a model's logits of every pair, by a digest of both texts (about 200 bytes a pair).

    For as long as the object lives: a run of several detectors over one audit or one file. Not
    to be kept between users.
    """

    def __init__(self) -> None:
        self._known: dict[bytes, NDArray[np.float64]] = {}

    def predict(
        self,
        model: PairScorer,
        pairs: Sequence[tuple[str, str]],
        progress: Callable[[float], None] | None = None,
    ) -> NDArray[np.float64]:
        """As ``model.predict``, shape (len(pairs), labels), with a model call only for pairs that
        it has not scored yet. Batches differ, and with
        them the step to which int8 rounds activations."""
        keys = [_key(model, pair) for pair in pairs]
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in self._known}
        if new or not pairs:
            logits = model.predict(list(new.values()), progress)
            if not pairs:
                return logits
            self._known.update(zip(new, logits, strict=True))
        elif progress is not None:
            progress(1.0)
        return np.stack([self._known[key] for key in keys])


def _key(model: PairScorer, pair: tuple[str, str]) -> bytes:
    texts = "\0".join((model.info.sha256, *pair))
    return hashlib.blake2b(texts.encode("utf-8", "surrogatepass"), digest_size=16).digest()
