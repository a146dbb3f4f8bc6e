"""The three texts of an audit, checked once before a model is loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from provenance_core.errors import InputError
from provenance_core.text.input_checks import (
    check_answer,
    check_context,
    check_length_of,
    check_query,
)
from provenance_core.text.structured_context import verbalise
from provenance_core.types import ContextItem, Notice, StructuredItem

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class CheckedTexts:
    """The texts of an audit, made by :func:`check_texts`."""

    query: str
    answer: str
    given: tuple[ContextItem, ...]
    items: tuple[ContextItem, ...]  # As they are read: data in them is statements.
    structured: tuple[StructuredItem, ...]
    notices: tuple[Notice, ...]


class WrongTexts(InputError):
    """Texts that cannot be audited. ``problems``: what is wrong, by "context", "answer" and
    "query"."""

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems


def check_texts(
    *, answer: str, context: Sequence[str | ContextItem], query: str = ""
) -> CheckedTexts:
    """Check and clean all three texts.

    Parameters
    ----------
    answer : str
        The answer to check.
    context : Sequence[str | ContextItem]
        The context items, each a text of any length.
    query : str, default ""
        The question.

    Returns
    -------
    CheckedTexts
        The texts as they are audited, with notices of what was repaired.

    Raises
    ------
    WrongTexts
        A text cannot be audited. It is an InputError that says what is wrong with each of them.

    Examples
    --------
    >>> check_texts(answer="It is red.", context=["The car is red."]).answer
    'It is red.'
    """
    problems: dict[str, str] = {}

    def found(name: str, check: Callable[[], _T]) -> _T | None:
        try:
            return check()
        except InputError as error:
            problems[name] = str(error)
            return None

    read_context = found("context", lambda: _context(context))
    read_answer = found("answer", lambda: check_answer(answer))
    read_query = found("query", lambda: check_query(query))
    if read_context is None or read_answer is None or read_query is None:
        raise WrongTexts(problems)
    given, items, structured, notices = read_context
    return CheckedTexts(
        read_query[0],
        read_answer[0],
        given,
        items,
        structured,
        notices + read_answer[1] + read_query[1],
    )


def _context(
    context: Sequence[str | ContextItem],
) -> tuple[
    tuple[ContextItem, ...], tuple[ContextItem, ...], tuple[StructuredItem, ...], tuple[Notice, ...]
]:
    given, notices = check_context(context)
    items, structured, data_notices = verbalise(given)
    check_length_of(items)
    return given, items, structured, notices + data_notices
