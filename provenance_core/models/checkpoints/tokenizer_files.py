"""The tokenizer that a model was trained with, read from the files beside its weights.

transformers 5 rebuilds the tokenizers of DeBERTa and ALBERT from their vocabulary. It drops the
normalisation that their files state, so that a no-break space becomes an unknown token. This module
reads the files as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tokenizers import Tokenizer, normalizers
from transformers import AutoTokenizer, PreTrainedTokenizerFast
from transformers.convert_slow_tokenizer import (
    AlbertConverter,
    DebertaV2Converter,
    XLMRobertaConverter,
)

from provenance_core.errors import ModelError
from provenance_core.models.checkpoints.files import read_json

LOCAL: Mapping[str, Any] = MappingProxyType({"local_files_only": True, "trust_remote_code": False})


@dataclass(frozen=True, slots=True)
class _SentencePiece:
    """A vocabulary of SentencePiece: its file, what makes a tokenizer of it, and the tokens that
    it has for padding and between two texts."""

    file: str
    convert: Callable[[Any], Any]
    lower_case: bool
    padding: str
    separator: str


# By config.json's model_type.
_SENTENCE_PIECES: Mapping[str, _SentencePiece] = MappingProxyType(
    {
        "albert": _SentencePiece("spiece.model", AlbertConverter, True, "<pad>", "[SEP]"),
        "deberta-v2": _SentencePiece("spm.model", DebertaV2Converter, False, "[PAD]", "[SEP]"),
        "xlm-roberta": _SentencePiece(
            "sentencepiece.bpe.model", XLMRobertaConverter, False, "<pad>", "</s>"
        ),
    }
)


def read_tokenizer(folder: Path) -> Any:
    """Read the folder's own tokenizer. That is tokenizer.json where there is one, else the
    SentencePiece model, else what transformers makes of the vocabulary. A tokenizer of
    transformers. Raises ModelError where none can be read."""
    try:
        if (folder / "tokenizer.json").is_file():
            return PreTrainedTokenizerFast.from_pretrained(folder, **LOCAL)
        known = _SENTENCE_PIECES.get(str(read_json(folder / "config.json").get("model_type")))
        if known is not None and (folder / known.file).is_file():
            return _of_sentence_piece(folder, known)
        return AutoTokenizer.from_pretrained(folder, **LOCAL)
    except ModelError:
        raise
    except Exception as error:
        # The libraries raise many types of errors for a damaged file.
        raise ModelError(f"The tokenizer in {folder} cannot be loaded: {error}") from error


def _of_sentence_piece(folder: Path, known: _SentencePiece) -> PreTrainedTokenizerFast:
    path = folder / "tokenizer_config.json"
    settings = read_json(path) if path.is_file() else {}
    original = _Original(
        str(folder / known.file),
        bool(settings.get("do_lower_case", known.lower_case)),
        bool(settings.get("keep_accents", False)),
        bool(settings.get("split_by_punct", False)),
    )
    converter = known.convert(original)
    original.ids = {
        piece: index for index, (piece, _) in enumerate(converter.vocab(converter.proto))
    }
    found: Tokenizer = converter.converted()
    # SentencePiece drops spaces at the ends; not every converter does.
    found.normalizer = normalizers.Sequence([normalizers.Strip(), found.normalizer])
    return PreTrainedTokenizerFast(
        tokenizer_object=found, pad_token=known.padding, sep_token=known.separator
    )


@dataclass(slots=True)
class _Original:
    """What transformers' converters ask of a tokenizer: the file and how it is to be read."""

    vocab_file: str
    do_lower_case: bool
    keep_accents: bool
    split_by_punct: bool
    add_prefix_space: bool = True
    ids: dict[str, int] = field(default_factory=dict)

    def convert_tokens_to_ids(self, token: str) -> int:
        return self.ids[token]
