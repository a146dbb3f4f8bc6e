"""LlamaIndex: an evaluator that audits a response with its source nodes, without a language
model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from llama_index.core.bridge.pydantic import Field
from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
from llama_index.core.prompts.mixin import PromptDictType

from provenance_core.audit.shared_models import shared_models
from provenance_core.errors import InputError
from provenance_core.explain import verdict_sentence
from provenance_core.integrations.outcome import passes
from provenance_core.text.checked_texts import check_texts
from provenance_core.types import Audit, Parameters


class AuditedResult(EvaluationResult):
    """LlamaIndex's result, with the whole audit; None where the response cannot be audited.

    ``model_dump`` leaves the audit out."""

    audit: Any = Field(default=None, exclude=True, repr=False, description="The whole audit")


class FactualityEvaluator(BaseEvaluator):
    """Says whether the contexts support the response.

    Parameters
    ----------
    parameters : Parameters | None, default None
        Every setting, the threshold among them; None means the default ones of the profile.
    profile : str | None, default None
        Name of a profile of models; None means the default one.
    allow_flagged : bool, default False
        Whether a response passes whose score reaches the threshold, though some of its sentences
        are not supported.
    """

    def __init__(
        self,
        parameters: Parameters | None = None,
        profile: str | None = None,
        allow_flagged: bool = False,
    ) -> None:
        self._parameters = parameters
        self._profile = profile
        self._allow_flagged = allow_flagged

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> AuditedResult:
        """Audit one response in a thread of its own.

        Parameters
        ----------
        query : str | None, default None
            The question, where there is one.
        response : str | None
            The response to check.
        contexts : Sequence[str] | None
            The texts of the source nodes.
        **kwargs : Any
            What other evaluators take; not read.

        Returns
        -------
        AuditedResult
            Score, whether it passes, and the sentences that are not supported; ``invalid_result``
            where the texts cannot be audited.

        Raises
        ------
        ValueError
            Response or contexts are missing.
        ModelError
            The models cannot be loaded.
        """
        if response is None or contexts is None:
            raise ValueError("Give response and contexts; the contexts are the source nodes' texts")
        given = {"query": query, "response": response, "contexts": contexts}
        try:
            texts = check_texts(answer=response, context=list(contexts), query=query or "")
            audit = await asyncio.to_thread(
                shared_models().audit, texts, self._profile, self._parameters
            )
        except InputError as error:
            return AuditedResult(**given, invalid_result=True, invalid_reason=str(error))
        return self._result(audit, given)

    def _result(self, audit: Audit, given: dict[str, Any]) -> AuditedResult:
        return AuditedResult(
            **given,
            passing=passes(audit, self._allow_flagged),
            score=audit.score,
            feedback=verdict_sentence(audit),
            audit=audit,
        )

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        """There are none."""
