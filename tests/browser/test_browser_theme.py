"""A browser that turns dark or light while a page is open: the page follows at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser_app import ROOT, environment, opened, served

pytestmark = pytest.mark.browser
ANSWERS = ROOT / "docs" / "tutorials" / "answers.jsonl"
WHITE, BLACK, DARK_INK = "rgb(255, 255, 255)", "rgb(23, 22, 20)", "rgb(6, 34, 44)"
# Grounds of the header and of the bar; the ink of the button in the menu, and of a chosen run.
SEEN = """([ground, ink]) => {
  const of = (chosen, name) => getComputedStyle(document.querySelector(chosen))[name];
  return of("[data-testid=stHeader]", "backgroundColor") === ground
    && of(".st-key-threshold_bar", "backgroundColor") === ground
    && of("[data-testid=stPopoverBody] [data-testid^=stBaseButton-primary] p", "color") === ink
    && of("[data-testid=stMultiSelect] span[title]", "color") === ink;
}"""


def test_the_bar_and_the_buttons_follow_a_browser_that_turns_dark_or_light(tmp_path: Path):
    with served(tmp_path) as address, opened(tmp_path / "profile") as page:
        command = [sys.executable, "-m", "provenance_core", "batch", str(ANSWERS), "--run", "r"]
        subprocess.run(command, cwd=ROOT, env=environment(tmp_path), check=True)
        for first in ("dark", "light"):
            page.emulate_media(color_scheme=first)
            page.goto(f"{address}/thresholds?runs=r")
            save = page.get_by_role("button", name="Save as a preset")
            save.click()
            page.get_by_role("button", name="Save threshold").wait_for()
            for scheme in (first, "light" if first == "dark" else "dark"):
                page.emulate_media(color_scheme=scheme)
                page.wait_for_function(
                    SEEN, arg=[WHITE, WHITE] if scheme == "light" else [BLACK, DARK_INK]
                )


def test_nothing_lies_over_the_form_that_saves_a_preset(tmp_path: Path):
    with served(tmp_path) as address, opened(tmp_path / "profile") as page:
        command = [sys.executable, "-m", "provenance_core", "batch", str(ANSWERS), "--run", "r"]
        subprocess.run(command, cwd=ROOT, env=environment(tmp_path), check=True)
        page.goto(f"{address}/thresholds?runs=r")
        page.get_by_role("button", name="Save as a preset").click()
        form = page.get_by_test_id("stPopoverBody")
        form.get_by_text("with the evidence for them").wait_for()
        page.wait_for_timeout(1_500)  # what a button's own help waits for
        assert page.get_by_role("tooltip").count() == 0


# The ink of most numbers, which stand on cells that say nothing: black on a light page, white on a
# dark one.
INKS = """(ink) => {
  const numbers = [...document.querySelectorAll(".stPlotlyChart .heatmap-label text")];
  return numbers.filter((e) => getComputedStyle(e).fill === ink).length > numbers.length / 2;
}"""


def test_a_heatmap_is_drawn_again_where_the_browser_turns_dark(tmp_path: Path):
    with served(tmp_path) as address, opened(tmp_path / "profile") as page:
        page.goto(address)
        page.get_by_role("button", name="Contradicted: bridge").click()
        page.locator(".pv-verdict").wait_for()
        page.get_by_role("tab", name="Heatmap").click()
        page.wait_for_function(INKS, arg="rgb(0, 0, 0)")
        # The page's own script, which hears of the change, may come after its chart.
        page.locator('[data-test-script-state="notRunning"]').wait_for()
        page.wait_for_timeout(1_000)
        page.emulate_media(color_scheme="dark")
        page.wait_for_function(INKS, arg="rgb(255, 255, 255)")
        chosen = page.get_by_role("tab", name="Heatmap").get_attribute("aria-selected")
        assert chosen == "true", "the page stays as it was"
