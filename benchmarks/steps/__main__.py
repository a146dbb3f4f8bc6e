"""``python -m benchmarks.steps``: what it takes a person to get five tasks done.

    python -m benchmarks.steps [--profile NAME] [--before COMMIT] [--out benchmarks/STEPS.md]

Starts the app on 127.0.0.1 with a database of its own, in which twenty labelled answers are
audited, and does each task in Chromium, in a window of a laptop and in one of a telephone. Prints
clicks, keys, seconds waited and pixels scrolled, and writes them as a page.

``--before`` does the same tasks on the app of an earlier commit too, whose pages must have the
names that the tasks look for; those from c170b5a on have them. A task that its pages have no part
for gets a dash. Ends with status 1 when a task cannot be done, and says which.
"""

from __future__ import annotations

import argparse
import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Error as BrowserError

from benchmarks.chromium import CHROMIUM, opened
from benchmarks.machine import machine_lines
from benchmarks.served_app import ROOT, app_environment, served_app
from benchmarks.steps.counted_page import CountedPage, Counts
from benchmarks.steps.table import Counted, page_text
from benchmarks.steps.tasks import FIRST, TASKS, MissingPart, Task, paste_and_audit
from dashboard.audit.examples import SUPPORTED

PAGE = ROOT / "benchmarks" / "STEPS.md"
ANSWERS = ROOT / "docs" / "tutorials" / "answers.jsonl"
WINDOWS = ((1280, 800), (390, 844))
_DATABASE = "app.db"
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
    parser.add_argument("--before", default="", metavar="COMMIT", help="count there too")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page that is written")
    options = parser.parse_args(arguments)
    if CHROMIUM is None:
        parser.error("Chromium is not on this machine: install it")
    machine = machine_lines()
    print("\n".join(machine), flush=True)
    versions = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        roots = [ROOT]
        if options.before:
            roots.insert(0, _checked_out(options.before, folder / "before"))
        try:
            for number, root in enumerate(roots):
                version = "this one" if root == ROOT else options.before
                made = folder / f"version-{number}"
                versions.append(_counted(version, root, made, options.profile))
        except TaskFailed as error:
            print(error, file=sys.stderr)
            return 1
    command = "python -m benchmarks.steps" + (f" --before {options.before}" * bool(options.before))
    made_on = f"{datetime.now(UTC):%Y-%m-%d}, profile `{options.profile}`."
    text = page_text(command, made_on, machine, versions)
    options.out.write_text(text, encoding="utf-8")
    print(text)
    return 0


def _checked_out(commit: str, folder: Path) -> Path:
    """The files of a commit of this repository, in ``folder``."""
    command = ["git", "archive", "--format=tar", commit]
    archive = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder


def _counted(version: str, root: Path, folder: Path, profile: str) -> Counted:
    """Every task in every window, each window with a new server and database."""
    prepared = folder / "prepared"
    prepared.mkdir(parents=True)
    command = [sys.executable, "-m", "provenance_core", "batch", str(ANSWERS)]
    command += ["--run", "tutorial", "--profile", profile]
    environment = app_environment(_url(prepared), root)
    subprocess.run(command, cwd=root, env=environment, check=True, stdout=subprocess.DEVNULL)
    windows = {}
    for width, height in WINDOWS:
        own = folder / f"{width}"
        shutil.copytree(prepared, own)
        settings = {**_NOTHING_KEPT, "PROVENANCE_PROFILE": profile}
        with (
            served_app(_url(own), own, root=root, settings=settings) as app,
            opened(own / "browser", width, height) as browser,
        ):
            browser.context.grant_permissions(["clipboard-read", "clipboard-write"])
            page = CountedPage(browser)
            page.begin(app.base, FIRST)
            paste_and_audit(page, SUPPORTED)  # which loads the models
            found = {task.title: _done(task, page, app.base) for task in TASKS}
        windows[f"{width} x {height} pixels"] = found
    return Counted(version, windows)


def _url(folder: Path) -> str:
    return f"sqlite:///{folder / _DATABASE}"


def _done(task: Task, page: CountedPage, base: str) -> Counts | None:
    """What the task took; None where the version has no part for it. TaskFailed otherwise."""
    try:
        page.begin(base, FIRST)
        task.do(page, base)
    except MissingPart as missing:
        print(f"{task.title}: {missing}", flush=True)
        return None
    except BrowserError as error:
        raise TaskFailed(f"{task.title} could not be done on {page.page.url}: {error}") from error
    print(f"{task.title}: {page.counts}", flush=True)
    return page.counts


if __name__ == "__main__":
    sys.exit(main())
