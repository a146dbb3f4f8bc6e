"""axe finds nothing serious on any page, light and dark, and headings come in their order."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser_app import ROOT, environment, opened, served

pytestmark = pytest.mark.browser
ANSWERS = ROOT / "docs" / "tutorials" / "answers.jsonl"
TABS = (
    "How the score came about", "Heatmap", "Sources", "Corrections", "Detectors", "Judgements",
    "Parameters",
)  # fmt: skip
PAGES = (
    "", "batch", "batch?run=1", "history", "thresholds?runs=tutorial", "compare", "benchmarks",
    "models", "review?runs=tutorial", "review?runs=tutorial&section=Agreement",
)  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("accessible")
    with served(folder) as base:
        command = [sys.executable, "-m", "provenance_core", "batch", str(ANSWERS)]
        command += ["--run", "tutorial"]
        subprocess.run(command, cwd=ROOT, env=environment(folder), check=True)
        yield base


def found(page: Page, where: str) -> list[str]:
    """What axe holds against the page as it is."""
    from axe_playwright_python.sync_playwright import Axe

    page.locator('[data-test-script-state="notRunning"]').wait_for()
    page.wait_for_timeout(1_000)
    lines = []
    for each in Axe().run(page).response["violations"]:
        if each["impact"] in ("serious", "critical") or each["id"] == "heading-order":
            nodes = "; ".join(node["html"][:120] for node in each["nodes"][:3])
            lines.append(f"{where}: {each['id']}: {nodes}")
    return lines


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(address: str, tmp_path: Path, scheme: str):
    against: list[str] = []
    with opened(tmp_path / "profile") as page:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(f"{address}/review?runs=tutorial")
        name = page.get_by_role("textbox", name="Reviewer")
        name.fill("Ann")
        name.press("Enter")
        page.get_by_role("button", name="Save & next").wait_for()
        for where in PAGES:
            page.goto(f"{address}/{where}")
            page.locator("h1").first.wait_for(state="attached")
            against += found(page, where or "audit")
        page.goto(f"{address}/?audit=1")
        page.locator(".pv-verdict").wait_for()
        against += found(page, "a saved audit")
        for tab in TABS:
            page.get_by_role("tab", name=tab).click()
            against += found(page, tab)
    assert not against, "\n".join(against)
