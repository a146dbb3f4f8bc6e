"""Pages of a list: which one is shown, and the pager below it.

The pager's key belongs to its list, with filter and order: another list starts at page one. Where a
page no longer exists because rows were deleted, the last one is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

import streamlit as st


class Counted(Protocol):
    """A page of a list that knows the length of the whole."""

    @property
    def total(self) -> int:
        """Rows of the whole list."""


PageT = TypeVar("PageT", bound=Counted)


def page_offset(key: str, total: int, size: int) -> int:
    """How many rows come before the page that the pager ``key`` is at."""
    return (min(_current(key), _pages(total, size)) - 1) * size


def fetched_page(key: str, size: int, fetch: Callable[[int, int], PageT]) -> PageT:
    """The page that the pager ``key`` is at, by ``fetch(offset, limit)``."""
    asked = (_current(key) - 1) * size
    page = fetch(asked, size)
    offset = page_offset(key, page.total, size)
    return page if offset == asked else fetch(offset, size)


def draw_pager(key: str, total: int, size: int) -> None:
    """The pager of a list of ``total`` rows, if they need more than one page."""
    pages = _pages(total, size)
    if pages > 1:
        st.pagination(pages, key=key)


def _current(key: str) -> int:
    return int(st.session_state.get(key, 1))


def _pages(total: int, size: int) -> int:
    return max(1, -(-total // size))
