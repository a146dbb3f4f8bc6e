"""Tokenizers are read as their files say, not as a library rebuilds them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import sentencepiece
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from provenance_core import ModelError
from provenance_core.models.checkpoints.tokenizer_files import read_tokenizer
from provenance_core.models.loading import load_nli
from provenance_core.models.torch_models.devices import Device, DeviceKind, Precision
from tests import tiny_checkpoints as tiny

CPU = Device(DeviceKind.CPU, "", Precision.FLOAT32)
# A no-break space, a ligature, a fraction, full-width digits, spaces at the ends and doubled.
TEXTS = (
    "the\u00a0sky is blue",
    "the ﬁne ½ sky",
    "１９３２",
    "  the  sky ",
    "The sky\u2028is red .",
)
SPECIAL = {
    "deberta-v2": ("[PAD]", "[CLS]", "[SEP]", "[UNK]"),
    "albert": ("<pad>", "<unk>", "[CLS]", "[SEP]"),
}


def file_tokenizer(special: tuple[str, ...]) -> Tokenizer:
    """With a normalizer such as the files of DeBERTa and ALBERT have."""
    unknown = special.index("[UNK]" if "[UNK]" in special else "<unk>")
    letters = "▁abcdefghijklmnopqrstuvwxyz0123456789./⁄"
    pieces = [(each, 0.0) for each in special]
    pieces += [("▁" + word, -2.0 - place / 100) for place, word in enumerate(tiny.WORDS)]
    pieces += [(letter, -8.0) for letter in letters]
    raw = Tokenizer(models.Unigram(pieces, unk_id=unknown))
    raw.normalizer = normalizers.Sequence(
        [normalizers.Strip(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    raw.pre_tokenizer = pre_tokenizers.Metaspace()
    raw.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[(each, special.index(each)) for each in ("[CLS]", "[SEP]")],
    )
    raw.add_special_tokens(list(special))
    return raw


def write(folder: Path, kind: str, tokenizer_class: str, **settings: object) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"model_type": kind}))
    named = {"tokenizer_class": tokenizer_class, "model_max_length": 512, **settings}
    (folder / "tokenizer_config.json").write_text(json.dumps(named))


@pytest.mark.parametrize(
    ("kind", "tokenizer_class"),
    [
        ("deberta-v2", "DebertaV2Tokenizer"),
        ("deberta-v2", "DebertaV2TokenizerFast"),
        ("albert", "AlbertTokenizer"),
        ("albert", "PreTrainedTokenizerFast"),
    ],
)
def test_tokenizer_json_is_read_as_it_is(tmp_path, kind, tokenizer_class):
    write(tmp_path, kind, tokenizer_class, pad_token=SPECIAL[kind][0], sep_token="[SEP]")
    raw = file_tokenizer(SPECIAL[kind])
    # What a tokenizer was saved with is not to cut or fill what it reads now.
    raw.enable_truncation(4)
    raw.enable_padding(length=40)
    raw.save(str(tmp_path / "tokenizer.json"))
    raw.no_truncation()
    raw.no_padding()
    found = read_tokenizer(tmp_path)
    for text in TEXTS:
        read = found(text, "red", return_token_type_ids=True)
        expected = raw.encode(text, "red")
        assert read["input_ids"] == expected.ids
        assert read["token_type_ids"] == expected.type_ids
        assert len(set(read["token_type_ids"])) == 2
    assert (found.pad_token_id, found.sep_token) == (0, "[SEP]")


def test_special_tokens_are_found_in_the_older_file_too(tmp_path):
    write(tmp_path, "deberta-v2", "DebertaV2Tokenizer")
    (tmp_path / "special_tokens_map.json").write_text(
        json.dumps({"pad_token": "[PAD]", "sep_token": {"content": "[SEP]", "lstrip": False}})
    )
    file_tokenizer(SPECIAL["deberta-v2"]).save(str(tmp_path / "tokenizer.json"))
    found = read_tokenizer(tmp_path)
    assert (found.pad_token, found.sep_token) == ("[PAD]", "[SEP]")


def trained(path: Path, kind: str) -> sentencepiece.SentencePieceProcessor:
    """A small SentencePiece model with the normalisation and the special tokens of ``kind``."""
    words = [word for word in tiny.WORDS if word.isalnum()]
    lines = [" ".join(words[i:] + words[:i]) + " ." for i in range(len(words))] * 4
    model = io.BytesIO()
    own = (
        {"pad_id": 0, "bos_id": 1, "eos_id": 2, "unk_id": 3, "unk_piece": "[UNK]",
         "pad_piece": "[PAD]", "bos_piece": "[CLS]", "eos_piece": "[SEP]"}
        if kind == "deberta-v2"
        else {"pad_id": 0, "unk_id": 1, "bos_id": -1, "eos_id": -1,
              "control_symbols": ["[CLS]", "[SEP]"]}
    )  # fmt: skip
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=model, vocab_size=80,
        hard_vocab_limit=False, normalization_rule_name="nmt_nfkc", minloglevel=2, **own,
    )  # fmt: skip
    path.write_bytes(model.getvalue())
    return sentencepiece.SentencePieceProcessor(model_file=str(path))


@pytest.mark.parametrize(
    ("kind", "file", "tokenizer_class"),
    [
        ("deberta-v2", "spm.model", "DebertaV2Tokenizer"),
        ("albert", "spiece.model", "AlbertTokenizer"),
    ],
)
def test_a_sentencepiece_model_is_read_as_its_own_library_reads_it(
    tmp_path, kind, file, tokenizer_class
):
    write(tmp_path, kind, tokenizer_class, do_lower_case=False)
    reference = trained(tmp_path / file, kind)
    found = read_tokenizer(tmp_path)
    cls, sep = (reference.piece_to_id(each) for each in ("[CLS]", "[SEP]"))
    for text in TEXTS:
        expected = [cls, *reference.encode(text), sep, *reference.encode("red"), sep]
        assert found(text, "red")["input_ids"] == expected, text
    assert found("the sky", "red", return_token_type_ids=True)["token_type_ids"][-2:] == [1, 1]
    assert (found.pad_token_id, found.sep_token) == (0, "[SEP]")


def test_albert_tells_the_two_texts_apart_whatever_its_tokenizer_is_called(tmp_path):
    tiny.albert(tmp_path)
    path = tmp_path / "tokenizer_config.json"
    scores = []
    for tokenizer_class in ("PreTrainedTokenizerFast", "AlbertTokenizer"):
        path.write_text(
            json.dumps({**json.loads(path.read_text()), "tokenizer_class": tokenizer_class})
        )
        scorer = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
        scores.append(scorer.predict([("the sky is blue .", "the sky is red .")]))
    assert scores[0] == pytest.approx(scores[1])
    # Where all tokens are said to be of the first text, the scores are others.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scorer._model.config, "type_vocab_size", 1)
        assert scorer.predict([("the sky is blue .", "the sky is red .")]) != pytest.approx(
            scores[0], abs=1e-4
        )


def test_a_damaged_tokenizer_is_a_message(tmp_path):
    write(tmp_path, "deberta-v2", "DebertaV2Tokenizer")
    for name in ("spm.model", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"not one")
        with pytest.raises(ModelError, match="cannot be loaded"):
            read_tokenizer(tmp_path)
