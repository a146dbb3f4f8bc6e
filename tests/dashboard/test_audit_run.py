"""What the bar of a running audit says."""

from __future__ import annotations

import pytest

from dashboard.shared.audit_run import duration_text, progress_text
from storage.worker.stoppable import StageShare


@pytest.mark.parametrize(
    ("share", "seconds", "of_stage", "said"),
    [
        (0.5, 2, 2, "Entailment"),
        (0.5, 40, 2, "Entailment · 40 seconds so far"),
        (0.01, 40, 30, "Entailment · 40 seconds so far"),
        (0.25, 40, 30, "Entailment · 40 seconds so far, about 90 seconds left of this step"),
        (0.1, 400, 300, "Entailment · 400 seconds so far, about 45 minutes left of this step"),
        (1.0, 40, 30, "Entailment · 40 seconds so far"),
    ],
)
def test_it_says_how_long_the_rest_of_a_step_takes(share, seconds, of_stage, said):
    assert progress_text(StageShare("Entailment", share), seconds, of_stage) == said


def test_a_second_is_one():
    assert duration_text(0.2) == "1 second"
