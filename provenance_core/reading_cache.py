"""What was read in a text, kept while an audit asks for it again.

Every claim is held against every text of the context, so an audit asks for each reading many
times. In an audit all readings are kept, however long the context is, and go with the audit.
Besides, a few are kept from one audit to the next: rows of a file often share their context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")
# Texts whose readings outlive an audit, of each kind: memory does not grow with a file's rows.
KEPT = 128

_Readings = dict[object, dict[tuple[Any, ...], Any]]
# Of the audit that runs here; another thread has its own.
_OF_THIS_AUDIT: ContextVar[_Readings | None] = ContextVar("readings", default=None)


@contextmanager
def reading_cache() -> Iterator[None]:
    """Keep in this block all that :func:`cached_per_audit` functions read, until its end.

    A block inside another one adds to the outer one's readings.
    """
    if _OF_THIS_AUDIT.get() is not None:
        yield
        return
    opened = _OF_THIS_AUDIT.set({})
    try:
        yield
    finally:
        _OF_THIS_AUDIT.reset(opened)


def cached_per_audit(read: Callable[_Given, _Found]) -> Callable[_Given, _Found]:
    """Decorate a function so that it reads each text once in a :func:`reading_cache` block.

    The same function; outside such a block, it remembers the last :data:`KEPT` calls.

    Examples
    --------
    >>> read = []
    >>> @cached_per_audit
    ... def length(text: str) -> int:
    ...     read.append(text)
    ...     return len(text)
    >>> texts = [str(number) for number in range(2 * KEPT)]
    >>> with reading_cache():
    ...     twice = [length(text) for text in texts + texts]
    >>> len(twice), len(read)
    (512, 256)
    """
    last: Callable[..., _Found] = lru_cache(maxsize=KEPT)(read)

    @wraps(read)
    def found(*given: _Given.args, **named: _Given.kwargs) -> _Found:
        readings = _OF_THIS_AUDIT.get()
        if readings is None or named:
            return last(*given, **named)
        known = readings.setdefault(found, {})
        try:
            value: _Found = known[given]
        except KeyError:
            value = known[given] = last(*given)
        return value

    return found
