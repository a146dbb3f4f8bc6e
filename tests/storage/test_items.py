"""Items: audits beside their rows of runs and what people said of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import insert
from sqlalchemy.orm import Session

from provenance_core import Parameters, Verdict, assemble
from provenance_core.files.types import BatchRow
from provenance_core.review.types import JudgedVerdict, Judgement
from provenance_core.types import SetAside
from storage import (
    AuditFilter,
    AuditStore,
    FilterValues,
    ItemFilter,
    ItemOrder,
    ItemStore,
    NewRun,
    Reviewed,
    ReviewStore,
    RunStore,
)
from storage.engine import get_engine
from storage.models import ReviewRecord
from tests.conftest import hand_evidence

SCORES = (0.9, 0.2, 0.55)


@pytest.fixture
def items(url) -> ItemStore:
    """Three audits of a run of four rows (the last shares the first's), and one by itself."""
    runs = RunStore.open(url)
    run = runs.create(
        NewRun("first", "rows.jsonl", "rows", (), "embedded", Parameters()),
        [
            BatchRow(
                i,
                "q",
                ("a",),
                f"answer {i}",
                id=f"r{i}",
                label=i % 2,
                task="QA" if i < 3 else "sum",
            )
            for i in range(1, 5)
        ],
        [],
    )
    runs.take(run, "w")
    audits = []
    for entailment in SCORES:
        row = runs.next_row(run)
        assert runs.finish(row.id, "w", an_audit(entailment))
        audits.append(row)
    assert runs.share(runs.next_row(run).id, "w", 1)
    AuditStore.open(url).save(an_audit(0.4))
    return ItemStore.open(url)


def an_audit(entailment: float):
    return assemble(hand_evidence([0.1], [[entailment]]), Parameters(threshold=0.5))


def review(url: str, audit: int, reviewer: str, verdict: str, latest: bool = True) -> None:
    with Session(get_engine(url)) as session, session.begin():
        session.execute(
            insert(ReviewRecord).values(
                audit_id=audit,
                reviewer=reviewer,
                version=1 if not latest else 2,
                latest=latest,
                created_at="2026-01-01",
                verdict=verdict,
                comment="",
                blind=False,
                machine_score=0.5,
                machine_threshold=0.5,
                machine_verdict="supported",
            )
        )


def numbers(page) -> list[int]:
    return [item.audit_id for item in page.items]


def test_a_run_lists_its_rows_and_no_run_lists_audits(items):
    rows = items.page(ItemFilter(runs=(1,)), ItemOrder.FILE)
    assert [(i.line, i.audit_id, i.label, i.row_id) for i in rows.items] == [
        (1, 1, 1, "r1"),
        (2, 2, 0, "r2"),
        (3, 3, 1, "r3"),
        (4, 1, 0, "r4"),
    ]
    assert rows.total == 4
    audits = items.page(ItemFilter())
    assert sorted(numbers(audits)) == [1, 2, 3, 4]
    assert audits.total == 4
    alone = next(i for i in audits.items if i.audit_id == 4)
    assert (alone.run_id, alone.run, alone.label) == (None, "", None)
    shared = next(i for i in audits.items if i.audit_id == 1)
    assert (shared.run, shared.line) == ("first", 1)


def test_orders(items):
    def ordered(order: ItemOrder, **chosen) -> list[int]:
        return numbers(items.page(ItemFilter(**chosen), order))

    scores = {i.audit_id: i.score for i in items.page(ItemFilter()).items}
    by_score = sorted(scores, key=scores.__getitem__)
    assert ordered(ItemOrder.LOWEST_SCORE) == by_score
    assert ordered(ItemOrder.HIGHEST_SCORE) == by_score[::-1]
    assert ordered(ItemOrder.CLOSEST) == sorted(scores, key=lambda i: abs(scores[i] - 0.5))
    assert ordered(ItemOrder.UNCERTAIN) == sorted(scores, key=lambda i: abs(scores[i] - 0.5))
    assert ordered(ItemOrder.RANDOM, seed=1) == ordered(ItemOrder.RANDOM, seed=1)
    assert len({tuple(ordered(ItemOrder.RANDOM, seed=s)) for s in range(0, 10**9, 10**8)}) > 1


def test_misses_come_first_then_false_alarms_the_worst_before_the_others(url):
    runs = RunStore.open(url)
    rows = [BatchRow(i, "q", ("a",), "b", label=i % 2) for i in range(1, 9)]
    run = runs.create(NewRun("r", "f", "rows", (), "embedded", Parameters()), rows, [])
    runs.take(run, "w")
    for entailment in (0.9, 0.2, 0.3, 0.7, 0.1, 0.8, 0.6, 0.1):
        assert runs.finish(runs.next_row(run).id, "w", an_audit(entailment))
    store = ItemStore.open(url)
    for chosen in (ItemFilter(runs=(run,)), ItemFilter()):
        # Lines 4 and 6 are labelled hallucinated and supported by the machine, 3 and 5 the reverse.
        lines = [item.line for item in store.page(chosen, ItemOrder.MISTAKES).items]
        assert lines == [6, 4, 5, 3, 8, 2, 1, 7]
        # Lines 2 and 8 are labelled hallucinated and called so.
        lines = [item.line for item in store.page(chosen, ItemOrder.CAUGHT).items]
        assert lines == [8, 2, 6, 4, 5, 3, 1, 7]


def test_what_is_called_hallucinated_comes_first_without_labels_too(url):
    runs = RunStore.open(url)
    rows = [BatchRow(i, "q", ("a",), "b") for i in range(1, 5)]
    run = runs.create(NewRun("r", "f", "rows", (), "embedded", Parameters()), rows, [])
    runs.take(run, "w")
    for entailment in (0.9, 0.3, 0.1, 0.8):
        assert runs.finish(runs.next_row(run).id, "w", an_audit(entailment))
    for order in (ItemOrder.MISTAKES, ItemOrder.CAUGHT):
        found = ItemStore.open(url).page(ItemFilter(runs=(run,)), order).items
        assert [item.line for item in found] == [3, 2, 1, 4]


def test_items_of_audits_and_their_details(url):
    store, items = AuditStore.open(url), ItemStore.open(url)
    evidence = hand_evidence([0.5], [[0.9], [0.2], [0.3]])
    aside = replace(evidence, set_aside=(SetAside(1, "a question"),))
    saved = [
        store.save(assemble(evidence, Parameters())),
        store.save(assemble(aside, Parameters())),
        store.save(assemble(aside, Parameters(count_set_aside=True))),
    ]
    reviews = ReviewStore.open(url)
    for verdict in ("hallucinated", "supported"):
        reviews.save(saved[0], "ann", Judgement(JudgedVerdict(verdict)))
    reviews.save(saved[0], "bob", Judgement(JudgedVerdict.CANNOT_TELL))
    found = items.details([*saved, 999])
    assert (
        [found[number].checked for number in saved]
        == [store.load(number).audit.checked for number in saved]
        == [3, 2, 3]
    )
    assert [(one.audit_id, one.reviewer, one.verdict) for one in found[saved[0]].opinions] == [
        (saved[0], "ann", JudgedVerdict.SUPPORTED),
        (saved[0], "bob", JudgedVerdict.CANNOT_TELL),
    ]
    assert found.keys() == set(saved)
    assert [item.audit_id for item in items.of_audits([saved[2], 999, saved[0]])] == [3, 1]


def test_another_seed_is_another_order_not_another_beginning(url):
    store = AuditStore.open(url)
    for _ in range(12):
        store.save(an_audit(0.5))
    orders = [
        numbers(ItemStore.open(url).page(ItemFilter(seed=seed), ItemOrder.RANDOM))
        for seed in (1, 2)
    ]
    start = orders[1].index(orders[0][0])
    assert orders[0] != orders[1][start:] + orders[1][:start]


def test_rows_of_one_line_come_in_the_order_of_the_file(url):
    runs = RunStore.open(url)
    run = runs.create(
        NewRun("first", "rows.jsonl", "rows", (), "embedded", Parameters()),
        [BatchRow(1, "q", ("a",), f"answer {i}", id=f"r{i}") for i in range(4)],
        [],
    )
    runs.take(run, "w")
    assert runs.finish(runs.next_row(run).id, "w", an_audit(0.4))
    assert runs.finish(runs.next_row(run).id, "w", an_audit(0.5))
    assert runs.share(runs.next_row(run).id, "w", 1)
    assert runs.share(runs.next_row(run).id, "w", 2)
    found = ItemStore.open(url).each(ItemFilter(runs=(run,)))
    assert [item.row_id for item in found] == ["r0", "r1", "r2", "r3"]


def test_pages_and_each_agree(items):
    chosen = ItemFilter(runs=(1,))
    paged = [
        item.line
        for offset in range(0, 4, 3)
        for item in items.page(chosen, ItemOrder.FILE, offset, 3).items
    ]
    assert paged == [item.line for item in items.each(chosen)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"label": 0}, [2]),
        ({"labelled": True}, [1, 2, 3]),
        ({"task": "QA"}, [1, 2]),
        ({"score_from": 0.5}, [1, 3]),
        ({"score_to": 0.3}, [2]),
        ({"audits": AuditFilter(verdict=Verdict.HALLUCINATED)}, [2, 4]),
        ({"audits": AuditFilter(text="no such text")}, []),
    ],
)
def test_filters(items, chosen, expected):
    assert sorted(numbers(items.page(ItemFilter(**chosen)))) == expected
    assert items.page(ItemFilter(**chosen), limit=0).total == len(expected)


