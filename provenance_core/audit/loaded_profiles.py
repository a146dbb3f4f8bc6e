"""The profiles in memory: few at a time, the least recently used released for another."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from provenance_core.audit.pipeline import Provenance
from provenance_core.models.catalogue.profiles import default_profile
from provenance_core.models.torch_models.devices import release_memory
from provenance_core.types import Audit, ContextItem, Parameters

CAPACITY = 2
_SAY_EVERY = 1.0  # seconds


@dataclass(slots=True)
class _Slot:
    """A profile in memory, or on its way there. ``busy``: somebody uses or loads it."""

    provenance: Provenance | None = None
    busy: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class _Ticket:
    """A place in the line of those who wait; two of one profile are not the same."""

    profile: str


def _unheard(_before: int = 0) -> None:
    """For callers that need not be told."""


class LoadedProfiles:
    """At most ``capacity`` profiles, each used by one thread at a time, in the order in which they
    ask; share one of these in a process.

    A profile that is in use is never released: who asks for another waits.
    """

    def __init__(
        self, load: Callable[[str], Provenance] = Provenance.load, capacity: int = CAPACITY
    ) -> None:
        self._load = load
        self._capacity = capacity
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
        self._line: list[_Ticket] = []
        self._changed = threading.Condition()

    @property
    def names(self) -> tuple[str, ...]:
        """The profiles in memory, the least recently used first."""
        with self._changed:
            return tuple(self._slots)

    @contextmanager
    def use(
        self,
        profile: str,
        *,
        waiting: Callable[[int], None] = _unheard,
        loading: Callable[[], None] = _unheard,
    ) -> Iterator[Provenance]:
        """Lend the models of a profile to this thread alone until the block ends.

        The models. Raises ModelError They cannot be loaded, as :meth:`Provenance.load` says.
        Nothing of the profile is kept then.
        """
        slot = self._taken(profile, waiting)
        try:
            if slot.provenance is None:
                loading()
                # What was released is given back before more is asked for.
                release_memory()
                slot.provenance = self._load(profile)
            yield slot.provenance
        finally:
            with self._changed:
                slot.busy = False
                if slot.provenance is None:
                    del self._slots[profile]
                self._changed.notify_all()

    def release(self) -> None:
        """Release every profile that is not in use."""
        with self._changed:
            for name in [name for name, slot in self._slots.items() if not slot.busy]:
                del self._slots[name]
            self._changed.notify_all()
        release_memory()

    def _taken(self, profile: str, waiting: Callable[[int], None]) -> _Slot:
        ticket = _Ticket(profile)
        with self._changed:
            self._line.append(ticket)
        try:
            while True:
                with self._changed:
                    before = self._before(ticket)
                    if not before and (slot := self._free_slot(profile)) is not None:
                        return slot
                # Not under the lock: it may take long, or raise.
                waiting(max(before, 1))
                with self._changed:
                    if self._before(ticket) == before:
                        self._changed.wait(_SAY_EVERY)
        finally:
            with self._changed:
                self._line.remove(ticket)
                self._changed.notify_all()

    def _before(self, ticket: _Ticket) -> int:
        """How many threads use the profile of ``ticket``, or wait for it and came earlier."""
        slot = self._slots.get(ticket.profile)
        earlier = self._line[: self._line.index(ticket)]
        waiting = sum(each.profile == ticket.profile for each in earlier)
        return waiting + (slot is not None and slot.busy)

    def _free_slot(self, profile: str) -> _Slot | None:
        """The slot of ``profile``, now busy; None where there is no room for it."""
        slot = self._slots.get(profile)
        if slot is None:
            if self._has_room():
                slot = self._slots[profile] = _Slot()
            return slot
        slot.busy = True
        self._slots.move_to_end(profile)
        return slot

    def _has_room(self) -> bool:
        """Whether one more can be loaded, if need be in place of the least recently used."""
        if len(self._slots) >= self._capacity:
            idle = next((name for name, slot in self._slots.items() if not slot.busy), None)
            if idle is None:
                return False
            del self._slots[idle]
        return True


@cache
def loaded_profiles() -> LoadedProfiles:
    """The profiles in memory, of this process: whatever audits in it asks these.

    One object for the process.
    """
    return LoadedProfiles(lambda profile: Provenance.load(profile))


def audit_with_shared_models(
    *,
    answer: str,
    context: Sequence[str | ContextItem],
    query: str = "",
    parameters: Parameters | None = None,
    profile: str | None = None,
) -> Audit:
    """Audit one answer with the models that this process shares, after the audits before it.

    Evidence, sources, claims, traced sentences, score and verdict. Raises InputError The texts
    cannot be audited; the message says which and how to fix it, and ModelError The models cannot
    be loaded, or the detector not be used.

    Examples
    --------
    >>> audit = audit_with_shared_models(
    ...     answer="The bridge was opened in 1932.",
    ...     context=["The bridge was opened on 19 March 1932."],
    ... )
    >>> str(audit.verdict)
    'supported'
    """
    with loaded_profiles().use(profile or default_profile()) as provenance:
        return provenance.audit(answer=answer, context=context, query=query, parameters=parameters)
