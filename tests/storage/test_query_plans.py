"""No list of the dashboard reads a whole table: every query goes through an index."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date

import pytest
from sqlalchemy import event, text

from provenance_core import Parameters, Verdict
from provenance_core.files.types import BatchRow
from storage import (
    AuditFilter,
    AuditStore,
    BulkScoreStore,
    ComparisonStore,
    ItemFilter,
    ItemOrder,
    ItemStore,
    NewRun,
    Reviewed,
    ReviewStore,
    RowStatus,
    RunStore,
)
from storage.engine import get_engine
from storage.filters import count_of_answers
from storage.models import Base

HALLUCINATED = AuditFilter(verdict=Verdict.HALLUCINATED)
BY_RUN = {
    f"one run, {order}": lambda url, order=order: ItemStore.open(url).page(
        ItemFilter(runs=(1,)), order
    )
    for order in ItemOrder
}
BY_ORDER = {
    f"items, {order}": lambda url, order=order: ItemStore.open(url).page(ItemFilter(), order)
    for order in ItemOrder
}
BY_REVIEW = {
    f"items, {said}": lambda url, said=said: ItemStore.open(url).page(ItemFilter(reviewed=said))
    for said in Reviewed
}
LISTS: dict[str, Callable[[str], object]] = {
    "history": lambda url: AuditStore.open(url).page(AuditFilter()),
    "history, deep": lambda url: AuditStore.open(url).page(AuditFilter(), 10_000),
    "history, verdict": lambda url: AuditStore.open(url).page(HALLUCINATED),
    "history, detector": lambda url: AuditStore.open(url).page(AuditFilter(detector="summac")),
    "history, one of each answer": lambda url: AuditStore.open(url).page(
        AuditFilter(), by_answer=True
    ),
    "history, one of each answer, flagged": lambda url: AuditStore.open(url).page(
        AuditFilter(flagged=True), by_answer=True
    ),
    "history, a word": lambda url: AuditStore.open(url).page(AuditFilter("bridge")),
    "history, one of each answer, detector": lambda url: AuditStore.open(url).page(
        AuditFilter(detector="summac"), by_answer=True
    ),
    "other audits of answers": lambda url: AuditStore.open(url).others_of_answers([1, 2]),
    "corrections": lambda url: AuditStore.open(url).corrections(1),
    "runs": lambda url: RunStore.open(url).page(),
    "names of runs": lambda url: RunStore.open(url).names(),
    "rows without an audit": lambda url: RunStore.open(url).rows_without_audit(1, RowStatus.FAILED),
    **BY_ORDER,
    **BY_RUN,
    **BY_REVIEW,
    "items, a word": lambda url: ItemStore.open(url).page(ItemFilter(audits=AuditFilter("bridge"))),
    "items, score": lambda url: ItemStore.open(url).page(ItemFilter(score_from=0.4)),
    "labels, judged too": lambda url: ItemStore.open(url).labels(
        ItemFilter(labelled_or_judged=True)
    ),
    "settings of the labelled": lambda url: ItemStore.open(url).made_with(
        ItemFilter(labelled=True)
    ),
    "labels": lambda url: ItemStore.open(url).labels(ItemFilter(labelled=True)),
    "thresholds": lambda url: BulkScoreStore.open(url).measured([]),
    "thresholds, state": lambda url: BulkScoreStore.open(url).state(),
    "values to filter by": lambda url: ItemStore.open(url).filter_values(),
    "review, progress": lambda url: ReviewStore.open(url).progress(ItemFilter()),
    "review, progress by answer": lambda url: ReviewStore.open(url).progress(
        ItemFilter(), by_answer=True
    ),
    "review, progress by answer of a run": lambda url: ReviewStore.open(url).progress(
        ItemFilter(runs=(1,)), by_answer=True
    ),
    "review, next answer": lambda url: ReviewStore.open(url).reserve_next(
        ItemFilter(), ItemOrder.CLOSEST, "ann", by_answer=True
    ),
    "compare, rows": lambda url: ComparisonStore.open(url).rows(
        RunStore.open(url).get(1), ItemFilter()
    ),
    "review, progress by answer of a score": lambda url: ReviewStore.open(url).progress(
        ItemFilter(score_to=0.6), by_answer=True
    ),
    "compare, labelled candidates": lambda url: ComparisonStore.open(url).labelled_candidates(
        ItemFilter()
    ),
    "compare, candidates": lambda url: ComparisonStore.open(url).candidates(ItemFilter()),
    "judgements of other audits": lambda url: ReviewStore.open(url).elsewhere(1),
    "judgements that go with an audit": lambda url: ReviewStore.open(url).count(1),
    "details of a list": lambda url: ItemStore.open(url).details([1, 2]),
    "opinions": lambda url: ReviewStore.open(url).opinions(ItemFilter()),
    "judgements that count of an audit": lambda url: ReviewStore.open(url).counted(1),
    "items of audits": lambda url: ItemStore.open(url).of_audits([1, 2]),
    "items, each of a run": lambda url: list(ItemStore.open(url).each(ItemFilter(runs=(1,)))),
    "labels, of reviewers": lambda url: ItemStore.open(url).labels(
        ItemFilter(reviewed=Reviewed.REVIEWED)
    ),
    "labels, of reviewers, one run": lambda url: ItemStore.open(url).labels(
        ItemFilter(runs=(1,), reviewed=Reviewed.REVIEWED)
    ),
    "settings of the judged": lambda url: ItemStore.open(url).made_with(
        ItemFilter(reviewed=Reviewed.REVIEWED)
    ),
    "one run, disputed": lambda url: ItemStore.open(url).page(
        ItemFilter(runs=(1,), reviewed=Reviewed.DISPUTED)
    ),
    "opinions of a run": lambda url: ReviewStore.open(url).opinions(ItemFilter(runs=(1,))),
    "review, next answer, judged ones again": lambda url: ReviewStore.open(url).reserve_next(
        ItemFilter(), ItemOrder.CLOSEST, "ann", by_answer=True, again=True
    ),
}
# Few rows whatever the number of audits: of runs, and of presets.
SMALL = {"runs", "presets"}
# Are an index by themselves on SQLite, of 80 bytes a row; nothing but its rows are counted so.
NARROW = {"answers"}


def a_run(url: str) -> None:
    """A run of one row."""
    new = NewRun("run", "rows.jsonl", "rows", (), "embedded", Parameters())
    RunStore.open(url).create(new, [BatchRow(1, "", ("context",), "answer")], [])


@pytest.fixture
def plans(url) -> Iterator[list[str]]:
    """A line for each step of every query from now on."""
    a_run(url)
    engine, found = get_engine(url), []

    def explain(connection, cursor, statement, values, *_):
        if statement.startswith(("SELECT", "WITH")):
            steps = cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)
            found.extend(row[3] for row in steps)

    event.listen(engine, "before_cursor_execute", explain)
    yield found
    event.remove(engine, "before_cursor_execute", explain)


@pytest.mark.parametrize("name", LISTS)
def test_every_list_goes_through_an_index(url, plans, name):
    LISTS[name](url)
    tables = set(Base.metadata.tables)
    whole = []
    for step in plans:
        scanned = re.match(r"SCAN (\w+)(?!.* USING )", step)
        if scanned and scanned[1] in tables - SMALL - NARROW:
            whole.append(step)
    assert not whole, "\n".join(plans)
    assert plans or name == "thresholds"


def test_a_query_without_an_index_is_seen(url, plans):
    with get_engine(url).connect() as connection:
        connection.execute(text("SELECT id FROM audits WHERE threshold = 0.5"))
    assert any(re.match(r"SCAN audits", step) for step in plans)


@pytest.mark.parametrize("order", [ItemOrder.CLOSEST, ItemOrder.UNCERTAIN])
def test_an_order_of_the_queue_is_an_index_and_sorts_nothing(url, plans, order):
    ItemStore.open(url).page(ItemFilter(), order)
    assert f"SCAN audits USING INDEX ix_audits_{order}" in "\n".join(plans)
    assert not any("TEMP B-TREE FOR ORDER BY" in step for step in plans), "\n".join(plans)


@pytest.mark.parametrize("detector", [None, "summac"])
def test_no_audit_is_read_to_find_the_sources_with_several_answers(url, plans, detector):
    ComparisonStore.open(url).candidates(ItemFilter(audits=AuditFilter(detector=detector)))
    listed = [step for step in plans if " candidate_sources " in step]
    by_index = "SEARCH candidate_sources USING COVERING INDEX ix_candidate_sources_several"
    assert len(listed) == 2, "their number and the page"
    assert all(step.startswith(by_index) for step in listed), listed
    assert not any("ix_audits_answers" in step and "ANY" in step for step in plans), plans


def test_the_detectors_are_found_from_one_to_the_next(url, plans):
    ItemStore.open(url).detectors(ItemFilter())
    assert plans == ["SEARCH audits USING COVERING INDEX ix_audits_detector_created_at"]


@pytest.mark.parametrize(
    "count",
    [
        lambda url: AuditStore.open(url).page(AuditFilter(), limit=1, by_answer=True),
        lambda url: ReviewStore.open(url).progress(ItemFilter(), by_answer=True),
    ],
)
def test_answers_are_counted_without_a_look_at_their_audits(url, plans, count):
    count(url)
    assert "SCAN answers" in plans
    assert not any("GROUP BY" in step for step in plans), plans


@pytest.mark.parametrize(
    "chosen",
    [
        ItemFilter(score_from=0.4, score_to=0.6),
        ItemFilter(audits=AuditFilter(flagged=True)),
        ItemFilter(audits=AuditFilter(detector="summac", flagged=True)),
    ],
)
def test_sources_of_a_filter_with_several_answers_are_read_off_an_index(url, plans, chosen):
    ComparisonStore.open(url).candidates(chosen)
    grouped = "SEARCH audits USING COVERING INDEX ix_audits_answers (source_digest>?)"
    assert plans.count(grouped) == 1, plans
    assert not any("TEMP B-TREE FOR GROUP BY" in step for step in plans)


@pytest.mark.parametrize(
    "chosen",
    [
        HALLUCINATED,
        AuditFilter(detector="summac"),
        AuditFilter(flagged=True),
        AuditFilter(since=date(2026, 1, 2), until=date(2026, 1, 3)),
    ],
)
def test_answers_that_pass_are_counted_by_an_index_alone(url, plans, chosen):
    with get_engine(url).connect() as connection:
        connection.execute(count_of_answers(chosen, get_engine(url)))
    assert "SEARCH audits USING COVERING INDEX ix_audits_source (source_digest>?)" in plans
    read = [step for step in plans if " audits " in step]
    assert all("USING COVERING INDEX" in step for step in read), "\n".join(plans)
    assert not any("TEMP B-TREE" in step for step in plans), "\n".join(plans)


def test_audits_of_some_scores_are_dated_by_an_index_alone(url, plans):
    ItemStore.open(url).page(ItemFilter(score_from=0.4, score_to=0.6))
    listed = [step for step in plans if "ix_audits_score" in step]
    assert len(listed) == 2, "their number and the page"
    assert all("USING COVERING INDEX ix_audits_score" in step for step in listed), listed


@pytest.mark.parametrize("order", [ItemOrder.MISTAKES, ItemOrder.CAUGHT])
def test_mistakes_and_what_was_caught_are_sorted_by_an_index_alone(url, plans, order):
    ItemStore.open(url).page(ItemFilter(), order)
    assert "SEARCH audits USING COVERING INDEX ix_audits_score (score>?)" in plans, plans


@pytest.mark.parametrize("order", [ItemOrder.NEWEST, ItemOrder.CLOSEST, ItemOrder.FILE])
def test_a_page_reads_the_judgements_of_its_own_answers(url, plans, order):
    ItemStore.open(url).page(ItemFilter(), order)
    assert not any("MATERIALIZE" in step for step in plans), "\n".join(plans)
    judged = [step for step in plans if " reviews " in step or "reviews_" in step]
    assert judged
    for step in judged:
        assert "audit_id=?" in step or "source_digest=? AND text_digest=?" in step, step


def test_what_reviewers_say_of_a_page_is_read_by_its_answers(url, plans):
    ItemStore.open(url).details(range(1, 101))
    judged = [step for step in plans if "reviews" in step]
    assert judged
    for step in judged:
        assert "audit_id=?" in step or "source_digest=? AND text_digest=?" in step, step


def test_the_state_reads_the_newest_audits_alone(url, plans):
    BulkScoreStore.open(url).state()
    read = [step for step in plans if " audits" in step]
    assert "SEARCH audits USING INTEGER PRIMARY KEY (rowid>?)" in read
    assert not any("ix_audits_score" in step for step in read), read
