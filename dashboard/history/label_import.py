"""The form that brings back what people said of exported answers in other tools."""

from __future__ import annotations

import tempfile
from pathlib import Path, PurePath

import streamlit as st

from dashboard.history.import_form import draw_import, draw_rejected, keep_problem, keep_result
from dashboard.shared.access import Role, allowed
from dashboard.shared.problems import draw_notes
from provenance_core import InputError
from provenance_core.files.returned.reading import FILE_TYPES
from reports.review_wording import label_counts
from storage import RunStore, StorageError
from storage.returned_labels import KeptLabels, import_labels

_ANY = ""


def draw_label_import(key: str) -> None:
    """An uploader for files of Label Studio, Phoenix and Langfuse, and what came of the last."""
    with st.expander("Import labels from Label Studio, Phoenix or Langfuse"):
        st.caption(
            "Judgements that people gave there on answers exported from here become their "
            "reviews. Machine scores do not change, and nothing is imported twice."
        )
        upload = st.file_uploader(
            "Label Studio's export, Phoenix's annotations or Langfuse's scores",
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
        draw_import(
            "Import labels",
            key,
            ready=upload is not None,
            bring_in=_import_upload,
            refused="The labels were not imported.",
            draw_result=_draw_result,
        )


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
                keep_result(key, import_labels(path, run=state[f"{key}_run"]))
            except InputError as error:
                keep_problem(key, str(error).replace(str(path), name))
    except StorageError as error:
        keep_problem(key, error)
    except OSError as error:
        keep_problem(
            key, f"{name} cannot be kept on the server ({error.strerror}). Upload a smaller file."
        )


def _draw_result(kept: KeptLabels) -> None:
    st.success(f"{kept.tool}: {label_counts(kept)}.")
    draw_notes("About this file:", kept.warnings)
    draw_rejected(kept.rejected)
