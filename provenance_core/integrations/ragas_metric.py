"""Ragas: metrics that audit the response with its retrieved contexts, without a language model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ragas.dataset_schema import SingleTurnSample
from ragas.metrics.base import MetricType, SingleTurnMetric
from ragas.metrics.collections.base import BaseMetric
from ragas.metrics.result import MetricResult
from ragas.run_config import RunConfig

from provenance_core.audit.shared_models import shared_models
from provenance_core.explain import verdict_sentence
from provenance_core.integrations.outcome import SCORE_NAME
from provenance_core.text.checked_texts import check_texts
from provenance_core.types import Audit, Parameters


class Factuality(BaseMetric):
    """The factuality score, with its reason, in the form of ``ragas.metrics.collections``.

    Parameters
    ----------
    parameters : Parameters | None, default None
        Every setting; None means the default ones of the profile.
    profile : str | None, default None
        Name of a profile of models; None means the default one.
    name : str, default "factuality"
        What results call the metric.
    """

    def __init__(
        self,
        parameters: Parameters | None = None,
        profile: str | None = None,
        name: str = SCORE_NAME,
    ) -> None:
        super().__init__(name=name)
        self.parameters = parameters
        self.profile = profile

    async def ascore(
        self,
        response: str,
        retrieved_contexts: Sequence[str],
        user_input: str | None = None,
        **kwargs: Any,
    ) -> MetricResult:
        """Audit one response in a thread of its own.

        Parameters
        ----------
        response : str
            The response to check.
        retrieved_contexts : Sequence[str]
            The context items.
        user_input : str | None, default None
            The question, where there is one.
        **kwargs : Any
            Other columns of a row; not read.

        Returns
        -------
        MetricResult
            ``value``: the score in [0, 1]. ``reason``: threshold and unsupported sentences.

        Raises
        ------
        InputError
            The texts cannot be audited.
        ModelError
            The models cannot be loaded.
        """
        audit = await _audited(
            response, retrieved_contexts, user_input, self.parameters, self.profile
        )
        return MetricResult(value=audit.score, reason=verdict_sentence(audit))


@dataclass
class SingleTurnFactuality(SingleTurnMetric):
    """The factuality score for ``ragas.evaluate`` and ``single_turn_score``.

    Parameters
    ----------
    name : str, default "factuality"
        The column of the results.
    parameters : Parameters | None, default None
        Every setting; None means the default ones of the profile.
    profile : str | None, default None
        Name of a profile of models; None means the default one.
    """

    name: str = SCORE_NAME
    _required_columns: dict[MetricType, set[str]] = field(
        default_factory=lambda: {
            MetricType.SINGLE_TURN: {"user_input:optional", "response", "retrieved_contexts"}
        }
    )
    parameters: Parameters | None = None
    profile: str | None = None

    def init(self, run_config: RunConfig) -> None:
        """Do nothing: the models are loaded with the first sample.

        Parameters
        ----------
        run_config : RunConfig
            What Ragas hands to its own metrics; not read.
        """

    async def _single_turn_ascore(self, sample: SingleTurnSample, callbacks: Any) -> float:
        audit = await _audited(
            sample.response or "",
            sample.retrieved_contexts or (),
            sample.user_input,
            self.parameters,
            self.profile,
        )
        return audit.score


async def _audited(
    response: str,
    contexts: Sequence[str],
    query: str | None,
    parameters: Parameters | None,
    profile: str | None,
) -> Audit:
    texts = check_texts(answer=response, context=list(contexts), query=query or "")
    return await asyncio.to_thread(shared_models().audit, texts, profile, parameters)
