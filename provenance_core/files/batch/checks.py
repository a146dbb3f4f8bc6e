"""What an audit would refuse, refused when the file is read, and text that can be stored."""

from __future__ import annotations

from dataclasses import replace

from provenance_core.errors import InputError
from provenance_core.files.types import BatchRow, RejectedRow
from provenance_core.text.input_checks import check_answer, check_context, check_query, clean_text

NO_CONTEXT = "no context, so there is nothing to check the answer against"


def checked(row: BatchRow) -> BatchRow:
    """Replace characters that no text can hold, one for one, in a row that can be audited. Raises
    InputError where it has no context or no answer, or a text is too long for an audit."""
    if not any(item.strip() for item in row.texts):
        raise InputError(
            f"{NO_CONTEXT}; give this row at least one text as context, or leave the row out"
        )
    if not row.answer.strip():
        raise InputError("no answer; write the answer that is to be checked, or leave the row out")
    answer, _ = check_answer(row.answer)
    query, _ = check_query(row.query)
    items, _ = check_context(row.context)
    spans = row.spans and tuple(replace(span, kind=clean(span.kind)) for span in row.spans)
    return replace(
        row,
        query=query,
        answer=answer,
        context=tuple(item if item.name else item.text for item in items),
        id=clean(row.id),
        group=clean(row.group),
        subset=clean(row.subset),
        task=clean(row.task),
        source_model=clean(row.source_model),
        spans=spans,
    )


def storable(row: RejectedRow) -> RejectedRow:
    """Replace characters that no text can hold in a row that was rejected."""
    return replace(row, reason=clean(row.reason), raw=clean(row.raw), shown=clean(row.shown))


def clean(text: str) -> str:
    """Replace NUL characters and lone surrogates by U+FFFD. A text of the same length."""
    return clean_text(text, "row")[0]
