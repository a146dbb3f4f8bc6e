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

_UNFIT = re.compile("[\x00\ud800-\udfff]")


def clean_text(text: str, name: str) -> tuple[str, tuple[Notice, ...]]:
    """``text`` with NUL characters and lone surrogates replaced by U+FFFD, one for one, so
    that offsets stay; the notice counts them."""
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
    """The answer, cleaned. InputError when it is empty or too long."""
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
    """The query, cleaned; it may be empty (summarisation)."""
    clean, notices = clean_text(query or "", "query")
    _check_length(clean, "query", MAX_QUERY_CHARACTERS)
    return clean, notices


def check_context(
    context: Sequence[str | ContextItem],
) -> tuple[tuple[ContextItem, ...], tuple[Notice, ...]]:
    """Numbers the context items from 0 and cleans them. InputError when none has text.

    An empty item stays, so that numbers are the caller's. A notice names it.
    """
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
        items.append(ContextItem(index, text, item.name))
        notices.extend(repaired)
    if not any(item.text.strip() for item in items):
        raise InputError("The context is empty. Enter at least one context item with text.")
    check_length_of(items)
    empty = [str(item.index + 1) for item in items if not item.text.strip()]
    if empty:
        notices.append(
            Notice("empty_items", f"Context item(s) without text, not scored: {', '.join(empty)}.")
        )
    return tuple(items), tuple(notices)


def check_texts(query: str, answer: str, context: Sequence[str | ContextItem]) -> None:
    """InputError that says of each of the three texts what is wrong with it: whoever left two of
    them empty is told of both."""
    problems = []
    for check in (
        lambda: check_context(context),
        lambda: check_answer(answer),
        lambda: check_query(query),
    ):
        try:
            check()
        except InputError as error:
            problems.append(str(error))
    if problems:
        raise InputError(" ".join(problems))


def check_length_of(items: Sequence[ContextItem]) -> None:
    """InputError when the items are too long together for one audit."""
    total = sum(len(item.text) for item in items)
    if total > MAX_CONTEXT_CHARACTERS:
        raise InputError(
            f"The context has {total:,} characters; at most {MAX_CONTEXT_CHARACTERS:,} can be "
            "audited at once. Leave out items that cannot matter, or audit in parts."
        )


def check_pairs(pairs: int) -> None:
    """InputError when the matrix of sentences and chunks is too large for one audit."""
    if pairs > MAX_PAIRS:
        raise InputError(
            f"This audit would need {pairs:,} chunk-claim pairs; at most {MAX_PAIRS:,} are "
            "scored at once. Shorten the answer or the context, or audit in parts."
        )
