"""What pages read of the database and compute of it, kept until the database says otherwise."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from storage import (
    MOST_FOUND,
    AuditFilter,
    AuditPage,
    AuditStore,
    BulkScoreStore,
    ItemFilter,
    ItemStore,
    database_url,
)

_TEXT_CACHES: list[Callable[[], None]] = []


def holding_texts(clear: Callable[[], None]) -> None:
    """Name a cache, by what empties it, that holds texts of audits."""
    if clear not in _TEXT_CACHES:
        _TEXT_CACHES.append(clear)


def forget_texts() -> None:
    """Empty every cache that holds texts of audits: called when one was deleted."""
    for clear in _TEXT_CACHES:
        clear()


def database_key(*parts: object) -> str:
    """A cache key made of the state of the database and of ``parts``, which say what is read.
    Another audit, label or review makes another key. ``parts`` must have a repr that tells them
    apart. StorageError when the database cannot be read."""
    url = database_url()
    return repr((url, BulkScoreStore.open(url).state(), *parts))


def audit_page(chosen: AuditFilter, offset: int, limit: int) -> AuditPage:
    """:meth:`AuditStore.page` with one audit of each answer, where the texts are searched once for
    all of its pages, and the newest ``MOST_FOUND`` that hold a text are listed."""
    if not chosen.text.strip():
        return AuditStore.open().page(chosen, offset, limit, by_answer=True)
    every = _found(database_key(chosen), chosen)
    found = every[:MOST_FOUND]
    rows = AuditStore.open().rows(found[offset : offset + limit])
    return AuditPage(rows, len(found), more=len(every) > len(found))


def item_total(chosen: ItemFilter) -> int:
    """How many items pass. StorageError when they cannot be counted."""
    return _total(database_key(chosen), chosen)


@st.cache_resource(max_entries=8, show_spinner="Searching the texts…")
def _found(key: str, _chosen: AuditFilter) -> tuple[int, ...]:
    return AuditStore.open().numbers(_chosen, by_answer=True, most=MOST_FOUND + 1)


@st.cache_data(max_entries=64, show_spinner="Counting…")
def _total(key: str, _chosen: ItemFilter) -> int:
    return ItemStore.open().page(_chosen, limit=0).total
