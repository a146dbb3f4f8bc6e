"""The Compare page, run without a browser: runs, flips, candidate answers, empty states."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from sqlalchemy import update
from streamlit.testing.v1 import AppTest

from dashboard.compare.candidates import order_text
from dashboard.compare.charts import score_scatter
from dashboard.compare.tables import figures_table, ranking_text, rates_table, settings_that_differ
from provenance_core import Parameters
from provenance_core.review.types import JudgedVerdict, Judgement
from provenance_core.statistics.candidates import Candidate, CandidateSource, candidate_rates
from provenance_core.statistics.comparison import compare, match_runs
from reports.colours import GREY, HALLUCINATED, SUPPORTED
from reports.wording import few_labels_note, few_labels_text
from storage import AuditStore, ComparisonStore, GoldLabelStore, ItemFilter, ReviewStore, RunStore
from storage.engine import get_engine
from storage.models import AuditRecord
from tests.app_page import open_page, tables, text_tables
from tests.conftest import shown_html
from tests.statistics.test_comparison import a_run
from tests.wording import assert_shows

SCRIPT = "<script>alert(1)</script> **bold**"
ROWS = [
    ("1", "q", "one", "c", 0.9, 1),
    ("2", "q", "two", "c", 0.2, 0),
    ("3", f"why {SCRIPT}", "three", "d", 0.8, 0),
    ("4", "p", "four", "e", 0.7, None),
]


@pytest.fixture
def two_runs(url) -> str:
    a_run(url, "low", ROWS)
    a_run(url, f"high {SCRIPT}", [(*r[:4], 1 - r[4], r[5]) for r in ROWS], threshold=0.4)
    return url


def page(**query) -> AppTest:
    return open_page("compare", **query)


def said(app: AppTest) -> str:
    return "\n".join(e.value for e in (*app.info, *app.text, *app.warning, *app.error))


def links(app: AppTest) -> list[str]:
    return [element.proto.label for element in app.get("page_link")]


def test_without_runs_the_page_says_what_to_do(url):
    AuditStore.open(url)
    app = page()
    assert_shows(said(app), snapshot("fewer than two runs"))
    assert_shows(said(app), snapshot("Run two batches of the same file"))
    assert_shows(
        said(page(tab="Candidate answers")), snapshot("No query has several audited answers")
    )


def test_the_last_two_runs_of_one_file_are_compared_at_first(two_runs):
    app = page()
    assert app.multiselect(key="runs").value == ["low", f"high {SCRIPT}"]
    assert "Choose two or more runs" not in said(app) and text_tables(app)
    # A visitor may take them away, and they do not come back.
    app.multiselect(key="runs").set_value([]).run()
    assert_shows(said(app), snapshot("Choose two or more runs"))


def test_gold_labels_that_differ_from_the_file_are_counted(two_runs):
    verdicts = (JudgedVerdict.HALLUCINATED, JudgedVerdict.HALLUCINATED, JudgedVerdict.CANNOT_TELL)
    for audit, verdict in enumerate(verdicts, 1):  # the file says supported, hallucinated twice
        ReviewStore.open(two_runs).save(audit, "ann", Judgement(verdict))
        assert "gold label" not in "".join(each.value for each in page().caption)
    for audit, verdict in enumerate(verdicts, 1):
        GoldLabelStore.open(two_runs).save(audit, "cy", verdict)
    assert_shows(
        "\n".join(each.value for each in page().caption),
        snapshot("1 matched row has a gold label that differs from the label of the file."),
    )


def test_one_chosen_run_is_not_enough(two_runs):
    assert_shows(said(page(runs="low")), snapshot("Choose two or more runs"))


def test_two_runs_side_by_side(two_runs):
    app = page(runs=["low", f"high {SCRIPT}"])
    assert_shows(said(app), snapshot("Rows are matched by row id: every row has an id of its own."))
    assert "8 rows" in [caption.value for caption in app.caption], "runs may share audits"
    (flipped,) = (frame.value for frame in tables(app))
    matched, figures, difference = text_tables(app)
    assert [row["matched"] for row in matched] == ["4", "4"]
    assert [row["run"] for row in matched] == ["low", f"high {SCRIPT}"]
    assert [row["labelled"] for row in figures] == ["3", "3"]
    # (1 over 2, 1 over 3) against both the wrong way round.
    assert [row["AUC"] for row in figures] == ["1.000", "0.000"]
    assert [row["AUC difference"] for row in difference] == ["-1.000"]
    assert [row["settings that differ"] for row in matched] == [
        "threshold 0.500",
        "threshold 0.400",
    ]
    assert few_labels_text(3) in said(app)
    assert "4 of 4 matched rows" in said(app) and "only the first run is right: 2" in said(app)
    assert list(flipped["audit"]) == [1, 2, 3, 4]
    assert list(flipped["first run"])[:2] == ["✓ Supported", "✗ Hallucinated"]
    assert list(flipped["second run"])[:2] == ["✗ Hallucinated", "✓ Supported"]
    assert not any("alert(1)" in m.value for m in app.markdown)
    app.query_params["open"] = "1"
    app.run()
    assert not app.exception
    assert [header.value for header in app.header][-2:] == ["Audit 1", "Audit 5"]
    assert links(app) == ["Open", "Review"] * 2
    assert "<script>alert" not in shown_html(app)
    assert app.query_params["runs"] == ["low", f"high {SCRIPT}"]


def test_flips_of_one_kind_and_pages(two_runs, monkeypatch):
    monkeypatch.setattr("dashboard.compare.runs.FLIPS", 3)
    app = page(runs=["low", f"high {SCRIPT}"])
    assert len(tables(app)[0].value) == 3
    app.selectbox(key="flips").set_value("broken").run()
    assert not app.exception
    assert len(tables(app)[0].value) == 2
    app.selectbox(key="flips").set_value("both_right").run()
    assert_shows(said(app), snapshot("No flipped verdict is of this kind."))


def test_the_same_scores_flip_nothing(url):
    a_run(url, "low", ROWS)
    a_run(url, "again", ROWS)
    assert_shows(said(page(runs=["low", "again"])), snapshot("every matched row the same verdict"))


def test_disjoint_runs_say_so(url):
    a_run(url, "low", ROWS[:1])
    a_run(url, "other", [("9", "z", "zero", "y", 0.5, 1)])
    app = page(runs=["low", "other"])
    assert_shows(said(app), snapshot("No row is in all of these runs"))
    app.selectbox(key="match").set_value("text").run()
    assert not app.exception
    assert_shows(said(app), snapshot("matched by query and answer: as chosen"))


def test_other_answers_under_the_same_id_are_named(url):
    a_run(url, "low", ROWS)
    a_run(url, "other", [(r[0], r[1], f"{r[2]} more", *r[3:]) for r in ROWS])
    app = page(runs=["low", "other"])
    assert_shows(said(app), snapshot("4 of 4 matched rows have another query, answer or context"))


def test_of_two_flipped_answers_the_one_in_a_language_that_is_not_read_says_so(url):
    a_run(url, "first", ROWS[:2])
    japanese = "フェリーは七時三十分に北桟橋を出ます"
    a_run(url, "second", [(*ROWS[0][:2], japanese, "c", 0.1, 1), ROWS[1]])
    with get_engine(url).begin() as connection:  # the profile whose models read English alone
        connection.execute(update(AuditRecord).values(profile="embedded"))
    app = page(runs=["first", "second"])
    shown = shown_html(app)
    assert "first · ✓ Supported 0.900, threshold" in shown
    assert "second · ✗ Hallucinated 0.100, language not read, threshold" in shown
    (flipped,) = (frame.value for frame in tables(app))
    assert [*flipped["second run"]] == ["✗ Hallucinated, language not read"]


def test_three_runs_choose_the_pair(two_runs):
    a_run(two_runs, "third", [(*r[:4], 0.5, r[5]) for r in ROWS])
    app = page(runs=["low", f"high {SCRIPT}", "third"])
    assert len(text_tables(app)[2]) == 2
    app.selectbox(key="second").set_value("third").run()
    assert not app.exception
    assert "Second: third" in said(app)
    app.selectbox(key="second").set_value("low").run()
    assert_shows(said(app), snapshot("Choose two different runs"))


def test_a_chosen_point_links_to_its_audits(two_runs, monkeypatch):
    drawn = []

    def choose(figure, **options):
        drawn.append(figure)
        return {"selection": {"points": [{"customdata": "3 and 7"}]}}

    monkeypatch.setattr("dashboard.compare.runs.st.plotly_chart", choose)
    app = page(runs=["low", f"high {SCRIPT}"])
    points, flipped = (frame.value for frame in tables(app))
    assert (list(points["audit"]), len(flipped)) == ([3], 4)
    points = [p for trace in drawn[0].data for p in trace.customdata]
    assert sorted(points) == ["1 and 5", "2 and 6", "3 and 7", "4 and 8"]
    assert "<script" not in drawn[0].layout.yaxis.title.text
    assert {trace.name.split(" (")[0]: trace.marker.color for trace in drawn[0].data} == {
        "label: supported": SUPPORTED,
        "label: hallucinated": HALLUCINATED,
        "no label": GREY,
    }


def test_candidate_answers_are_ranked_and_marked(two_runs):
    app = page(tab="Candidate answers", runs="low")
    html = shown_html(app)
    assert html.index("one") < html.index("two")
    assert_shows(html, snapshot("1. ✓ Supported · score"))
    assert html.count("★ no detected span") == 1
    (table,) = text_tables(app)
    assert [row["rate before"] for row in table] == ["50.0"] * 3
    assert [row["rate after"] for row in table] == ["0.0"] * 3
    assert_shows(table[0]["note"], snapshot("all answers come from one source document"))
    assert few_labels_text(2) in said(app)
    assert links(app) == ["Open", "Open"]
    html = shown_html(app)
    assert html.index("audit 1 ·") < html.index("audit 2 ·")
    assert_shows(said(app), snapshot("1 query with several answers"))


def test_candidates_without_labels_have_no_rate(url):
    a_run(url, "low", [(*r[:5], None) for r in ROWS])
    app = page(tab="Candidate answers")
    assert_shows(said(app), snapshot("No rate: no query has several answers with a label"))
    assert links(app) == ["Open", "Open"]
    html = shown_html(app)
    assert html.index("audit 1 ·") < html.index("audit 2 ·")


def test_a_database_that_cannot_be_read_is_a_message(two_runs):
    app = page(runs=["low", f"high {SCRIPT}"])
    with closing(sqlite3.connect(two_runs.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("DROP TABLE run_rows")
    app.run()
    assert not app.exception
    assert "no such table" in said(app)


def test_only_settings_that_differ_are_named(two_runs):
    runs = RunStore.open(two_runs).page().runs
    assert settings_that_differ([runs[0], runs[0]]) == ("none", "none")
    other = replace(runs[0], profile="large", parameters=Parameters(threshold=0.4, top_k=3))
    assert settings_that_differ([runs[0], other]) == snapshot(
        (
            "profile embedded, top_k 10",
            "profile large, top_k 3",
        )
    )
    changed = replace(
        other.parameters, aggregation="weighted_average", claim_aggregation="min", top_k=10
    )
    assert settings_that_differ([runs[0], replace(runs[0], parameters=changed)]) == snapshot(
        (
            "aggregation max, combine claims by: inverse square mean of the claims",
            "aggregation weighted average, combine claims by: worst claim",
        )
    )


def test_runs_are_ranked_by_their_labels_and_by_which_figure_is_said(url):
    rows = ROWS[:3]
    for name, made in (
        ("worse", [(*row[:4], 1 - row[4], row[5]) for row in rows]),
        ("good", rows),
        ("one high", [(*row[:4], 0.9, 0) for row in rows]),
        ("one low", [(*row[:4], 0.1, 0) for row in rows]),
        ("none", [(*row[:5], None) for row in rows]),
    ):
        a_run(url, name, made)

    def shown(*names):
        store = ComparisonStore.open(url)
        found = [RunStore.open(url).named(name) for name in names]
        made = compare(match_runs([store.rows(run, ItemFilter()) for run in found], None))
        return list(figures_table(found, made)["run"]), ranking_text(made)

    names, said = shown("worse", "good")
    assert names == ["good", "worse"] and "ranked by AUC" in said
    names, said = shown("one high", "one low")
    assert names == ["one high", "one low"] and "not ranked by correctness" in said
    assert_shows(shown("none", "none")[1], snapshot("not ranked by correctness"))


def test_the_order_of_candidate_answers_says_what_it_says_of_their_labels():
    low, high = Candidate(1, 0.2, 0, None), Candidate(2, 0.9, 0, None)
    assert_shows(order_text([high, low]), snapshot("no answer has a label"))
    mixed = [replace(high, label=1), replace(low, label=0)]
    assert order_text([*mixed, low]) == (
        "ranked by score; too few labels for an AUC (2; it needs 50)"
    ), "labelled ones count"
    assert_shows(order_text((mixed * 25)[:-1]), snapshot("too few labels for an AUC (49;"))
    assert_shows(order_text(mixed * 25), snapshot("against 50 labels its AUC is 1.000 ("))
    assert_shows(
        order_text([replace(e, label=0) for e in mixed]), snapshot("every label is hallucinated")
    )


def test_a_choice_with_few_labels_has_the_warning_beside_its_own_rate():
    def notes(queries: int, free_of_spans: int) -> list[str]:
        sources = [
            CandidateSource(
                f"q{n}",
                f"g{n}",
                (
                    Candidate(2 * n, 0.9, int(n >= free_of_spans), 1),
                    Candidate(2 * n + 1, 0.2, 2, 0),
                ),
            )
            for n in range(queries)
        ]
        return list(rates_table(candidate_rates(sources, resamples=20))["note"])

    assert notes(30, 24) == ["", "", few_labels_note(48)]
    assert notes(30, 25) == ["", "", ""]
    assert notes(24, 20) == ["", "", ""], "the page says it of all"


def test_the_whole_name_of_a_run_is_at_the_axis_of_its_scores():
    name = "Answers of the evaluation of November, system B with the long prompt"
    title = score_scatter([], 0, 1, ("low", name)).layout.yaxis.title.text
    assert title.split("<br>") == snapshot([
        "score in Answers of the evaluation of", "November, system B with the long prompt",
    ])  # fmt: skip
