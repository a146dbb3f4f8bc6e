"""A window as narrow as a telephone or a tablet: each tab is reached, and no date is cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard.audit.result import TABS
from tests.browser_app import opened, served

pytestmark = pytest.mark.browser
# Of the chosen tab of a strip: the pixels that lie outside of it or under its arrows.
HIDDEN = """strip => {
  const room = strip.getBoundingClientRect();
  const chosen = strip.querySelector("[aria-selected=true]").getBoundingClientRect();
  const arrow = (side) =>
    document.querySelector(`[data-testid=stTabsScroll${side}]`)?.getBoundingClientRect();
  const left = arrow("Left")?.right ?? room.left, right = arrow("Right")?.left ?? room.right;
  return Math.max(left - chosen.left, chosen.right - right, 0);
}"""
CUT = "box => box.scrollWidth - box.clientWidth"
# Of the box's own width, right of what it holds: the last part of the date, then the first button.
COVERED = """box => {
  const parts = [...box.querySelectorAll("[role=spinbutton]")];
  const button = box.querySelector("button");
  return parts.at(-1).getBoundingClientRect().right - button.getBoundingClientRect().left;
}"""


def test_tabs_are_one_line_that_keys_move_through_and_dates_are_seen_whole(tmp_path: Path):
    with served(tmp_path) as address, opened(tmp_path / "profile") as page:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(address)
        page.get_by_role("button", name="Contradicted: bridge").click()
        page.locator(".pv-verdict").wait_for()
        strip = page.get_by_role("tablist").first
        strip.wait_for()
        tabs = strip.get_by_role("tab")
        assert len({tab.bounding_box()["y"] for tab in tabs.all()}) == 1
        tabs.first.click()
        for way, names in (("Right", TABS[1:]), ("Left", TABS[-2:1:-1]), ("Right", TABS[3:])):
            for name in names:
                page.keyboard.press(f"Arrow{way}")
                strip.locator("[aria-selected=true]", has_text=name).wait_for()
                page.wait_for_timeout(1_000)  # the strip glides to it
                assert strip.evaluate(HIDDEN) <= 1, name
        page.get_by_text("Settings that the score depends on").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390

        page.goto(f"{address}/history?since=2026-01-01&until=2026-12-31")
        dates = page.get_by_test_id("stDateInput")
        dates.nth(1).wait_for()
        page.locator('[data-test-script-state="notRunning"]').wait_for()
        for width in (390, 768, 1000, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            page.wait_for_timeout(500)
            for each in dates.all():
                assert each.evaluate(COVERED) <= 0, width


ROWS = "question,context,answer,label\n" + "".join(
    f"How tall is tower {i}?,Tower {i} in the old town is {i} metres tall.,It is {i} m.,supported\n"
    for i in range(1, 6)
)


def test_an_upload_and_the_sources_are_read_without_scrolling_sideways(tmp_path: Path):
    with served(tmp_path) as address, opened(tmp_path / "profile") as page:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{address}/batch")
        hint = page.get_by_test_id("stFileUploaderDropzoneInstructions").locator("span").last
        hint.wait_for()
        assert hint.evaluate(CUT) <= 0 and hint.inner_text().endswith("GZ")
        page.locator("input[type=file]").first.set_input_files(
            {"name": "rows.csv", "mimeType": "text/csv", "buffer": ROWS.encode()}
        )
        start = page.get_by_role("button", name="Start")
        start.wait_for()
        first = page.locator(".pv-table:visible")
        first.wait_for()
        assert "Tower 3 in the old town is 3 metres tall." in first.inner_text()
        assert first.bounding_box()["y"] > start.bounding_box()["y"]
        assert not page.get_by_test_id("stDataFrame").is_visible()

        page.goto(address)
        page.get_by_role("button", name="Contradicted: bridge").click()
        page.locator(".pv-verdict").wait_for()
        page.get_by_role("tab", name="Sources").click()
        sources = page.locator(".pv-table:visible")
        sources.wait_for()
        assert sources.locator("[data-name=selected]").first.inner_text() == "yes"
        assert sources.evaluate(CUT) <= 0
        assert not page.get_by_test_id("stDataFrame").is_visible()


def test_a_list_of_audits_is_read_without_scrolling_sideways(tmp_path: Path):
    with served(tmp_path) as address, opened(tmp_path / "profile") as page:
        page.goto(address)
        page.get_by_role("button", name="Contradicted: bridge").click()
        page.locator(".pv-verdict").wait_for()
        page.goto(f"{address}/history")
        tables = page.get_by_test_id("stDataFrame")
        tables.first.wait_for()
        page.locator('[data-test-script-state="notRunning"]').wait_for()
        assert [table.is_visible() for table in tables.all()] == [True, False]
        page.set_viewport_size({"width": 390, "height": 844})
        page.wait_for_timeout(1_000)
        assert [table.is_visible() for table in tables.all()] == [False, True]
        narrow = tables.nth(1)
        heads = [head.inner_text() for head in narrow.locator("canvas th").all()]
        assert heads == ["verdict", "score", "answer"]
        assert narrow.locator(".dvn-scroller").evaluate(CUT) <= 0
        narrow.locator("canvas").first.click(position={"x": 200, "y": 60}, force=True)
        page.wait_for_url("**open=1**")
        page.locator(".pv-figures").wait_for()


def test_the_words_of_a_chart_follow_a_browser_that_turns_dark(tmp_path: Path):
    with served(tmp_path) as address, opened(tmp_path / "profile") as page:
        page.goto(address)
        page.get_by_role("button", name="Contradicted: bridge").click()
        page.locator(".pv-verdict").wait_for()
        words = page.locator(".stPlotlyChart").first.locator("text")
        words.first.wait_for()
        ink = "e => getComputedStyle(e.ownerDocument.querySelector('.stApp')).color"
        # Of the elements that are in the page: a rerun may put others in their place.
        filled = """(dark) => {
            const app = getComputedStyle(document.querySelector('.stApp')).color;
            const chart = document.querySelector('.stPlotlyChart');
            const inks = [...chart.querySelectorAll('text')].map((e) => getComputedStyle(e).fill);
            const ground = chart.querySelector('.annotation rect.bg[style*="fill-opacity: 1"]');
            return inks.length > 0 && inks.every((ink) => ink === app)
                && getComputedStyle(ground).fill === dark;
        }"""
        # What a number that meets the threshold's line stands on.
        ground = page.locator('.stPlotlyChart .annotation rect.bg[style*="fill-opacity: 1"]').first
        was = ground.evaluate("e => getComputedStyle(e).fill")
        assert was == "rgb(255, 255, 255)"
        light = words.first.evaluate(ink)
        page.emulate_media(color_scheme="dark")
        page.wait_for_function(
            f"getComputedStyle(document.querySelector('.stApp')).color !== '{light}'"
        )
        page.wait_for_function(filled, arg="rgb(23, 22, 20)")
