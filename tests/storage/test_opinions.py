"""What a person said of an answer counts for every audit of the very same answer, and once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provenance_core import Audit, Parameters, Verdict, assemble
from provenance_core.files.types import BatchRow
from provenance_core.review.types import JudgedSentence, JudgedVerdict, Judgement
from provenance_core.statistics.agreement import agreement_report
from provenance_core.statistics.comparison import match_runs
from storage import (
    AuditFilter,
    AuditStore,
    ComparisonStore,
    ItemFilter,
    ItemOrder,
    ItemStore,
    NewRun,
    Reviewed,
    ReviewStore,
    RunStore,
)
from tests.conftest import hand_evidence

SUPPORTED = Judgement(JudgedVerdict.SUPPORTED)
HALLUCINATED = Judgement(
    JudgedVerdict.HALLUCINATED, sentences=(JudgedSentence(0, JudgedVerdict.HALLUCINATED),)
)
DETECTORS = ("two-stage", "nli-matrix", "summac")
ALL = ItemFilter()


def an_audit(query: str, detector: str, entailment: float) -> Audit:
    evidence = replace(hand_evidence([0.1], [[entailment]]), query=query)
    return assemble(evidence, Parameters(threshold=0.5, detector=detector))


@pytest.fixture
def said_in(url) -> ReviewStore:
    """Three runs of a file of two answers, each under another detector: the audits 1 and 2, 3 and
    4, 5 and 6. No row has a label."""
    runs = RunStore.open(url)
    for number, detector in enumerate(DETECTORS):
        run = runs.create(
            NewRun(f"run {number}", "rows.jsonl", "rows", (), "embedded", Parameters()),
            [BatchRow(line, query, ("a",), "b", id=query) for line, query in enumerate("qr", 1)],
            [],
        )
        assert runs.take(run, "worker")
        for query in "qr":
            row = runs.next_row(run)
            audit = an_audit(query, detector, 0.9 - 0.3 * number)
            assert runs.finish(row.id, "worker", audit)
        runs.end(run, "worker")
    return ReviewStore.open(url)


def item(store: ReviewStore, audit: int):
    return ItemStore(store._engine).of_audits([audit])[0]


def details(store: ReviewStore, audit: int):
    return ItemStore(store._engine).details([audit])[audit]


def test_an_audit_shows_what_was_said_in_another_of_the_same_answer(said_in):
    said_in.save(1, "ann", HALLUCINATED)
    assert (item(said_in, 1).opinion, item(said_in, 1).judged_in) == (0, None)
    for other in (3, 5):
        found = item(said_in, other)
        assert (found.opinion, found.judged_in) == (0, 1)
        assert (found.reviews, found.reviewers) == (0, 1), "nothing is copied"
        (said,) = details(said_in, other).opinions
        assert (said.audit_id, said.reviewer, said.verdict) == (
            1,
            "ann",
            JudgedVerdict.HALLUCINATED,
        )
        assert said_in.elsewhere(other) == (said,)
        assert said_in.of(other) == ()
    # Of another query, and so another answer.
    assert item(said_in, 2).opinion is item(said_in, 2).judged_in is None
    assert not details(said_in, 2).opinions


def test_the_order_of_the_context_makes_another_answer(url):
    audits, said_in = AuditStore.open(url), ReviewStore.open(url)
    first = an_audit("q", "two-stage", 0.9)
    (one,) = first.evidence.context
    more = replace(one, index=1, text="Another item.")
    turned = (replace(more, index=0), replace(one, index=1))
    for context in ((one,), (one, more), turned):
        audits.save(replace(first, evidence=replace(first.evidence, context=context)))
    said_in.save(2, "ann", SUPPORTED)
    assert [item(said_in, number).opinion for number in (1, 2, 3)] == [None, 1, None]


def test_of_one_reviewer_the_latest_opinion_of_an_answer_counts(said_in):
    said_in.save(3, "ann", HALLUCINATED)
    said_in.save(1, "ann", HALLUCINATED)
    said_in.save(1, "ann", SUPPORTED)
    for audit, judged_in in ((1, None), (3, 1), (5, 1)):
        found = item(said_in, audit)
        assert (found.supported, found.hallucinated, found.judged_in) == (1, 0, judged_in)
        (said,) = details(said_in, audit).opinions
        assert (said.audit_id, said.verdict) == (1, JudgedVerdict.SUPPORTED)


@pytest.mark.parametrize(
    "chosen",
    [
        ItemFilter(reviewed=Reviewed.REVIEWED),
        ItemFilter(labelled_or_judged=True),
        ItemFilter(runs=(2,), reviewed=Reviewed.REVIEWED),
        ItemFilter(runs=(2,), reviewed=Reviewed.OVERRULED),
    ],
)
def test_filters_find_what_was_judged_in_another_audit(said_in, chosen):
    said_in.save(1, "ann", HALLUCINATED)
    store = ItemStore(said_in._engine)
    found = store.page(chosen).items
    assert [each.audit_id for each in found] == ([3] if chosen.runs else [5, 3, 1])
    assert all(each.opinion == 0 for each in found)
    # The same from the statement for many.
    labels = store.labels(chosen)
    assert [each.opinion for each in labels] == [0] * len(found)
    assert {each.first_judged for each in labels} == {1}
    assert [each.judged_in for each in labels] == ([1] if chosen.runs else [None, 1, 1])
    unreviewed = replace(chosen, reviewed=Reviewed.UNREVIEWED, labelled_or_judged=False)
    left = [each.audit_id for each in store.page(unreviewed).items]
    assert left == ([4] if chosen.runs else [6, 4, 2])


def test_the_queue_gives_an_answer_again_only_to_who_asks(said_in):
    said_in.save(1, "ann", SUPPORTED)
    second = ItemFilter(runs=(2,))

    def given(reviewer: str, **more):
        found = said_in.reserve_next(second, ItemOrder.FILE, reviewer, by_answer=True, **more)
        if found is not None:
            said_in.release(found.audit_id, reviewer)
        return found and found.audit_id

    assert given("ann") == 4
    assert given("ann", without={4}) is None
    assert given("ann", again=True) == 3
    assert given("bob", without={4}) is None, "one judgement is enough"
    assert given("bob", opinions=2) == 3
    assert given("ann", opinions=2) == 4
    done = said_in.progress(second, by_answer=True)
    assert (done.total, done.judged) == (2, 1)
    assert said_in.progress(second, by_answer=True, again=True).judged == 0


def test_agreement_counts_one_opinion_of_a_reviewer_and_answer(said_in):
    said_in.save(1, "ann", HALLUCINATED)
    said_in.save(3, "ann", SUPPORTED)
    said_in.save(5, "bob", SUPPORTED)
    found = said_in.opinions(ALL)
    assert [(each.audit_id, each.reviewer) for each in found] == [(3, "ann"), (3, "bob")]
    assert len(said_in.each(ALL)) == 3
    report = agreement_report(found)
    assert (report.audits, report.reviews) == (1, 2)
    (pair,) = report.pairs
    assert pair.answers.n == 1
    assert pair.answers.raw == 1.0


def test_agreement_of_a_run_has_the_verdict_alone_of_what_was_judged_in_another(said_in):
    said_in.save(1, "ann", HALLUCINATED)
    (found,) = said_in.opinions(ItemFilter(runs=(3,)))
    assert found.judgement.verdict is JudgedVerdict.HALLUCINATED
    assert found.judgement.sentences == found.machine_labels == ()
    assert found.audit_id == 5
    assert found.machine_verdict is Verdict.HALLUCINATED, "of audit 5: its score is 0.3"
    # A judgement of the run itself comes before it.
    said_in.save(5, "ann", SUPPORTED)
    (own,) = said_in.opinions(ItemFilter(runs=(3,)))
    assert own.judgement.verdict is JudgedVerdict.SUPPORTED
    assert own.machine_labels


def test_compared_rows_have_the_reviewers_label_where_the_data_set_has_none(said_in):
    said_in.save(1, "ann", HALLUCINATED)
    store, runs = ComparisonStore(said_in._engine), RunStore(said_in._engine)
    rows = [store.rows(runs.get(number), ALL) for number in (2, 3)]
    labels = [(row.audit_id, row.label, row.judged_in) for each in rows for row in each.rows]
    assert labels == [(3, 0, 1), (4, None, None), (5, 0, 1), (6, None, None)]
    judged, other = match_runs(rows).items
    assert judged.labels == (0, 0)
    assert judged.judged_in == (1, 1)
    assert other.judged_in == ()


def test_a_label_of_the_data_set_comes_before_one_of_reviewers(said_in):
    store, runs = ComparisonStore(said_in._engine), RunStore(said_in._engine)
    said_in.save(1, "ann", HALLUCINATED)
    first, second = (store.rows(runs.get(number), ALL) for number in (1, 2))
    of_file = replace(first.rows[0], label=1, judged_in=None)
    matched = match_runs([replace(first, rows=(of_file, *first.rows[1:])), second])
    item = matched.items[0]
    assert item.labels == (1, 1)
    assert not item.disagreeing
    assert item.judged_in == ()


def test_candidates_are_labelled_by_opinions(url):
    audits, said_in = AuditStore.open(url), ReviewStore.open(url)
    first = an_audit("q", "two-stage", 0.9)
    other = replace(first, evidence=replace(first.evidence, answer=first.evidence.answer + " "))
    for audit in (first, an_audit("q", "summac", 0.4), other):
        audits.save(audit)
    said_in.save(2, "ann", SUPPORTED)
    store = ComparisonStore.open(url)
    (source,) = store.labelled_candidates(ItemFilter(audits=AuditFilter(detector="two-stage")))
    assert {each.audit_id: each.label for each in source.candidates} == {1: 1, 3: None}
    (group,) = store.candidates(ALL).groups
    assert {each.audit_id: each.label for each in group.source.candidates} == {1: 1, 3: None}


def test_deleting_an_audit_takes_its_opinion_from_the_others(said_in):
    said_in.save(1, "ann", HALLUCINATED)
    assert said_in.count(1).shown_on == 2
    assert said_in.count(3).shown_on == 0
    said_in.save(3, "bob", SUPPORTED)
    assert said_in.count(1).shown_on == 2, "beside that of another reviewer"
    said_in.save(5, "ann", HALLUCINATED)
    assert said_in.count(1).shown_on == 0
    AuditStore(said_in._engine).delete(1)
    assert item(said_in, 3).opinion is None, "one says so, one the other"
    AuditStore(said_in._engine).delete(5)
    assert item(said_in, 3).opinion == 1
    AuditStore(said_in._engine).delete(3)
    assert said_in.opinions(ALL) == ()


def test_a_deleted_run_leaves_its_opinions(said_in):
    said_in.save(1, "ann", HALLUCINATED)
    RunStore(said_in._engine).delete(1)
    assert (item(said_in, 3).opinion, item(said_in, 3).judged_in) == (0, 1)
