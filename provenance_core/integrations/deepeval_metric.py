"""DeepEval: a metric that audits an output with its retrieval context, no language model."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from deepeval.metrics import BaseMetric
from deepeval.metrics.utils import check_llm_test_case_params
from deepeval.test_case import LLMTestCase, RetrievedContextData, SingleTurnParams

from provenance_core import default_parameters
from provenance_core.audit.shared_models import shared_models
from provenance_core.explain import verdict_sentence
from provenance_core.integrations.outcome import passes
from provenance_core.text.checked_texts import check_texts
from provenance_core.types import Audit, ContextItem, Parameters


class FactualityMetric(BaseMetric):
    """The factuality score of ``actual_output`` by ``retrieval_context``.

    After ``measure``, ``score`` and ``reason`` are those of the audit, and ``audit`` is all of it.

    Parameters
    ----------
    threshold : float | None, default None
        The lowest score that is supported; None means that of ``parameters``.
    parameters : Parameters | None, default None
        Every setting; None means the default ones of the profile.
    profile : str | None, default None
        Name of a profile of models; None means the default one.
    allow_flagged : bool, default False
        Whether an output passes whose score reaches the threshold, though some of its sentences
        are not supported.
    """

    _required_params = [  # noqa: RUF012  (DeepEval's own name and form)
        SingleTurnParams.ACTUAL_OUTPUT,
        SingleTurnParams.RETRIEVAL_CONTEXT,
    ]

    # DeepEval makes copies of a metric from its attributes: they have the parameters' names.
    def __init__(
        self,
        threshold: float | None = None,
        parameters: Parameters | None = None,
        profile: str | None = None,
        allow_flagged: bool = False,
    ) -> None:
        settings = parameters or default_parameters(profile)
        self.threshold: float = settings.threshold if threshold is None else threshold
        self.parameters = parameters
        self.profile = profile
        self.allow_flagged = allow_flagged
        self.include_reason = True
        self.audit: Audit | None = None

    def measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        """Audit the test case.

        Parameters
        ----------
        test_case : LLMTestCase
            With ``actual_output`` and ``retrieval_context``.
        *args : Any
            What DeepEval hands to its own metrics; not read.
        **kwargs : Any
            The same.

        Returns
        -------
        float
            The factuality score, in [0, 1].

        Raises
        ------
        MissingTestCaseParamsError
            Output or context are missing.
        InputError
            The texts cannot be audited.
        ModelError
            The models cannot be loaded.
        """
        self.audit = self.score = self.reason = self.success = self.error = None
        check_llm_test_case_params(test_case, self._required_params, None, None, self)
        settings = self.parameters or default_parameters(self.profile)
        try:
            texts = check_texts(
                answer=test_case.actual_output or "",
                context=_items(test_case),
                query=test_case.input,
            )
            settings = replace(settings, threshold=self.threshold)
            audit = shared_models().audit(texts, self.profile, settings)
        except Exception as error:
            self.error = str(error)
            raise
        self.audit, self.score, self.reason = audit, audit.score, verdict_sentence(audit)
        self.success = passes(audit, self.allow_flagged)
        return audit.score

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        """As :meth:`FactualityMetric.measure`, in a thread of its own."""
        return await asyncio.to_thread(self.measure, test_case)

    def is_successful(self) -> bool:
        """Whether the last test case passed.

        Returns
        -------
        bool
            False before the first test case, and after one that could not be audited.
        """
        return bool(self.success) and self.error is None

    @property
    def __name__(self) -> str:
        """What DeepEval's reports call the metric."""
        return "Factuality"


def _items(test_case: LLMTestCase) -> list[ContextItem]:
    given = test_case.retrieval_context or []
    return [
        ContextItem(index, item.context, item.source)
        if isinstance(item, RetrievedContextData)
        else ContextItem(index, item)
        for index, item in enumerate(given)
    ]
