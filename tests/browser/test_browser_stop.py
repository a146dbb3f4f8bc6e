"""A long audit in a real browser: stopped at once, with what was entered still there."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser_app import opened, served

pytestmark = pytest.mark.browser
# Takes minutes on any machine.
CONTEXT = " ".join(f"In {1000 + n} the town of Marle had {n} mills." for n in range(8_000))
ANSWER = "In 1932 the town of Marle had 40 mills. They were closed in 1940."


def _entered(page: Page, address: str) -> tuple[Locator, Locator]:
    """The boxes of the answer and of the context, with both filled in."""
    page.goto(address)
    answer, context = (
        page.locator(f".st-key-{key} textarea") for key in ("answer", "context_text")
    )
    context.wait_for()
    page.locator('[data-test-script-state="notRunning"]').wait_for()
    answer.fill(ANSWER)
    context.fill(CONTEXT)
    return answer, context


def test_an_audit_is_stopped_and_another_one_can_be_made(tmp_path: Path):
    with served(tmp_path) as address, opened(tmp_path / "profile") as page:
        answer, context = _entered(page, address)
        answer.press("Control+Enter")
        bar = page.get_by_test_id("stProgress")
        expect(bar).to_contain_text("seconds so far", timeout=60_000)
        began = time.monotonic()
        page.get_by_role("button", name="Stop", exact=True).click()
        page.get_by_text("The audit was stopped").wait_for()
        assert time.monotonic() - began < 10, "on a busy machine; else a second or two"
        expect(bar).to_have_count(0)
        assert (answer.input_value(), context.input_value()) == (ANSWER, CONTEXT)
        context.fill("In 1932 the town of Marle had 40 mills. They were closed in 1940.")
        answer.press("Control+Enter")
        page.locator(".pv-verdict").wait_for()
        expect(page.get_by_text("The audit was stopped")).to_have_count(0)


def test_bar_and_button_are_in_view_in_a_narrow_window(tmp_path: Path):
    with served(tmp_path) as address, opened(tmp_path / "profile", 390, 844) as page:
        _entered(page, address)
        audit = page.locator("button").filter(has_text="Ctrl + Enter")
        # As someone sees it who scrolled just as far as the button.
        audit.evaluate("button => button.scrollIntoView({ block: 'end' })")
        audit.click()
        stop = page.get_by_role("button", name="Stop", exact=True)
        expect(stop).to_be_in_viewport(ratio=1)
        stop.click()
        expect(page.get_by_text("The audit was stopped")).to_be_in_viewport(ratio=1)
