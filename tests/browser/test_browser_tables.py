"""The table of a run's rows in a real browser: sorted, a row chosen by pointer and by key."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser_app import ROOT, environment, opened, served

pytestmark = pytest.mark.browser
ANSWERS = ROOT / "docs" / "tutorials" / "answers.jsonl"
ROW = 35  # pixels
SCORE = 365  # pixels from the left: in the column of scores, before the menu of its heading


def test_the_chosen_row_of_a_sorted_table_opens_beside_it(tmp_path: Path):
    with served(tmp_path) as address, opened(tmp_path / "profile", 1280, 800) as page:
        command = [sys.executable, "-m", "provenance_core", "batch", str(ANSWERS), "--run", "r"]
        subprocess.run(command, cwd=ROOT, env=environment(tmp_path), check=True)
        page.goto(f"{address}/batch?run=1")
        table = page.get_by_test_id("stDataFrame").first
        table.wait_for()
        page.locator('[data-test-script-state="notRunning"]').wait_for()
        page.wait_for_timeout(1_000)
        grid = table.locator("canvas").first
        grid.locator("[role=gridcell]").first.wait_for(state="attached")
        assert grid.bounding_box()["y"] + 4 * ROW < 800, "three rows are seen without a scroll"
        # The fourth column, after verdict, answer and flagged, is the score; its cells are right
        # below its heading.
        grid.click(position={"x": SCORE, "y": ROW / 2}, force=True)
        page.wait_for_timeout(2_500)
        assert "open=" not in page.url, "a heading sorts, and opens no row"
        grid.click(position={"x": SCORE, "y": 1.5 * ROW}, force=True)
        page.wait_for_url(re.compile(r"open=\d+"))
        figures = page.locator(".pv-figures")
        figures.wait_for()
        scores = [
            float(row.locator("td").nth(3).inner_text())
            for row in table.locator("canvas tbody tr").all()
        ]
        assert len(scores) > 5 and scores == sorted(scores)
        expect(figures).to_contain_text(f"score {scores[0]:.3f}")
        first = page.url
        page.keyboard.press("ArrowDown")
        expect(figures).to_contain_text(f"score {scores[1]:.3f}")
        page.go_back()
        page.wait_for_url(first)
        page.reload()
        expect(figures).to_contain_text(f"score {scores[0]:.3f}")
        table.hover()
        icons = page.get_by_test_id("stElementToolbarButtonContainer").first.bounding_box()
        export = page.get_by_role("button", name="Export").first.bounding_box()
        assert icons["y"] >= export["y"] + export["height"], "the icons cover no button"
        expect(page.get_by_role("button", name="Fullscreen").first).to_be_visible()
        # Its own download would leave formula signs in their cells.
        expect(page.get_by_role("button", name="Download as CSV")).to_have_count(0)
        page.get_by_role("button", name="Close", exact=True).click()
        expect(figures).to_have_count(0)
        assert "open=" not in page.url