def test_reviews_are_counted_by_the_last_of_each_reviewer(items, url):
    review(url, 1, "ann", "hallucinated", latest=False)
    review(url, 1, "ann", "supported")
    review(url, 1, "bob", "hallucinated")
    review(url, 2, "ann", "supported")
    found = {i.audit_id: i for i in items.page(ItemFilter()).items}
    assert (found[1].reviews, found[1].supported, found[1].hallucinated) == (2, 1, 1)
    assert [found[n].opinion for n in (1, 2, 3)] == [None, 1, None]

    def by(reviewed: Reviewed) -> list[int]:
        return sorted(numbers(items.page(ItemFilter(reviewed=reviewed))))

    assert by(Reviewed.UNREVIEWED) == [3, 4]
    assert by(Reviewed.REVIEWED) == [1, 2]
    assert by(Reviewed.DISPUTED) == [1]
    assert by(Reviewed.OVERRULED) == [1, 2]
    assert numbers(items.page(ItemFilter(), ItemOrder.DISPUTED))[0] == 1


def test_values_to_filter_by_are_those_of_the_audited_rows_of_the_runs(items, url):
    assert items.filter_values() == FilterValues((), ("QA", "sum"), ())
    runs = RunStore.open(url)
    rows = [
        BatchRow(n, "q", ("a",), f"answer {n}", subset=subset, task="Data2txt", source_model="m")
        for n, subset in enumerate(("b", "a", "not audited"), 1)
    ]
    run = runs.create(NewRun("second", "f", "rows", (), "embedded", Parameters()), rows, [])
    assert items.filter_values((run,)) == FilterValues((), (), ())
    runs.take(run, "w")
    for _ in range(2):
        assert runs.finish(runs.next_row(run).id, "w", an_audit(0.5))
    assert items.filter_values((run,)) == FilterValues(("a", "b"), ("Data2txt",), ("m",))
    assert items.filter_values((1,)) == FilterValues((), ("QA", "sum"), ())
    assert items.filter_values((1, run)).task == ("Data2txt", "QA", "sum")
    assert items.filter_values() == items.filter_values((1, run))


def test_what_has_a_label_or_a_judgement_can_be_listed_alone(items, url):
    AuditStore.open(url).save(an_audit(0.4))
    review(url, 4, "ann", "supported", latest=False)
    chosen = ItemFilter(labelled_or_judged=True)
    assert {item.audit_id for item in items.page(chosen).items} == {1, 2, 3}
    review(url, 4, "ann", "supported")
    assert {item.audit_id for item in items.page(chosen).items} == {1, 2, 3, 4}
    assert items.page(chosen).total == len(items.labels(chosen)) == 4
    assert items.page(replace(chosen, runs=(1,))).total == 4
