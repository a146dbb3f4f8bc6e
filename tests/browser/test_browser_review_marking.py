"""The answer on the Review page under the mouse and the keys: sentences, spans, the comment."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from storage import AuditStore, ReviewStore
from tests.browser.test_browser_review_keys import open_as
from tests.browser_app import CHROMIUM, opened, served
from tests.exports_data import an_audit

pytestmark = pytest.mark.browser


def test_sentences_spans_and_comment_by_mouse_and_keys(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    folder = tmp_path_factory.mktemp("marking")
    url = f"sqlite:///{folder / 'app.db'}"
    audit = an_audit(0.2, 0.9, query="query")
    number = AuditStore.open(url).save(audit)
    second = audit.evidence.sentences[1]
    with served(folder) as base, opened(tmp_path / "profile") as page:
        open_as(page, base, "ann")
        texts = page.locator(".st-key-review_answer .pv-t")
        texts.nth(1).click()
        expect(page.locator(".pv-s.pv-focus .pv-t")).to_have_text(second.text.strip())
        # By keys: the first two words of the sentence in focus.
        page.keyboard.press("m")
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator("mark.pv-span")).to_have_text(" ".join(second.text.split()[:2]))
        # By the mouse: the whole of the first sentence.
        box = texts.nth(0).bounding_box()
        assert box is not None
        drag(page, box["x"] + 1, box["x"] + box["width"] + 2, box["y"] + box["height"] / 2)
        expect(page.locator("mark.pv-span")).to_have_count(2)
        page.keyboard.press("n")
        page.keyboard.type("ends 12")
        page.keyboard.press("Escape")
        page.keyboard.press("2")
        page.keyboard.press("Control+Enter")
        page.get_by_text("There is nothing left for you to judge").wait_for()
    judgement = ReviewStore.open(url).of(number)[0].judgement
    assert judgement.comment == "ends 12"
    marked = {audit.evidence.answer[span.start : span.end] for span in judgement.spans}
    first = audit.evidence.sentences[0].text.strip()
    assert marked == {first, " ".join(second.text.split()[:2])}


def drag(page: Page, left: float, right: float, y: float) -> None:
    page.mouse.move(left, y)
    page.mouse.down()
    page.mouse.move(right, y, steps=5)
    page.mouse.up()
