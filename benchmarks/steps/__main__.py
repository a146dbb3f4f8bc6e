"""``python -m benchmarks.steps``: what it takes a person to get ten tasks done.

    python -m benchmarks.steps [--profile NAME] [--out benchmarks/STEPS.md]

Starts the app on 127.0.0.1 with a database of its own, in which twenty labelled answers are
audited, and does each task in Chromium, in a window of a laptop and in one of a telephone. Prints
clicks, keys, seconds waited and pixels scrolled, and writes them as a page. Ends with status 1 when
a task cannot be done, and says which.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Error as BrowserError

from benchmarks.chromium import CHROMIUM, opened
from benchmarks.machine import machine_lines
from benchmarks.served_app import ROOT, app_environment, served_app
from benchmarks.steps.counted_page import CountedPage, Counts
from benchmarks.steps.table import page_text
from benchmarks.steps.tasks import FIRST, RUN, TASKS, Task, paste_and_audit
from dashboard.audit.examples import SUPPORTED

PAGE = ROOT / "benchmarks" / "STEPS.md"
ANSWERS = ROOT / "docs" / "tutorials" / "answers.jsonl"
WINDOWS = ((1280, 800), (390, 844))
_DATABASE = "app.db"
_LETTERS = "".join(dict.fromkeys(task.title[1] for task in TASKS))
# Another window's audit of the same texts must not find their scores kept.
_NOTHING_KEPT = {"PROVENANCE_PAIR_SCORE_DAYS": "0"}


class TaskFailed(Exception):
    """A task could not be done on a page."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Count, print and write; 1 when a task could not be done."""
    summary, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.steps",
        description=summary,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--profile", default="embedded", help="of the audits (default: embedded)")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page that is written")
    parser.add_argument("--tasks", default=_LETTERS, help="their letters (default: all)")
    options = parser.parse_args(arguments)
    if CHROMIUM is None:
        parser.error("Chromium is not on this machine: install it")
    machine = machine_lines()
    print("\n".join(machine), flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            windows = _counted(Path(scratch), options.profile, options.tasks)
        except TaskFailed as error:
            print(error, file=sys.stderr)
            return 1
    made_on = f"{datetime.now(UTC):%Y-%m-%d}, profile `{options.profile}`."
    text = page_text(
        f"python -m benchmarks.steps --tasks {options.tasks}", made_on, machine, windows
    )
    options.out.write_text(text, encoding="utf-8")
    print(text)
    return 0


def _counted(folder: Path, profile: str, letters: str) -> Mapping[str, Mapping[str, Counts]]:
    """The tasks of these letters in every window, each window with a new server and database."""
    prepared = folder / "prepared"
    prepared.mkdir()
    command = [sys.executable, "-m", "provenance_core", "batch", str(ANSWERS)]
    command += ["--run", RUN, "--profile", profile]
    environment = app_environment(_url(prepared))
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    windows = {}
    for width, height in WINDOWS:
        own = folder / f"{width}"
        shutil.copytree(prepared, own)
        settings = {**_NOTHING_KEPT, "PROVENANCE_PROFILE": profile}
        with (
            served_app(_url(own), own, settings=settings) as app,
            opened(own / "browser", width, height) as browser,
        ):
            browser.context.grant_permissions(["clipboard-read", "clipboard-write"])
            page = CountedPage(browser)
            page.begin(app.base, FIRST)
            paste_and_audit(page, SUPPORTED)  # which loads the models
            tasks = [task for task in TASKS if task.title[1] in letters]
            found = {task.title: _done(task, page, app.base, _url(own)) for task in tasks}
        windows[f"{width} x {height} pixels"] = found
    return windows


def _url(folder: Path) -> str:
    return f"sqlite:///{folder / _DATABASE}"


def _done(task: Task, page: CountedPage, base: str, url: str) -> Counts:
    """What the task took. TaskFailed where it cannot be done."""
    task.before(url)
    try:
        page.begin(base, FIRST)
        task.do(page, base)
    except BrowserError as error:
        raise TaskFailed(f"{task.title} could not be done on {page.page.url}: {error}") from error
    print(f"{task.title}: {page.counts}", flush=True)
    return page.counts


if __name__ == "__main__":
    sys.exit(main())
