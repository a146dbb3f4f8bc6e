"""Shares of a run: who is to judge which answer, and how far each is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provenance_core import InputError, Parameters, assemble
from provenance_core.files.types import BatchRow
from provenance_core.review.types import JudgedVerdict, Judgement
from storage import (
    ItemFilter,
    ItemOrder,
    ItemStore,
    NewRun,
    ReviewStore,
    RunStore,
    Share,
    ShareStore,
)
from tests.conftest import hand_evidence

ROWS = 5


@pytest.fixture
def shares(url) -> ShareStore:
    """A run of five answers, the audits 1 to 5; Bob has judged the first."""
    runs = RunStore.open(url)
    run = runs.create(
        NewRun("run", "rows.jsonl", "rows", (), "embedded", Parameters()),
        [BatchRow(n, f"q{n}", ("a",), "x", id=f"r{n}") for n in range(1, ROWS + 1)],
        [],
    )
    runs.take(run, "w")
    for n in range(1, ROWS + 1):
        evidence = replace(hand_evidence([0.0], [[n / 6]]), query=f"q{n}")
        runs.finish(runs.next_row(run).id, "w", assemble(evidence, Parameters()))
    runs.end(run, "w")
    ReviewStore.open(url).save(1, "Bob", Judgement(JudgedVerdict.SUPPORTED))
    return ShareStore.open(url)


def share_of(url: str, name: str) -> list[int]:
    chosen = ItemFilter(runs=(1,), share_of=name)
    return [item.audit_id for item in ItemStore.open(url).page(chosen, ItemOrder.FILE).items]


def test_answers_are_dealt_out_evenly_and_a_reviewers_own_stay_with_the_reviewer(shares, url):
    shares.assign(1, ["ann", "bob"])
    assert shares.of(1) == (Share("Bob", 2, 1), Share("ann", 3, 0))
    assert share_of(url, "Bob") == [1, 4]
    assert share_of(url, "ann") == [2, 3, 5]
    ReviewStore.open(url).save(5, "ann", Judgement(JudgedVerdict.HALLUCINATED))
    assert shares.of(1) == (Share("Bob", 2, 1), Share("ann", 3, 1))
    item = ReviewStore.open(url).reserve_next(
        ItemFilter(runs=(1,), share_of="ann"), ItemOrder.FILE, "ann", 1000, by_answer=True
    )
    assert item.audit_id == 2
    for audit in (3, 4):
        ReviewStore.open(url).save(audit, "ann", Judgement(JudgedVerdict.HALLUCINATED))
    shares.assign(1, ["ann", "bob"])
    assert shares.of(1) == (Share("Bob", 2, 1), Share("ann", 3, 3)), "2 goes to who has fewer"
    shares.assign(1, ["ann", "bob", "cy"], 2)
    assert sum(each.assigned for each in shares.of(1)) == 2 * ROWS
    assert shares.names([1]) == ("Bob", "ann", "cy") and shares.names([2]) == ()
    assert shares.reviewers() == ("Bob", "ann", "cy")
    shares.assign(1, [])
    assert shares.of(1) == ()
    assert len(ReviewStore.open(url).opinions(ItemFilter())) == 4


@pytest.mark.parametrize(
    ("names", "judgements", "why"),
    [(["ann", "Ann"], 1, "twice"), (["ann"], 2, "more reviewers"), ([" "], 1, "empty")],
)
def test_shares_that_cannot_be_dealt_are_refused(shares, names, judgements, why):
    shares.assign(1, ["bob"])
    with pytest.raises(InputError, match=why):
        shares.assign(1, names, judgements)
    assert shares.of(1) == (Share("Bob", ROWS, 1),)
