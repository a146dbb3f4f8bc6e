"""Keys on the Review page that come faster than the page is drawn: each counts, in its order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from storage import AuditStore, ItemFilter, ReviewStore
from tests.browser_app import CHROMIUM, opened, served
from tests.exports_data import an_audit

pytestmark = pytest.mark.browser
ANSWERS = 10
VERDICTS = {"1": "supported", "2": "hallucinated", "3": "cannot_tell"}


@pytest.fixture
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Address of the app and URL of its database, with ten answers."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    folder: Path = tmp_path_factory.mktemp("keys")
    url = f"sqlite:///{folder / 'app.db'}"
    for number in range(ANSWERS):
        AuditStore.open(url).save(an_audit(0.2, 0.9, query=f"query {number}"))
    with served(folder) as base:
        yield base, url


def open_as(page: Page, base: str, reviewer: str) -> None:
    page.goto(f"{base}/review")
    name = page.get_by_role("textbox", name="Reviewer")
    name.fill(reviewer)
    name.press("Enter")
    page.locator("input:focus").wait_for(state="hidden")
    page.get_by_role("button", name="Save & next").wait_for()
    page.locator('[data-test-script-state="notRunning"]').wait_for()
    page.wait_for_timeout(1_000)


def said_by(url: str, reviewer: str) -> list[str]:
    """The verdicts of a reviewer, the oldest first."""
    reviews = [r for r in ReviewStore.open(url).each(ItemFilter()) if r.reviewer == reviewer]
    return [str(r.judgement.verdict) for r in sorted(reviews, key=lambda r: r.id)]


@pytest.mark.parametrize("gap", [0, 100, 400])
def test_every_key_counts_however_fast_they_come(app, tmp_path, gap):
    base, url = app
    keys = list(islice(cycle(VERDICTS), ANSWERS))
    with opened(tmp_path / "profile") as page:
        open_as(page, base, f"after {gap} ms")
        for key in keys:
            for press in (key, "Control+Enter"):
                page.keyboard.press(press)
                page.wait_for_timeout(gap)
        expect(page.get_by_text("There is nothing left for you to judge")).to_be_visible(
            timeout=300_000
        )
    assert said_by(url, f"after {gap} ms") == [VERDICTS[key] for key in keys]


def test_a_comment_begun_before_the_next_answer_is_drawn_is_that_answers(app, tmp_path):
    base, url = app
    with opened(tmp_path / "profile") as page:
        open_as(page, base, "writer")
        for press in ("1", "Control+Enter", "n", *"two words 2", "Escape", "2", "Control+Enter"):
            page.keyboard.press(press)
        page.get_by_text("2 by you").wait_for()
    reviews = [r for r in ReviewStore.open(url).each(ItemFilter()) if r.reviewer == "writer"]
    said = [r.judgement for r in sorted(reviews, key=lambda r: r.id)]
    assert [(str(j.verdict), j.comment, j.sentences) for j in said] == [
        ("supported", "", ()), ("hallucinated", "two words 2", ()),
    ]  # fmt: skip


def test_keys_after_a_refused_save_are_refused_with_it(app, tmp_path):
    base, url = app
    with opened(tmp_path / "profile") as page:
        open_as(page, base, "hasty")
        for press in ("Control+Enter", "2", "Control+Enter"):
            page.keyboard.press(press)
        page.get_by_text("Choose a verdict first").wait_for()
        page.get_by_text("2 keypresses were ignored").wait_for()
    assert said_by(url, "hasty") == []


def test_the_key_of_a_disabled_button_says_what_the_button_says_and_the_next_key_counts(
    app, tmp_path
):
    base, _ = app
    with opened(tmp_path / "profile") as page:
        open_as(page, base, "first")
        expect(page.get_by_role("button", name="Previous")).to_be_disabled()
        page.keyboard.press("p")
        page.keyboard.press("2")
        said = page.get_by_test_id("stToast").get_by_text("the first answer of this session")
        expect(said).to_be_visible()
        chosen = page.locator('[data-testid="stBaseButton-primary"]', has_text="Hallucinated")
        expect(chosen.first).to_be_visible()


def test_enter_leaves_the_box_of_a_name_that_is_as_before(app, tmp_path):
    base, _ = app
    with opened(tmp_path / "profile") as page:
        open_as(page, base, "same")
        name = page.get_by_role("textbox", name="Reviewer")
        name.click()
        name.press("Enter")
        expect(name).not_to_be_focused()
        page.keyboard.press("2")
        chosen = page.locator('[data-testid="stBaseButton-primary"]', has_text="Hallucinated")
        expect(chosen.first).to_be_visible()
        expect(name).to_have_value("same")


def test_a_key_after_a_click_into_the_page_draws_no_frame_around_it(app, tmp_path):
    base, _ = app
    drawn = "(e, part) => getComputedStyle(e, part).boxShadow"
    with opened(tmp_path / "profile") as page:
        open_as(page, base, "click")
        main = page.get_by_test_id("stMain")
        page.locator(".st-key-review_answer").click(position={"x": 200, "y": 100})
        page.keyboard.press("y")
        expect(main).to_be_focused()
        assert [main.evaluate(drawn, part) for part in ("", "::before", "::after")] == ["none"] * 3
        page.keyboard.press("Tab")
        expect(main).not_to_be_focused()
        control = page.locator(":focus-visible")
        ring = "e => [getComputedStyle(e).boxShadow, getComputedStyle(e).outlineStyle]"
        assert control.evaluate(ring) != ["none", "none"]


def test_ctrl_enter_in_a_corrected_answer_ends_the_text_and_saves_no_judgement(app, tmp_path):
    base, url = app
    with opened(tmp_path / "profile") as page:
        open_as(page, base, "mender")
        page.keyboard.press("1")
        chosen = page.locator('[data-testid="stBaseButton-primary"]', has_text="Supported")
        expect(chosen.first).to_be_visible()
        page.get_by_role("button", name="Correct", exact=True).click()
        box = page.get_by_role("textbox", name="Corrected answer")
        box.fill("Something else.")
        box.press("Control+Enter")
        expect(page.get_by_role("button", name="Audit the correction")).to_be_enabled(
            timeout=20_000
        )
        expect(box).to_have_value("Something else.")
    assert said_by(url, "mender") == []


def test_a_mark_after_a_move_is_of_the_sentence_that_was_moved_to(app, tmp_path):
    base, url = app
    with opened(tmp_path / "profile") as page:
        open_as(page, base, "ann")
        for key in ["w", "j", "q", "Shift+T", "1", "Control+Enter"] * ANSWERS:
            page.keyboard.press(key)
        page.get_by_text("There is nothing left for you to judge").wait_for()
    for review in ReviewStore.open(url).each(ItemFilter()):
        said = {each.index: str(each.verdict) for each in review.judgement.sentences}
        assert said == {0: "hallucinated", 1: "supported"} and review.judgement.type is not None


def test_a_saved_judgement_opens_as_it_was_saved_and_not_as_a_draft_of_before(app, tmp_path):
    base, url = app
    with opened(tmp_path / "profile") as page:
        open_as(page, base, "ann")
        page.keyboard.press("2")
        page.keyboard.press("Control+Enter")
        page.get_by_text("1 of 10 answers judged").wait_for()
        (review,) = ReviewStore.open(url).each(ItemFilter())
        later = replace(review.judgement, comment="two\nlines")
        ReviewStore.open(url).save(review.audit_id, "ann", later)
        page.goto(f"{base}/review?audit={review.audit_id}")
        expect(page.get_by_role("textbox", name="Comment")).to_have_value("two\nlines")
        page.keyboard.press("v")
        page.get_by_text("Judgement saved").wait_for()
    assert ReviewStore.open(url).of(review.audit_id)[-1].judgement == later
