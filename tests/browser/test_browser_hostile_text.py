"""Hostile texts on every page, in a real browser: none runs, leaves its place or asks a machine.

The short form of ``python -m benchmarks.reliability payloads``, with ten of the 200.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page

from provenance_core import Provenance
from provenance_core.types import Notice
from reports.audit_report import audit_report
from storage import AuditStore, ReviewStore
from tests.browser_app import CHROMIUM, opened
from tests.hostile.payloads import AWAY, few, payloads
from tests.hostile.tour import PAGES, Tour
from tests.hostile.watched import Watched

pytestmark = pytest.mark.browser
RUN = "<script>window.ran=1</script><img src=x onerror='window.ran=1'>"


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Tour:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    return Tour(tmp_path_factory.mktemp("hostile"), Provenance.load("embedded"), few(10))


@pytest.fixture(scope="module")
def address(tour: Tour) -> Iterator[str]:
    with tour.served() as base:
        yield base


def test_payloads_are_two_hundred() -> None:
    assert len(payloads()) == len(set(payloads())) == 200


@pytest.mark.parametrize("name", PAGES)
def test_no_text_does_anything(tour: Tour, address: str, tmp_path: Path, name: str) -> None:
    seen = tour.visit(name, address, tmp_path / "profile")
    assert seen.looks
    assert seen.shown or name in ("benchmarks", "glossary"), "no text was shown at all"
    assert not seen.wrong, "\n".join(seen.wrong)


WORKING = {
    "an element of a text": "<i class=pvx></i>",
    "a script of a text ran": "<script>window.ran=1</script>",
    "markup of a text": "<strong>pvbold</strong>",
    "mathematics of a text": "<annotation>x</annotation>",
    "a comment of a text": "<!-- ⟦ -->",
    "a face of a text": "<p>\U0001f604</p>",
    "over the edge": "<p style='position:absolute;left:-90px'>⟦x⟧</p>",
    "turns what follows": "<p>⟦\u202eabc⟧ ours</p>",
    "the page is wider": "<p style='width:5000px'>x</p>",
    "a request to http://away.invalid": f"<img src='{AWAY}/a.png'>",
}


@pytest.mark.parametrize("said", WORKING)
def test_what_a_text_does_is_seen(tmp_path: Path, said: str) -> None:
    file = tmp_path / "page.html"
    file.write_text(f"<meta charset=utf-8><body><p>⟦a⟧</p>{WORKING[said]}", encoding="utf-8")
    with opened(tmp_path / "profile") as page:
        watched = Watched(page, "file:")
        page.goto(file.as_uri())
        watched.look("page")
    assert any(said in each for each in watched.wrong), watched.wrong


def test_what_stays_in_its_place_is_not_held_against_it(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    inert = "<p>⟦&lt;b&gt;pvfat \u202e⟧</p><p>⟦\u202eabc\u202c⟧ ours</p><bdi>⟦\u202eabc⟧</bdi> ours"
    file.write_text(f"<meta charset=utf-8><body>{inert}", encoding="utf-8")
    with opened(tmp_path / "profile") as page:
        watched = Watched(page, "file:")
        page.goto(file.as_uri())
        watched.look("page")
    assert (watched.wrong, watched.shown) == ([], 3)


def test_the_policy_of_a_report_holds(tour: Tour, tmp_path: Path) -> None:
    """Even where a text came into a report unescaped, nothing of it would run or be fetched."""
    store, reviews = AuditStore.open(tour.url), ReviewStore.open(tour.url)
    number = tour.groups[0]
    report = audit_report(store.load(number).audit, reviews.of(number))
    attack = f"{RUN}<img src='{AWAY}/x.png'><link rel=stylesheet href='{AWAY}/x.css'>"
    file = tmp_path / "report.html"
    file.write_text(report.replace("</body>", f"{attack}</body>"), encoding="utf-8")
    with opened(tmp_path / "profile") as page:
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        assert ran(page, file) is None
        assert sum("Content Security Policy" in each for each in said) >= 3, said
        bare = re.sub(
            "<meta http-equiv=.Content-Security-Policy[^>]*>", "", file.read_text("utf-8")
        )
        file.write_text(bare, encoding="utf-8")
        assert ran(page, file) == 1, "the attack itself does nothing"


def test_a_long_word_in_a_notice_stays_within_the_report(tour: Tour, tmp_path: Path) -> None:
    """All 200 found it: a name without a space, which only a notice shows."""
    audit = AuditStore.open(tour.url).load(tour.groups[0]).audit
    notice = Notice("empty_items", f"Context item(s) without text: {'x' * 600}.")
    evidence = replace(audit.evidence, notices=(*audit.evidence.notices, notice))
    file = tmp_path / "report.html"
    file.write_text(audit_report(replace(audit, evidence=evidence)), encoding="utf-8")
    with opened(tmp_path / "profile") as page:
        page.goto(file.as_uri())
        wide = "document.documentElement.scrollWidth - window.innerWidth"
        assert page.evaluate(wide) <= 0


def ran(page: Page, file: Path) -> object:
    page.goto(file.as_uri())
    page.wait_for_timeout(1000)
    return page.evaluate("window.ran")
