"""Every page says the same of an answer that was judged in two audits."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from dashboard.thresholds.data import LabelSource, current_view, labelled_items
from provenance_core import Parameters
from reports.items_report import build_items_report, items_report
from storage import ItemFilter, ReviewStore, database_url
from tests.app_page import open_page, tables, text_tables
from tests.changed_mind import FIRST, SECOND, SUPPORTED, judged_twice
from tests.wording import assert_shows

# Rows of three lines have room for the names and for where they judged.
IN_FIRST = "✓ bob; ✓ ann · ✗ cid (judged in audit 3)"
IN_SECOND = "✓ ann · ✗ cid; ✓ bob (judged in audit 1)"
REVIEWERS = {"labels_from": "majority of the reviewers"}


@pytest.fixture(autouse=True)
def judged(url) -> str:
    judged_twice(url)
    return url


def said(app: AppTest) -> str:
    kinds = (app.text, app.caption, app.warning, app.info, app.error)
    return "\n".join(element.value for kind in kinds for element in kind)


def html(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


@pytest.mark.parametrize(("run", "audit", "reviewers"), [("1", 1, IN_FIRST), ("2", 3, IN_SECOND)])
def test_batch_counts_all_reviewers_and_has_the_label(run, audit, reviewers):
    app = open_page("batch", run=run, order="as in the file", open=str(audit))
    assert list(tables(app)[0].value["reviewers"]) == [reviewers, ""]
    narrow = next(each.value for each in app.dataframe if " narrow" in each.proto.id)
    assert list(narrow["label"]) == ["(✓)", ""]
    assert "ann: ✓ supported" in html(app)


def test_history_names_all_reviewers_of_both_audits_and_where_they_judged():
    both = (("Two-stage", FIRST, IN_FIRST), ("SummaC", SECOND, IN_SECOND))
    for detector, audit, reviewers in both:
        table = tables(open_page("history", detector_is=detector))[0].value
        assert dict(zip(table["audit"], table["reviewers"], strict=True))[audit] == reviewers


def test_thresholds_and_the_fit_take_one_label(judged):
    for runs in ({}, {"runs": ["two-stage"]}, {"runs": ["summac"]}):
        assert_shows(
            said(open_page("thresholds", **REVIEWERS, **runs)),
            snapshot("base rate: 1 supported, 0 hallucinated"),
        )
    for chosen in (ItemFilter(), ItemFilter(runs=(1,)), ItemFilter(runs=(2,))):
        for source in (LabelSource.REVIEWERS, LabelSource.REVIEWERS_FIRST):
            # What “Fit to my labels” fits to.
            view = current_view(chosen, source, Parameters())
            assert [each.label for each in labelled_items(view).items] == [1]


def test_compare_has_one_label_for_both_runs():
    app = open_page("compare", runs=["two-stage", "summac"])
    figures = next(table for table in text_tables(app) if "labelled" in table[0])
    assert [row["labelled"] for row in figures] == ["1", "1"]
    assert_shows(
        said(app), snapshot("1 matched row has its label from the majority of the reviewers")
    )


@pytest.mark.parametrize("runs", [[], ["two-stage"], ["summac"]])
def test_agreement_counts_each_reviewer_once(runs):
    app = open_page("review", section="Agreement", runs=runs, disagreements="reviewers")
    assert_shows(said(app), snapshot("Judgements: 3 · answers: 1 · reviewers: 3"))
    listed = tables(app)[0].value
    assert set(listed["audit"]) <= {FIRST, SECOND}
    assert len(listed) == 1


def test_the_review_shows_what_counts_of_other_audits():
    app = open_page("review", audit=str(FIRST), blind="false")
    app.text_input(key="reviewer").set_value("dan").run()
    assert_shows(html(app), snapshot("Already judged: ✓ ann · ✗ cid (judged in audit 3)"))
    assert_shows(html(app), snapshot("Only the verdict counts here, not its marks."))


def test_the_audit_says_which_of_its_judgements_count():
    app = open_page("audit", audit=str(FIRST))
    assert_shows(
        said(app), snapshot("In other audits of this answer: ✓ ann · ✗ cid (judged in audit 3)")
    )
    assert said(app).count("judged this answer later in audit 3. That judgement counts.") == 1
    ReviewStore.open(database_url()).save(FIRST, "ann", SUPPORTED)
    app = open_page("audit", audit=str(FIRST))
    assert "judged this answer later" not in said(app)


@pytest.mark.parametrize("run", [1, 2])
def test_the_report_of_a_run_counts_the_same(judged, run):
    report = build_items_report(ItemFilter(runs=(run,)), url=judged)
    assert (report.counts.reviewed, report.counts.undecided) == (1, 0)
    assert report.counts.overruled == (0 if run == 1 else 1)
    (majority,) = (row for raters, row in report.agreement if "majority" in raters)
    assert majority.n == 1
    page = items_report(report)
    assert "ann: ✓ supported" in page
    assert page.count("cid: ✗ hallucinated") == 1
