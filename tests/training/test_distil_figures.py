"""The table of what distillation brought: a line by hand."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnx")

from training.distil_figures import line

LABELS = np.array([True, False] * 20)
PREMISES = [f"premise {number // 2}" for number in range(40)]
RIGHT = np.where(LABELS, 1.0, -1.0)
SAME = np.zeros(40)


def test_a_line_has_rows_base_rate_and_the_areas_of_each_column():
    words = line("rows", LABELS, PREMISES, {"shipped": SAME, "taught": RIGHT}).split()
    assert words[:4] == ["rows", "40", "0.500", "50.0"]
    assert words[4] == "100.0"


def test_the_interval_is_that_of_the_difference_from_the_first_column():
    text = line("rows", LABELS, PREMISES, {"shipped": SAME, "taught": RIGHT})
    assert text.endswith("(+50.0 to +50.0)"), "every draw has the same difference"
    assert line("rows", LABELS, PREMISES, {"a": RIGHT, "b": RIGHT}).endswith("(+0.0 to +0.0)")


def test_the_first_column_has_no_interval():
    assert "to" not in line("rows", LABELS, PREMISES, {"shipped": RIGHT})
