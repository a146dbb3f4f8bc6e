"""The pages of a run whose answers were judged in an earlier audit, without a browser."""

from __future__ import annotations

from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from dashboard.thresholds.data import LabelledItem, each_opinion_once
from provenance_core import Parameters, Verdict, assemble
from provenance_core.files.types import BatchRow
from provenance_core.review.types import JudgedVerdict, Judgement
from storage import GoldLabelStore, ItemLabels, NewRun, ReviewStore, RunStore
from tests.app_page import open_page, tables, text_tables
from tests.conftest import hand_evidence
from tests.wording import assert_shows

SCRIPT = "<script>alert(1)</script>"
DETECTORS = ("two-stage", "nli-matrix")
ROWS = 4


@pytest.fixture
def reviews(url) -> ReviewStore:
    """Two runs of four answers without labels, the audits 1 to 4 and 5 to 8; ann judged the first
    three of the first run: supported, hallucinated, supported."""
    runs = RunStore.open(url)
    for detector in DETECTORS:
        run = runs.create(
            NewRun(detector, "rows.jsonl", "rows", (), "embedded", Parameters()),
            [BatchRow(n, f"Query {n}?", ("a",), "x", id=f"r{n}") for n in range(1, ROWS + 1)],
            [],
        )
        runs.take(run, "w")
        for n in range(1, ROWS + 1):
            evidence = replace(hand_evidence([0.0], [[n / 5]]), query=f"Query {n}? {SCRIPT}")
            audit = assemble(evidence, Parameters(detector=detector))
            runs.finish(runs.next_row(run).id, "w", audit)
        runs.end(run, "w")
    store = ReviewStore.open(url)
    for audit in (1, 2, 3):
        verdict = JudgedVerdict.HALLUCINATED if audit == 2 else JudgedVerdict.SUPPORTED
        store.save(audit, f"ann {SCRIPT}", Judgement(verdict))
    return store


def said(app: AppTest) -> str:
    assert not app.exception
    kinds = (app.text, app.caption, app.warning, app.info, app.error)
    return "\n".join(element.value for kind in kinds for element in kind)


