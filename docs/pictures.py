"""The pictures of the README and the tutorials: ``python -m docs.pictures``.

Serves the app with a database of its own, drives it in Chromium as the tutorials say, and writes
each picture with a palette, so that it stays small.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Locator, Page

from tests.browser_app import ROOT, environment, opened, served

FOLDER = ROOT / "docs" / "tutorials" / "pictures"
ANSWERS = ROOT / "docs" / "tutorials" / "answers.jsonl"
WIDTH, HEIGHT = 1180, 820
COLOURS = 96


def main() -> int:
    """Take every picture. An element that a page no longer has stops it with a message."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as made:
        folder = Path(made)
        command = [sys.executable, "-m", "provenance_core", "batch", str(ANSWERS)]
        command += ["--run", "tutorial"]
        subprocess.run(command, cwd=ROOT, env=environment(folder), check=True)
        with served(folder) as base, opened(folder / "profile") as page:
            page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
            demonstrate(page, base)
            review(page, base)
            threshold(page, base)
    return 0


def demonstrate(page: Page, base: str) -> None:
    """The Audit page; also the pictures of the README."""
    page.goto(base)
    page.get_by_role("button", name="Contradicted: bridge").wait_for()
    settled(page)
    shot(page, FOLDER / "demonstrate-form.png")
    page.get_by_role("button", name="Contradicted: bridge").click()
    page.locator(".pv-verdict").wait_for()
    settled(page)
    shot(page, FOLDER / "demonstrate-verdict.png")
    page.get_by_role("tab", name="Heatmap").click()
    settled(page)
    cell = page.locator(".js-plotly-plot .scatterlayer .point:visible").nth(2)
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.get_by_role("paragraph").filter(has_text="S1 × C3: support").wait_for()
    settled(page)
    shot(page, FOLDER / "demonstrate-matrix.png", page.get_by_role("tab", name="Heatmap"))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="light" if scheme == "light" else "dark")
        page.reload()
        page.locator(".pv-verdict").wait_for()
        settled(page)
        shot(page, ROOT / "docs" / f"audit-{scheme}.png")
    page.emulate_media(color_scheme="light")


def review(page: Page, base: str) -> None:
    """The run, an answer of its queue, and the agreement after three judgements."""
    page.goto(f"{base}/batch?run=1")
    page.get_by_text("tutorial").first.wait_for()
    settled(page)
    shot(page, FOLDER / "review-run.png")
    page.goto(f"{base}/review?runs=tutorial")
    name = page.get_by_role("textbox", name="Reviewer")
    name.fill("Ann")
    name.press("Enter")
    for judged in range(1, 9):
        page.get_by_text(f"{judged - 1} of 20 answers judged").wait_for()
        settled(page)
        if judged == 1:
            shot(page, FOLDER / "review-answer.png")
        page.get_by_role("button", name="Save & next").wait_for()
        name.blur()
        page.keyboard.press(as_labelled(page))
        page.locator('[data-testid="stBaseButton-primary"]').first.wait_for()
        settled(page)
        page.keyboard.press("Control+Enter")
        page.get_by_text(f"{judged} of 20 answers judged").wait_for()
    page.goto(f"{base}/review?runs=tutorial&section=Agreement")
    page.get_by_role("heading", name="Reviewers against the machine").wait_for()
    settled(page)
    shot(page, FOLDER / "review-agreement.png")


def as_labelled(page: Page) -> str:
    """The key of the verdict that the file's label gives the answer on the page."""
    shown = _letters(page.locator(".pv-query").inner_text())
    shown += _letters(page.locator(".pv-answer").first.inner_text())
    for line in ANSWERS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if _letters(row["query"]) in shown and _letters(row["answer"]) in shown:
            return "1" if row["label"] else "2"
    raise RuntimeError(f"no row of {ANSWERS.name} has the answer that the page shows: {shown}")


def _letters(text: str) -> str:
    """``text`` without white space and punctuation, and without the page's names of sentences."""
    return re.sub(r"\W|S\d+", "", text)


def threshold(page: Page, base: str) -> None:
    """The figures at the threshold, and the curves."""
    page.goto(f"{base}/thresholds?runs=tutorial")
    page.get_by_role("heading", name="Presets").wait_for()
    settled(page)
    shot(page, FOLDER / "threshold-figures.png")
    curves = page.get_by_role("heading", name="Scores by label")
    shot(page, FOLDER / "threshold-curves.png", curves)


def settled(page: Page) -> None:
    """Wait until the page's script has ended and the charts are drawn."""
    page.locator('[data-test-script-state="notRunning"]').wait_for()
    page.wait_for_timeout(1_500)


def shot(page: Page, path: Path, top: Locator | None = None) -> None:
    """The window, scrolled so that ``top`` is at its upper edge."""
    if top is not None:
        top.evaluate("element => element.scrollIntoView({block: 'start'})")
        page.wait_for_timeout(500)
    page.mouse.move(0, 0)  # no help text of a button under the pointer
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    small = picture.quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    sys.exit(main())
