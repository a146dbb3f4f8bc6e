"""An audit that the page waits for, with a bar that says how far it is."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboard.shared.problems import draw_problem
from dashboard.shared.shared_models import shared_models
from provenance_core import Audit, ContextItem, InputError, ModelError, Parameters
from provenance_core.text.input_checks import check_answer, check_context, check_query


def audited_with_bar(
    profile: str,
    query: str,
    answer: str,
    context: Sequence[ContextItem],
    parameters: Parameters,
    *,
    failure: str,
) -> Audit | None:
    """Audit the answer. None where it cannot be audited: the page says ``failure`` and why."""
    bar = st.progress(0.0, text="Starting")

    def show(stage: str, done: float) -> None:
        bar.progress(min(done, 1.0), text=stage)

    try:
        # Before the models are loaded, which an empty box need not wait for.
        check_context(context)
        check_answer(answer)
        check_query(query)
        return shared_models(profile).audit(query, answer, list(context), parameters, show)
    except (InputError, ModelError) as error:
        bar.empty()
        draw_problem(failure, error)
        return None
