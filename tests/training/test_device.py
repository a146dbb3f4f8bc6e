"""The kit for a lent machine: a miniature goes all the way there and back."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

torch = pytest.importorskip("torch")
from transformers import MPNetConfig, MPNetForSequenceClassification  # noqa: E402

from training.device import aside, parts, rehearse, weights  # noqa: E402
from training.device.on_device import START as START_FILE  # noqa: E402
from training.device.on_device import Pairs, order, rate_at  # noqa: E402
from training.device.pack import commands, deal, write_pairs  # noqa: E402
from training.judged_units import Unit  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("red", "blue", "mill", "boat", "old", "new", "is", "the", ".")


def tokenizer() -> Tokenizer:
    vocabulary = {name: at for at, name in enumerate(("<s>", "<pad>", "</s>", "<unk>", *WORDS))}
    made = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    made.pre_tokenizer = Whitespace()
    made.post_processor = TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    return made


def model() -> MPNetForSequenceClassification:
    torch.manual_seed(0)
    return MPNetForSequenceClassification(
        MPNetConfig(
            vocab_size=2048,
            hidden_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=64,
            num_labels=3,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
    )


def units(kind: str, count: int) -> list[Unit]:
    texts = (("the red mill", "supported"), ("the blue mill", "not_supported"))
    return [Unit("the old red mill is new .", *texts[at % 2], kind, 14) for at in range(count)]


def packed(folder: Path) -> list[Path]:
    folder.mkdir()
    learnt = {"judged": units("a", 20), "rag": units("b", 10), "pairs": [], "written": []}
    assert write_pairs(learnt, units("a", 6), tokenizer(), folder) == 36 * 14
    weights.write(model(), folder / START_FILE)
    return deal(folder, most=150_000, size=60_000)


@pytest.mark.slow  # starts Python four times
def test_a_miniature_goes_there_learns_and_comes_back(tmp_path: Path) -> None:
    calls = packed(tmp_path / "packed")
    assert len(calls) > 1
    target = tmp_path / "target"
    rehearse.rehearse(
        ROOT, tmp_path / "packed", target, " --steps 12 --batch-tokens 64 --rate 0.01"
    )
    learnt = MPNetForSequenceClassification.from_pretrained(target)
    before, after = model().state_dict(), learnt.state_dict()
    moved = {name for name in before if not torch.allclose(before[name], after[name], atol=2e-3)}
    assert any("classifier" in name for name in moved)
    assert "mpnet.embeddings.word_embeddings.weight" not in moved


def test_weights_in_eight_bits_are_off_by_half_a_step_at_most(tmp_path: Path) -> None:
    made = model()
    weights.write(made, tmp_path / "weights")
    again = weights.read(tmp_path / "weights").state_dict()
    for name, value in made.state_dict().items():
        step = value.abs().amax(dim=-1, keepdim=True) / 127 if value.ndim == 2 else 0
        assert (again[name] - value).abs().le(step * 0.51 + 1e-7).all(), name


def test_a_held_out_pair_is_never_learnt(tmp_path: Path) -> None:
    packed(tmp_path / "packed")
    folder = tmp_path / "joined"
    calls = sorted((tmp_path / "packed").glob("call-*"))
    parts.join(calls, calls[0] / parts.LIST, folder)
    pairs = Pairs.read(folder)
    rows = order(pairs)
    assert not pairs.held[rows].any()
    readings = np.array(pairs.meta["readings"])[pairs.groups[:30]]
    assert np.bincount(rows, minlength=36)[:30].tolist() == readings.tolist()
    dealt = [row for batch in pairs.batches(rows, 64) for row in batch]
    assert sorted(dealt) == sorted(rows)


def test_a_wrong_byte_and_a_missing_part_are_noticed(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(range(256)) * 4)
    made = parts.split([file], tmp_path / "parts", 300)
    assert [path.stat().st_size for path in made] == [300, 300, 300, 124]
    listed = tmp_path / "parts" / parts.LIST
    (joined,) = parts.join([tmp_path / "parts"], listed, tmp_path / "joined")
    assert joined.read_bytes() == file.read_bytes()
    made[1].write_bytes(b"0" * 300)
    with pytest.raises(ValueError, match=r"file\.001"):
        parts.join([tmp_path / "parts"], listed, tmp_path / "joined")
    made[1].unlink()
    with pytest.raises(FileNotFoundError, match=r"file\.001"):
        parts.join([tmp_path / "parts"], listed, tmp_path / "joined")


def test_what_is_over_a_limit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "part").write_bytes(b"0" * 10)
    with pytest.raises(ValueError, match="10 bytes"):
        parts.dealt([tmp_path / "part"], 9)
    with pytest.raises(ValueError, match="at most 8"):
        rehearse.within("files back", 9, 8)
    many = [Path(f"training/runs/device/call-{number}") for number in range(1, 9)]
    assert all(len(each) < 2000 for each in commands(many, Path("training/runs/device/work"), 480))


def test_large_tracked_files_move_and_come_back(tmp_path: Path) -> None:
    for name, size in (("large", aside.LEAST), ("small", 10)):
        (tmp_path / "models").mkdir(exist_ok=True)
        (tmp_path / "models" / name).write_bytes(b"0" * size)
    for command in (["git", "init", "-q"], ["git", "add", "."]):
        subprocess.run(command, cwd=tmp_path, check=True)
    assert aside.away(tmp_path) == [Path("models/large")]
    assert not (tmp_path / "models/large").exists()
    assert aside.back(tmp_path) == [Path("models/large")]
    assert (tmp_path / "models/large").stat().st_size == aside.LEAST


def test_the_rate_rises_stays_and_falls_to_nothing() -> None:
    assert 0 < rate_at(0.0) < 0.1
    assert rate_at(0.2) == 1.0
    assert rate_at(1.0) == 0.0
