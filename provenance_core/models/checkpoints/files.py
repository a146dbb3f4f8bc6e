"""What is in a model's folder, read without running anything in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from provenance_core.errors import ModelError

WEIGHTS = "model.safetensors"
_INDEX = "model.safetensors.index.json"
# Patterns of the files that hold weights, or say which of them holds which.
WEIGHT_FILES = (WEIGHTS, "model-*-of-*.safetensors", _INDEX)
# The files that hold a tokenizer's vocabulary, in the order in which they are looked for.
VOCABULARY_FILES = (
    "tokenizer.json",
    "spm.model",
    "spiece.model",
    "sentencepiece.bpe.model",
    "vocab.txt",
    "vocab.json",
)
# Formats that torch reads by unpickling, and others that are not read here.
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
# tokenizer_config.json has a number of about 10^30 where no limit is known.
_NO_LIMIT = 1_000_000


def read_json(path: Path) -> dict[str, Any]:
    """Reads the JSON object in ``path``. ModelError when it is missing or no JSON object."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelError(
            f"{path} is missing: the folder holds no model, or not all of it."
        ) from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read: {error}.") from error
    if not isinstance(found, dict):
        raise ModelError(f"{path} must hold a JSON object.")
    return found


def weight_files(folder: Path) -> tuple[Path, ...]:
    """The safetensors files of the folder, in the order of their names.

    ModelError when there is none, or when one of several is missing. A pickle is refused, because
    reading one can run any program.
    """
    index = folder / _INDEX
    # Where there are both, transformers reads the one file.
    if index.is_file() and not (folder / WEIGHTS).is_file():
        named = read_json(index).get("weight_map")
        if not isinstance(named, dict) or not named:
            raise ModelError(f"{index} names no files.")
        files = [folder / Path(str(name)).name for name in sorted(set(named.values()))]
    else:
        files = [folder / WEIGHTS]
    missing = [path.name for path in files if not path.is_file()]
    if not missing:
        return tuple(files)
    pickles = sorted(path.name for pattern in _PICKLES for path in folder.glob(pattern))
    if pickles:
        raise ModelError(
            f"{folder} holds its weights as {pickles[0]}, a pickle, which can run any program "
            f"when it is read: it is refused. Get a revision of the model that has {WEIGHTS}, or "
            "convert it where you trust it: load it with transformers and call save_pretrained."
        )
    raise ModelError(f"{folder} lacks {', '.join(missing)}: the weights are not all there.")


def weights_sha256(files: Sequence[Path]) -> str:
    """SHA-256 of the weights, hexadecimal. Of several files, it is that of their SHA-256 in order,
    each on a line."""
    digests = []
    for path in files:
        with path.open("rb") as file:
            digests.append(hashlib.file_digest(file, "sha256").hexdigest())
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def tokenizer_window(folder: Path) -> int:
    """Most tokens of a pair that tokenizer_config.json allows; 0 where it does not say."""
    path = folder / "tokenizer_config.json"
    if not path.is_file():
        return 0
    limit = read_json(path).get("model_max_length")
    if isinstance(limit, bool) or not isinstance(limit, int | float) or limit > _NO_LIMIT:
        return 0
    return max(0, int(limit))


def vocabulary_sha256(folder: Path) -> str:
    """SHA-256, hexadecimal, of the files that hold the tokenizer's vocabulary."""
    found = [folder / name for name in VOCABULARY_FILES if (folder / name).is_file()]
    if not found:
        raise ModelError(
            f"{folder} holds no tokenizer: one of {', '.join(VOCABULARY_FILES)} must be beside "
            "the weights."
        )
    return weights_sha256(found[:1])
