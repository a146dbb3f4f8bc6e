"""200 hostile texts in a batch, its reports and exports; 40 in the form: a real browser."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from command_line.audit_text import visible
from provenance_core import Parameters
from provenance_core.review.types import JudgedVerdict, Judgement
from reports.audit_report import audit_report
from storage import AuditStore, PresetEvidence, PresetStore, ReviewStore
from tests.browser_app import CHROMIUM, ROOT, environment, opened, served
from tests.payloads import AWAY, payloads

pytestmark = pytest.mark.browser
EACH = 10
RUN = "<script>window.ran=1</script><img src=x onerror='window.ran=1'>"


def hostile_rows() -> list[dict[str, object]]:
    """Rows in whose every field a text stands."""
    texts = payloads()
    rows = []
    for start in range(0, len(texts), EACH):
        part = texts[start : start + EACH]
        rows.append(
            {
                "query": part[0],
                "context": ["The bridge was opened in 1932.", *part],
                "answer": "The bridge was opened in 1932. " + " It is red. ".join(part),
                "label": start // EACH % 2,
                "id": part[1],
                "group": part[2],
                "subset": part[3],
                "task": part[4],
                "source_model": part[5],
            }
        )
    return rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    folder = tmp_path_factory.mktemp("hostile")
    file = folder / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, hostile_rows())), encoding="utf-8")
    command = [sys.executable, "-m", "provenance_core", "batch", str(file), "--run", RUN]
    subprocess.run(command, cwd=ROOT, env=environment(folder), check=True, timeout=560)
    judge(f"sqlite:///{folder / 'app.db'}")
    return folder


def judge(url: str) -> None:
    """Reviewers, comments and presets whose every name is a text, on the audits of the run."""
    reviews, presets = ReviewStore.open(url), PresetStore.open(url)
    texts = payloads()
    # A report has a row for each sentence of each reviewer: two are enough for one audit.
    for number in range(0, len(texts), EACH // 2):
        text = texts[number]
        comment = "\n".join(texts[number : number + EACH // 2])
        name = " ".join(visible(text).split())[:60]
        judgement = Judgement(JudgedVerdict.HALLUCINATED, comment=comment)
        reviews.save(1 + number // EACH, f"{number} {name}", judgement)
        if number % EACH == 0:
            evidence = PresetEvidence(text, "runs=1", text, 10, 0.5, text, ())
            presets.save(f"{number} {name}", "embedded", Parameters(), evidence, name)


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with served(folder) as base:
        yield base


# What none of our pages has, and each of these texts tries to make.
OUT_OF_PLACE = ", ".join(
    [
        'a[href^="javascript:" i]', 'form[action^="javascript:" i]', "object", "embed", "base",
        'meta[http-equiv="refresh" i]', "plaintext", "iframe[srcdoc*=ran]", '[src*="away.invalid"]',
        '[href*="away.invalid/a.css"]', '[style*="away.invalid"]', '[srcset*="away.invalid"]',
        "img[onerror]", "[onload]", "[ontoggle]", "[onfocus]", "x",
    ]
)  # fmt: skip


class Watched:
    """A page whose every request and dialog is kept."""

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.away: list[str] = []
        self.dialogs: list[str] = []
        own = (base, base.replace("http", "ws"), "data:", "blob:", "file:", "about:")
        page.on("request", lambda r: None if r.url.startswith(own) else self.away.append(r.url))
        page.on("dialog", lambda d: (self.dialogs.append(d.message), d.dismiss()))

    def check(self, where: str) -> None:
        assert self.page.locator(OUT_OF_PLACE).count() == 0, where
        assert self.page.evaluate("window.ran") is None, where
        assert self.away == [], where
        assert self.dialogs == [], where
        for frame in self.page.frames:
            assert frame.evaluate("window.ran") is None, where


def test_payloads_are_two_hundred() -> None:
    assert len(payloads()) == len(set(payloads())) == 200


def test_typed_into_the_form(address: str, tmp_path: Path) -> None:
    with opened(tmp_path / "profile") as page:
        watched = Watched(page, address)
        page.goto(address)
        page.locator("textarea:visible").first.wait_for()
        text = "The bridge is red. " + " ".join(payloads()[:40])
        for box in page.locator("textarea:visible").all():
            box.fill(text)
        page.keyboard.press("Control+Enter")
        page.wait_for_timeout(3000)
        page.locator('[data-test-script-state="notRunning"]').wait_for()
        watched.check("form")


@pytest.mark.parametrize("format", ["html", "csv", "jsonl"])
def test_exports(folder: Path, tmp_path: Path, format: str) -> None:
    out = tmp_path / f"export.{format}"
    command = [sys.executable, "-m", "provenance_core", "export", "--format", format]
    subprocess.run(
        [*command, "--out", str(out)], cwd=ROOT, env=environment(folder), check=True, timeout=300
    )
    if format == "html":
        with opened(tmp_path / "profile") as page:
            watched = Watched(page, "file:")
            page.goto(out.as_uri())
            page.wait_for_timeout(2000)
            watched.check("report")
            assert "default-src 'none'" in page.content()
    if format == "csv":
        import csv

        with out.open(encoding="utf-8-sig", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        starts = ("=", "+", "@", "\t", "\r", "＝")
        assert not [cell for cell in cells if cell.startswith(starts)]


def test_the_policy_of_a_report_holds(
    folder: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Even where a text came into a report unescaped, nothing of it would run or be fetched."""
    url = f"sqlite:///{folder / 'app.db'}"
    store, reviews = AuditStore.open(url), ReviewStore.open(url)
    blocked = 0
    with opened(tmp_path / "profile") as page:
        watched = Watched(page, "file:")
        for number in range(1, len(payloads()) // EACH + 1):
            report = audit_report(store.load(number).audit, reviews.of(number))
            file = tmp_path / f"{number}.html"
            file.write_text(report, encoding="utf-8")
            page.goto(file.as_uri())
            watched.check(f"report {number}")
        attack = f"{RUN}<img src='{AWAY}/x.png'><link rel=stylesheet href='{AWAY}/x.css'>"
        file.write_text(report.replace("</body>", f"{attack}</body>"), encoding="utf-8")
        page.on("console", lambda message: said.append(message.text))
        said: list[str] = []
        page.goto(file.as_uri())
        page.wait_for_timeout(1000)
        assert page.evaluate("window.ran") is None
        blocked = sum("Content Security Policy" in each for each in said)
        assert blocked >= 3, said
        file.write_text(
            re.sub("<meta http-equiv=.Content-Security-Policy[^>]*>", "", file.read_text("utf-8")),
            encoding="utf-8",
        )
        page.goto(file.as_uri())
        page.wait_for_timeout(1000)
        assert page.evaluate("window.ran") == 1, "the attack itself does nothing"
    record_property("reports of one audit", len(payloads()) // EACH)
