"""axe finds nothing serious on any page, in any dialog or panel, light and dark, on a telephone
too; headings come in their order, and no page scrolls sideways."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from dashboard.demo.view import STEPS
from storage import FittedProfileStore
from tests.browser_app import ROOT, environment, opened, served
from tests.storage.test_fitted_profiles import kept

pytestmark = pytest.mark.browser
ANSWERS = ROOT / "docs" / "tutorials" / "answers.jsonl"
TABS = (
    "How the score came about", "Heatmap", "Sources", "Corrections", "Detectors", "Judgements",
    "Parameters",
)  # fmt: skip
PAGES = (
    "", "batch", "batch?run=1", "batch?run=1&open=2", "history", "history?open=1",
    "thresholds?runs=tutorial", "compare?runs=tutorial&runs=matrix",
    "compare?runs=tutorial&tab=Candidate+answers", "benchmarks", "models", "glossary",
    "review?runs=tutorial", "review?runs=tutorial&section=Agreement",
    *(f"?demo={step + 1}" for step in range(len(STEPS))),
)  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("accessible")
    with served(folder) as base:
        command = [sys.executable, "-m", "provenance_core", "batch", str(ANSWERS)]
        for more in (["--run", "tutorial"], ["--run", "matrix", "--method", "nli-matrix"]):
            subprocess.run([*command, *more], cwd=ROOT, env=environment(folder), check=True)
        kept(FittedProfileStore.open(environment(folder)["PROVENANCE_DATABASE_URL"]))
        yield base


def found(page: Page, where: str) -> list[str]:
    """What axe holds against the page as it is, and still does two seconds later: a button whose
    icon is on its way has no name yet."""
    lines = looked_at(page, where)
    if lines:
        page.wait_for_timeout(2_000)
        lines = [line for line in looked_at(page, where) if line in lines]
    return lines


def looked_at(page: Page, where: str) -> list[str]:
    """What axe holds against the page now."""
    from axe_playwright_python.sync_playwright import Axe

    page.locator('[data-test-script-state="notRunning"]').wait_for()
    page.wait_for_timeout(1_000)
    # Tables scroll by themselves.
    room = page.get_by_test_id("stMain")
    wider = room.evaluate("m => m.scrollWidth - m.clientWidth")
    lines = [f"{where}: the page scrolls sideways by {wider} pixels"] if wider else []
    for each in Axe().run(page).response["violations"]:
        if each["impact"] in ("serious", "critical") or each["id"] == "heading-order":
            nodes = "; ".join(node["html"][:120] for node in each["nodes"][:3])
            lines.append(f"{where}: {each['id']}: {nodes}")
    return lines


def opened_over(page: Page, address: str) -> Iterator[str]:
    """Opens the dialogs and menus, one after the other; what is open."""
    page.goto(f"{address}/history?open=1")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").wait_for()
    yield "the dialog that deletes"
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_role("button", name="Export").click()
    page.get_by_role("button", name="Download", exact=True).wait_for()
    yield "the export menu"
    page.goto(f"{address}/review?runs=tutorial")
    page.get_by_role("button", name="Queue").click()
    page.get_by_text("Judgements wanted").wait_for()
    yield "the queue's settings"


# Colours depend on the scheme and the layout on the width: two walks see both of each.
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing_serious(address: str, tmp_path: Path, scheme: str, width: int):
    against: list[str] = []
    with opened(tmp_path / "profile") as page:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
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
        for where in opened_over(page, address):
            against += found(page, where)
    assert not against, "\n".join(against)


def test_every_page_of_the_menu_is_looked_at(address: str, tmp_path: Path):
    with opened(tmp_path / "profile") as page:
        page.goto(address)
        links = page.get_by_test_id("stSidebarNavLink")
        links.last.wait_for()
        names = [link.get_attribute("href").rstrip("/").split("/")[-1] for link in links.all()]
    assert len(names) > 5
    assert {name for name in names if ":" not in name} <= {
        each.split("?")[0] or "audit" for each in PAGES
    }


def test_what_became_of_a_fitted_profile_is_seen_where_it_was_pressed(address: str, tmp_path: Path):
    with opened(tmp_path / "profile") as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(f"{address}/thresholds?runs=tutorial")
        page.get_by_role("button", name="Use", exact=True).click()
        said = page.get_by_text("Audit and Batch use “")
        said.wait_for()
        page.locator('[data-test-script-state="notRunning"]').wait_for()
        # In what stays in view, however far down the page the button is.
        assert said.evaluate("e => Boolean(e.closest('.st-key-threshold_bar'))")
        box = said.bounding_box()
        assert box is not None and box["y"] > 0 and box["y"] + box["height"] < 800


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_button_under_the_pointer_is_read(address: str, tmp_path: Path, scheme: str):
    with opened(tmp_path / "profile") as page:
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{address}/?demo=1")
        button = page.get_by_role("button", name="Next")
        button.wait_for()
        button.hover()
        assert not found(page, "the demonstration")


def test_on_a_telephone_the_threshold_is_in_the_first_window(address: str, tmp_path: Path):
    with opened(tmp_path / "profile") as page:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{address}/thresholds?runs=tutorial")
        slider = page.locator(".st-key-threshold_bar")
        slider.wait_for()
        page.locator('[data-test-script-state="notRunning"]').wait_for()
        # What stands above it may still take its place.
        page.wait_for_function(
            "document.querySelector('.st-key-threshold_bar').getBoundingClientRect().bottom < 844"
        )


def test_names_of_runs_and_days_are_not_cut(address: str, tmp_path: Path):
    with opened(tmp_path / "profile", 1280, 800) as page:
        page.goto(f"{address}/history")
        day = page.get_by_test_id("stDateInput").first
        day.wait_for()
        page.locator('[data-test-script-state="notRunning"]').wait_for()
        cut = "e => [...e.querySelectorAll('*')].some(c => c.scrollWidth > c.clientWidth + 1 "
        cut += "&& getComputedStyle(c).overflowX != 'visible' && c.clientWidth > 1)"
        assert not day.evaluate(cut)
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{address}/compare?runs=tutorial")
        name = page.get_by_test_id("stMultiSelect").locator("span[title=tutorial]").last
        name.wait_for()
        assert name.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
