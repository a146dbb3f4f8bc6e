"""HHEM-2.1-Open without the code of its repository.

The model is the encoder of flan-t5-base with a classifier on its first token. The prompt makes that
token a padding token. transformers has the same network as ``T5ForTokenClassification``: the
weights have other names there, and a matrix that two layers share is stored once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from transformers import PreTrainedTokenizerFast, T5Config, T5ForTokenClassification

from provenance_core.errors import ModelError
from provenance_core.models.checkpoints.files import read_json, weight_files
from provenance_core.models.nli_classes import NliClass
from provenance_core.models.torch_models.pairs import Features, Loaded
from provenance_core.models.torch_models.sequence_classifier import SequenceClassifier

BEFORE_PREMISE = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: "
BEFORE_HYPOTHESIS = "\n\nHypothesis: "
LABELS = (NliClass.NOT_ENTAILED, NliClass.ENTAILMENT)
# The default window: positions are relative, so only memory limits it.
WINDOW = 2048
_PREFIX = "t5."
_SHARED = "transformer.shared.weight"
_TIED = "transformer.encoder.embed_tokens.weight"
# flan-t5-base, which HHEM's own config.json names but does not repeat.
_SHAPE: dict[str, Any] = {
    "vocab_size": 32128,
    "d_model": 768,
    "d_kv": 64,
    "d_ff": 2048,
    "num_layers": 12,
    "num_heads": 12,
    "feed_forward_proj": "gated-gelu",
    "relative_attention_num_buckets": 32,
    "relative_attention_max_distance": 128,
    "layer_norm_epsilon": 1e-6,
}


class Hhem(SequenceClassifier):
    """P(the hypothesis is consistent with the premise) = softmax of the first token's logits."""

    def __init__(self, loaded: Loaded) -> None:
        super().__init__(loaded, LABELS)

    @property
    def _slack(self) -> int:
        # A text may be cut into other tokens where it meets the prompt.
        return 4

    def _encode(self, pairs: Sequence[tuple[str, str]]) -> list[Features]:
        texts = [f"{BEFORE_PREMISE}{a}{BEFORE_HYPOTHESIS}{b}" for a, b in pairs]
        # The tokenizer's mask lets the model read the padding token at the start.
        return self._features(self._tokenizer(texts, verbose=False))

    def _logits(self, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        return super()._logits(inputs)[:, 0, :]


def read_hhem(folder: Path) -> T5ForTokenClassification:
    """Load the network of HHEM-2.1. Raises ModelError where a file cannot be read, or a weight is
    missing or spare."""
    given = read_json(folder / "config.json")
    shape = {name: given.get(name, value) for name, value in _SHAPE.items()}
    shape["num_labels"] = len(LABELS)
    with torch.device("meta"):
        model = T5ForTokenClassification(T5Config(**shape))
    state: dict[str, torch.Tensor] = {}
    for path in weight_files(folder):
        try:
            found = load_file(path)
        except Exception as error:
            # The library raises many types of errors for a damaged file.
            raise ModelError(f"{path} cannot be loaded: {error}") from error
        state |= {name.removeprefix(_PREFIX): value for name, value in found.items()}
    if _SHARED in state:
        state.setdefault(_TIED, state[_SHARED])
    try:
        model.load_state_dict(state, strict=True, assign=True)
    except RuntimeError as error:
        raise ModelError(f"{folder} does not hold the weights of HHEM-2.1: {error}") from error
    model.float()
    # Two names for one matrix, as in the checkpoint.
    model.transformer.encoder.embed_tokens.weight = model.transformer.shared.weight
    return model.eval()


def read_tokenizer(folder: Path) -> PreTrainedTokenizerFast:
    """Read the tokenizer of flan-t5-base, whose tokenizer.json must lie beside the weights. Raises
    ModelError where the file is missing, cannot be read, or is no T5 tokenizer."""
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise ModelError(
            f"{path} is missing. HHEM-2.1 takes the tokenizer of google/flan-t5-base: put its "
            "tokenizer.json there."
        )
    try:
        tokenizer = PreTrainedTokenizerFast(
            tokenizer_file=str(path), pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
        )
    except Exception as error:
        # As above.
        raise ModelError(f"{path} cannot be loaded: {error}") from error
    if tokenizer("<pad>", add_special_tokens=False)["input_ids"] != [tokenizer.pad_token_id]:
        raise ModelError(f"{path} is no T5 tokenizer: it does not read <pad> as one token.")
    return tokenizer
