"""The models that the sessions and requests of one process share: one load, one audit at a time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from provenance_core.audit.pipeline import Provenance
from provenance_core.models.catalogue.profiles import default_profile
from provenance_core.models.pair_memory import PairMemory
from provenance_core.models.torch_models.devices import release_memory
from provenance_core.progress import SILENT, Progress
from provenance_core.text.checked_texts import CheckedTexts
from provenance_core.types import Audit, Parameters

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


class SharedModels:
    """At most ``capacity`` profiles, each used by one thread at a time, in the order in which they
    ask; share one of these in a process. A profile that is in use is never released: who asks for
    another waits."""

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
    def use(self, profile: str, progress: Progress = SILENT) -> Iterator[Provenance]:
        """Lend the models of a profile to this thread alone until the block ends. Raises ModelError
        if they cannot be loaded; nothing of the profile is kept then."""
        slot = self._taken(profile, progress)
        try:
            if slot.provenance is None:
                progress.stage("Loading the models")(0.0)
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

    def audit(
        self,
        texts: CheckedTexts,
        profile: str | None = None,
        parameters: Parameters | None = None,
        progress: Progress = SILENT,
        memory: PairMemory | None = None,
    ) -> Audit:
        """Audit one answer after those before it; the store of ``memory`` gets the new scores.
        Raises InputError if the texts make too many pairs, ModelError if the models cannot be
        loaded or the detector cannot be used."""
        memory = PairMemory() if memory is None else memory
        with self.use(profile or default_profile(), progress) as provenance:
            audit = provenance.audit_texts(texts, parameters, progress, memory)
        memory.hand_over()
        return audit

    def release(self) -> None:
        """Release every profile that is not in use."""
        with self._changed:
            for name in [name for name, slot in self._slots.items() if not slot.busy]:
                del self._slots[name]
            self._changed.notify_all()
        release_memory()

    def _taken(self, profile: str, progress: Progress) -> _Slot:
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
                progress.stage(_waiting_text(max(before, 1)))(0.0)
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
def shared_models() -> SharedModels:
    """The models of this process: whatever audits in it asks these."""
    return SharedModels(lambda profile: Provenance.load(profile))


def _waiting_text(before: int) -> str:
    if before == 1:
        return "Waiting: 1 audit is before yours"
    return f"Waiting: {before} audits are before yours"
