"""The tasks, as a person does them who knows the pages.

Each begins on the page that the app opens with, or where its title says that it does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Locator, Page

from benchmarks.steps.counted_page import CountedPage
from dashboard.audit.examples import CONTRADICTED, Example
from provenance_core.review.types import JudgedVerdict, Judgement
from storage import ReviewStore

FIRST = "Audit an answer"
REVIEWED = 10
REVIEWER, PRESET = "Ann", "mine"
RUN = "tutorial"
WALKED, SETTLED = 20, 5
_SENT = 2  # the number of an audit with a flagged sentence
_THRESHOLD = "0.6"
_ROW = (150, 70)  # pixels into a table of results: its first row
_DRAWN = 1_000  # milliseconds until a table takes a click
# The scripts of the Review page are there, and take keys.
_KEYS_COUNT = "Boolean(window.provenanceKeys?.keys && window.provenanceMarking?.send)"
_FLAGGED = ".pv-s.contradicted, .pv-s.not_found"


@dataclass(frozen=True, slots=True)
class Task:
    """``title`` says what gets done. ``do`` does it, on a page that shows the app's first page;
    the address is that of the app. ``before`` puts into the database of a URL what others did
    before."""

    title: str
    do: Callable[[CountedPage, str], None]
    before: Callable[[str], None] = lambda url: None


def audit(page: CountedPage, _base: str) -> None:
    """Paste context, query and answer, audit, and read the verdict and why."""
    paste_and_audit(page, CONTRADICTED)
    _read_result(page)


def paste_and_audit(page: CountedPage, example: Example) -> None:
    """Paste the example's texts, and audit them until the verdict is shown."""
    boxes = (
        ("Context, items separated by a blank line", "\n\n".join(example.context)),
        ("Query", example.query),
        ("Answer", example.answer),
    )
    for label, text in boxes:
        page.paste(page.page.get_by_role("textbox", name=label, exact=True), text)
    page.press("Control+Enter")
    page.wait_for(_verdict(page.page))


def review(page: CountedPage, _base: str) -> None:
    """Give a name, and judge ten answers by keys: read each with the evidence in focus, say what
    is right of it, save."""
    name = page.page.get_by_role("textbox", name="Reviewer")
    _go(page, "Review", name)
    page.click(name)
    page.type(REVIEWER)
    page.press("Enter")
    page.wait_for(page.page.get_by_role("button", name="Save & next"))
    page.page.wait_for_function(_KEYS_COUNT)
    for judged in range(1, REVIEWED + 1):
        page.read(page.page.locator(".st-key-review_answer .pv-focus").first)
        page.read(page.page.locator(".st-key-review_chunks .pv-focus").first)
        page.press("1" if judged % 2 else "2")
        chosen = page.page.locator('[data-testid="stBaseButton-primary"]:visible')
        page.wait_for(chosen.filter(has_text="Supported" if judged % 2 else "Hallucinated").first)
        page.press("Control+Enter")
        page.wait_for(page.page.get_by_text(re.compile(rf"\b{judged} of \d+ answers judged")))


def choose_threshold(page: CountedPage, _base: str) -> None:
    """Read the best thresholds of the labelled run, use the first, and make it the one that new
    audits begin with."""
    _go(page, "Thresholds", page.page.get_by_role("heading", name="Presets"))
    page.read(page.page.get_by_role("heading", name="Best thresholds"))
    use = page.page.get_by_role("button", name="Show", exact=True).first
    page.click(use)
    menu = page.page.get_by_role("button", name="Save as a preset")
    name = page.page.get_by_role("textbox", name="Name of the preset")
    page.wait_for(menu)
    page.click(menu)
    page.wait_for(name)
    page.click(name)
    page.type(PRESET)
    page.click(page.page.get_by_text("Make it the default", exact=True).first)
    page.click(page.page.get_by_role("button", name=re.compile("Save threshold")))
    page.wait_for(page.page.get_by_text(re.compile("start with it")))


