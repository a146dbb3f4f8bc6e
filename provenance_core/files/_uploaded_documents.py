"""Uploaded PDF and Word files as texts."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from provenance_core.errors import InputError
from provenance_core.files._uploaded_text import Piece, Pieces
from provenance_core.files.limits import check_unpacked, file_limits
from provenance_core.types import Notice

if TYPE_CHECKING:
    import pypdf
    from docx.document import Document


def read_pdf(name: str, data: bytes) -> Pieces:
    """Read a PDF, page by page. ``data``: Its bytes. A piece for each page with text, and a notice
    that names the pages without. Raises InputError where it cannot be read, is locked by a
    password, needs a library that is not installed, or no page has text."""
    import pypdf
    import pypdf.errors

    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not _opens_without_password(reader):
            raise InputError(
                f"{name}: the PDF is encrypted. Save a copy without a password and upload that."
            )
        texts = _page_texts(name, reader)
    except (InputError, MemoryError):
        raise
    except pypdf.errors.DependencyError as error:
        raise InputError(
            f"{name}: reading this PDF needs a library that is not installed ({_reason(error)}). "
            "Install all of requirements.txt, or upload a copy saved without encryption."
        ) from error
    except pypdf.errors.LimitReachedError as error:
        raise InputError(
            f"{name}: it unpacks further than a PDF is read ({_reason(error)}). Print it to a new "
            "PDF and upload that."
        ) from error
    # pypdf leaks many kinds of error from damaged files (KeyError, TypeError, struct.error).
    except Exception as error:
        raise InputError(
            f"{name}: this is not a PDF that can be read ({_reason(error)}). Open it in a PDF "
            "viewer, print it to a new PDF and upload that."
        ) from error
    pages = [Piece(text, f"{name}, page {n}") for n, text in enumerate(texts, 1) if text.strip()]
    if not pages:
        raise InputError(
            f"{name}: none of its {len(texts)} page(s) holds text; they may be scanned images. "
            "Run text recognition (OCR) on it first."
        )
    blank = [str(n) for n, text in enumerate(texts, 1) if not text.strip()]
    notices = (
        (Notice("pages_without_text", f"{name}: no text on page(s) {', '.join(blank)}."),)
        if blank
        else ()
    )
    return Pieces(tuple(pages), notices)


def _page_texts(name: str, reader: pypdf.PdfReader) -> list[str]:
    """The text of each page. Pages may share one stream, so that few bytes make much text."""
    texts, size, limits = [], 0, file_limits()
    for page in reader.pages:
        texts.append(page.extract_text())
        size += len(texts[-1])
        check_unpacked(name, size, limits)
    return texts


def _opens_without_password(reader: pypdf.PdfReader) -> bool:
    from pypdf.errors import PyPdfError

    # Files that only forbid printing or copying open with the empty user password.
    try:
        return bool(reader.decrypt(""))
    except (PyPdfError, NotImplementedError):
        return False


def read_docx(name: str, data: bytes) -> Pieces:
    """Read the paragraphs and tables of a Word file, in their order. ``data``: Its bytes. One
    piece. Raises InputError where it is no Word file, is locked by a password, is one of Word 97 to
    2003, or cannot be read."""
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise InputError(
            f"{name}: the file is encrypted, or an old .doc. Save it as .docx without a password "
            "and upload that."
        )
    import docx

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
        check_unpacked(name, unpacked, file_limits())
        text = "\n\n".join(_docx_blocks(docx.Document(io.BytesIO(data))))
    except (InputError, MemoryError):
        raise
    # A damaged package shows itself as BadZipFile, KeyError, or an XML error of lxml.
    except Exception as error:
        raise InputError(
            f"{name}: this is not a Word document that can be read ({_reason(error)}). Open it in "
            "a word processor, save it as .docx and upload that."
        ) from error
    return Pieces((Piece(text, name),))


def _docx_blocks(document: Document) -> Iterator[str]:
    from docx.table import Table

    for block in document.iter_inner_content():
        if isinstance(block, Table):
            yield "\n".join(" | ".join(cell.text for cell in row.cells) for row in block.rows)
        elif block.text.strip():
            yield block.text


def _reason(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:120] or type(error).__name__
