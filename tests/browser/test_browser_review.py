"""A reviewer in a real browser: three reviews by keyboard, a threshold, an export."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser_app import CHROMIUM, ROOT, environment, opened, served

pytestmark = pytest.mark.browser
ROWS = [
    ("When was the bridge opened?", "The bridge was opened in 1932.", "In 1932.", 1),
    ("Who built it?", "Dorman Long built the bridge.", "Gustave Eiffel built it.", 0),
    ("How high is it?", "It rises 134 metres above the water.", "It is 500 metres high.", 0),
]
VERDICTS = (("1", "Supported"), ("2", "Hallucinated"), ("3", "Cannot tell"))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app with a run of three answers, which the command has made."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    tmp_path = tmp_path_factory.mktemp("review")
    file = tmp_path / "rows.jsonl"
    with file.open("w", encoding="utf-8") as lines:
        for query, context, answer, label in ROWS:
            row = {"query": query, "context": [context], "answer": answer, "label": label}
            lines.write(json.dumps(row) + "\n")
    command = [sys.executable, "-m", "provenance_core", "batch", str(file), "--run", "three"]
    subprocess.run(command, cwd=ROOT, env=environment(tmp_path), check=True, timeout=300)
    with served(tmp_path) as base:
        yield base


def test_reviews_by_keyboard_a_threshold_and_a_download(address, tmp_path):
    with opened(tmp_path / "profile") as page:
        page.goto(f"{address}/review?runs=three")
        name = page.get_by_role("textbox", name="Reviewer")
        name.focus()
        page.keyboard.type("Ann")
        page.keyboard.press("Enter")
        # Enter leaves the box: the first key is a mark, not a letter of the name.
        page.locator("input:focus").wait_for(state="hidden")
        for judged, (key, chosen) in enumerate(VERDICTS, 1):
            page.get_by_text(f"{judged - 1} of 3 answers judged").wait_for()
            page.locator('[data-test-script-state="notRunning"]').wait_for()
            page.get_by_role("button", name="Save & next").wait_for()
            page.keyboard.press(key)
            # The chosen verdict's button is drawn as the first of all.
            page.locator('[data-testid="stBaseButton-primary"]', has_text=chosen).first.wait_for()
            page.keyboard.press("Control+Enter")
            page.get_by_text(f"{judged} of 3 answers judged").wait_for()
        page.get_by_text("There is nothing left for you to judge").wait_for()

        page.goto(f"{address}/thresholds?runs=three")
        slider = page.locator('input[type=range][aria-label="Threshold"]')
        slider.focus()
        before = float(slider.input_value())
        page.keyboard.press("ArrowRight")
        page.wait_for_url(re.compile("chosen_threshold="))
        assert float(slider.input_value()) > before
        # It stays in view with its counts, also where the window is narrow.
        for width, height in ((1280, 800), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            # Charts change their height while they are drawn.
            page.locator('[data-test-script-state="notRunning"]').wait_for()
            page.wait_for_timeout(1_000)
            page.get_by_test_id("stMain").evaluate("m => m.scrollTo(0, m.scrollHeight)")
            expect(page.get_by_role("heading", name="Presets")).to_be_in_viewport()
            expect(page.locator(".st-key-threshold_bar")).to_be_in_viewport()
            expect(page.get_by_text("Hallucinations missed:")).to_be_in_viewport()
            # Nothing of the page shows above it.
            header = page.get_by_test_id("stHeader")
            below = header.bounding_box()
            bar = page.locator(".st-key-threshold_bar").bounding_box()
            assert below["y"] == 0 and below["height"] >= bar["y"]
            drawn = page.get_by_test_id("stApp").evaluate(
                "a => getComputedStyle(a).backgroundColor"
            )
            expect(header).to_have_css("background-color", drawn)

        page.goto(f"{address}/history")
        page.get_by_role("button", name="Export").click()
        format = page.get_by_role("combobox", name=re.compile("Format"))
        format.click()
        page.get_by_role("option", name="Full export (JSONL)").click()
        page.get_by_text("Each whole audit with its judgements").wait_for()
        page.locator('[data-test-script-state="notRunning"]').wait_for()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    said = {
        row["audit"]["evidence"]["query"]: row["reviews"][0]["judgement"]["verdict"] for row in rows
    }
    assert said.keys() == {query for query, *_ in ROWS}
    assert sorted(said.values()) == ["cannot_tell", "hallucinated", "supported"]
    assert {row["reviews"][0]["reviewer"] for row in rows} == {"Ann"}


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_page_opens_at_its_top_and_fits_the_window(address, tmp_path, width, height):
    with opened(tmp_path / "profile") as page:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{address}/review?audit=1")
        name = page.get_by_role("textbox", name="Reviewer")
        name.fill("Ben")
        name.press("Enter")
        chunks = page.locator(".st-key-review_chunks")
        chunks.wait_for()
        page.locator(".pv-focus").last.wait_for(state="attached")
        page.locator('[data-test-script-state="notRunning"]').wait_for()
        page.wait_for_timeout(1_000)  # what scrolls does so after it was drawn
        main = page.get_by_test_id("stMain")
        scrolled, wide, tall = main.evaluate("m => [m.scrollTop, m.scrollWidth, m.scrollHeight]")
        assert (scrolled, wide) == (0, main.evaluate("m => m.clientWidth"))
        if width == 1280:
            assert tall <= height
            assert page.locator(".st-key-review_answer").bounding_box()["height"] >= height / 2
            assert chunks.bounding_box()["height"] >= height / 2