def send_link(page: CountedPage, base: str) -> None:
    """From an audit: copy its link. The colleague opens it and reads the verdict and why."""
    _open_audit(page, base)
    page.click(page.page.get_by_role("button", name="Copy link"))
    page.wait_for(page.page.get_by_role("button", name="Link copied"))
    link = str(page.page.evaluate("navigator.clipboard.readText()"))
    page.page.goto("about:blank")
    page.open(link, _verdict(page.page))
    _read_result(page)


def send_report(page: CountedPage, base: str) -> None:
    """From an audit: its report as a file, which needs no app."""
    _open_audit(page, base)
    page.click(page.page.get_by_role("button", name="Export"))
    button = page.page.get_by_role("button", name="Download HTML report")
    page.wait_for(button)
    with page.downloading():
        page.click(button)


def give_demo(page: CountedPage, _base: str) -> None:
    """Go through the demonstration: read each step, move its threshold, and end at the form."""
    show = page.page.get_by_role("button", name="Show me")
    page.click(show)
    for title in ("1. A right answer", "2. A wrong number", "3. Its correction"):
        page.wait_for(page.page.get_by_role("heading", name=title))
        page.wait_for(_evidence(page.page))
        page.read(_verdict(page.page))
        page.read(_evidence(page.page))
        page.click(page.page.get_by_role("button", name="Next"))
    slider = page.page.get_by_role("slider", name="Threshold")
    page.wait_for(slider)
    page.drag_to_end(slider)
    page.wait_for(page.page.locator(".pv-verdict.hallucinated"))
    page.read(_verdict(page.page))
    page.click(page.page.get_by_role("button", name="Next"))
    heatmap = page.page.locator(".js-plotly-plot").first
    page.wait_for(heatmap)
    page.read(heatmap)
    page.click(page.page.get_by_role("button", name="Audit your own answer"))
    page.wait_for(show)


def comment(page: CountedPage, base: str) -> None:
    """Write a comment on the answer that is open for review, by keys, and save it."""
    _open_review(page, base)
    page.press("n")
    page.type("see page 2")
    page.press("Escape")
    _judge_by_keys(page)


def mark_span(page: CountedPage, base: str) -> None:
    """Mark two words of the sentence in focus, by keys, and save the judgement."""
    _open_review(page, base)
    page.press("m")
    page.press("Shift+ArrowRight")
    page.press("Enter")
    page.wait_for(page.page.locator("mark.pv-span").first)
    _judge_by_keys(page)


def walk_results(page: CountedPage, base: str) -> None:
    """From the page of a run: open its first row, and go on to the twentieth by the arrow key; of
    each read the verdict."""
    _open_run(page, base)
    table = page.page.locator('[data-testid="stDataFrame"]:visible').first
    page.read(table)
    page.click_at(table.locator("canvas").first, *_ROW)
    for number in range(1, WALKED + 1):
        page.wait_for(page.page.get_by_text(f"{number} of {WALKED}", exact=True))
        page.read(_verdict(page.page))
        if number < WALKED:
            page.press("ArrowRight")


def disagree(url: str) -> None:
    """Have two reviewers disagree about the first answers of the run."""
    reviews = ReviewStore.open(url)
    for number in range(1, SETTLED + 1):
        reviews.save(number, "Bea", Judgement(JudgedVerdict.SUPPORTED))
        reviews.save(number, "Cem", Judgement(JudgedVerdict.HALLUCINATED))


def adjudicate(page: CountedPage, base: str) -> None:
    """Settle the disagreements of a run, one after another, by one key each."""
    page.page.goto(f"{base}/review?runs={RUN}&section=Adjudication")
    page.wait_for(page.page.get_by_text(f"0 of {SETTLED} disagreements settled"))
    page.restart()
    for settled in range(1, SETTLED + 1):
        page.read(page.page.locator(".st-key-review_answer"))
        page.read(page.page.locator(".st-key-review_chunks"))
        page.press("2")
        page.wait_for(page.page.get_by_text(f"{settled} of {SETTLED} disagreements settled"))


