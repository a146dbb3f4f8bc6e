"""From a run to its review: shares of its reviewers, and another threshold, without a browser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provenance_core import Parameters, assemble
from provenance_core.files.types import BatchRow
from provenance_core.review.types import JudgedVerdict, Judgement
from storage import NewRun, ReviewStore, RunStore, Share, ShareStore
from tests.app_page import open_page
from tests.conftest import hand_evidence


@pytest.fixture
def shares(url) -> ShareStore:
    """A run of four answers."""
    runs = RunStore.open(url)
    run = runs.create(
        NewRun("run", "rows.jsonl", "rows", (), "embedded", Parameters(threshold=0.5)),
        [BatchRow(n, f"q{n}", ("a",), "x", id=f"r{n}") for n in range(4)],
        [],
    )
    runs.take(run, "w")
    for n in range(4):
        evidence = replace(hand_evidence([0.0], [[n / 5]]), query=f"q{n}")
        runs.finish(runs.next_row(run).id, "w", assemble(evidence, Parameters(threshold=0.5)))
    runs.end(run, "w")
    return ShareStore.open(url)


def said(app) -> str:
    assert not app.exception
    return "\n".join(each.value for kind in (app.text, app.error) for each in kind)


def test_reviewers_are_assigned_and_each_is_offered_the_own_share(shares):
    app = open_page("batch", run="1")
    app.multiselect(key="share_names_1").set_value(["ann", "Ben <b>"]).run()
    app.number_input(key="share_each_1").set_value(3)
    app.button(key="share_assign_1").click().run()
    assert "The reviewers were not assigned." in said(app)
    app.number_input(key="share_each_1").set_value(1)
    app.button(key="share_assign_1").click().run()
    assert shares.of(1) == (Share("Ben <b>", 2, 0), Share("ann", 2, 0))
    assert "Judged: Ben <b> 0 of 2 · ann 0 of 2" in said(app)
    review = open_page("review", runs=["run"])
    review.text_input(key="reviewer").set_value("Ann").run()
    for _ in range(2):
        review.button(key="review_verdict_supported").click().run()
        review.button(key="review_save_next").click().run()
    assert "every answer of your share (2)" in said(review)
    (bar,) = review.get("progress")
    assert bar.proto.text == "Your share: 2 of 2 judged · team: 2 of 4"
    assert shares.of(1)[1] == Share("ann", 2, 2)


def test_disagreements_about_all_shares_are_settled_by_a_reviewer_who_has_one(shares, url):
    shares.assign(1, ["ann", "Ben"])
    for number in range(1, 5):
        ReviewStore.open(url).save(number, "cy", Judgement(JudgedVerdict.SUPPORTED))
        ReviewStore.open(url).save(number, "di", Judgement(JudgedVerdict.HALLUCINATED))
    app = open_page("review", runs=["run"], section="Adjudication")
    app.text_input(key="reviewer").set_value("ann").run()
    assert "0 of 4 disagreements settled" in said(app)


def test_a_run_is_given_another_threshold(shares, monkeypatch, url):
    started: list[int] = []
    monkeypatch.setattr("dashboard.batch.other_threshold.start_worker", started.append)
    app = open_page("batch", run="1")
    make = "make_other_threshold_1"
    app.button(key=make).click().run()
    assert "the threshold 0.5 already" in said(app)
    app.number_input(key="other_threshold_1").set_value(0.25)
    app.button(key=make).click().run()
    assert started == [2] and app.query_params["run"] in ("2", ["2"])
    runs = RunStore.open(url)
    assert (runs.get(2).parameters.threshold, runs.get(1).parameters.threshold) == (0.25, 0.5)
    drawn = "\n".join(each.proto.body for each in app.get("html"))
    assert "the rows of run 1 under the threshold 0.25" in drawn
