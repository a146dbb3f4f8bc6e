"""A run under another threshold: a run of its own, next to the one whose scores it takes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provenance_core import InputError, Parameters, Verdict, assemble
from provenance_core.files.types import BatchRow, RejectedRow
from reports.items_report import build_items_report, items_report
from storage import ItemFilter, ItemStore, NewRun, RunNotFound, RunStatus, RunStore
from tests.conftest import hand_evidence

PARAMETERS = Parameters(threshold=0.5)


@pytest.fixture
def runs(url) -> RunStore:
    """A run of one row that is done, its score between 0.5 and 0.95, and of one that failed."""
    runs = RunStore.open(url)
    rows = [
        BatchRow(n, f"q{n}", ("a",), "x", id=f"r{n}", label=1, group="g", spans=None)
        for n in (1, 2)
    ]
    new = NewRun("run", "rows.jsonl", "rows", (("query", "q"),), "embedded", PARAMETERS)
    run = runs.create(new, rows, [RejectedRow(3, "no answer", "{}")])
    runs.take(run, "w")
    audit = assemble(replace(hand_evidence([0.1], [[0.7]]), query="q1"), PARAMETERS)
    assert 0.5 < audit.score < 0.95
    runs.finish(runs.next_row(run).id, "w", audit)
    runs.fail(runs.next_row(run).id, "w", "too long")
    runs.end(run, "w")
    return runs


def test_it_has_the_rows_and_the_settings_of_the_other_but_for_the_threshold(runs, url):
    before = runs.get(1)
    made = runs.get(runs.under_threshold(1, 0.95))
    assert runs.get(1) == before
    assert (made.name, made.verdicts_of, made.status) == (
        "run, threshold 0.95", 1, RunStatus.QUEUED,
    )  # fmt: skip
    assert made.parameters == replace(PARAMETERS, threshold=0.95)
    assert (made.file_name, made.format, made.mapping, made.profile) == (
        before.file_name, before.format, before.mapping, before.profile,
    )  # fmt: skip
    pending = runs.pending(made.id, 10)
    assert [(row.line, row.query, tuple(item.text for item in row.context)) for row in pending] == [
        (1, "q1", ("a",)), (2, "q2", ("a",)),
    ]  # fmt: skip
    runs.take(made.id, "w")
    first = ItemStore.open(url).page(ItemFilter(runs=(1,))).items[0]
    audit = assemble(replace(hand_evidence([0.1], [[0.7]]), query="q1"), made.parameters)
    runs.finish(pending[0].id, "w", audit)
    second = ItemStore.open(url).page(ItemFilter(runs=(made.id,))).items[0]
    assert (first.verdict, second.verdict) == (Verdict.SUPPORTED, Verdict.HALLUCINATED)
    assert (second.label, second.group, second.row_id) == (1, "g", "r1")
    page = items_report(build_items_report(ItemFilter(runs=(made.id,)), url=url))
    assert "those of run 1, under the threshold 0.95" in " ".join(page.split())
    runs.delete(1)
    assert runs.get(made.id).verdicts_of is None


def test_what_cannot_be_made_is_refused(runs):
    with pytest.raises(InputError, match=r"the threshold 0\.5 already"):
        runs.under_threshold(1, 0.5)
    runs.under_threshold(1, 0.6)
    with pytest.raises(InputError, match="There is a run called"):
        runs.under_threshold(1, 0.6)
    with pytest.raises(RunNotFound):
        runs.under_threshold(9, 0.6)
