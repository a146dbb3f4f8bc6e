"""The relevance model: a cross-encoder that corrects a bi-encoder's score of the same pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from provenance_core.errors import ModelError
from provenance_core.models.onnx_models.cross_encoder import (
    MODEL_FILE,
    CrossEncoder,
    Manifest,
    run_by,
)
from provenance_core.models.onnx_models.engines import ONNX_RUNTIME, Engine, OnnxRuntimeEngine

if TYPE_CHECKING:
    from onnx import ModelProto

_LOGITS, _VECTORS = "logits", "vectors"


class RelevanceModel(CrossEncoder):
    """Scores how relevant a text is to a query (paper equation 1). The embedded model's file holds
    two encoders on one matrix of words. The bi-encoder reads each text alone; the cross-encoder was
    trained to correct it and reads both together. A model without a bi-encoder scores by its
    cross-encoder alone."""

    def __init__(
        self,
        manifest: Manifest,
        tokenizer: Tokenizer,
        engine: Engine,
        encoder: Engine | None = None,
    ) -> None:
        super().__init__(manifest, tokenizer, engine)
        self._encoder = encoder  # without one, :meth:`embed` raises

    @classmethod
    def _on_engine(cls, folder: Path, manifest: Manifest, tokenizer: Tokenizer, name: str) -> Self:
        import onnx

        if name != ONNX_RUNTIME:
            raise ModelError(f"{folder}: only {ONNX_RUNTIME} runs parts of a file, not {name}.")
        whole = onnx.load(folder / MODEL_FILE)
        # On all cores: activations share one scale in a batch, so that smaller batches would give
        # other scores.
        encoder = None
        if _VECTORS in {output.name for output in whole.graph.output}:
            encoder = OnnxRuntimeEngine(_only(whole, _VECTORS))
        engine = OnnxRuntimeEngine(_only(whole, _LOGITS))
        return cls(run_by(manifest, engine), tokenizer, engine, encoder)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Turn texts into vectors. All vectors have one length, so dot products rank texts as
        cosines do. Shape (len(texts), hidden size). Raises ModelError where the model has no
        bi-encoder, and InputError where a text is over the window."""
        if self._encoder is None:
            raise ModelError(f"{self.info.model_id} has no bi-encoder.")
        rows: dict[int, NDArray[np.float64]] = {}
        for batch, vectors in self._outputs(self._encoder, _VECTORS, texts):
            rows.update(zip(batch.rows.tolist(), vectors, strict=True))
        return np.array([rows[index] for index in range(len(texts))], dtype=np.float64)

    def predict(
        self, pairs: Sequence[tuple[str, str]], progress: Callable[[float], None] | None = None
    ) -> NDArray[np.float64]:
        """As :meth:`PairScorer.predict`: how relevant texts are to queries (paper equation 1). A
        pair is a query and a text. The score is the cross-encoder's logit plus the dot product of
        both vectors, or the logit alone without a bi-encoder."""
        logits = super().predict(pairs, progress)
        if self._encoder is None or not pairs:
            return logits
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        at = {text: index for index, text in enumerate(texts)}
        vectors = self.embed(texts)
        queries = vectors[[at[query] for query, _ in pairs]]
        others = vectors[[at[text] for _, text in pairs]]
        return logits + (queries * others).sum(axis=1, keepdims=True)


def _only(whole: ModelProto, output: str) -> bytes:
    """``whole`` with one of its outputs and what that needs. The runtime, asked for one output of
    two, would compute both."""
    from onnx import ModelProto

    graph = whole.graph
    needed = {output}
    for node in reversed(graph.node):  # a node comes after those whose values it reads
        if needed.intersection(node.output):
            needed.update(node.input)
    part = ModelProto(ir_version=whole.ir_version, opset_import=whole.opset_import)
    part.functions.extend(whole.functions)
    part.graph.name = graph.name
    part.graph.input.extend(graph.input)
    part.graph.output.extend(each for each in graph.output if each.name == output)
    part.graph.node.extend(each for each in graph.node if needed.intersection(each.output))
    part.graph.initializer.extend(each for each in graph.initializer if each.name in needed)
    found: bytes = part.SerializeToString()
    return found
