"""Figures of the tables as they are written."""

from __future__ import annotations

from provenance_core.evaluation.tables import hundred


def test_a_figure_that_rounds_to_zero_has_no_sign():
    assert str(hundred(-0.0001)) == "0.0"
    assert str(hundred(-0.001)) == "-0.1"
    assert hundred(None) is None