def html(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


def test_batch_results_name_the_audit_in_which_an_answer_was_judged(reviews):
    app = open_page("batch", run="2", order="as in the file", open="6")
    table = tables(app)[0].value
    narrow = next(each.value for each in app.dataframe if " narrow" in each.proto.id)
    assert list(table["reviewers"]) == snapshot(
        [
            "✓ ann <script>alert(1)</script> (judged in audit 1)",
            "✗ ann <script>alert(1)</script> (judged in audit 2)",
            "✓ ann <script>alert(1)</script> (judged in audit 3)",
            "",
        ]
    )
    assert list(narrow["label"]) == ["(✓)", "(✗)", "(✓)", ""]
    assert_shows(said(app), snapshot("A label in brackets is what most reviewers say"))
    assert_shows(said(app), snapshot("3 rows have answers that reviewers judged"))
    assert_shows(said(app), snapshot("Compare does so for rows without a label in the file"))
    assert_shows(html(app), snapshot("(judged in audit 2)"))
    assert SCRIPT not in html(app)


def test_history_names_it_too_beside_what_was_said_in_the_audit(reviews):
    reviews.save(1, "bob", Judgement(JudgedVerdict.SUPPORTED))
    reviews.save(6, "cid", Judgement(JudgedVerdict.SUPPORTED))
    table = tables(open_page("history", detector_is="NLI matrix"))[0].value
    shown = dict(zip(table["audit"], table["reviewers"], strict=True))
    # Where the names have no room, their number stands.
    assert shown[5] == snapshot("✓ 2 (judged in audit 1)")
    assert shown[6] == snapshot("✓ cid; ✗ ann <script>alert(1)</script> (judged in audit 2)")


def test_thresholds_of_the_second_run_take_the_labels_of_the_first(reviews):
    query = {"labels_from": "majority of the reviewers"}
    app = open_page("thresholds", runs=["nli-matrix"], **query)
    assert_shows(said(app), snapshot("base rate: 2 supported, 1 hallucinated"))
    expected = "3 of these labels count what was said of the same answer in another audit"
    assert expected in said(app)
    assert_shows(said(app), snapshot("(judged in audits 1, 2 and 3)"))
    # Of all audits an opinion counts once.
    app = open_page("thresholds", **query)
    assert_shows(said(app), snapshot("base rate: 2 supported, 1 hallucinated"))
    assert_shows(said(app), snapshot("3 more audits are of an answer that counts here already"))
    assert "of these labels" not in said(app)


def test_thresholds_say_how_many_labels_are_of_gold_labels_alone(reviews, url):
    query = {"labels_from": "majority of the reviewers", "runs": ["two-stage"]}
    assert "gold label" not in said(open_page("thresholds", **query)).lower()
    reviews.save(1, "bob", Judgement(JudgedVerdict.HALLUCINATED))
    gold = GoldLabelStore.open(url)
    for audit in (1, 2):  # ann and bob disagree about 1; of 2 the gold label says what ann says
        gold.save(audit, "cy", JudgedVerdict.HALLUCINATED)
    assert_shows(
        said(open_page("thresholds", **query)),
        snapshot("A gold label decides 1 answer that has no majority of the reviewers"),
    )


def test_compared_runs_have_the_reviewers_labels(reviews):
    app = open_page("compare", runs=list(DETECTORS))
    assert_shows(
        said(app), snapshot("3 matched rows have labels from the majority of the reviewers")
    )
    figures = next(table for table in text_tables(app) if "labelled" in table[0])
    assert [row["labelled"] for row in figures] == ["3", "3"]


def test_the_queue_of_the_second_run_passes_over_what_was_judged(reviews):
    app = open_page("review", runs=["nli-matrix"])
    app.text_input(key="reviewer").set_value(f"ann {SCRIPT}").run()
    assert app.session_state["review_trail"].current == 8
    assert not app.exception
    app.toggle(key="again").set_value(True).run()
    assert app.session_state["review_trail"].current in (5, 6, 7, 8)
    assert_shows(
        [bar.proto.text for bar in app.get("progress")], snapshot("0 of 4 answers judged, 0 by you")
    )


@pytest.mark.parametrize("blind", ["true", "false"])
def test_the_earlier_judgement_is_shown_but_not_in_blind_mode(reviews, blind):
    app = open_page("review", audit="6", blind=blind)
    app.text_input(key="reviewer").set_value("bob").run()
    assert not app.exception
    shown = "Already judged: ✗ ann &lt;script&gt;" in html(app)
    assert shown == (blind == "false")
    assert ("and judgements in other audits, are hidden" in html(app)) == (not shown)
    app.button(key="review_verdict_supported").click().run()
    app.button(key="review_save").click().run()
    assert_shows(html(app), snapshot("Already judged: ✗ ann &lt;script&gt;"))


def test_deleting_says_where_the_label_no_longer_shows(reviews):
    app = open_page("history", open="2", detector_is="Two-stage")
    app.button(key="delete_2").click().run()
    assert_shows(
        said(app), snapshot("and with 1 judgement. The judgement no longer shows on 1 other audit")
    )


def an_item(audit: int, reviews: int, judged_in: int | None = None, label: int = 1) -> LabelledItem:
    item = ItemLabels(
        audit, 0.5, None, 1, 0, "", "", "", "", "", "embedded", "summac", reviews,
        judged_in, 1, None, Verdict.SUPPORTED,
    )  # fmt: skip
    return LabelledItem(item, label, by_reviewers=True)


def test_of_an_answer_the_audit_that_most_judged_counts():
    given = [an_item(9, 0, 1), an_item(1, 1), an_item(5, 2), an_item(7, 0, 5)]
    assert each_opinion_once(given) == [given[2]]
    assert each_opinion_once([given[0], given[3]]) == [given[0]], "else the last"
    of_data_set = replace(given[0], by_reviewers=False)
    assert each_opinion_once([of_data_set, *given[1:2]]) == [of_data_set, given[1]]


def test_agreement_lists_the_answers_on_which_reviewers_of_different_audits_disagree(reviews):
    reviews.save(6, "bob", Judgement(JudgedVerdict.SUPPORTED))
    for again in ("false", "true"):
        query = {"disagreements": "reviewers", "again": again}
        app = open_page("review", section="Agreement", runs=["nli-matrix"], **query)
        # Ann's verdicts of the first run count, whatever the queue offers again.
        assert_shows(said(app), snapshot("3 of 4 answers have fewer than two judgements"))
        (pair,) = text_tables(app)[1]
        assert (pair["n"], pair["raw agreement"]) == ("1", "0.000")
        (listed,) = tables(app)
        assert list(listed.value["audit"]) == [6]
        assert list(listed.value["reviewers"]) == snapshot(["✓ 1; ✗ 1 (judged in audit 2)"])
    # The latest counts, and so both say the same.
    reviews.save(6, "ann " + SCRIPT, Judgement(JudgedVerdict.SUPPORTED))
    app = open_page("review", section="Agreement", runs=["nli-matrix"], disagreements="reviewers")
    assert not tables(app)


def test_an_answer_of_two_runs_is_listed_once_by_the_audit_that_was_judged(reviews, url):
    reviews.save(5, "bob", Judgement(JudgedVerdict.HALLUCINATED))
    reviews.save(5, "cy", Judgement(JudgedVerdict.SUPPORTED))
    app = open_page("review", section="Agreement", disagreements="reviewers")
    (listed,) = tables(app)
    assert list(listed.value["audit"]) == [5]
    assert_shows(said(app), snapshot("1 answer. ✓ supported"))
    GoldLabelStore.open(url).save(1, "cy", JudgedVerdict.SUPPORTED)
    app = open_page("review", section="Adjudication")
    app.text_input(key="reviewer").set_value("cy").run()
    assert [each.label for each in app.expander if "Settled" in each.label] == snapshot(
        ["Settled answers (1)"]
    )
    assert "Audit 5: " in said(app) and "Audit 1: " not in said(app)


def test_every_disagreement_with_the_machine_is_in_the_list(reviews):
    reviews.save(6, "bob", Judgement(JudgedVerdict.CANNOT_TELL))
    # Ann called answer 1 supported, and the machine calls it hallucinated in the second run.
    app = open_page("review", section="Agreement", runs=["nli-matrix"])
    (ann,) = (row for row in text_tables(app)[0] if row["reviewer"].startswith("ann"))
    wrong = round(int(ann["n"]) * (1 - float(ann["raw agreement"])))
    (listed,) = tables(app)
    assert 5 in list(listed.value["audit"])
    assert wrong == len(listed.value) > 0
