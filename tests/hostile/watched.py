"""A page on which nothing of a text may run, leave its place, or ask another machine."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Dialog, Frame, Page

# What none of our pages has, and each of the texts tries to make.
OUT_OF_PLACE = ", ".join(
    [
        ".pvx", ".PVX", 'a[href^="javascript:" i]', 'form[action^="javascript:" i]', "object",
        "embed", "base", 'meta[http-equiv="refresh" i]', "plaintext", "iframe[srcdoc*=ran]",
        '[src*="away.invalid" i]', '[href*="away.invalid" i]', '[style*="away.invalid" i]',
        '[srcset*="away.invalid" i]', "img[onerror]", "[onload]", "[ontoggle]", "[onfocus]", "x",
    ]
)  # fmt: skip
_LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")
_IDLE = '[data-test-script-state="notRunning"]'


@dataclass
class Watched:
    """``looks``: how often a page was looked at; ``shown``: hostile texts in it then, of which a
    look counts every one; ``requests``: made in all; ``wrong``: what should not have happened."""

    page: Page
    base: str
    looks: int = 0
    shown: int = 0
    requests: int = 0
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", lambda request: self._note(request.url))
        self.page.on("websocket", lambda socket: self._note(socket.url))
        self.page.on("dialog", self._dismiss)
        self.page.on("framenavigated", self._navigated)
        self.page.context.route(
            lambda url: not self._own(url), lambda route: route.abort("blockedbyclient")
        )

    def _own(self, url: str) -> bool:
        own = (self.base, re.sub("^http", "ws", self.base), "data:", "blob:", "about:")
        return url.startswith(own)

    def _note(self, url: str) -> None:
        self.requests += 1
        if not self._own(url):
            self.wrong.append(f"a request to {url[:120]}")

    def _dismiss(self, dialog: Dialog) -> None:
        self.wrong.append(f"a dialog: {dialog.message[:80]}")
        dialog.dismiss()

    def _navigated(self, frame: Frame) -> None:
        if frame.url and not self._own(frame.url):
            self.wrong.append(f"went to {frame.url[:120]}")

    def settle(self) -> None:
        """Wait until the app has drawn the page, and the browser has the code of every element."""
        self.page.wait_for_timeout(300)
        self.page.locator(_IDLE).first.wait_for(state="attached")
        self.page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")
        self.page.wait_for_timeout(300)

    def look(self, where: str) -> None:
        """Note what is wrong with the page as it is now."""
        found = self.page.evaluate(_LOOK, OUT_OF_PLACE)
        self.looks += 1
        self.shown += found["shown"]
        self.wrong += [f"{where}: {each}" for each in found["wrong"]]
        for frame in self.page.frames[1:]:
            if frame.evaluate("window.ran") is not None:
                self.wrong.append(f"{where}: a script of a text ran in a frame")
        for alert in self.page.get_by_test_id("stException").all():
            self.wrong.append(f"{where}: an exception: {alert.inner_text()[:200]}")
