"""Inspect: a scorer that audits an output with the context of its sample, no language model."""

from __future__ import annotations

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from provenance_core.auditor import Auditor, Result
from provenance_core.errors import InputError


@scorer(metrics=[mean(), stderr()])
def factuality(profile: str | None = None, context: str = "context", **parameters: Any) -> Scorer:
    """Score an output by its factuality: how far the context of its sample supports it.

    The value is the factuality score, in [0, 1], the explanation the reason of the verdict. The
    metadata have ``verdict``, ``threshold``, ``spans`` and ``sentences``, with their places.

    Parameters
    ----------
    profile : str | None, default None
        Name of a profile of models; None means the default one.
    context : str, default "context"
        The key of the sample's metadata that holds the context, a text or a list of texts.
    **parameters : Any
        Parameters that differ from the defaults, as for :class:`provenance_core.Auditor`.

    Returns
    -------
    Scorer
        The scorer, for ``Task(scorer=...)``.

    Raises
    ------
    InputError
        A parameter is unknown or out of range. While it scores: the sample has no context, or its
        texts cannot be audited.
    """
    auditor = Auditor(profile, **parameters)

    async def score(state: TaskState, target: Target) -> Score:
        if context not in state.metadata:
            raise InputError(
                f"Sample {state.sample_id} has no {context!r} in its metadata. Add the texts that "
                "its output is to be supported by, or name their key: factuality(context=...)."
            )
        output = state.output.completion
        result = await auditor.check_async(output, state.metadata[context], state.input_text)
        return Score(
            value=result.score, answer=output, explanation=result.reason, metadata=_metadata(result)
        )

    return score


def _metadata(result: Result) -> dict[str, Any]:
    found = result.to_dict()
    return {name: found[name] for name in ("verdict", "threshold", "spans", "sentences")}
