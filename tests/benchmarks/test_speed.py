"""The speed benchmark's parts: nothing is timed here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.machine import machine_lines
from benchmarks.speed import growth
from benchmarks.speed.__main__ import largest_difference, main
from benchmarks.speed.contenders import of_the_large_model, on_the_same_weights, profiles
from benchmarks.speed.inputs import answer_of, long_context, real_rows
from benchmarks.speed.processes import CONTENDER, Contender, Measured, in_turn
from provenance_core.files.types import LabelledRow
from provenance_core.models.catalogue.profiles import EMBEDDED_NLI, embedded_folder
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder
from provenance_core.models.onnx_models.engines import open_engine

PAIRS = [
    ("The bridge was opened in 1932.", "It was opened in 1932."),
    ("Rain fell.", "It was dry."),
]


def test_a_folder_without_data_has_no_rows(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert real_rows(tmp_path) == []
    assert main(["--data", str(tmp_path)]) == 2
    assert "holds none of" in capsys.readouterr().err


def test_contenders_score_in_turn_and_one_that_fails_says_why(tmp_path: Path) -> None:
    folder = str(embedded_folder(EMBEDDED_NLI))
    ours = Contender("ours", {"kind": "ours", "folder": folder, "engine": "onnxruntime"})
    route = Contender("route", {"kind": "flashrank", "folder": folder})
    broken = Contender("broken", {"kind": "ours", "folder": str(tmp_path), "engine": ""})
    found = in_turn([ours, broken, route], {"pairs": PAIRS}, 2, 120, tmp_path)
    assert [each.name for each in found] == ["ours", "broken", "route"]
    assert "manifest.json is missing" in found[1].failure
    assert not found[1].seconds
    assert [len(each.seconds) for each in found] == [2, 0, 2]
    assert found[0].cold > found[0].first > 0
    model = CrossEncoder.load(Path(folder)).on(
        open_engine(Path(folder) / "model.onnx", "onnxruntime")
    )
    assert np.allclose(found[0].scores, model.predict(PAIRS), atol=1e-4)
    # Another padding rounds 8-bit activations otherwise.
    assert largest_difference(found[0], found[2]) < 0.2
    assert np.isnan(largest_difference(found[0], found[1]))


def test_an_answer_that_takes_too_long_ends_the_contender(tmp_path: Path) -> None:
    folder = str(embedded_folder(EMBEDDED_NLI))
    ours = Contender("ours", {"kind": "ours", "folder": folder, "engine": ""})
    (found,) = in_turn([ours], {"pairs": PAIRS}, 1, 0.0, tmp_path)
    assert "more than 0 s" in found.failure


def test_another_environment_can_run_a_contender() -> None:
    """Its file imports the standard library alone until it knows what to load."""
    code = (
        f"import sys; sys.path[:] = [p for p in sys.path if 'packages' not in p]\n"
        f"exec(compile(open({str(CONTENDER)!r}).read(), 'contender', 'exec'), {{'__name__': 'x'}})"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_long_context_has_as_many_items_as_asked(tmp_path: Path) -> None:
    line = {"query": "q", "context": ["word " * 300], "answer": "a", "label": 1}
    (tmp_path / "begin.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    items = long_context(real_rows(tmp_path), 30)
    assert len(set(items)) == 30
    assert all(len(item.split()) == 82 for item in items)


def test_the_difference_is_of_probabilities() -> None:
    one, two = Measured("a", scores=[[0.0, 0.0]]), Measured("b", scores=[[0.0, 100.0]])
    assert largest_difference(one, two) == pytest.approx(0.5)


def test_every_contender_has_a_name_of_its_own(tmp_path: Path) -> None:
    same = on_the_same_weights(tmp_path, tmp_path, "python")
    every = [*same, *profiles(), *of_the_large_model()]
    assert len({each.name for each in every}) == len(every) >= 10
    assert len(machine_lines()) == 4


def test_growth_has_a_line_for_each_size_and_says_what_took_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = "The bridge over the river was opened by the mayor in 1932."
    rows = [
        LabelledRow(line=i, query="", context=(f"Part {i}. {sentence}",), answer=sentence, label=1)
        for i in range(3)
    ]
    assert answer_of(rows, 2) == f"{sentence} {sentence}"
    monkeypatch.setattr(growth, "CHUNKS", (1, 2))
    monkeypatch.setattr(growth, "SENTENCES", (1,))
    monkeypatch.setattr(growth, "ROWS", (2,))
    request = {"query": "", "answer": sentence, "context": [sentence]}
    lines = growth.growth_lines(rows, request, 300, tmp_path)
    sizes = [line.split()[0] for line in lines if line.startswith(" ")]
    assert sizes == ["1", "2", "1", "2"]
    assert all("MiB" in line for line in lines if line.startswith(" "))
    late = growth.growth_lines(rows, request, 0, tmp_path)
    assert sum("not measured: more than 0 s" in line for line in late) == 2
