"""A detector says how it ranks the labelled answers at hand, where it is picked."""

from __future__ import annotations

from dashboard.shared.detector_figure import figure_text


def test_a_weak_detector_says_so_with_its_auc_and_n():
    assert figure_text(0.612, 140, "labelled answers of this run") == (
        "Weak on your data. On 140 labelled answers of this run: AUC 0.612 (0.5 is chance, 1 is "
        "perfect)."
    )


def test_few_labels_are_named():
    said = figure_text(0.9, 12)
    assert said.startswith("On 12 labelled answers that it scored: AUC 0.900; only 12 labelled")
