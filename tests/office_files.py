"""PDF and Word files, made by their own libraries."""

from __future__ import annotations

import io

import docx
import pypdf
import pypdf.generic


def pdf(*pages: str, password: str = "", owner: str = "", algorithm: str = "RC4-128") -> bytes:
    """A PDF with a line of Helvetica a page, built from its objects."""
    writer = pypdf.PdfWriter()
    for text in pages:
        page = writer.add_blank_page(300, 300)
        font = pypdf.generic.DictionaryObject(
            {
                pypdf.generic.NameObject("/Type"): pypdf.generic.NameObject("/Font"),
                pypdf.generic.NameObject("/Subtype"): pypdf.generic.NameObject("/Type1"),
                pypdf.generic.NameObject("/BaseFont"): pypdf.generic.NameObject("/Helvetica"),
            }
        )
        fonts = pypdf.generic.DictionaryObject({pypdf.generic.NameObject("/F1"): font})
        page[pypdf.generic.NameObject("/Resources")] = pypdf.generic.DictionaryObject(
            {pypdf.generic.NameObject("/Font"): fonts}
        )
        stream = pypdf.generic.DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode("ascii"))
        page[pypdf.generic.NameObject("/Contents")] = writer._add_object(stream)
    if password or owner:
        writer.encrypt(password, owner or None, algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def word(*paragraphs: str) -> bytes:
    document = docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    table = document.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "left", "right"
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()
