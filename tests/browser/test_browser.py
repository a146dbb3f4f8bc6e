"""A person in a real browser: audits an example, clicks the heatmap, reloads the link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as NotShown
from playwright.sync_api import expect

from tests.browser_app import opened, served

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # a busy machine is no fault of the page
SCRIPT = "<script>window.ran = 1</script><img src=x onerror='window.ran = 1'>"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("browser")) as base:
        yield base


@pytest.fixture
def page(address: str, tmp_path: Path):
    with opened(tmp_path / "profile") as page:
        yield page


def test_first_visit_by_a_page_s_own_link_gets_the_whole_app(page, address):
    page.goto(f"{address}/history")
    page.get_by_role("heading", name="History").wait_for()
    pages = page.get_by_test_id("stSidebarNavItems")  # the page itself links to Audit too
    for name in ("Audit", "History", "Benchmarks"):
        pages.get_by_role("link", name=name, exact=True).wait_for()
    expect(page.get_by_role("link", name="app", exact=True)).to_have_count(0)
    page.wait_for_url("**/history")


def test_audit_click_and_reload(page, address):
    page.goto(address)
    page.get_by_role("button", name="Contradicted: bridge").click()
    banner = page.locator(".pv-verdict")
    banner.wait_for()
    page.wait_for_url("**/?audit=1")
    verdict = banner.inner_text()
    assert banner.bounding_box()["y"] < 300, "the verdict is at the top"

    # However high the evidence is beside both.
    answer = page.locator(".pv-pair .pv-answer").bounding_box()
    legend = page.locator(".pv-pair .pv-legend").first.bounding_box()
    assert 0 <= legend["y"] - answer["y"] - answer["height"] < 20, "below the answer"

    # A click or an arrow key on a sentence shows its evidence.
    shown = page.locator(".pv-e:visible")
    page.locator("label[for=pv-s0]").click()
    expect(shown).to_contain_text("in the presence of Queen Margrethe II")
    page.keyboard.press("ArrowDown")
    expect(shown).to_contain_text("nearly 8 kilometres")

    # The first sentence against the second chunk: the cell in column 2 of row 1.
    page.get_by_role("tab", name="Heatmap").click()
    cell = page.locator(".js-plotly-plot .scatterlayer .point:visible").nth(1)
    chosen = page.get_by_role("paragraph").filter(has_text="S1 × C2:")
    for _ in range(10):  # the chart may move under the pointer while the tab is drawn
        cell.scroll_into_view_if_needed()
        box = cell.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        try:
            chosen.wait_for(timeout=9_000)
        except NotShown:
            continue
        break
    chosen.wait_for()
    assert "nearly 8 kilometres" in page.locator(".pv-chunk").last.inner_text()

    page.reload()
    banner.wait_for()
    assert banner.inner_text() == verdict
    page.get_by_text("Edit · Query:").click()
    answer = page.get_by_role("textbox", name="Answer", exact=True)
    expect(answer).to_have_value(re.compile("Øresund"), timeout=30_000)

    page.get_by_role("link", name="History").click()
    page.get_by_text("1 answer", exact=True).wait_for()
    grid = page.get_by_test_id("stDataFrame").locator("canvas").first
    grid.locator("[role=gridcell]").first.wait_for(state="attached")
    page.locator('[data-test-script-state="notRunning"]').wait_for()
    page.wait_for_timeout(1_000)
    # The first row, below the headings; a layer for scrolling lies over the canvas.
    grid.click(position={"x": 60, "y": 52}, force=True)
    page.wait_for_url("**/history?open=1")
    page.get_by_role("link", name="Open").click()
    page.wait_for_url("**/?audit=1")
    banner.wait_for()
    assert banner.inner_text() == verdict


def test_the_address_names_the_audit_that_is_shown(page, address):
    page.goto(address)
    page.get_by_role("button", name="Contradicted: bridge").click()
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text(re.compile(r"Audit \d+"))
    first = title.inner_text().split()[-1]
    page.get_by_role("tab", name="Detectors").click()
    page.get_by_role("button", name="Run all detectors").click()
    other = page.get_by_role("link", name="Open NLI matrix")
    other.click()
    expect(title).not_to_have_text(f"Audit {first}")
    second = title.inner_text().split()[-1]
    page.wait_for_url(f"**/?audit={second}")
    page.reload()
    expect(title).to_have_text(f"Audit {second}")
    page.go_back()
    expect(title).to_have_text(f"Audit {first}")
    page.wait_for_url(f"**/?audit={first}")


def test_the_tabs_follow_the_sentence_that_is_chosen_in_the_answer(page, address):
    page.goto(address)
    page.get_by_role("button", name="Contradicted: bridge").click()
    boxes = page.get_by_role("combobox", name="Sentence")
    expect(boxes.first).to_have_value(re.compile("^✗ S2"))
    page.locator("label[for=pv-s2]").click()
    expect(boxes.first).to_have_value(re.compile("^✗ S3 “It carries no railway”"))
    page.keyboard.press("ArrowUp")
    expect(boxes.first).to_have_value(re.compile("^✗ S2"))
    expect(page.locator("#pv-s1")).to_be_focused()
    page.get_by_role("tab", name="Heatmap").click()
    expect(boxes.last).to_have_value(re.compile("^✗ S2"))
    # A cell chosen in the heatmap chooses its sentence in the answer, whatever the threshold.
    cell = page.locator(".js-plotly-plot .scatterlayer .point:visible").nth(0)
    for _ in range(10):  # the chart may move under the pointer while the tab is drawn
        cell.scroll_into_view_if_needed()
        box = cell.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(3_000)
        if page.locator("#pv-s0").is_checked():
            break
    expect(page.locator("#pv-s0")).to_be_checked()
    page.get_by_role("slider", name="Threshold").focus()
    page.keyboard.press("End")
    expect(page.locator(".pv-figures")).to_contain_text("threshold 1.000")
    expect(page.locator("#pv-s0")).to_be_checked()


def test_no_key_on_the_slider_is_lost(page, address):
    page.goto(address)
    page.get_by_role("button", name="Contradicted: bridge").click()
    figures = page.locator(".pv-figures")
    figures.wait_for()
    slider = page.get_by_role("slider", name="Threshold")
    before = float(slider.input_value())
    for delay in (0, 60):  # ms: together, and while the page answers
        slider.focus()
        for _ in range(20):
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(delay)
        before += 0.02
        expect(figures).to_contain_text(f"threshold {before:.3f}")
        page.wait_for_url(f"**threshold={before:.3f}")
        expect(slider).to_be_focused()
    # The moves took the place of each other in the browser's history.
    page.go_back()
    page.wait_for_url(lambda url: "audit=" not in url)
    page.get_by_role("heading", name="Audit an answer").wait_for()


def test_the_settings_survive_a_reload_and_go_along(page, address):
    page.goto(address)
    page.get_by_text("Advanced").click()

    def choose(name: str, option: str) -> None:
        page.get_by_role("combobox", name=name).click()
        page.get_by_role("option", name=option).click()
        page.locator('[data-test-script-state="notRunning"]').wait_for()

    detector = page.get_by_role("combobox", name="Detector")
    choose("Detector", "SummaC")
    slider = page.get_by_role("slider", name="Threshold")
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_url("**/?detector=summac&threshold=1.000")
    page.reload()
    expect(detector).to_have_value("SummaC")
    expect(slider).to_have_value("1")
    # To another page and back by the menu.
    menu = page.get_by_test_id("stSidebarNavItems")
    menu.get_by_role("link", name="Batch", exact=True).click()
    page.wait_for_url("**/batch?detector=summac&threshold=1.000")
    expect(slider).to_have_value("1")
    menu.get_by_role("link", name="Audit", exact=True).click()
    page.wait_for_url(lambda url: "/batch" not in url and "threshold=1.000" in url)
    # An audit that is opened by its link has its own, and the link names what is changed there.
    page.get_by_role("button", name="Contradicted: bridge").click()
    page.wait_for_url("**audit=*")
    audit = page.url
    assert "detector" not in audit
    choose("Detector", "Two-stage")
    page.wait_for_url("**detector=two-stage*")
    page.reload()
    expect(detector).to_have_value("Two-stage")
    page.goto(audit)
    expect(detector).to_have_value("SummaC")


def test_a_threshold_to_look_under_ends_with_the_audit_and_survives_its_reload(page, address):
    page.goto(address)
    page.get_by_role("button", name="Contradicted: bridge").click()
    page.wait_for_url("**audit=*")
    slider = page.get_by_role("slider", name="Threshold")
    own = slider.input_value()
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_url("**threshold=1.000")
    audit = page.url.partition("audit=")[2].partition("&")[0]
    page.reload()
    page.locator(".pv-verdict").wait_for()
    expect(slider).to_have_value("1")
    # The link of somebody who looks at the same audit under another one.
    page.goto(f"{address}/?audit={audit}&threshold=0.250")
    page.locator(".pv-verdict").wait_for()
    expect(slider).to_have_value("0.25")
    page.get_by_role("button", name="New audit").click()
    page.get_by_role("button", name="Show me").wait_for()
    expect(slider).to_have_value(own)
    assert "threshold" not in page.url


def test_what_is_typed_survives_a_reload_and_is_nobody_else_s(page, address):
    page.goto(address)
    names = ("Query", "Context, items separated by a blank line", "Answer")
    typed = {name: f"{name} that is not audited yet." for name in names}
    for name, text in typed.items():
        page.get_by_role("textbox", name=name, exact=True).fill(text)
    assert page.url.rstrip("/") == address.rstrip("/"), "no text is in the address"
    for _ in range(2):
        page.reload()
        for name, text in typed.items():
            expect(page.get_by_role("textbox", name=name, exact=True)).to_have_value(text)
    stranger = page.context.new_page()  # another tab is as far away as another person
    stranger.goto(address)
    answer = stranger.get_by_role("textbox", name="Answer", exact=True)
    answer.wait_for()
    stranger.wait_for_timeout(1_500)
    expect(answer).to_have_value("")
    stranger.close()
    # Once it is audited, the audit has it, and a new form is empty.
    page.get_by_role("textbox", name="Answer", exact=True).press("Control+Enter")
    page.locator(".pv-verdict").wait_for()
    page.get_by_role("button", name="New audit").click()
    # A reload before the address has let go of the audit would open it again.
    page.wait_for_url(lambda url: "audit=" not in url)
    page.get_by_role("heading", name="Audit an answer").wait_for()
    answer = page.get_by_role("textbox", name="Answer", exact=True)
    answer.wait_for()
    page.reload()
    answer.wait_for()
    page.wait_for_timeout(1_500)
    expect(answer).to_have_value("")


def test_a_script_in_the_input_does_not_run(page, address):
    page.goto(address)
    for label in ("Context, items separated by a blank line", "Query", "Answer"):
        field = page.get_by_role("textbox", name=label, exact=True)
        field.fill(f"{label} {SCRIPT} **bold** is 5 metres long.")
        field.press("Tab")
    page.get_by_role("textbox", name="Answer", exact=True).press("Control+Enter")
    page.locator(".pv-verdict").wait_for()
    assert "<script>window.ran = 1</script>" in page.locator(".pv-answer").first.inner_text()
    assert page.locator(".pv-answer b, .pv-answer strong").count() == 0
    page.get_by_role("link", name="History").click()
    page.get_by_role("heading", name="History").wait_for()
    # In the table, which lies on a canvas with cells for screen readers, and in its panel.
    # The cell ends in an ellipsis; the panel has all of the answer.
    cell = page.locator("canvas [role=gridcell]").filter(has_text="<script>window.ran").first
    cell.wait_for(state="attached")
    page.goto(f"{page.url}?open=1")
    page.locator(".pv-answer").wait_for()
    assert page.evaluate("window.ran") is None


def test_audit_can_be_typed_as_an_address(page, address):
    page.goto(f"{address}/audit?demo=1")
    page.wait_for_url("**/audit?demo=1")
    pages = page.get_by_test_id("stSidebarNavItems")
    expect(pages.get_by_role("link", name="Audit", exact=True)).to_have_count(1)
    expect(pages.locator("[aria-current=page]")).to_have_text("Audit")
    expect(page.get_by_text("Page not found")).to_have_count(0)
    page.goto(f"{address}/audit")
    page.get_by_role("button", name="Contradicted: bridge").click()
    verdict = page.locator(".pv-verdict")
    verdict.wait_for()
    page.wait_for_url(re.compile(r"/audit\?audit=\d+$"))
    page.reload()
    verdict.wait_for()
    expect(page.get_by_text("Page not found")).to_have_count(0)
    pages.get_by_role("link", name="History", exact=True).click()
    page.wait_for_url("**/history")
    page.go_back()  # to the audit, and then away from it: no address leads on by itself
    verdict.wait_for()
    page.go_back()
    page.wait_for_url(f"{address}/audit")
