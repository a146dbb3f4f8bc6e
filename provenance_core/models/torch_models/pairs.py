"""Runs pairs of texts through a torch model: encoded whole, in batches of similar length."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from provenance_core.errors import ModelError
from provenance_core.models.protocol import check_window
from provenance_core.models.torch_models.devices import Device, DeviceKind, release_memory
from provenance_core.types import ModelInfo

# Padded tokens of a batch: what keeps two cores in their cache, and a GPU busy.
_BATCH_TOKENS = {DeviceKind.CPU: 2048, DeviceKind.MPS: 8192, DeviceKind.CUDA: 65536}
_ENCODE_AT_ONCE = 1024
# Messages of cuBLAS, MPS and the allocators of Linux and Windows.
_NO_MEMORY = (
    "out of memory",
    "can't allocate memory",
    "not enough memory",
    "cublas_status_alloc_failed",
)
_PADDING = {"attention_mask": 0, "token_type_ids": 0}
Features = dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model on its device with its tokenizer. ``vocabulary``: SHA-256 of the tokenizer."""

    model: Any
    tokenizer: Any
    vocabulary: str
    info: ModelInfo
    device: Device


class TorchPairs(ABC):
    """A torch model that reads pairs of texts. It never cuts a text: it refuses a pair over the
    window. Several threads may share it, because a forward pass changes nothing."""

    def __init__(self, loaded: Loaded) -> None:
        self._model = loaded.model
        self._tokenizer = loaded.tokenizer
        self._vocabulary = loaded.vocabulary
        self._info = loaded.info
        self._device = loaded.device
        self._overhead = len(self._encode([("", "")])[0]["input_ids"]) + self._slack

    @property
    def _slack(self) -> int:
        """Tokens that two texts may have more in their pair than on their own."""
        return 0

    @abstractmethod
    def _encode(self, pairs: Sequence[tuple[str, str]]) -> list[Features]:
        """Each pair as the model's inputs, whole and without padding."""

    @abstractmethod
    def _logits(self, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        """What the model says of a batch, shape (batch, ...)."""

    @property
    def info(self) -> ModelInfo:
        return self._info

    @property
    def vocabulary(self) -> str:
        return self._vocabulary

    @property
    def text_budget(self) -> int:
        """Tokens that both texts of a pair may have together."""
        return self.info.max_length - self._overhead

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """As :meth:`TextPairs.count_tokens`."""
        if not texts:
            return []
        ids = self._tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        return [len(row) for row in ids]

    def unknown_tokens(self, texts: Sequence[str]) -> list[int]:
        """As :meth:`TextPairs.unknown_tokens`."""
        unknown = self._tokenizer.unk_token_id
        if not texts:
            return []
        ids = self._tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        return [0 if unknown is None else list(row).count(unknown) for row in ids]

    def pair_tokens(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """As :meth:`TextPairs.pair_tokens`."""
        return [len(row["input_ids"]) for row in self._encode(pairs)] if pairs else []

    def _outputs(
        self, pairs: Sequence[tuple[str, str]], progress: Callable[[float], None] | None = None
    ) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """The index of each pair and what the model says of it, longest pairs first. InputError for
        a pair over the window; ModelError when not even one pair fits the device's memory, or a
        score is not a number."""
        done = 0
        most = _BATCH_TOKENS[self._device.kind]
        for first in range(0, len(pairs), _ENCODE_AT_ONCE):
            rows = self._encode(pairs[first : first + _ENCODE_AT_ONCE])
            lengths = np.array([len(row["input_ids"]) for row in rows])
            check_window(int(lengths.max()), self.info)
            order = np.argsort(-lengths, kind="stable")
            at = 0
            while at < len(order):
                size = max(1, most // int(lengths[order[at]]))
                batch = order[at : at + size]
                found = self._try([rows[index] for index in batch])
                if found is None:
                    if len(batch) == 1:
                        raise ModelError(
                            f"One pair of {lengths[batch[0]]} tokens does not fit the memory of "
                            f"{self._device} with {self.info.model_id}. Close what else uses it, "
                            "set PROVENANCE_DEVICE=cpu, or choose a smaller model."
                        )
                    most = len(batch) // 2 * int(lengths[batch[0]])
                    continue
                yield from zip((int(i) + first for i in batch), found, strict=True)
                at += len(batch)
                done += len(batch)
                if progress is not None:
                    progress(done / len(pairs))

    def _try(self, rows: list[Features]) -> NDArray[np.float64] | None:
        """What the model says of a batch; None when it does not fit the device's memory."""
        found: NDArray[np.float64] | None = None
        try:
            with torch.inference_mode():
                # MPS lacks double precision, and numpy lacks bfloat16.
                found = self._logits(self._tensors(rows)).float().cpu().double().numpy()
        except (RuntimeError, MemoryError) as error:
            if not out_of_memory(error):
                raise
        if found is None:
            # Only here, where the error no longer holds the batch's tensors.
            release_memory()
            return None
        if not np.isfinite(found).all():
            raise ModelError(f"{self.info.model_id} gave a score that is not a number.")
        return found

    def _tensors(self, rows: list[Features]) -> dict[str, torch.Tensor]:
        """A batch, padded at the end to its first row, which is the longest."""
        longest = len(rows[0]["input_ids"])
        padding = {**_PADDING, "input_ids": self._padding_id()}
        return {
            name: torch.tensor(
                [row[name] + [padding[name]] * (longest - len(row[name])) for row in rows],
                device=str(self._device.kind),
            )
            for name in rows[0]
        }

    def _features(self, encoded: Any) -> list[Features]:
        """The rows of a tokenizer's batch: ids, mask and, where the model tells the two texts
        apart by more than their order, which text a token is of."""
        names = ["input_ids", "attention_mask"]
        # For ALBERT the tokenizer's list of inputs leaves them out.
        if getattr(self._model.config, "type_vocab_size", 0) > 1 and "token_type_ids" in encoded:
            names.append("token_type_ids")
        return [
            {name: list(encoded[name][row]) for name in names}
            for row in range(len(encoded["input_ids"]))
        ]

    def _padding_id(self) -> int:
        """The id of the padding token, which some models count positions by."""
        own = self._tokenizer.pad_token_id
        return int(own if own is not None else self._model.config.pad_token_id or 0)


def out_of_memory(error: Exception) -> bool:
    """Whether a device had no memory left. CUDA has an error of its own; MPS and the CPU say it in
    words."""
    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    text = str(error).lower()
    return any(words in text for words in _NO_MEMORY)
