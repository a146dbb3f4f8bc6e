"""Small checkpoints of every architecture, with the files and key names of the real ones.

The weights are random (and seeded); what a test compares them with is a plain forward pass of
the same network.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (
    AlbertConfig,
    AlbertForSequenceClassification,
    BertConfig,
    BertForSequenceClassification,
    DebertaV2Config,
    DebertaV2ForSequenceClassification,
    ModernBertConfig,
    ModernBertForTokenClassification,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForSequenceClassification,
    T5Config,
    T5ForTokenClassification,
)

from provenance_core.models.catalogue.profiles import Architecture, ModelRole, PublicModel

WORDS = [
    "the",
    "sky",
    "is",
    "blue",
    "grass",
    "green",
    "bridge",
    "was",
    "opened",
    "in",
    "1932",
    "1933",
    "paris",
    "france",
    "capital",
    "of",
    "a",
    "red",
    "seven",
    "people",
    "live",
    "there",
    "passage",
    "output",
    "text",
    "following",
    "summarize",
    "briefly",
    "answer",
    "question",
    ".",
    ",",
    ":",
    "?",
    "'",
    "-",
    "1",
    "2",
    "3",
]
_BERT_STYLE = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
# RoBERTa has the padding at 1, from which its positions are counted.
_ROBERTA_STYLE = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
_SIZE: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "max_position_embeddings": 128,
}
NLI_NAMES = ("contradiction", "entailment", "neutral")


def public_model(
    folder: Path | str,
    role: ModelRole = ModelRole.NLI,
    architecture: Architecture = Architecture.SEQUENCE_CLASSIFIER,
    window: int = 0,
    entailment_label: int | None = None,
    model_id: str = "",
) -> PublicModel:
    return PublicModel(
        model_id=model_id or str(folder),
        revision="",
        role=role,
        architecture=architecture,
        megabytes=0,
        licence="",
        window=window,
        entailment_label=entailment_label,
    )


def tokenizer(special: Sequence[str], limit: int | None = 128) -> PreTrainedTokenizerFast:
    """Words as tokens, two texts joined as BERT does, or as RoBERTa where it is its tokens."""
    vocabulary = {word: index for index, word in enumerate((*special, *WORDS))}
    bert = "[CLS]" in special
    unknown = "[UNK]" if bert else "<unk>"
    raw = Tokenizer(models.WordLevel(vocabulary, unk_token=unknown))
    raw.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    start, end = ("[CLS]", "[SEP]") if bert else ("<s>", "</s>")
    between = f"{end}:0" if bert else f"{end}:0 {end}:0"
    second = 1 if bert else 0
    raw.post_processor = processors.TemplateProcessing(
        single=f"{start}:0 $A:0 {end}:0",
        pair=f"{start}:0 $A:0 {between} $B:{second} {end}:{second}",
        special_tokens=[(start, vocabulary[start]), (end, vocabulary[end])],
    )
    named = {"model_max_length": limit} if limit else {}
    return PreTrainedTokenizerFast(
        tokenizer_object=raw,
        pad_token="[PAD]" if bert else "<pad>",
        unk_token=unknown,
        cls_token=start,
        sep_token=end,
        eos_token=end,
        **named,
    )


def _save(model: Any, folder: Path, special: Sequence[str], **changes: Any) -> Any:
    model.eval()
    # Weights as they are drawn give all pairs nearly one score; larger ones tell them apart.
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3.0)
    model.save_pretrained(folder)
    tokenizer(special).save_pretrained(folder)
    edit_config(folder, **changes)
    return model


def edit_config(folder: Path, **changes: Any) -> None:
    path = folder / "config.json"
    config = json.loads(path.read_text())
    path.write_text(json.dumps({**config, **changes}))


def _names(names: Sequence[str]) -> dict[str, Any]:
    return {
        "id2label": dict(enumerate(names)),
        "label2id": {name: index for index, name in enumerate(names)},
    }


def bert(
    folder: Path, names: Sequence[str] = NLI_NAMES, spare_words: int = 0, **changes: Any
) -> Any:
    """``spare_words``: rows of the word matrix that no token has, for a file of a wanted size."""
    torch.manual_seed(0)
    size = len(_BERT_STYLE) + len(WORDS) + spare_words
    config = BertConfig(vocab_size=size, num_labels=len(names), **_SIZE, **_names(names))
    return _save(BertForSequenceClassification(config), folder, _BERT_STYLE, **changes)


def roberta(folder: Path, names: Sequence[str] = NLI_NAMES) -> Any:
    torch.manual_seed(1)
    config = RobertaConfig(
        vocab_size=len(_ROBERTA_STYLE) + len(WORDS),
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        type_vocab_size=1,
        num_labels=len(names),
        **{**_SIZE, "max_position_embeddings": 66},
        **_names(names),
    )
    return _save(RobertaForSequenceClassification(config), folder, _ROBERTA_STYLE)


def albert(folder: Path, names: Sequence[str] = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")) -> Any:
    torch.manual_seed(2)
    config = AlbertConfig(
        vocab_size=len(_BERT_STYLE) + len(WORDS),
        embedding_size=16,
        num_labels=len(names),
        **_SIZE,
        **_names(names),
    )
    return _save(AlbertForSequenceClassification(config), folder, _BERT_STYLE)


def deberta(folder: Path, names: Sequence[str] = ("LABEL_0",)) -> Any:
    """As HHEM-1.0 and mxbai-rerank-v1 are: relative positions and one logit."""
    torch.manual_seed(3)
    config = DebertaV2Config(
        vocab_size=len(_BERT_STYLE) + len(WORDS),
        num_labels=len(names),
        position_biased_input=False,
        relative_attention=True,
        pos_att_type=["p2c", "c2p"],
        position_buckets=16,
        share_att_key=True,
        norm_rel_ebd="layer_norm",
        type_vocab_size=0,
        **_SIZE,
        **_names(names),
    )
    return _save(DebertaV2ForSequenceClassification(config), folder, _BERT_STYLE)


def modern_bert(folder: Path, names: Sequence[str] = ("LABEL_0", "LABEL_1")) -> Any:
    """As LettuceDetect is."""
    torch.manual_seed(4)
    config = ModernBertConfig(
        vocab_size=len(_BERT_STYLE) + len(WORDS),
        pad_token_id=0,
        bos_token_id=2,
        eos_token_id=3,
        cls_token_id=2,
        sep_token_id=3,
        num_labels=len(names),
        **{**_SIZE, "max_position_embeddings": 512},
        **_names(names),
    )
    return _save(ModernBertForTokenClassification(config), folder, _BERT_STYLE)


def hhem(folder: Path) -> T5ForTokenClassification:
    """As HHEM-2.1-Open is: its key names, its config.json, the shared matrix once, and the
    tokenizer of T5."""
    torch.manual_seed(5)
    words = ("<pad>", "</s>", "<unk>", *WORDS, "Premise", "Hypothesis", "Determine")
    shape = {
        "vocab_size": len(words),
        "d_model": 32,
        "d_kv": 8,
        "d_ff": 64,
        "num_layers": 2,
        "num_heads": 4,
    }
    config = T5Config(**shape, feed_forward_proj="gated-gelu", num_labels=2)
    model = T5ForTokenClassification(config).eval()
    # The classifier of a new network is zero or small.
    torch.nn.init.normal_(model.classifier.weight, std=0.5)
    state = {
        f"t5.{name}": value.clone()
        for name, value in model.state_dict().items()
        if "embed_tokens" not in name
    }
    folder.mkdir(exist_ok=True)
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(
        json.dumps(
            {
                "architectures": ["HHEMv2ForSequenceClassification"],
                "auto_map": {"AutoConfig": "configuration_hhem_v2.HHEMv2Config"},
                "model_type": "HHEMv2",
                "foundation": "google/flan-t5-base",
                **shape,
            }
        )
    )
    raw = Tokenizer(
        models.WordLevel({word: index for index, word in enumerate(words)}, unk_token="<unk>")
    )
    raw.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    raw.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    raw.add_special_tokens(["<pad>", "</s>", "<unk>"])
    raw.save(str(folder / "tokenizer.json"))
    return model
