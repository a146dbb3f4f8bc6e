"""The files in a model's folder, read without running anything in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from provenance_core.errors import ModelError

WEIGHTS = "model.safetensors"
_INDEX = "model.safetensors.index.json"
# Patterns of the files that hold weights, and of the index that says which file holds which.
WEIGHT_FILES = (WEIGHTS, "model-*-of-*.safetensors", _INDEX)
# The files that may hold a tokenizer's vocabulary; the first that is there counts.
VOCABULARY_FILES = (
    "tokenizer.json",
    "spm.model",
    "spiece.model",
    "sentencepiece.bpe.model",
    "vocab.txt",
    "vocab.json",
)
# Formats that may run code when they are read.
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")
# transformers writes about 10^30 where it knows no limit.
_NO_LIMIT = 1_000_000


def read_json(path: Path) -> dict[str, Any]:
    """Read a file that holds one JSON object. Raises ModelError where the file is missing, cannot
    be read, or holds no object."""
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
    """Find the safetensors files of a model. A pickle is refused: reading it can run any program.
    The files, sorted by name. Raises ModelError where there is none, or one of several is
    missing."""
    index = folder / _INDEX
    # transformers prefers the single file where both exist.
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
    if reason := unusable_weights(sorted(path.name for path in folder.iterdir())):
        raise ModelError(f"{folder} cannot be used: {reason}")
    raise ModelError(f"{folder} lacks {', '.join(missing)}: the weights are not all there.")


def check_folder(folder: Path) -> None:
    """Check that a model may be loaded from a folder. Raises ModelError where there is no such
    folder, or it lacks config.json, a tokenizer or safetensors; the message says what is
    missing."""
    try:
        if not folder.is_dir():
            raise ModelError(f"There is no folder {folder}. Give the folder that has config.json.")
        names = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise ModelError(
            f"{folder} cannot be read ({error.strerror}). Give a folder that this program may read."
        ) from error
    if "config.json" not in names:
        raise ModelError(
            f"{folder} has no config.json. Give the folder that a model was saved in, with "
            "config.json, the tokenizer's files and model.safetensors."
        )
    if reason := unusable_weights(names) or unusable_tokenizer(names):
        raise ModelError(f"{folder} cannot be used: {reason}")


def unusable_weights(names: Sequence[str]) -> str:
    """Why no weights can be loaded from files of these names, as a clause; "" where they can."""
    if any(fnmatch(name, pattern) for name in names for pattern in WEIGHT_FILES):
        return ""
    pickles = [name for name in names if name.endswith(_PICKLES)]
    if not pickles:
        return f"it lacks {WEIGHTS}: it has no weights in the safetensors format."
    return (
        f"its weights are in {pickles[0]}, a pickle, and not in the safetensors format. Reading a "
        "pickle can run any program that its author put in it, so none is ever read here. Ask its "
        "owner for safetensors, or convert it where you trust it (load it with transformers and "
        "call save_pretrained), and give the new folder, under the model's own name, as a custom "
        "profile."
    )


def unusable_tokenizer(names: Sequence[str]) -> str:
    """Why no tokenizer can be read from files of these names, as a clause; "" where one can."""
    if any(name in VOCABULARY_FILES for name in names):
        return ""
    return f"it has no tokenizer: none of {', '.join(VOCABULARY_FILES)} is there."


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file. Raises OSError where it cannot be read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def weights_sha256(files: Sequence[Path]) -> str:
    """Compute the SHA-256 of a model's weights. 64 hexadecimal digits. For several files it is the
    SHA-256 of their digests, in order, one a line. Raises OSError where a file cannot be read."""
    digests = [sha256_of(path) for path in files]
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def tokenizer_window(folder: Path) -> int:
    """Read how many tokens of a pair tokenizer_config.json allows. The most tokens; 0 where the
    file is missing or names no limit. Raises ModelError where the file cannot be read."""
    path = folder / "tokenizer_config.json"
    if not path.is_file():
        return 0
    limit = read_json(path).get("model_max_length")
    if isinstance(limit, bool) or not isinstance(limit, int | float) or limit > _NO_LIMIT:
        return 0
    return max(0, int(limit))


def vocabulary_sha256(folder: Path) -> str:
    """Compute the SHA-256 of the file that holds the tokenizer's vocabulary. 64 hexadecimal digits,
    of the first of ``VOCABULARY_FILES`` that is there. Raises ModelError where none of them is
    there."""
    found = [folder / name for name in VOCABULARY_FILES if (folder / name).is_file()]
    if not found:
        raise ModelError(
            f"{folder} holds no tokenizer: one of {', '.join(VOCABULARY_FILES)} must be beside "
            "the weights."
        )
    return weights_sha256(found[:1])
