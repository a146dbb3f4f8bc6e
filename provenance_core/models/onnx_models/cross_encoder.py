"""A cross-encoder from an ONNX file: pairs of texts in, logits out. No torch."""

from __future__ import annotations

import hashlib
import json
import logging
import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from provenance_core.errors import ModelError
from provenance_core.models.onnx_models.engines import (
    ONNX_RUNTIME,
    Batching,
    Engine,
    open_engine,
    usable_engines,
)
from provenance_core.models.onnx_models.reference_scores import (
    TOLERANCE,
    largest_difference,
    read_reference_scores,
)
from provenance_core.models.protocol import check_window
from provenance_core.types import ModelInfo, SupportMap, SupportTerm, SupportWeight, TokenScore

_LOG = logging.getLogger(__name__)
# What a further batch costs, in tokens read: to read the weights again, and plans for its shape.
_BATCH_COST = 192
_ENCODE_AT_ONCE = 4096
MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
_TOKEN_LOGITS = "token_logits"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What manifest.json says of a model folder."""

    info: ModelInfo
    labels: tuple[str, ...]
    default_threshold: float
    second_support: SupportMap | None  # from a first reading and its own
    files: tuple[tuple[str, str], ...]  # name, SHA-256
    engines: tuple[str, ...] = (ONNX_RUNTIME,)  # the fastest first


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a model that ships with this repository. Raises ModelError where the
    file is missing or is no manifest."""
    path = folder / "manifest.json"
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        calibration = raw.get("calibration", {})
        return Manifest(
            info=ModelInfo(
                task=raw["task"],
                model_id=raw["model_id"],
                revision=str(raw["revision"]),
                sha256=raw["files"][MODEL_FILE],
                max_length=int(raw["max_length"]),
                calibration_slope=float(calibration.get("slope", 1.0)),
                calibration_intercept=float(calibration.get("intercept", 0.0)),
                calibration_coverage=float(calibration.get("coverage", 0.0)),
                support=_support_map(raw.get("support")),
            ),
            labels=tuple(raw["labels"]),
            default_threshold=float(raw.get("default_threshold", 0.5)),
            second_support=_support_map(raw.get("second_support")),
            files=tuple(sorted(raw["files"].items())),
            engines=tuple(raw.get("engines", [ONNX_RUNTIME])),
        )
    except FileNotFoundError:
        raise ModelError(
            f"No model at {folder}: manifest.json is missing. Restore it from the repository."
        ) from None
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path} is not a model manifest: {error!r}.") from error


def _support_map(raw: dict[str, Any] | None) -> SupportMap | None:
    if raw is None:
        return None
    weights = (
        SupportWeight(SupportTerm(name), float(weight)) for name, weight in raw["weights"].items()
    )
    return SupportMap(
        float(raw["intercept"]),
        tuple(weights),
        replies=_support_map(raw.get("replies")),
        summaries=_support_map(raw.get("summaries")),
    )


def _verify(folder: Path, manifest: Manifest) -> None:
    for name, expected in manifest.files:
        path = folder / name
        if not path.is_file():
            raise ModelError(f"{path} is missing. Restore it from the repository.")
        with path.open("rb") as file:
            actual = hashlib.file_digest(file, "sha256").hexdigest()
        if actual != expected:
            raise ModelError(
                f"{path} is not the file its manifest names: SHA-256 {actual}, expected "
                f"{expected}. Restore it from the repository."
            )


def run_by(manifest: Manifest, engine: Engine) -> Manifest:
    """Say in a manifest what runs the model. The manifest with device and precision."""
    device = f"cpu, {engine.name}"
    return replace(manifest, info=replace(manifest.info, precision=engine.precision, device=device))


@dataclass(frozen=True, slots=True)
class _Batch:
    """Encodings that run together, and the indices of their pairs. Shape (len(encodings),)."""

    rows: NDArray[np.intp]
    encodings: list[Encoding]


