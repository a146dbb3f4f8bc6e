"""What all sessions share: the models (one load a process) and the store."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from provenance_core import Audit, ContextItem, Parameters, Provenance
from provenance_core.mitigation import Suggestion, suggest
from storage import AuditStore, ReviewStore


@dataclass(frozen=True, slots=True)
class SharedModels:
    """Loaded models and the lock behind which they run: one audit at a time a process."""

    provenance: Provenance
    lock: threading.Lock

    def remembering(self) -> SharedModels:
        """The same models behind the same lock, which score no pair twice as long as the object
        lives: for several detectors over one request."""
        return SharedModels(self.provenance.remembering(), self.lock)

    def audit(
        self,
        query: str,
        answer: str,
        context: list[ContextItem],
        parameters: Parameters,
        progress: Callable[[str, float], None],
    ) -> Audit:
        """:meth:`provenance_core.Provenance.audit`, after those before it."""
        if not self.lock.acquire(blocking=False):
            progress("Waiting for another audit", 0.0)
            self.lock.acquire()
        try:
            return self.provenance.audit(
                query=query,
                answer=answer,
                context=context,
                parameters=parameters,
                progress=progress,
            )
        finally:
            self.lock.release()

    def suggest(self, audit: Audit) -> tuple[Suggestion, ...]:
        """:func:`provenance_core.mitigation.suggest`, after the audits before it."""
        with self.lock:
            return suggest(audit, self.provenance)


@st.cache_resource(show_spinner="Loading the models…", max_entries=2)
def shared_models(profile: str) -> SharedModels:
    """The models of ``profile``, loaded once a process."""
    return SharedModels(Provenance.load(profile), threading.Lock())


def store() -> AuditStore:
    """The store named by the environment; its engine is cached by the storage."""
    return AuditStore.open()


def reviews() -> ReviewStore:
    """The reviews in the same database."""
    return ReviewStore.open()
