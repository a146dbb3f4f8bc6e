"""Uploaded files into a batch run: kept, recognised, mapped, previewed, started."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path, PurePath
from typing import Protocol

import pandas as pd
import streamlit as st

from dashboard.batch.boxes import box_title, page_note
from dashboard.batch.rejected import draw_file_summary, draw_rejected
from dashboard.shared.access import Role, allowed
from dashboard.shared.text_table import text_table
from provenance_core import ContextItem, InputError, Parameters
from provenance_core.files.batch import (
    BatchFile,
    BatchOptions,
    FieldMapping,
    FileShape,
    inspect_batch_file,
    read_batch_file,
    unreadable_rows,
)
from provenance_core.files.batch.entries import FILE_TYPES
from provenance_core.files.batch.summary import FileSummary, summarise
from provenance_core.files.formats._reading import NEEDED
from provenance_core.files.formats.registry import BATCH_FORMATS, COLUMNS
from provenance_core.files.options_named import SHEET
from provenance_core.files.types import RejectedRow
from reports.glossary import tooltip
from reports.listed_audits import LABELS
from reports.tables import shortened
from storage import NewRun, RunStore, StorageError
from storage.runs import LONGEST_NAME, mapping_pairs
from storage.worker.process import start_worker

STARTED = "batch_started"  # in the session, until the run is drawn
_LARGEST_MB = 500
_PREVIEWED = 20
_PREVIEWED_NARROW = 3
_RECORD = 1_000  # characters of a record that is shown to tell its columns by
_RAGTRUTH = "ragtruth"
_TEXTS = (".csv", ".tsv", ".json", ".jsonl", ".txt", ".md", ".gz")
_ENCODINGS = ("", "utf-8", "utf-16", "cp1252", "cp1250", "latin-1", "mac-roman")


class Upload(Protocol):
    """A file as the browser sent it."""

    @property
    def name(self) -> str: ...
    @property
    def file_id(self) -> str: ...
    def getvalue(self) -> bytes: ...


# The answers of the tutorials, with their labels.
_SAMPLE = Path(__file__).parents[2] / "docs" / "tutorials" / "answers.jsonl"


@dataclass(frozen=True, slots=True)
class _Sample:
    """The sample file, as an upload."""

    name: str = "sample-answers.jsonl"
    file_id: str = "sample"

    def getvalue(self) -> bytes:
        return _SAMPLE.read_bytes()


def _draw_sample(key: str) -> None:
    """A file to begin with: read here, or downloaded as a model for one of your own."""
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Try the sample file",
            on_click=st.session_state.__setitem__,
            args=(key, True),
            icon=":material/science:",
            help="20 short answers with query, context and label.",
        )
        st.download_button(
            "Download the sample file",
            lambda: _Sample().getvalue(),
            _Sample().name,
            "application/jsonl",
            icon=":material/download:",
            on_click="ignore",
        )


@dataclass(slots=True, weakref_slot=True, eq=False)
class Uploads:
    """Uploaded files in a folder of their own, which goes when the session forgets this. ``read``:
    how the file was read last, what came of it, and its summary. ``shapes``: what the first records
    of each file say, however it is read. ``unreadable``: the records of a file that cannot be
    read. ``opened``: files of which a note asks for a choice in the mapping."""

    ids: tuple[str, ...]
    folder: str
    paths: tuple[Path, ...]
    read: tuple[object, BatchFile, FileSummary] | None = None
    shapes: dict[tuple[Path, BatchOptions], FileShape] = field(default_factory=dict)
    unreadable: dict[Path, tuple[RejectedRow, ...]] = field(default_factory=dict)
    opened: set[Path] = field(default_factory=set)

    def __post_init__(self) -> None:
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)


def keep_uploads(uploaded: Sequence[Upload]) -> Uploads:
    """The files by their own names in one folder, as a data set of two files needs. InputError when
    two have the same name, or one cannot be kept."""
    names = [PurePath(file.name.replace("\\", "/")).name for file in uploaded]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"Two of the files are called {twice}. Remove or rename one.")
    try:
        folder = tempfile.mkdtemp(prefix="provenance-")
        paths = tuple(Path(folder) / name for name in names)
        kept = Uploads(tuple(file.file_id for file in uploaded), folder, paths)
        for path, file in zip(paths, uploaded, strict=True):
            path.write_bytes(file.getvalue())
    except (OSError, ValueError) as error:
        # Not its whole text, which names the folder.
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(
            f"The upload cannot be kept on the server ({reason}). Rename the file, or upload a "
            "smaller one."
        ) from error
    return kept


def draw_upload(parameters: Parameters, profile: str) -> None:
    """Uploader, format and mapping, preview and the button that starts the run."""
    state = st.session_state
    generation = state.setdefault("batch_generation", 0)
    uploaded: Sequence[Upload] = st.file_uploader(
        "Files with the answers to audit",
        type=[ending.removeprefix(".") for ending in FILE_TYPES],
        accept_multiple_files=True,
        max_upload_size=_LARGEST_MB,
        key=f"batch_files_{generation}",
        help="Each record is one answer with its query and context. RAGTruth needs its two files.",
    )
    sample_key = f"batch_sample_{generation}"
    if not uploaded and state.get(sample_key):
        uploaded = [_Sample()]
    if not uploaded:
        state.pop("batch_uploads", None)
        _draw_sample(sample_key)
        return
    path: Path | None = None
    shape: FileShape | None = None
    try:
        uploads = _current(uploaded)
        path = _chosen_path(uploads, generation)
        how = _how_to_read(path, generation)
        shape = _shape(uploads, path, how)
        if shape.companion:
            raise InputError(
                f"{shape.title} comes in two files: add {shape.companion} to the upload."
            )
        file = _read(uploads, path, shape, how, generation)
    except InputError as error:
        st.error("The file cannot be used. Nothing was started.")
        st.text(page_note(_without_folder(str(error)), path.name if path else ""))
        if path is not None and shape is None:
            _draw_reading(path, (), f"{generation} {path.name}")
        return
    if file is None:
        return
    if uploads.read is not None:
        draw_file_summary(uploads.read[2], path.name)
    if file.rows:
        # Before the rows, which would push the button out of a window.
        _draw_start(file, parameters, profile, generation)
        _draw_preview(file)


def _current(uploaded: Sequence[Upload]) -> Uploads:
    """The uploaded files on disk. They are written again only when the upload has changed."""
    state = st.session_state
    known: Uploads | None = state.get("batch_uploads")
    if known is None or known.ids != tuple(file.file_id for file in uploaded):
        state.pop("batch_uploads", None)
        known = keep_uploads(uploaded)
        state.batch_uploads = known
    return known


def _shape(uploads: Uploads, path: Path, how: BatchOptions) -> FileShape:
    """What the file is, looked at once: some kinds start a process for it."""
    if (path, how) not in uploads.shapes:
        with st.spinner("Reading the file…"):
            uploads.shapes[path, how] = inspect_batch_file(path, how)
    return uploads.shapes[path, how]


def _how_to_read(path: Path, generation: int) -> BatchOptions:
    """The sheet and the encoding that were chosen for a file, below what they are chosen for."""
    state, own = st.session_state, f"{generation} {path.name}"
    return BatchOptions(
        encoding=state.get(f"batch_encoding {own}", ""), sheet=state.get(f"batch_sheet {own}", "")
    )


def _draw_reading(path: Path, sheets: Sequence[str], own: str) -> None:
    """The sheet of a workbook that has several, or the list of a document, and the encoding."""
    if len(sheets) > 1:
        st.selectbox(
            box_title(SHEET, path.name),
            ["", *sheets[1:]],
            format_func=lambda name: name or sheets[0],
            key=f"batch_sheet {own}",
        )
    if path.suffix.lower() in _TEXTS:
        st.selectbox(
            "Encoding",
            _ENCODINGS,
            format_func=lambda name: name or "Automatic",
            key=f"batch_encoding {own}",
            help="Rows that do not fit an encoding chosen here are left out, and listed.",
        )


def _chosen_path(uploads: Uploads, generation: int) -> Path:
    if len(uploads.paths) == 1:
        return uploads.paths[0]
    # By names: an upload of one file more moves all of them to another folder.
    by_name = {path.name: path for path in uploads.paths}
    return by_name[
        st.selectbox(
            "File to audit",
            list(by_name),
            key=f"batch_path_{generation}",
            help="The others are read where the format of this one needs them.",
        )
    ]


def _without_folder(message: str) -> str:
    """Files by the names that they were uploaded with."""
    uploads: Uploads | None = st.session_state.get("batch_uploads")
    return message if uploads is None else message.replace(f"{uploads.folder}/", "")


def _read(
    uploads: Uploads, path: Path, shape: FileShape, how: BatchOptions, generation: int
) -> BatchFile | None:
    """The file as the form says that it is to be read; None, and it is said, while a column that
    every row needs is not chosen."""
    # Another file has other keys: its widgets are its own.
    own = f"{generation} {path.name}"
    # What is wrong with the file comes before what its columns mean.
    problems = st.container()
    unknown = shape.format == COLUMNS.name
    opened = unknown or path in uploads.opened
    with st.expander("Format and mapping", expanded=opened, icon=":material/account_tree:"):
        name = st.selectbox(
            "Format",
            list(BATCH_FORMATS),
            index=list(BATCH_FORMATS).index(shape.format),
            format_func=lambda n: f"{n}: {BATCH_FORMATS[n].title}",
            key=f"batch_format {own}",
            help="Recognised by the keys of the first records.",
        )
        options = _draw_options(own, how) if name == _RAGTRUTH else how
        _draw_reading(path, shape.sheets, own)
        mapping = None
        if not BATCH_FORMATS[name].fixed:
            mapping = _draw_mapping(shape, own)
        else:
            st.caption("This format says itself how its rows are made.")
    if mapping is not None:
        open_fields = [each for each in reversed(NEEDED) if not getattr(mapping, each)]
        if open_fields:
            with problems:
                _draw_unreadable(_unreadable(uploads, path, how), path.stem)
            if len(shape.keys) < len(NEEDED):
                st.warning("Answer and context need a column each.")
                st.text(
                    f"The file has only {', '.join(map(repr, shape.keys)) or 'no key'}. If the "
                    "list of records is under it, save that list alone as a .json file and upload "
                    "that."
                )
                return None
            st.info(f"Choose above which column has the {' and which has the '.join(open_fields)}.")
            _draw_first_record(shape)
            return None
    asked = (path, name, mapping, options)
    if uploads.read is None or uploads.read[0] != asked:
        with st.spinner("Reading the file…"):
            found = read_batch_file(path, name, mapping, options)
            uploads.read = (asked, found, summarise(found))
    file = uploads.read[1]
    if not opened:
        said = uploads.read[2].warnings
        if any(page_note(note, path.name) != note for note in said):
            uploads.opened.add(path)
            st.rerun()
    with problems:
        _draw_unusable(file)
    return file


def _draw_first_record(shape: FileShape) -> None:
    """The record by which a visitor tells its columns."""
    if shape.preview:
        st.caption("The first record of the file:")
        st.text(shortened(shape.preview[0], _RECORD))
    if shape.lists:
        st.warning("A list of records may be inside the first record.")
        st.text(
            f"It is under {' or '.join(map(repr, shape.lists))}. To audit those records, save "
            "that list alone as a .json file and upload that."
        )


def _unreadable(uploads: Uploads, path: Path, how: BatchOptions) -> tuple[RejectedRow, ...]:
    """The records of the file that cannot be read, looked for once."""
    if path not in uploads.unreadable:
        with st.spinner("Reading the file…"):
            uploads.unreadable[path] = unreadable_rows(path, how)
    return uploads.unreadable[path]


def _draw_unreadable(rows: Sequence[RejectedRow], name: str) -> None:
    """The records that cannot be read, and what can be done, of a file whose columns are not
    known yet."""
    if rows:
        st.warning(
            f"{_rows(len(rows))} of this file cannot be read. Fix the file and upload it again, "
            "or choose its columns below to go on with the other rows."
        )
        draw_rejected(rows, name)


def _draw_unusable(file: BatchFile) -> None:
    """The rows that cannot be audited, and what can be done."""
    if not file.rejected:
        return
    can_go_on = f", or start with the {_rows(len(file.rows))} that can be audited"
    st.warning(
        f"{_rows(len(file.rejected))} of this file cannot be audited. Fix the file and upload it "
        f"again{can_go_on if file.rows else ''}."
    )
    draw_rejected(
        [replace(row, reason=_without_folder(row.reason)) for row in file.rejected], file.path.stem
    )


def _rows(count: int) -> str:
    return f"{count:,} row{'' if count == 1 else 's'}"


def _draw_options(own: str, how: BatchOptions) -> BatchOptions:
    return replace(
        how,
        implicit_true=st.checkbox(
            "Spans that are true though the context does not say them count as hallucinated",
            value=True,
            key=f"batch_implicit {own}",
        ),
        due_to_null=st.checkbox(
            "Spans that read a null of the source as a fact count as hallucinated",
            value=True,
            key=f"batch_null {own}",
        ),
    )


def _draw_mapping(shape: FileShape, own: str) -> FieldMapping:
    """Which key holds which field, as guessed until it is changed."""
    guessed = shape.mapping or FieldMapping()
    columns = st.columns(3)
    chosen: dict[str, str] = {}
    for index, each in enumerate(fields(FieldMapping)):
        guess = getattr(guessed, each.name)
        keys = ["", *dict.fromkeys([*shape.keys, *filter(None, [guess])])]
        guess_mark = " (a guess)" if each.name in shape.guessed else ""
        chosen[each.name] = columns[index % 3].selectbox(
            f"{box_title(each.name, '')}{guess_mark}",
            keys,
            index=keys.index(guess),
            format_func=lambda key: key or "(none)",
            key=f"batch_map_{each.name} {own}",
        )
    return FieldMapping(**chosen)


def _titled(item: ContextItem) -> str:
    return f"{item.name}: {item.text}" if item.name else item.text


def _draw_preview(file: BatchFile) -> None:
    """The first rows: a table, or where the window is narrow a block of lines for each of fewer."""
    shown = file.rows[:_PREVIEWED]
    cells: dict[str, list[object]] = {
        str(file.unit): [row.line for row in shown],
        "answer": [shortened(row.answer) for row in shown],
        "query": [shortened(row.query) for row in shown],
        "label": [LABELS[row.label] for row in shown],
        "context items": [len(row.context) for row in shown],
        "context": [shortened(" ⏎ ".join(map(_titled, row.items))) for row in shown],
    }
    with st.container(key="wide_audits_preview"):
        st.dataframe(
            pd.DataFrame(cells),
            hide_index=True,
            placeholder="–",
            alt="The first rows of the file",
            column_config={
                str(file.unit): st.column_config.NumberColumn(width=70),
                "answer": st.column_config.TextColumn(width=320),
                "query": st.column_config.TextColumn(width=220),
                "label": st.column_config.TextColumn(help=tooltip("label of the data set")),
            },
            key="batch_preview",
        )
        if len(file.rows) > len(shown):
            st.caption(f"The first {len(shown)} rows.")
    with st.container(key="narrow_audits_preview"):
        rows = [[str(cell or "–") for cell in row] for row in zip(*cells.values(), strict=True)]
        few = rows[:_PREVIEWED_NARROW]
        st.html(text_table(list(cells), few, first_named=True))
        if len(file.rows) > len(few):
            st.caption(f"The first {len(few)} rows.")


@allowed(Role.REVIEWER, "start a run")
def _create(runs: RunStore, new: NewRun, file: BatchFile) -> int:
    return runs.create(new, file.rows, file.rejected)


def _proposed(stem: str) -> str:
    """A name that no run has, made of the file's; the file's own where the names cannot be read."""
    try:
        taken = {run.name for run in RunStore.open().names()}
    except StorageError:
        return stem
    number = next(n for n in range(1, len(taken) + 2) if _numbered(stem, n) not in taken)
    return _numbered(stem, number)


def _numbered(stem: str, number: int) -> str:
    return stem if number == 1 else f"{stem} {number}"


def _draw_start(file: BatchFile, parameters: Parameters, profile: str, generation: int) -> None:
    name, button = st.columns([4, 1], vertical_alignment="bottom")
    key = f"batch_name {generation} {file.path.name}"
    if key not in st.session_state:
        st.session_state[key] = _proposed(file.path.name.split(".")[0])
    given = name.text_input("Name of the run", max_chars=LONGEST_NAME, key=key)
    st.caption("Detector, profile and parameters are those of the sidebar.")
    without = f" with {_rows(len(file.rows))}" if file.rejected else ""
    if not button.button(
        f"Start{without}",
        type="primary",
        width="stretch",
        icon=":material/play_arrow:",
        key="batch_start",
    ):
        return
    runs = RunStore.open()
    try:
        new = NewRun(
            runs.free_name(given),
            file.path.name,
            file.format,
            mapping_pairs(file.mapping),
            profile,
            parameters,
            summarise(file),
        )
        number = _create(runs, new, file)
    except (InputError, StorageError) as error:
        st.error("The run was not started. The upload is still here.")
        st.text(str(error))
        return
    try:
        start_worker(number)
    except StorageError as error:  # It is queued, with a button that starts it.
        st.session_state.batch_problem = str(error)
    st.session_state.batch_generation = generation + 1
    st.session_state.pop("batch_uploads", None)
    st.session_state[STARTED] = True
    st.query_params["run"] = str(number)
    st.rerun()
