"""The models that the sessions and requests of one process share: one load, one audit at a time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from provenance_core import Audit, ContextItem, Parameters, Provenance
from provenance_core.audit.loaded_profiles import LoadedProfiles
from provenance_core.audit.mitigation import Suggestion, suggest
from provenance_core.models.pair_memory import PairMemory
from provenance_core.types import ModelInfo
from storage.errors import StorageError
from storage.pair_scores import PairScoreStore


def pair_memory() -> PairMemory:
    """Make a memory for one request that knows the pairs of the audits before it.

    An empty memory where the database cannot be read.
    """
    try:
        return PairMemory(PairScoreStore.open())
    except StorageError:
        # The audit itself needs no database; saving it says what is wrong.
        return PairMemory()


def waiting_text(before: int) -> str:
    """Say to a person who waits how many audits of others come first.

    One sentence without a full stop.
    """
    return (
        "Waiting: 1 audit is before yours"
        if before == 1
        else (f"Waiting: {before} audits are before yours")
    )


def _silent(stage: str, fraction: float) -> None:
    """For callers that want no progress."""


@dataclass(frozen=True, slots=True)
class SharedModels:
    """The models of a profile, shared by all sessions: one audit at a time by each profile, and
    few profiles in memory."""

    profile: str
    loaded: LoadedProfiles
    memory: PairMemory | None = None

    def remembering(self) -> SharedModels:
        """The same models with a memory: no pair is scored twice as long as the object lives.

        For several audits of one request.
        """
        return SharedModels(self.profile, self.loaded, pair_memory())

    def audit(
        self,
        query: str,
        answer: str,
        context: list[ContextItem],
        parameters: Parameters,
        progress: Callable[[str, float], None] = _silent,
    ) -> Audit:
        """Audit an answer as :meth:`provenance_core.Provenance.audit` does, after those before it.

        The models are loaded again where they were released meanwhile.

        ``progress``: Called with the name of a stage and the share of it that is done, in [0, 1].
        The audit, whose pair scores are kept for later ones. Raises InputError The texts cannot be
        audited, and ModelError The models cannot be loaded.
        """
        with self._in_turn(progress) as provenance:
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
        """Name the relevance and the NLI model.

        The relevance model first, then the NLI model. Raises ModelError The models cannot be
        loaded.
        """
        with self.loaded.use(self.profile) as provenance:
            return provenance.relevance.info, provenance.nli_info

    def suggest(
        self, audit: Audit, progress: Callable[[str, float], None] = _silent
    ) -> tuple[Suggestion, ...]:
        """Suggest what would fix the answer, after the audits before it.

        ``progress``: Called with the name of a stage and the share of it that is done, in [0, 1].
        As :func:`provenance_core.audit.mitigation.suggest` returns them. Raises ModelError The
        models cannot be loaded.
        """
        with self._in_turn(progress) as provenance:
            return suggest(audit, provenance, progress)

    def _in_turn(
        self, progress: Callable[[str, float], None]
    ) -> AbstractContextManager[Provenance]:
        return self.loaded.use(
            self.profile,
            waiting=lambda before: progress(waiting_text(before), 0.0),
            loading=lambda: progress("Loading the models", 0.0),
        )
