"""The form that brings back what people said of exported answers in other tools."""

from __future__ import annotations

import tempfile
from pathlib import Path, PurePath

import streamlit as st

from dashboard.shared.access import Role, allowed
from dashboard.shared.text_table import text_table
from provenance_core import InputError
from provenance_core.files.returned.reading import FILE_TYPES
from reports.review_wording import label_counts
from reports.tables import shortened
from storage import RunStore, StorageError
from storage.returned_labels import KeptLabels, import_labels

_ANY = ""
_SHOWN = 100


def draw_label_import(key: str) -> None:
    """An uploader for files of Label Studio, Phoenix and Langfuse, and what came of the last."""
    with st.expander("Import labels from Label Studio, Phoenix or Langfuse"):
        st.caption(
            "What people said there of answers that were exported here becomes their reviews. The "
            "machine's scores stay as they are. Nothing is imported twice."
        )
        upload = st.file_uploader(
            "Label Studio's JSON export, Phoenix's annotations or Langfuse's scores",
            type=list(FILE_TYPES),
            key=f"{key}_upload",
        )
        st.selectbox(
            "Run that was exported",
            [_ANY, *_run_names()],
            format_func=lambda name: name or "any",
            key=f"{key}_run",
            help="Needed where rows of several runs have the same id.",
        )
        st.button(
            "Import labels",
            disabled=upload is None,
            key=f"{key}_import",
            on_click=_import_upload,
            args=(key,),
        )
        problem = st.session_state.pop(f"{key}_problem", "")
        if problem:
            st.error("The labels were not imported.")
            st.text(problem)
        kept: KeptLabels | None = st.session_state.pop(f"{key}_result", None)
        if kept is not None:
            _draw_result(kept)


def _run_names() -> list[str]:
    try:
        return [run.name for run in RunStore.open().names()]
    except StorageError:  # The list below says why.
        return []


@allowed(Role.ADMIN, "import labels")
def _import_upload(key: str) -> None:
    """Import the uploaded file; a refusal is kept for the page."""
    state = st.session_state
    upload = state[f"{key}_upload"]
    if upload is None:
        return
    name = PurePath(upload.name.replace("\\", "/")).name
    try:
        with tempfile.TemporaryDirectory(prefix="provenance-") as folder:
            path = Path(folder) / f"labels{PurePath(name).suffix}"
            path.write_bytes(upload.getvalue())
            try:
                state[f"{key}_result"] = import_labels(path, run=state[f"{key}_run"])
            except InputError as error:
                state[f"{key}_problem"] = str(error).replace(str(path), name)
    except StorageError as error:
        state[f"{key}_problem"] = str(error)
    except OSError as error:
        state[f"{key}_problem"] = (
            f"{name} cannot be kept on the server ({error.strerror}). Upload a smaller file."
        )


def _draw_result(kept: KeptLabels) -> None:
    st.success(f"{kept.tool}: {label_counts(kept)}.")
    shown = kept.rejected[:_SHOWN]
    if shown:
        rows = [(f"{row.line:,}", row.reason, shortened(row.raw)) for row in shown]
        st.html(text_table(("Line", "Why it was rejected", "Text"), rows))
    if len(kept.rejected) > len(shown):
        st.caption(f"The first {len(shown)} of {len(kept.rejected):,}.")
