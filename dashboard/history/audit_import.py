"""The form that brings whole audits back: a full export, or the JSON of one audit."""

from __future__ import annotations

import streamlit as st

from dashboard.history.import_form import draw_import, draw_rejected, keep_problem, keep_result
from dashboard.shared.access import Role, allowed
from provenance_core import InputError
from storage import StorageError
from storage.imports import LEFT_BEHIND, Importer, ImportResult

_LABELS = "Labels that people gave in another tool are imported in the form below."


def draw_audit_import(key: str) -> None:
    """An uploader for files of whole audits, and what came of the last one."""
    with st.expander("Import audits"):
        upload = st.file_uploader(
            "Full export (JSONL), or the JSON of one audit",
            type=["jsonl", "json"],
            key=f"{key}_upload",
        )
        st.caption("The other exports (table, report, labels) do not hold whole audits.")
        draw_import(
            "Import",
            key,
            ready=upload is not None,
            bring_in=_import_upload,
            refused="Not everything was imported.",
            draw_result=_draw_result,
        )


@allowed(Role.ADMIN, "import audits")
def _import_upload(key: str) -> None:
    """Import the uploaded file; why it was not imported is kept for the page."""
    upload = st.session_state[f"{key}_upload"]
    if upload is None:
        return
    try:
        keep_result(key, Importer.open().read_file(upload))
    except InputError as error:
        keep_problem(key, f"{upload.name}: {error} {_LABELS}", "Nothing was imported.")
    except StorageError as error:
        keep_problem(key, error)


def _draw_result(result: ImportResult) -> None:
    if result == ImportResult(0, 0, 0, ()):
        st.warning("The file is empty, so nothing was imported. Choose a full export.")
        return
    st.success(
        f"Imported audits: {result.imported}. Already here: {result.already_there}. New "
        f"judgements: {result.reviews}."
    )
    if result.left_behind:
        st.info(f"{result.left_behind:,} {LEFT_BEHIND}.")
    if result.unlinked:
        st.warning(
            f"Corrected answers without their original: {result.unlinked}. The original's audit "
            "is not in the file, so the two are not linked here."
        )
    if result.rejected:
        st.warning(f"Lines that could not be used: {len(result.rejected)}.")
        draw_rejected(result.rejected)
