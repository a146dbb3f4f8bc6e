"""The menu that takes items away as a file."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import IO

import streamlit as st

from dashboard.shared.filter_clear import draw_no_items, draw_nothing_found
from dashboard.shared.links import page_links
from reports.items_report import MOST_ITEMS, write_items_report
from storage import ItemFilter, ItemStore, Reviewed, RunStore, StorageError
from storage.exports import LABELING_CONFIG, Exporter, ExportFormat, ExportSummary

_REPORT = "html"
_MOST_NAME = 60  # characters of the runs' names in the name of a file
_OTHER_IDS = (
    "An audit whose file gives it no id is called audit-N, where N is its number here. Replace "
    "these ids with those of your traces."
)


@dataclass(frozen=True, slots=True)
class FileKind:
    """A file of exported items. ``name``: of an :class:`ExportFormat`, or of the report.
    ``configuration``: what the tool that reads it has to be told first. ``page``: the page that the
    note names. ``judged``: only items that somebody judged have a place in it."""

    name: str
    title: str
    extension: str
    mime: str
    note: str
    configuration: str = ""
    page: str = ""
    judged: bool = False

    def write(self, chosen: ItemFilter, file: IO[bytes]) -> ExportSummary:
        """Write the items of ``chosen``."""
        if self.name == _REPORT:
            return write_items_report(chosen, file)
        return Exporter.open().write(chosen, ExportFormat(self.name), file)


_JSONL = ("jsonl", "application/jsonl")
_JSON = ("json", "application/json")
KINDS = (
    FileKind(
        ExportFormat.CSV, "Table (CSV)", "csv", "text/csv",
        "One line for each audit, even where several detectors audited the same answer. A text "
        "that a spreadsheet would run as a formula starts with an apostrophe.",
    ),
    FileKind(
        ExportFormat.JSONL, "Full export (JSONL)", *_JSONL,
        "Each whole audit with its judgements. The History page imports it.",
        page="history",
    ),
    FileKind(
        _REPORT, "Report (HTML)", "html", "text/html",
        f"Counts, figures and the first {MOST_ITEMS} items on one page that needs no network.",
    ),
    FileKind(
        ExportFormat.RAGTRUTH, "RAGTruth responses, spans of the machine", *_JSONL,
        "Labels are the spans that the detector found, with their types; a detector without "
        "spans gives the sentences that it finds unsupported.",
    ),
    FileKind(
        ExportFormat.RAGTRUTH_REVIEWERS, "RAGTruth responses, spans of the reviewers", *_JSONL,
        "Labels are what reviewers marked. Answers that nobody judged, or that every reviewer "
        "called “cannot tell”, are left out.",
        judged=True,
    ),
    FileKind(
        ExportFormat.RAGTRUTH_SOURCES, "RAGTruth sources", *_JSONL,
        "Queries and contexts: source_info.jsonl, which goes with either file of responses.",
    ),
    FileKind(
        ExportFormat.LABEL_STUDIO, "Label Studio tasks", *_JSON,
        "Predictions of the machine, annotations of the reviewers. The project needs the labelling "
        "configuration below.",
        LABELING_CONFIG,
    ),
    FileKind(
        ExportFormat.PHOENIX, "Phoenix span annotations", *_JSON,
        f"The body of POST /v1/span_annotations. {_OTHER_IDS}",
    ),
    FileKind(
        ExportFormat.LANGFUSE, "Langfuse scores", *_JSONL,
        f"Each line is the body of POST /api/public/scores. {_OTHER_IDS}",
    ),
)  # fmt: skip


def file_name(kind: FileKind, chosen: ItemFilter) -> str:
    """The name of the file of ``chosen``, with the names of its runs and today's date.
    StorageError when the runs cannot be read."""
    names = {run.id: run.name for run in RunStore.open().names()} if chosen.runs else {}
    said = "-".join(names[run] for run in chosen.runs if run in names)
    # What a file system or a shell would take for something else becomes a hyphen.
    runs = re.sub(r"[^\w.]+", "-", said).strip("-.")[:_MOST_NAME]
    parts = ("provenance", kind.name, runs, date.today().isoformat())
    return f"{'-'.join(filter(None, parts))}.{kind.extension}"


def _named(name: str) -> FileKind:
    return next(kind for kind in KINDS if kind.name == name)


@dataclass(slots=True)
class DownloadOutcome:
    """What became of the last download of a menu; filled while the file is made, after the page
    was drawn, and shown when it is drawn again. ``of``: the format and the filter of that file,
    None before the first."""

    problem: str = ""
    left_out: tuple[str, ...] = ()
    of: tuple[str, ItemFilter] | None = None


def draw_export_menu(chosen: ItemFilter, key: str, total: int) -> None:
    """A popover that offers the ``total`` items of ``chosen`` in each format; a file is made when
    asked for, and none that would be empty. StorageError when the items cannot be read. ``key``:
    unique on the page."""
    outcome: DownloadOutcome = st.session_state.setdefault(f"{key}_outcome", DownloadOutcome())
    # Opening it runs the page again, so that it says what became of the last download.
    with st.popover("Export", icon=":material/download:", key=f"{key}_menu", on_change="rerun"):
        if not total:
            draw_no_items(chosen, f"{key}_export")
            return
        chosen_name = st.selectbox(
            "Format",
            [str(kind.name) for kind in KINDS],
            format_func=lambda name: _named(name).title,
            key=f"{key}_format",
        )
        kind = _named(chosen_name)
        st.caption(kind.note)
        if kind.page:
            page_links(kind.page)
        if kind.judged and not _judged(chosen):
            st.info(
                "Nobody has judged any of these answers yet, so this file would be empty. Judge "
                "some on the Review page, clear the filters, or choose another format."
            )
            page_links("review")
            return
        st.download_button(
            "Download",
            partial(make_file, kind, chosen, outcome),
            file_name=file_name(kind, chosen),
            mime=kind.mime,
            key=f"{key}_download",
            on_click="ignore",
        )
        _draw_outcome(outcome if outcome.of == (kind.name, chosen) else DownloadOutcome())
        if kind.configuration:
            with st.expander("Labelling configuration (XML)"):
                st.code(kind.configuration, language="xml")


def _draw_outcome(outcome: DownloadOutcome) -> None:
    if outcome.problem:
        st.error("The last download could not be made.")
        st.text(outcome.problem)
    if outcome.left_out:
        st.warning("Items were left out of the last download.")
        st.text("\n".join(outcome.left_out))
    else:
        st.caption("If a download fails, open this menu again: it shows why.")


def _judged(chosen: ItemFilter) -> int:
    """How many items of ``chosen`` somebody has judged."""
    if chosen.reviewed is Reviewed.UNREVIEWED:
        return 0
    asked = chosen.reviewed if chosen.reviewed is not Reviewed.ANY else Reviewed.REVIEWED
    return ItemStore.open().page(replace(chosen, reviewed=asked), limit=0).total


def draw_found(
    total: int,
    chosen: ItemFilter,
    key: str,
    what: str = "",
    *,
    more: bool = False,
    beside: Callable[[], None] | None = None,
) -> None:
    """The line above a list: how many ``chosen`` finds, or that it is ``more``, and the menu that
    takes them all away; where it finds none, which filters to clear. ``what``: one of them; rows
    where runs are chosen, which may share audits, else audits. ``beside``: draws what stands with
    the menu. StorageError when the items cannot be read."""
    what = what or ("row" if chosen.runs else "audit")
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        key=f"found_{key}",
    ):
        said = f"{total:,} {what}{'' if total == 1 else 's'}"
        st.caption(f"More than {said}" if more else said, width="content")
        if total:
            with st.container(horizontal=True, width="content", gap="small"):
                if beside is not None:
                    beside()
                draw_export_menu(chosen, key, total)
    if not total:
        draw_nothing_found(chosen, key)


def make_file(kind: FileKind, chosen: ItemFilter, outcome: DownloadOutcome) -> io.RawIOBase:
    """The file, at its beginning, on disk until it is sent; ``outcome`` says what was left out.
    StorageError when the items cannot be read, OSError when the file cannot be written; ``outcome``
    keeps the message for the page."""
    outcome.problem, outcome.left_out, outcome.of = "", (), (kind.name, chosen)
    # Unbuffered, because Streamlit takes no file that is open for reading and writing otherwise.
    file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - Streamlit reads it
    buffered = io.BufferedWriter(file, buffer_size=1 << 20)
    try:
        summary = kind.write(chosen, buffered)
        outcome.left_out = tuple(f"{s.rows} × {s.reason}" for s in summary.left_out)
        if not summary.written:
            raise StorageError(
                "The file would be empty: every item was left out, or was deleted in the meantime."
            )
        buffered.detach()
    except (StorageError, OSError) as error:
        outcome.problem = str(error)
        with suppress(OSError):
            buffered.close()
        raise
    file.seek(0)
    return file
