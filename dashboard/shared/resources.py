"""What all sessions share: the models (one load a process) and the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from provenance_core import Audit, ContextItem, Parameters, Provenance
from provenance_core.audit.loaded_profiles import LoadedProfiles
from provenance_core.audit.mitigation import Suggestion, suggest
from provenance_core.models.pair_memory import PairMemory
from provenance_core.types import ModelInfo
from storage import AuditStore, PairScoreStore, ReviewStore, StorageError


@dataclass(frozen=True, slots=True)
class SharedModels:
    """The models of a profile, shared by all sessions: one audit at a time by each profile, and
    few profiles in memory."""

    profile: str
    loaded: LoadedProfiles
    memory: PairMemory | None = None

    def remembering(self) -> SharedModels:
        """The same models, which score no pair twice as long as the object lives: for several
        detectors over one request."""
        return SharedModels(self.profile, self.loaded, pair_memory())

    def audit(
        self,
        query: str,
        answer: str,
        context: list[ContextItem],
        parameters: Parameters,
        progress: Callable[[str, float], None],
    ) -> Audit:
        """:meth:`provenance_core.Provenance.audit`, after those before it; the models are loaded
        again where they were released meanwhile."""
        with self.loaded.use(
            self.profile,
            waiting=lambda: progress("Waiting for another audit", 0.0),
            loading=lambda: progress("Loading the models", 0.0),
        ) as provenance:
            memory = self.memory or pair_memory()
            audit = provenance.audit(
                query=query,
                answer=answer,
                context=context,
                parameters=parameters,
                progress=progress,
                memory=memory,
            )
        memory.hand_over()
        return audit

    def infos(self) -> tuple[ModelInfo, ModelInfo]:
        """The relevance and the NLI model."""
        with self.loaded.use(self.profile) as provenance:
            return provenance.relevance.info, provenance.nli_info

    def suggest(self, audit: Audit) -> tuple[Suggestion, ...]:
        """:func:`provenance_core.audit.mitigation.suggest`, after the audits before it."""
        with self.loaded.use(self.profile) as provenance:
            return suggest(audit, provenance)


@st.cache_resource(show_spinner=False)
def loaded_profiles() -> LoadedProfiles:
    """The profiles in memory, of this process."""
    return LoadedProfiles(lambda profile: Provenance.load(profile))


def shared_models(profile: str) -> SharedModels:
    """The models of ``profile``, loaded now where they are not in memory. ModelError when they
    cannot be; the other profiles in memory can still be used."""
    loaded = loaded_profiles()
    if profile not in loaded.names:
        with st.spinner("Loading the models…"), loaded.use(profile):
            pass
    return SharedModels(profile, loaded)


def pair_memory() -> PairMemory:
    """A memory for one request that knows the pairs of the audits before it, where the database
    can be read."""
    try:
        return PairMemory(PairScoreStore.open())
    except StorageError:
        # The audit itself needs no database; saving it says what is wrong.
        return PairMemory()


def store() -> AuditStore:
    """The store named by the environment; its engine is cached by the storage."""
    return AuditStore.open()


def reviews() -> ReviewStore:
    """The reviews in the same database."""
    return ReviewStore.open()
