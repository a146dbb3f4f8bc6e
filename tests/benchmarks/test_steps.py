"""What the count of steps counts, and the tasks on the real pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.chromium import CHROMIUM, opened
from benchmarks.steps.__main__ import WINDOWS, main
from benchmarks.steps.counted_page import CountedPage, Counts
from benchmarks.steps.table import page_text, table
from benchmarks.steps.tasks import TASKS

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
SHORT, TALL = 100, 1_000
PAGE = f"""<!doctype html><body style="margin:0" data-test-script-state="notRunning">
<input id="box"><div style="height:{TALL}px"></div>
<div id="pane" style="height:{SHORT}px;overflow:auto"><div style="height:{TALL}px"></div>
<button id="inside" onclick="this.textContent = 'done'">press</button></div>
<div id="tall" style="height:{3 * TALL}px">tall</div></body>"""


@pytest.fixture
def page(tmp_path: Path) -> Iterator[CountedPage]:
    with opened(tmp_path / "profile", 800, 600) as browser:
        browser.set_content(PAGE)
        yield CountedPage(browser)


@needs_browser
@pytest.mark.browser
def test_clicks_keys_and_waiting_are_counted(page):
    box = page.page.locator("#box")
    page.paste(box, "many words")
    page.type("abc")
    page.press("Control+a")
    assert (page.counts.clicks, page.counts.keys, page.counts.pixels) == (1, 5, 0)
    assert box.input_value() == "many wordsabc"
    page.page.evaluate(
        "setTimeout(() => document.body.append(Object.assign("
        "document.createElement('p'), {textContent: 'late'})), 700)"
    )
    page.press("x")
    page.wait_for(page.page.get_by_text("late"))
    assert page.counts.seconds > 0.1


@needs_browser
@pytest.mark.browser
def test_what_scrolls_is_counted_in_the_page_and_in_a_part_of_it(page):
    page.click(page.page.locator("#inside"))
    assert page.page.get_by_text("done").is_visible()
    scrolled = page.page.evaluate("[scrollY, document.querySelector('#pane').scrollTop]")
    assert min(scrolled) > 0
    assert page.counts.pixels == sum(scrolled)
    page.read(page.page.locator("#inside"))
    assert page.counts.pixels == sum(scrolled), "it is in view"
    tall = page.page.locator("#tall")
    page.read(tall)
    end = tall.evaluate("e => e.getBoundingClientRect().bottom")
    assert end == pytest.approx(600, abs=1)
    assert page.counts.pixels == pytest.approx(
        sum(scrolled) + page.page.evaluate("scrollY") - scrolled[0], abs=1
    )


def test_the_table_has_a_line_for_each_task():
    tasks = {"a": Counts(9, 8, 7.06, 1_234), "b": Counts(5, 6, 7.0, 8)}
    assert table(tasks).splitlines()[2:] == [
        "| a | 9 | 8 | 7.1 | 1,234 |",
        "| b | 5 | 6 | 7.0 | 8 |",
    ]
    text = page_text("python -m x", "2026-01-01", ["a machine"], {"w": tasks})
    assert "a machine" in text and "## Window of w" in text


@needs_browser
@pytest.mark.browser
@pytest.mark.slow
def test_the_tasks_of_a_first_visit_can_be_done(tmp_path):
    out, letters = tmp_path / "STEPS.md", "abcde"
    assert main(["--out", str(out), "--tasks", letters]) == 0
    rows = re.findall(r"^\| (\(\w\).+?) \| (\d+) \| (\d+) \| ([\d.]+) \|", out.read_text(), re.M)
    tasks = [task.title for task in TASKS if task.title[1] in letters]
    assert [row[0] for row in rows] == tasks * len(WINDOWS)
    assert all(int(clicks) > 0 and float(seconds) > 0 for _, clicks, _, seconds in rows)
