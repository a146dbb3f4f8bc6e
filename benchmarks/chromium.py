"""A page of a new Chromium, the one that is installed on this machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def opened(profile: Path, width: int = 1400, height: int = 1100) -> Iterator[Page]:
    """A page of a new browser, which keeps its files in ``profile``; its window in pixels."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=CHROMIUM,
            headless=True,
            args=list(OPTIONS),
            viewport={"width": width, "height": height},
            accept_downloads=True,
        )
        page = browser.new_page()
        page.set_default_timeout(90_000)
        yield page
        browser.close()
