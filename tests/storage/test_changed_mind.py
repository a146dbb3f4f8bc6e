"""Every list, figure and export says the same of an answer that was judged in two audits."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from provenance_core import Verdict
from provenance_core.review.types import JudgedVerdict
from provenance_core.statistics.agreement import agreement_report, majority
from storage import (
    AuditStore,
    ComparisonStore,
    ItemFilter,
    ItemOrder,
    ItemStore,
    Reviewed,
    ReviewStore,
    RunStore,
)
from storage.engine import get_engine
from storage.exports._export_item import ExportItem, NotExported
from storage.exports.csv_items import csv_lines, csv_rows
from storage.exports.full import full_records
from storage.exports.label_studio import label_studio_tasks
from storage.exports.langfuse import langfuse_scores
from storage.exports.phoenix import span_annotations
from storage.exports.ragtruth import SpansFrom, responses
from tests.changed_mind import FIRST, HALLUCINATED, OPINIONS, SECOND, SUPPORTED, judged_twice

ALL = ItemFilter()
RUNS = {FIRST: ItemFilter(runs=(1,)), SECOND: ItemFilter(runs=(2,))}
BOTH = pytest.mark.parametrize("audit", [FIRST, SECOND])


@pytest.fixture
def judged(url) -> str:
    judged_twice(url)
    return url


@BOTH
def test_an_item_counts_each_reviewer_once(judged, audit):
    store = ItemStore.open(judged)
    listed = store.page(RUNS[audit], ItemOrder.FILE).items[0]
    streamed = next(store.each(RUNS[audit]))
    (alone,) = store.of_audits([audit])
    (counted,) = store.page(replace(RUNS[audit], reviewed=Reviewed.REVIEWED)).items
    other = {FIRST: SECOND, SECOND: FIRST}[audit]
    for item in (listed, streamed, alone, counted):
        assert (item.audit_id, item.opinion, item.judged_in) == (audit, 1, other)
        assert (item.reviewers, item.supported, item.hallucinated) == (3, 2, 1)
        assert item.reviews == 2, "what was judged in it stays as it is"


@BOTH
def test_a_list_names_them_with_the_audit(judged, audit):
    found = ItemStore.open(judged).details([audit])[audit].opinions
    assert [(one.audit_id, one.reviewer, one.verdict) for one in found] == OPINIONS
    elsewhere = ReviewStore.open(judged).elsewhere(audit)
    assert elsewhere == tuple(one for one in found if one.audit_id != audit)


@BOTH
def test_thresholds_and_the_fit_have_its_label(judged, audit):
    for wanted in ({"reviewed": Reviewed.REVIEWED}, {"labelled_or_judged": True}):
        (found,) = ItemStore.open(judged).labels(replace(RUNS[audit], **wanted))
        assert (found.audit_id, found.opinion, found.first_judged) == (audit, 1, FIRST)
        assert (found.reviews, found.supported, found.hallucinated) == (2, 2, 1)


def test_compare_has_its_label(judged):
    store, runs = ComparisonStore.open(judged), RunStore.open(judged)
    for number, audit in ((1, FIRST), (2, SECOND)):
        rows = store.rows(runs.get(number), ALL).rows
        assert [(row.audit_id, row.label) for row in rows] == [(audit, 1), (audit + 1, None)]
    for found in (store.labelled_candidates(ALL), store.candidates(ALL).groups):
        assert found == (), "one answer is no choice"


@BOTH
def test_agreement_counts_the_same_reviewers(judged, audit):
    for chosen in (ALL, RUNS[audit]):
        found = ReviewStore.open(judged).opinions(chosen)
        said = {(one.reviewer, one.judgement.verdict) for one in found}
        assert said == {(name, verdict) for _, name, verdict in OPINIONS}
        assert len({one.audit_id for one in found}) == 1, "one answer"
        assert majority(one.judgement.verdict for one in found) is JudgedVerdict.SUPPORTED
        report = agreement_report(found)
        assert (report.audits, report.reviews, len(report.pairs)) == (1, 3, 3)


@BOTH
def test_filters_find_both_audits_by_the_same_reviewers(judged, audit):
    store = ItemStore.open(judged)

    def found(reviewed: Reviewed) -> list[int]:
        chosen = replace(RUNS[audit], reviewed=reviewed)
        return [item.audit_id for item in store.page(chosen).items]

    assert found(Reviewed.REVIEWED) == found(Reviewed.DISPUTED) == [audit]
    assert found(Reviewed.UNREVIEWED) == [audit + 1]
    # The first audit says supported, against Cid; the second hallucinated, against Ann and Bob.
    assert found(Reviewed.OVERRULED) == [audit]
    ReviewStore.open(judged).save(FIRST, "cid", SUPPORTED)
    assert found(Reviewed.DISPUTED) == []
    assert found(Reviewed.OVERRULED) == ([audit] if audit == SECOND else [])


def test_the_queue_knows_who_has_judged(judged):
    done = ReviewStore.open(judged).progress(RUNS[FIRST], by_answer=True)
    assert (done.total, done.judged) == (2, 1)
    assert done.judgements == (0, 0, 1), "three reviewers, each once"


@BOTH
def test_exports_write_each_opinion_with_its_audit(judged, audit):
    given = ExportItem(ItemStore.open(judged).of_audits([audit])[0], get_engine(judged))
    mine = [(name, verdict) for number, name, verdict in OPINIONS if number == audit]
    said = [f"{name}: {verdict}" for name, verdict in mine]
    (line,) = csv.DictReader([text.lstrip("\ufeff") for text in csv_lines(csv_rows(given))])
    assert line["reviewed_label"] == "1"
    assert line["judged_in"] == str({FIRST: SECOND, SECOND: FIRST}[audit])
    assert (line["reviews"], line["reviewers_verdicts"]) == (str(len(mine)), " | ".join(said))
    (task,) = label_studio_tasks(given)
    assert len(task.annotations) == len(mine)
    people = [each for each in span_annotations(given) if each.annotator_kind == "HUMAN"]
    assert [(each.identifier, each.result.label) for each in people] == [
        (f"provenance-{name}", verdict) for name, verdict in mine
    ]
    scores = [each for each in langfuse_scores(given) if each.name == "reviewed_verdict"]
    assert [(each.metadata.reviewer, each.value) for each in scores] == mine
    (row,) = responses(SpansFrom.REVIEWERS)(given)
    assert len(row.labels) == sum(verdict is JudgedVerdict.HALLUCINATED for _, verdict in mine)
    # The full export is what was stored.
    (whole,) = full_records(given)
    assert whole.reviews == ReviewStore.open(judged).of(audit)
    assert len(whole.reviews) == 2


def test_an_audit_whose_judgements_were_all_replaced_is_no_row_of_the_reviewers_spans(judged):
    ReviewStore.open(judged).save(SECOND, "bob", SUPPORTED)
    given = ExportItem(ItemStore.open(judged).of_audits([FIRST])[0], get_engine(judged))
    with pytest.raises(NotExported):
        list(responses(SpansFrom.REVIEWERS)(given))


def test_every_judgement_stays_as_it_was_given(judged):
    store = ReviewStore.open(judged)
    assert [(one.reviewer, one.judgement) for one in store.of(FIRST)] == [
        ("ann", HALLUCINATED),
        ("bob", SUPPORTED),
    ]
    assert [one.reviewer for one in store.latest(FIRST)] == ["ann", "bob"]
    assert [one.reviewer for one in store.counted(FIRST)] == ["bob"]
    assert store.mine(FIRST, "ann").judgement == HALLUCINATED
    machine = [AuditStore.open(judged).load(audit).audit.verdict for audit in (FIRST, SECOND)]
    assert machine == [Verdict.SUPPORTED, Verdict.HALLUCINATED]
    # Without the later judgement the earlier one counts again.
    AuditStore.open(judged).delete(SECOND)
    (item,) = ItemStore.open(judged).of_audits([FIRST])
    assert (item.supported, item.hallucinated, item.opinion) == (1, 1, None)


def test_who_judges_again_where_it_was_first_is_counted_there(judged):
    ReviewStore.open(judged).save(FIRST, "ann", HALLUCINATED)
    items = ItemStore.open(judged).of_audits([FIRST, SECOND])
    assert [item.opinion for item in items] == [0, 0]
    assert [one.reviewer for one in ReviewStore.open(judged).counted(SECOND)] == ["cid"]


def test_the_question_before_a_deletion_names_where_it_shows(judged):
    assert [ReviewStore.open(judged).count(each).shown_on for each in (FIRST, SECOND)] == [1, 1]
    ReviewStore.open(judged).save(SECOND, "bob", SUPPORTED)
    assert ReviewStore.open(judged).count(FIRST).shown_on == 0, "no judgement of it counts"
