"""Every page with hostile texts in the database, in the address, in the boxes and in uploads."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote, urlencode

import openpyxl
from playwright.sync_api import FilePayload

from dashboard.audit.result import TABS
from provenance_core import Provenance
from reports.audit_report import audit_report
from storage import AuditStore, ReviewStore
from storage.exports import ExportFormat
from tests.browser_app import ROOT, environment, opened, served
from tests.hostile.database import fill, marked, named
from tests.hostile.watched import Watched

_BOX = "textarea:visible, input[type=text]:visible:not([role=combobox])"
# What the address of each page may say.
_ADDRESS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "": ("audit", "demo", "sentence"),
        "batch": ("run", "open", "status"),
        "history": ("text", "open", "verdict"),
        "review": ("audit", "runs", "text", "task", "section"),
        "thresholds": ("runs", "text", "subset", "task", "source_model", "labels_from", "split_by"),
        "compare": ("first", "second", "tab", "match", "text"),
        "benchmarks": ("set",),
        "models": ("profile",),
        "glossary": ("word",),
    }
)


@dataclass(frozen=True, slots=True)
class Seen:
    """One page, report or export. ``looks``: how often it was looked at; ``shown``: hostile texts
    that it then showed; ``requests``: that it made; ``wrong``: what should not have happened."""

    page: str
    looks: int
    shown: int
    requests: int
    wrong: tuple[str, ...]


class Tour:
    """Visits of an app whose database holds ``payloads``, by a browser of its own. ``group``: how
    many of them are shown, typed or uploaded at a time."""

    def __init__(
        self, folder: Path, models: Provenance, payloads: Sequence[str], group: int = 10
    ) -> None:
        self.folder = folder
        self.payloads = payloads
        self.group = group
        self.url = environment(folder)["PROVENANCE_DATABASE_URL"]
        self.groups = fill(self.url, models, payloads, group)

    @contextmanager
    def served(self) -> Iterator[str]:
        """The app with this database."""
        with served(self.folder) as base:
            yield base

    def visit(self, name: str, base: str, profile: Path) -> Seen:
        """Visit the page called ``name``, one of :data:`PAGES`."""
        with opened(profile) as page:
            page.set_viewport_size({"width": 1280, "height": 900})
            watched = Watched(page, base if name in APP_PAGES else "file:")
            PAGES[name](self, watched)
        return Seen(
            name,
            watched.looks,
            watched.shown,
            watched.requests,
            tuple(dict.fromkeys(watched.wrong)),
        )

    def parts(self) -> Iterator[Sequence[str]]:
        """The payloads, a group at a time."""
        for start in range(0, len(self.payloads), self.group):
            yield self.payloads[start : start + self.group]

    def go(self, watched: Watched, place: str, **given: object) -> None:
        """Open a page of the app by its address, and look at it."""
        query = "&".join(f"{key}={quote(str(value))}" for key, value in given.items())
        watched.page.goto(f"{watched.base}/{place}{'?' if query else ''}{query}")
        watched.settle()
        watched.look(f"{place or 'audit'} {', '.join(given)}")

    def asked(self, watched: Watched, place: str) -> None:
        """The page with hostile texts for everything that its address may say."""
        for part in self.parts():
            given = dict.fromkeys(_ADDRESS[place], " ".join(map(marked, part)))
            self.go(watched, place, **given)

    def typed(self, watched: Watched, where: str, texts: Sequence[str]) -> None:
        """The texts typed into every box of the page that is open."""
        for at in range(watched.page.locator(_BOX).count()):
            box = watched.page.locator(_BOX).nth(at)
            if not box.is_visible() or not box.is_editable():
                continue
            most = box.get_attribute("maxlength")
            many = box.evaluate("each => each.tagName") == "TEXTAREA"
            text = "\n\n".join(map(marked, texts)) if many else marked(" ".join(texts[0].split()))
            box.fill(text[: int(most)] if most else text)
            box.press("Tab")
            watched.settle()
        watched.look(f"{where}, typed")


def _audit(tour: Tour, watched: Watched) -> None:
    for number in tour.groups:
        tour.go(watched, "", audit=number)
        for tab in TABS:
            watched.page.get_by_role("tab", name=tab, exact=True).click()
            watched.settle()
            watched.look(tab)
    tour.asked(watched, "")


def _form(tour: Tour, watched: Watched) -> None:
    for part in tour.parts():
        for kinds, read in ((_DAMAGED, _PROBLEM), (_KINDS, ".st-key-box_0")):
            tour.go(watched, "")
            files = [_file(text, kinds[at % len(kinds)], text) for at, text in enumerate(part)]
            watched.page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(files)
            # What is typed before the files are read would stand in boxes that go.
            watched.page.locator(read).first.wait_for()
            watched.settle()
            watched.look("uploads")
        tour.typed(watched, "form", [f"It is red. {text}" for text in part])
        watched.page.get_by_role("textbox", name="Answer", exact=True).press("Control+Enter")
        watched.page.locator(".pv-verdict").wait_for(timeout=300_000)
        watched.settle()
        watched.look("what was typed, audited")


_PROBLEM = "text=The context needs your attention"
_KINDS = ("txt", "csv", "json", "md")
_DAMAGED = ("jsonl",)


def _file(name: str, kind: str, text: str) -> FilePayload:
    said = marked(text)
    content = {
        "csv": f'text\n"{said.replace(chr(34), chr(34) * 2)}"\n',
        "json": json.dumps([{"text": said}]),
        "jsonl": f'{{"{said}": ',
    }.get(kind, said)
    return FilePayload(
        name=_file_name(name, kind),
        mimeType="text/plain",
        buffer=content.encode("utf-8", "replace"),
    )


def _file_name(name: str, kind: str) -> str:
    """``name`` as a system allows it for a file of that kind."""
    clean = "".join(each for each in name if each.isprintable() and each not in "/\\")
    return f"{marked(clean[:80])}.{kind}"


def _history(tour: Tour, watched: Watched) -> None:
    tour.go(watched, "history")
    tour.typed(watched, "history", tour.payloads[:1])
    for number in tour.groups:
        tour.go(watched, "history", open=number)
    watched.page.get_by_role("button", name="Delete").first.click()
    watched.page.get_by_role("dialog").wait_for()
    watched.look("the dialog that deletes")
    tour.asked(watched, "history")


def _batch(tour: Tour, watched: Watched) -> None:
    tour.go(watched, "batch")
    _turn_pages(watched, "runs")
    for number in range(1, len(tour.payloads) + 1, tour.group):
        tour.go(watched, "batch", run=number)
    tour.go(watched, "batch", run=1, open=tour.groups[-1] + 1)
    tour.asked(watched, "batch")


def _turn_pages(watched: Watched, where: str) -> None:
    following = watched.page.get_by_role("button", name="Next", exact=False)
    while following.count() and following.first.is_enabled():
        following.first.click()
        watched.settle()
        watched.look(where)


def _uploads(tour: Tour, watched: Watched) -> None:
    """Batch files with such names, columns, cells and damages."""
    for part in tour.parts():
        for kind in ("jsonl", "csv", "xlsx", "damaged"):
            tour.go(watched, "batch")
            watched.page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(
                _rows_file(part, kind)
            )
            watched.settle()
            watched.page.wait_for_timeout(700)
            watched.settle()
            watched.look(f"an upload of {kind}")
            tour.typed(watched, f"an upload of {kind}", part)


def _rows_file(texts: Sequence[str], kind: str) -> FilePayload:
    head = ["query", "context", "answer", *dict.fromkeys(map(marked, texts))]
    rows = [[marked(text), marked(text), marked(text), *map(marked, texts)] for text in texts]
    if kind == "xlsx":
        book = openpyxl.Workbook()
        for row in [head, *rows]:
            book.active.append(["".join(c for c in cell if c.isprintable()) for cell in row])
        out = io.BytesIO()
        book.save(out)
        data = out.getvalue()
    elif kind == "csv":
        quoted = [['"' + cell.replace('"', '""') + '"' for cell in row] for row in [head, *rows]]
        data = "\n".join(map(",".join, quoted)).encode()
    else:
        lines = [json.dumps(dict(zip(head, row, strict=True))) for row in rows]
        if kind == "damaged":
            lines = [line[: len(line) // 2] if at % 2 else line for at, line in enumerate(lines)]
        data = "\n".join(lines).encode()
    ending = "jsonl" if kind == "damaged" else kind
    return FilePayload(name=_file_name(texts[0], ending), mimeType="text/plain", buffer=data)


def _review(tour: Tour, watched: Watched) -> None:
    tour.go(watched, "review")
    for number, part in zip(tour.groups, tour.parts(), strict=True):
        tour.go(watched, "review", audit=number)
        name = watched.page.get_by_role("textbox", name="Reviewer")
        name.fill(named(number, part[0]))
        name.press("Enter")
        watched.settle()
        watched.look("review of a named person")
        tour.typed(watched, "review", part)
        for button in ("Queue", "Reviewers"):
            watched.page.get_by_role("button", name=button).first.click()
            watched.settle()
            watched.look(button)
            watched.page.keyboard.press("Escape")
    tour.go(watched, "review", section="Agreement")
    tour.asked(watched, "review")


def _thresholds(tour: Tour, watched: Watched) -> None:
    tour.go(watched, "thresholds")
    for part in tour.parts():
        tour.typed(watched, "thresholds", part)
        tour.go(watched, "thresholds")
    tour.asked(watched, "thresholds")


def _compare(tour: Tour, watched: Watched) -> None:
    names = [named(number, text, 120) for number, text in enumerate(tour.payloads)]
    for start in range(0, len(names), tour.group):
        # The table names all of them, the charts the first two.
        chosen = names[start : start + tour.group]
        watched.page.goto(f"{watched.base}/compare?{urlencode({'runs': chosen}, doseq=True)}")
        watched.settle()
        watched.look("runs")
    tour.go(watched, "compare", tab="Candidate answers")
    tour.asked(watched, "compare")


def _models(tour: Tour, watched: Watched) -> None:
    for part in tour.parts():
        tour.go(watched, "models")
        tour.typed(watched, "models", part)
        watched.page.get_by_role("button", name="Add the profile").click()
        watched.settle()
        watched.look("a profile of such names")
    tour.asked(watched, "models")


def _only_asked(place: str) -> Callable[[Tour, Watched], None]:
    def visit(tour: Tour, watched: Watched) -> None:
        tour.go(watched, place)
        tour.asked(watched, place)

    return visit


def _open_file(watched: Watched, file: Path, where: str) -> None:
    watched.page.goto(file.as_uri())
    watched.page.wait_for_timeout(200)
    watched.look(where)


def _reports(tour: Tour, watched: Watched) -> None:
    store, reviews = AuditStore.open(tour.url), ReviewStore.open(tour.url)
    for number in tour.groups:
        file = tour.folder / f"{number}.html"
        file.write_text(
            audit_report(store.load(number).audit, reviews.of(number)), encoding="utf-8"
        )
        _open_file(watched, file, f"report of audit {number}")


def _exports(tour: Tour, watched: Watched) -> None:
    """Each format; what a browser can show is opened."""
    for format in (*ExportFormat, "html"):
        out = tour.folder / f"export-{format}.{'html' if format == 'html' else 'txt'}"
        command = [sys.executable, "-m", "provenance_core", "export", "--format", str(format)]
        subprocess.run(
            [*command, "--out", str(out)],
            cwd=ROOT, env=environment(tour.folder), check=True, timeout=900,
        )  # fmt: skip
        if format == ExportFormat.CSV:
            watched.wrong += formulas(out)
        elif format == "html":
            _open_file(watched, out, "the report of all audits")


def formulas(file: Path) -> list[str]:
    """The cells of a CSV file that a spreadsheet would compute."""
    import csv

    with file.open(encoding="utf-8-sig", newline="") as table:
        cells = [cell for row in csv.reader(table) for cell in row]
    starts = ("=", "+", "@", "\t", "\r", "＝", "－", "＋", "＠")
    return [
        f"a formula: {cell[:60]}"
        for cell in cells
        if cell.startswith(starts) or (cell.startswith("-") and not _number(cell))
    ]


def _number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


APP_PAGES: Mapping[str, Callable[[Tour, Watched], None]] = MappingProxyType(
    {
        "audit": _audit,
        "audit form": _form,
        "history": _history,
        "batch": _batch,
        "batch uploads": _uploads,
        "review": _review,
        "thresholds": _thresholds,
        "compare": _compare,
        "models": _models,
        "benchmarks": _only_asked("benchmarks"),
        "glossary": _only_asked("glossary"),
    }
)
PAGES: Mapping[str, Callable[[Tour, Watched], None]] = MappingProxyType(
    {**APP_PAGES, "reports": _reports, "exports": _exports}
)
