"""A click draws no frame around the whole page; Tab does, so that the focus is seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser_app import opened, served

pytestmark = pytest.mark.browser
BY = "document.documentElement.dataset.pvBy"
FRAME = "e => getComputedStyle(e, '::before').boxShadow"


def test_the_page_is_framed_for_the_keyboard_alone(tmp_path: Path):
    with served(tmp_path) as address, opened(tmp_path / "profile") as page:
        for name in ("glossary", "history"):
            page.goto(f"{address}/{name}")
            page.locator('[data-test-script-state="notRunning"]').wait_for()
            main = page.get_by_test_id("stMain")
            # The page's own script may still be on its way when its texts are drawn.
            for _ in range(50):
                page.get_by_role("heading", level=1).click()
                page.wait_for_timeout(200)
                if page.evaluate(BY) == "pointer":
                    break
            page.keyboard.press("ArrowDown")
            expect(main).to_be_focused()
            page.wait_for_timeout(500)
            assert main.evaluate(FRAME) == "none", name
            page.keyboard.press("Tab")
            page.keyboard.press("Shift+Tab")
            expect(main).to_be_focused()
            page.wait_for_timeout(500)
            assert main.evaluate(FRAME) != "none", name
