"""What may be audited: clear refusals, and repairs that are said, never silent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from provenance_core.errors import InputError
from provenance_core.types import ContextItem, Notice

MAX_CONTEXT_CHARACTERS = 4_000_000
MAX_ANSWER_CHARACTERS = 100_000
MAX_QUERY_CHARACTERS = 20_000
MAX_PAIRS = 100_000
# Of which few are read: the matrix itself has to fit the memory.
MAX_CELLS = 2_000_000

_UNFIT = re.compile("[\x00\ud800-\udfff]")


def clean_text(text: str, name: str) -> tuple[str, tuple[Notice, ...]]:
    """Replace NUL characters and lone surrogates by U+FFFD, one for one, so that offsets stay, with
    a notice that counts them. Raises InputError where it is no text."""
    if not isinstance(text, str):
        raise InputError(f"The {name} must be text, not {type(text).__name__}.")
    clean, count = _UNFIT.subn("\ufffd", text)
    if not count:
        return text, ()
    return clean, (
        Notice(
            "replaced_characters",
            f"{count} character(s) of the {name} that no text can hold (NUL or half a "
            "surrogate pair) were replaced by \ufffd.",
        ),
    )


def _check_length(text: str, name: str, limit: int) -> None:
    if len(text) > limit:
        raise InputError(
            f"The {name} has {len(text):,} characters; at most {limit:,} can be audited at "
            "once. Shorten it or audit it in parts."
        )


def check_answer(answer: str) -> tuple[str, tuple[Notice, ...]]:
    """Clean an answer and check it. The answer as :func:`clean_text` leaves it, and the notices of
    that. Raises InputError where it is no text, has no letter and no digit, or has over
    ``MAX_ANSWER_CHARACTERS``."""
    clean, notices = clean_text(answer, "answer")
    if not clean.strip("\ufffd \t\r\n\f\v") or not clean.strip():
        raise InputError("The answer is empty. Enter the text that is to be checked.")
    if not re.search(r"\w", clean):
        raise InputError(
            "The answer has no letter and no digit, so there is nothing in it to check."
        )
    _check_length(clean, "answer", MAX_ANSWER_CHARACTERS)
    return clean, notices


def check_query(query: str) -> tuple[str, tuple[Notice, ...]]:
    """Clean a query and check it. The query as :func:`clean_text` leaves it, and the notices of
    that. Raises InputError where it is no text, or has over ``MAX_QUERY_CHARACTERS``."""
    clean, notices = clean_text(query or "", "query")
    _check_length(clean, "query", MAX_QUERY_CHARACTERS)
    return clean, notices


def check_context(
    context: Sequence[str | ContextItem],
) -> tuple[tuple[ContextItem, ...], tuple[Notice, ...]]:
    """Number context items from 0, and clean and check them. An empty item stays, so that numbers
    are the caller's. A notice names it. As many items as were given, and notices. Raises InputError
    where it is one text instead of a list, an item is no text, none has text, or together they have
    over ``MAX_CONTEXT_CHARACTERS``."""
    if isinstance(context, str):
        raise InputError("The context must be a list of texts, one a context item, not one text.")
    if not isinstance(context, Iterable):
        raise InputError(
            "The context must be a list of texts, one a context item, not "
            f"{type(context).__name__}."
        )
    items: list[ContextItem] = []
    notices: list[Notice] = []
    for index, given in enumerate(context):
        item = given if isinstance(given, ContextItem) else ContextItem(index, given)
        text, repaired = clean_text(item.text, f"context item {index + 1}")
        name, mended = clean_text(item.name, f"the name of context item {index + 1}")
        items.append(ContextItem(index, text, name))
        notices += (*repaired, *mended)
    if not any(item.text.strip() for item in items):
        raise InputError("The context is empty. Enter at least one context item with text.")
    check_length_of(items)
    empty = [str(item.index + 1) for item in items if not item.text.strip()]
    if empty:
        notices.append(
            Notice("empty_items", f"Context item(s) without text, not scored: {', '.join(empty)}.")
        )
    return tuple(items), tuple(notices)


def check_length_of(items: Sequence[ContextItem]) -> None:
    """Check that context items are not too long together for one audit. Raises InputError where
    they have over ``MAX_CONTEXT_CHARACTERS``."""
    total = sum(len(item.text) for item in items)
    if total > MAX_CONTEXT_CHARACTERS:
        raise InputError(
            f"The context has {total:,} characters; at most {MAX_CONTEXT_CHARACTERS:,} can be "
            "audited at once. Leave out items that cannot matter, or audit in parts."
        )


def check_pairs(pairs: int) -> None:
    """Check that the matrix of sentences and chunks is not too large for one audit. Raises
    InputError where they are over ``MAX_PAIRS``."""
    if pairs > MAX_PAIRS:
        raise InputError(
            f"This audit would need {pairs:,} chunk-claim pairs; at most {MAX_PAIRS:,} are "
            "scored at once. Shorten the answer or the context, audit in parts, or choose the "
            "detector two-stage: of a long context it reads the chunks nearest to each sentence."
        )


def check_cells(cells: int) -> None:
    """Check that the matrix of a long context, of which few pairs are read, is not too large.
    Raises InputError where there are over ``MAX_CELLS``."""
    if cells > MAX_CELLS:
        raise InputError(
            f"This audit would compare {cells:,} pairs of sentence and chunk; at most "
            f"{MAX_CELLS:,} fit at once. Shorten the answer or the context, or audit in parts."
        )
