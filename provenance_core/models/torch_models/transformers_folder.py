"""Loads a folder with config.json, tokenizer and safetensors as a transformers model.

It runs no code of the folder and fetches nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from transformers import (
    AutoConfig,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
)
from transformers.utils import logging

from provenance_core.errors import ModelError
from provenance_core.models.checkpoints.files import read_json, tokenizer_window, weight_files
from provenance_core.models.checkpoints.tokenizer_files import LOCAL

# Progress bars of a few milliseconds would go to standard error.
logging.disable_progress_bar()
_AUTO: Mapping[str, Any] = {
    "ForSequenceClassification": AutoModelForSequenceClassification,
    "ForTokenClassification": AutoModelForTokenClassification,
}


def read_model(folder: Path, task: str) -> Any:
    """Load the model of a folder in float32, whatever the file holds. It runs no code of the
    folder. Raises ModelError where the model needs code of its own, holds no safetensors, is of
    another task, or lacks a weight."""
    raw = read_json(folder / "config.json")
    weight_files(folder)
    _check_contents(folder, raw, task)
    config = _read_config(folder, raw)
    try:
        model, report = _AUTO[task].from_pretrained(
            folder,
            config=config,
            use_safetensors=True,
            dtype=torch.float32,
            output_loading_info=True,
            **LOCAL,
        )
    except Exception as error:
        # As in _read_config.
        raise ModelError(f"The weights in {folder} cannot be loaded: {error}") from error
    lacking = sorted(map(str, [*report["missing_keys"], *report["mismatched_keys"]]))
    if lacking:
        raise ModelError(
            f"The weights in {folder} do not fit its config.json; among others these are missing "
            f"or of another shape: {', '.join(lacking[:3])}. Get the model again."
        )
    return model.eval()


def _check_contents(folder: Path, raw: Mapping[str, Any], task: str) -> None:
    """ModelError unless config.json names a class for ``task`` and no weights of its own."""
    if raw.get("transformers_weights"):
        raise ModelError(
            f"{folder / 'config.json'} names a file of weights of its own (transformers_weights), "
            "which is not read here: the weights must be in model.safetensors."
        )
    named = raw.get("architectures") or []
    classes = named if isinstance(named, list) else [named]
    if not any(str(name).endswith(task) for name in classes):
        raise ModelError(
            f"{folder} holds {', '.join(map(str, classes)) or 'no named architecture'}, and a "
            f"model whose name ends in {task} is needed."
        )


def _read_config(folder: Path, raw: Mapping[str, Any]) -> Any:
    """The configuration as transformers has it. ModelError when it needs code of its own."""
    try:
        config = AutoConfig.from_pretrained(folder, **LOCAL)
    except Exception as error:
        # The libraries raise errors of many types for a damaged file. transformers suggests to
        # trust the code of a folder, which is not done here.
        why = (
            "it needs code of its own repository, which is never run here"
            if "auto_map" in raw
            else str(error)
        )
        raise ModelError(f"{folder} cannot be loaded: {why}.") from error
    if hasattr(config, "reference_compile"):
        config.reference_compile = False  # ModernBERT would compile itself, for minutes.
    return config


def class_names(config: Any) -> list[str]:
    """Read the names of the classes by index. Raises ModelError where config.json leaves one
    out."""
    try:
        return [str(config.id2label[index]) for index in range(config.num_labels)]
    except KeyError as error:
        raise ModelError(f"config.json names no class {error} in id2label.") from None


def window(folder: Path, config: Any, given: int) -> int:
    """The most tokens of a pair that a model reads, special tokens included. That is ``given``
    where it is not 0, else the tokenizer's own limit, and never more than there are positions.
    Where positions are relative and the tokenizer names no limit, it is that of training, which
    config.json has as max_position_embeddings. Raises ModelError where no file names a limit."""
    limits = [given or tokenizer_window(folder), _positions(config)]
    known = [limit for limit in limits if limit > 0]
    if not known and isinstance(trained := getattr(config, "max_position_embeddings", None), int):
        known = [trained] if trained > 0 else []
    if not known:
        raise ModelError(
            f"Neither tokenizer_config.json nor config.json in {folder} says how many tokens the "
            "model reads at once: set model_max_length in tokenizer_config.json."
        )
    return min(known)


def _positions(config: Any) -> int:
    """How many tokens have a position of their own; 0 where positions are relative."""
    count = getattr(config, "max_position_embeddings", None)
    if not isinstance(count, int) or getattr(config, "position_biased_input", True) is False:
        return 0
    # RoBERTa counts positions from after the padding's.
    shifted = config.model_type in ("roberta", "xlm-roberta", "camembert")
    return count - config.pad_token_id - 1 if shifted else count


def activation(folder: Path) -> str:
    """The last part of the name of the activation that sentence-transformers puts on the logits
    ("Sigmoid", "Identity", ...); "" where the files name none. Raises ModelError where config.json
    is missing or cannot be read."""
    raw = read_json(folder / "config.json")
    nested = raw.get("sentence_transformers")
    named = nested.get("activation_fn") if isinstance(nested, dict) else None
    named = named or raw.get("sbert_ce_default_activation_function")
    path = folder / "config_sentence_transformers.json"
    if not named and path.is_file():
        named = read_json(path).get("activation_fn")
    return str(named).rpartition(".")[2] if named else ""
