"""A page in a browser that counts what a person does with it.

A click counts one. So does a key, a chord such as Ctrl+Enter, and a paste. Words that are typed
count a key for each letter. Pixels are scrolled, in the page or in a part of it, as few as bring
into view what is read or clicked next. Seconds are waited for the program: from a click or key to
the moment at which the page shows what was asked for and has ended its script. A person's own time
for reading and pointing does not count.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Download, Locator, Page
from playwright.sync_api import TimeoutError as NotShown

# Of an element: how far it, and what is around it, scrolls until it is in view, and where it is
# taller than that, on to its end. Streamlit's header lies over the first 60 pixels.
_SCROLL = """(element) => {
  const around = [];
  for (let each = element; each; each = each.parentElement || each.getRootNode().host) {
    around.push(each);
  }
  const margin = element.style.scrollMarginTop;
  element.style.scrollMarginTop = "64px";
  let pixels = 0;
  const scroll = (block) => {
    const before = around.map((each) => [each.scrollTop, each.scrollLeft]);
    element.scrollIntoView({ block, inline: "nearest", behavior: "instant" });
    around.forEach((each, n) => {
      pixels += Math.abs(each.scrollTop - before[n][0]) + Math.abs(each.scrollLeft - before[n][1]);
    });
  };
  scroll("nearest");
  if (element.getBoundingClientRect().bottom > window.innerHeight + 1) scroll("end");
  element.style.scrollMarginTop = margin;
  return pixels;
}"""
_ENDED = '[data-test-script-state="notRunning"]'


@dataclass(frozen=True, slots=True)
class Counts:
    """Clicks, keys, seconds of waiting and pixels scrolled."""

    clicks: int = 0
    keys: int = 0
    seconds: float = 0.0
    pixels: int = 0


class CountedPage:
    """``page``, with the counts of what is done with it by the methods of this class alone."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.counts = Counts()
        self._acted = time.perf_counter()

    def begin(self, address: str, shown: str) -> None:
        """Open ``address`` and begin to count once the text ``shown`` is on the page."""
        self.page.goto(address)
        self.wait_for(self.page.get_by_text(shown, exact=True).first)
        self.restart()

    def restart(self) -> None:
        """Count from here on."""
        self.counts = Counts()

    def open(self, address: str, shown: Locator) -> None:
        """Click a link to ``address`` elsewhere, as in a mail, and wait until the page shows it."""
        self._act(clicks=1)
        self.page.goto(address)
        self.wait_for(shown)

    def has(self, target: Locator, within: float = 3.0) -> bool:
        """Whether the page shows ``target`` ``within`` so many seconds, which do not count."""
        try:
            target.first.wait_for(timeout=1_000 * within)
        except NotShown:
            return False
        return True

    def click(self, target: Locator) -> None:
        """Scroll to ``target`` and click it."""
        self.read(target)
        self._act(clicks=1)
        target.click()

    def click_at(self, target: Locator, x: int, y: int) -> None:
        """Click a place of ``target``, in pixels from its corner: of a table that is a picture."""
        self._act(clicks=1)
        target.click(position={"x": x, "y": y}, force=True)

    def press(self, key: str) -> None:
        """Press a key or a chord."""
        self._act(keys=1)
        self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        """Type ``text`` where the cursor is."""
        self._act(keys=len(text))
        self.page.keyboard.type(text)

    def drag_to_end(self, slider: Locator) -> None:
        """Drag a slider to its end, which counts as a click."""
        self.read(slider)
        self._act(clicks=1)
        slider.press("End")

    def paste(self, target: Locator, text: str) -> None:
        """Click into a box and paste ``text``, which counts as one key."""
        self.click(target)
        self._act(keys=1)
        self.page.keyboard.insert_text(text)

    def read(self, target: Locator) -> None:
        """Bring ``target`` into view, and scroll on to its end where it is taller than that."""
        self._add(pixels=round(target.evaluate(_SCROLL)))

    def wait_for(self, target: Locator) -> None:
        """Wait until the page shows ``target`` and its script has ended."""
        target.wait_for()
        self.page.locator(_ENDED).wait_for()
        self._add(seconds=time.perf_counter() - self._acted)
        self._acted = time.perf_counter()

    @contextmanager
    def downloading(self) -> Iterator[list[Download]]:
        """Within it a click starts a download; afterwards the list has it."""
        found: list[Download] = []
        with self.page.expect_download() as download:
            yield found
        download.value.path()  # once it is on disk
        found.append(download.value)
        self._add(seconds=time.perf_counter() - self._acted)

    def _act(self, *, clicks: int = 0, keys: int = 0) -> None:
        self._acted = time.perf_counter()
        self._add(clicks=clicks, keys=keys)

    def _add(
        self, *, clicks: int = 0, keys: int = 0, seconds: float = 0.0, pixels: int = 0
    ) -> None:
        now = self.counts
        self.counts = Counts(
            now.clicks + clicks, now.keys + keys, now.seconds + seconds, now.pixels + pixels
        )
