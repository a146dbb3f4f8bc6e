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


@dataclass(slots=True)
class _Slot:
    """A profile in memory, or on its way there. ``busy``: somebody uses or loads it."""

    provenance: Provenance | None = None
    busy: bool = True


def _unheard() -> None:
    """For callers that need not be told."""


class LoadedProfiles:
    """At most ``capacity`` profiles, each used by one thread at a time; share one of these in a
    process.

    A profile that is in use is never released: who asks for another waits.
    """

    def __init__(
        self, load: Callable[[str], Provenance] = Provenance.load, capacity: int = CAPACITY
    ) -> None:
        self._load = load
        self._capacity = capacity
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
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
        waiting: Callable[[], None] = _unheard,
        loading: Callable[[], None] = _unheard,
    ) -> Iterator[Provenance]:
        """The models of ``profile``, for this thread alone until the block ends.

        ``waiting`` is called once before waiting for another thread, ``loading`` before the models
        are loaded. ModelError as :meth:`Provenance.load`; then nothing of the profile is kept.
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

    def _taken(self, profile: str, waiting: Callable[[], None]) -> _Slot:
        told = False
        with self._changed:
            while True:
                slot = self._slots.get(profile)
                if slot is None and self._has_room():
                    slot = self._slots[profile] = _Slot()
                    return slot
                if slot is not None and not slot.busy:
                    slot.busy = True
                    self._slots.move_to_end(profile)
                    return slot
                if not told:
                    waiting()
                    told = True
                self._changed.wait()

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
    """The profiles in memory, of this process: whatever audits in it asks these."""
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

    Parameters
    ----------
    answer : str
        The answer to check.
    context : Sequence[str | ContextItem]
        The context items, each a text of any length.
    query : str, default ""
        The question. Without one the answer takes its place in the relevance score.
    parameters : Parameters | None, default None
        Every setting; None means the default ones of the profile.
    profile : str | None, default None
        Name of a profile; None means the default one.

    Returns
    -------
    Audit
        Evidence, sources, claims, traced sentences, score and verdict.

    Raises
    ------
    InputError
        The texts cannot be audited; the message says which and how to mend it.
    ModelError
        The models cannot be loaded, or the detector not be used.

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