def _batch_size(lengths: NDArray[np.int64], most_tokens: int) -> int:
    """How many of the next encodings run together. ``lengths``: their tokens, falling. As many as
    fit into ``most_tokens``; but those that are so much shorter that padding them costs more than a
    further batch come in the next one."""
    most = max(1, most_tokens // int(lengths[0]))
    fitting = lengths[:most]
    padding = (fitting[0] - fitting) * np.arange(len(fitting), 0, -1)
    worth = np.flatnonzero(padding > _BATCH_COST)
    return int(worth[0]) if len(worth) else len(fitting)


class CrossEncoder:
    """Scores (first text, second text) pairs with one model. Several threads may share it."""

    def __init__(self, manifest: Manifest, tokenizer: Tokenizer, engine: Engine) -> None:
        self.manifest = manifest
        self.info = manifest.info
        self.labels = manifest.labels  # what each column of :meth:`predict` is
        self.vocabulary = dict(manifest.files).get(TOKENIZER_FILE, "")  # SHA-256, hexadecimal
        self._tokenizer = tokenizer
        self._engine = engine
        self.finds_spans = _TOKEN_LOGITS in engine.outputs  # by a span head
        self._special = tokenizer.num_special_tokens_to_add(True)
        # Tokens that both texts of a pair may have together.
        self.text_budget = manifest.info.max_length - self._special
        padding = (tokenizer.token_to_id(name) for name in ("<pad>", "[PAD]"))
        self._padding = next((token for token in padding if token is not None), 0)

    @classmethod
    def load(cls, folder: Path | str) -> Self:
        """Load a model on the first engine that gives its reference scores. Raises ModelError where
        a file is missing or differs, or no engine fits."""
        folder = Path(folder)
        manifest, tokenizer = cls._opened(folder)
        reference = read_reference_scores(folder, manifest.info.sha256)
        engines = usable_engines(folder / MODEL_FILE, manifest.engines)
        differences = []
        for name in engines:
            model = cls._on_engine(folder, manifest, tokenizer, name)
            if reference is None:
                return model
            difference = largest_difference(model.predict, reference)
            if difference <= TOLERANCE:
                return model
            _LOG.warning("event=engine_refused engine=%s difference=%.3f", name, difference)
            differences.append(f"{difference:.2f} with {name}")
        raise ModelError(
            f"{manifest.info.model_id} does not give its reference scores on this processor: a "
            f"probability differs by {', '.join(differences)}, and {TOLERANCE} is the most. "
            "Restore its folder from the repository, or install the pinned versions of the "
            "engines (requirements.txt)."
        )

    @classmethod
    def _on_engine(cls, folder: Path, manifest: Manifest, tokenizer: Tokenizer, name: str) -> Self:
        engine = open_engine(folder / MODEL_FILE, name)
        return cls(run_by(manifest, engine), tokenizer, engine)

    def on(self, engine: Engine) -> CrossEncoder:
        """Run the same model on another engine. Another object with the same tokenizer."""
        return CrossEncoder(run_by(self.manifest, engine), self._tokenizer, engine)

    @staticmethod
    def _opened(folder: Path) -> tuple[Manifest, Tokenizer]:
        """Manifest and tokenizer of a folder whose files are what the manifest names."""
        manifest = read_manifest(folder)
        _verify(folder, manifest)
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return manifest, tokenizer

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """As :meth:`TextPairs.count_tokens`."""
        # Without their places in the text, which nobody asks for here.
        encodings = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [len(encoding.ids) for encoding in encodings]

    def unknown_tokens(self, texts: Sequence[str]) -> list[int]:
        """As :meth:`TextPairs.unknown_tokens`."""
        unknown = self._tokenizer.token_to_id("[UNK]")
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [sum(token == unknown for token in encoding.ids) for encoding in encodings]

    def pair_tokens(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """As :meth:`TextPairs.pair_tokens`."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        lengths = dict(zip(texts, self.count_tokens(texts), strict=True)) if texts else {}
        return [lengths[first] + lengths[second] + self._special for first, second in pairs]

    def predict(
        self, pairs: Sequence[tuple[str, str]], progress: Callable[[float], None] | None = None
    ) -> NDArray[np.float64]:
        """As :meth:`PairScorer.predict`. It runs equal pairs once, and the longest first in batches
        of similar length, which changes scores by rounding alone."""
        different = list(dict.fromkeys(pairs))
        result = np.zeros((len(different), len(self.labels)), dtype=np.float64)
        done = 0
        for batch, logits in self._outputs(self._engine, "logits", different):
            result[batch.rows] = logits
            done += len(batch.rows)
            if progress is not None:
                progress(done / len(different))
        if len(different) == len(pairs):
            return result
        row = {pair: index for index, pair in enumerate(different)}
        return result[[row[pair] for pair in pairs]]

    def unsupported_tokens(
        self, pairs: Sequence[tuple[str, str]]
    ) -> tuple[tuple[TokenScore, ...], ...]:
        """As :meth:`SpanScorer.unsupported_tokens`. One pass of the span head
        (``training/span_head.py``) tells. Raises ModelError where the model has no span head."""
        if not self.finds_spans:
            raise ModelError(f"{self.info.model_id} has no span head.")
        found: dict[int, tuple[TokenScore, ...]] = {}
        for batch, rows in self._outputs(self._engine, _TOKEN_LOGITS, pairs):
            for index, encoding, logits in zip(batch.rows, batch.encodings, rows, strict=True):
                found[int(index)] = tuple(
                    TokenScore(start, end, float(1.0 / (1.0 + np.exp(-logits[at]))))
                    for at, (start, end) in enumerate(encoding.offsets)
                    if encoding.type_ids[at] == 1 and not encoding.special_tokens_mask[at]
                )
        return tuple(found[index] for index in range(len(pairs)))

    def _outputs(
        self, engine: Engine, output: str, texts: Sequence[tuple[str, str]] | Sequence[str]
    ) -> Iterator[tuple[_Batch, NDArray[np.float64]]]:
        """The batches of ``texts``, in their order, and what ``engine`` computes of each. It
        computes as many at once as it can."""
        with ThreadPoolExecutor(engine.batching.at_once) as threads:
            waiting: deque[tuple[_Batch, Future[NDArray[np.float64]]]] = deque()
            try:
                for batch in self._batches(texts, engine.batching):
                    waiting.append((batch, threads.submit(self._run, engine, output, batch)))
                    if len(waiting) > engine.batching.at_once:
                        first, running = waiting.popleft()
                        yield first, running.result()
                while waiting:
                    first, running = waiting.popleft()
                    yield first, running.result()
            finally:  # the caller stopped, or a batch failed
                for _, running in waiting:
                    running.cancel()

    def _batches(
        self, texts: Sequence[tuple[str, str]] | Sequence[str], batching: Batching
    ) -> Iterator[_Batch]:
        """Batches of pairs, or of single texts, of similar length, the longest first. InputError
        for one over the window."""
        for first in range(0, len(texts), _ENCODE_AT_ONCE):
            encodings = self._tokenizer.encode_batch(list(texts[first : first + _ENCODE_AT_ONCE]))
            lengths = np.array([len(encoding.ids) for encoding in encodings])
            check_window(int(lengths.max()), self.info)
            order = np.argsort(-lengths, kind="stable")
            padded = int(lengths.max()) * len(lengths)
            most_tokens = min(batching.tokens, math.ceil(padded / batching.least))
            at = 0
            while at < len(order):
                rows = order[at : at + _batch_size(lengths[order[at:]], most_tokens)]
                yield _Batch(first + rows, [encodings[index] for index in rows])
                at += len(rows)

    def _run(self, engine: Engine, output: str, batch: _Batch) -> NDArray[np.float64]:
        """What ``engine`` computes of a batch, padded to its first encoding, which is the longest.
        ModelError for a value that is not a number."""
        shape = (len(batch.encodings), len(batch.encodings[0].ids))
        ids, mask, types = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        for row, encoding in enumerate(batch.encodings):
            size = len(encoding.ids)
            ids[row, :size] = encoding.ids
            mask[row, :size] = 1
            types[row, :size] = encoding.type_ids
        ids[mask == 0] = self._padding
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        values = engine.run(output, {name: feed[name] for name in feed if name in engine.inputs})
        if not np.isfinite(values).all():
            raise ModelError(f"{self.info.model_id} gave a score that is not a number.")
        return values