def change_threshold(page: CountedPage, base: str) -> None:
    """From the page of a run: give it another threshold, and read what its new verdicts say."""
    _open_run(page, base)
    page.click(page.page.get_by_role("button", name="Another threshold"))
    box = page.page.get_by_role("spinbutton", name="Threshold")
    page.wait_for(box)
    page.click(box)
    page.press("Control+a")
    page.type(_THRESHOLD)
    page.press("Enter")
    page.click(page.page.get_by_role("button", name="Make the run"))
    page.wait_for(page.page.get_by_text(f"under the threshold {_THRESHOLD}"))
    said = page.page.get_by_text("By the labels").first
    page.wait_for(said)
    page.read(said)


TASKS = (
    Task("(a) audit a pasted answer and read why", audit),
    Task("(b) review ten answers", review),
    Task("(c) choose a threshold and apply it", choose_threshold),
    Task("(d) send a colleague the result, who reads it: by link", send_link),
    Task("(d) send a colleague the result: as a report", send_report),
    Task("(e) give the demonstration", give_demo),
    Task("(f) comment on an answer by keys", comment),
    Task("(g) mark a span by keys", mark_span),
    Task("(h) walk twenty results of a run", walk_results),
    Task("(i) adjudicate five disagreements", adjudicate, disagree),
    Task("(j) give a run another threshold", change_threshold),
)


def _go(page: CountedPage, name: str, shown: Locator) -> None:
    """To a page by its link, which a narrow window hides until its menu is opened."""
    link = page.page.get_by_role("link", name=name, exact=True).first
    menu = page.page.get_by_test_id("stExpandSidebarButton")
    hidden = page.has(menu)
    if hidden:
        page.click(menu)
        link.wait_for()
    page.click(link)
    page.wait_for(shown)
    if hidden:
        menu.wait_for()


def _open_audit(page: CountedPage, base: str) -> None:
    """A flagged audit of the run, from which the counting begins."""
    page.page.goto(f"{base}/?audit={_SENT}")
    page.wait_for(_verdict(page.page))
    page.restart()


def _open_review(page: CountedPage, base: str) -> None:
    """The next answer of the run for a reviewer whom the browser knows, from which the counting
    begins."""
    page.page.goto(f"{base}/review?runs={RUN}")
    page.wait_for(page.page.get_by_role("button", name="Save & next"))
    page.page.wait_for_function(_KEYS_COUNT)
    page.restart()


def _judge_by_keys(page: CountedPage) -> None:
    """Call the answer hallucinated, save, and wait until the progress says that it is judged: the
    note that says so is gone after seconds, which a busy machine may need to show the page."""
    judged = page.page.get_by_text(re.compile(r"\d+ of \d+ answers judged"))
    before = judged.inner_text()
    chosen = page.page.locator('[data-testid="stBaseButton-primary"]:visible')
    page.press("2")
    page.wait_for(chosen.filter(has_text="Hallucinated").first)
    page.press("Control+Enter")
    page.wait_for(judged.filter(has_not_text=before))


def _open_run(page: CountedPage, base: str) -> None:
    """The run's page, from which the counting begins."""
    page.page.goto(f"{base}/batch?run=1")
    page.wait_for(page.page.locator('[data-testid="stDataFrame"]:visible canvas').first)
    page.page.wait_for_timeout(_DRAWN)
    page.restart()


def _read_result(page: CountedPage) -> None:
    """The verdict, and of each flagged sentence the evidence, which a click shows where it is not
    on the page."""
    page.read(_verdict(page.page))
    answer = page.page.locator(".pv-answer").first
    flagged = answer.locator(_FLAGGED)
    for number in range(flagged.count()):
        page.read(flagged.nth(number))
        if number:
            page.click(flagged.nth(number))
        page.read(_evidence(page.page))


def _verdict(page: Page) -> Locator:
    return page.locator(".pv-verdict").first


def _evidence(page: Page) -> Locator:
    return page.locator(".pv-e:visible .pv-e-in").first
