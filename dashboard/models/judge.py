"""The language model as judge: its endpoint is set up for this server, and tried."""

from __future__ import annotations

import os

import streamlit as st

from dashboard.shared.access import Role, allowed
from dashboard.shared.audit_run import RunPlace, problems_at, run_place, wait_with_bar
from provenance_core import ModelError
from provenance_core.detectors.judge.client import missing_client
from provenance_core.detectors.judge.settings import (
    EXAMINEE,
    KEY,
    MODEL,
    TEMPERATURE,
    TIMEOUT,
    URL,
    JudgeSettings,
    read_judge_settings,
    what_is_sent,
)
from provenance_core.detectors.judge.trial import TRIAL_ANSWER, TRIAL_CONTEXT, JudgeTrial, try_judge

_FIELDS = {
    URL: "Endpoint",
    MODEL: "Model",
    TEMPERATURE: "Temperature",
    TIMEOUT: "Timeout in seconds",
    EXAMINEE: "Model that is questioned (cross-examination)",
}
_TOLD = "judge_told"


def draw_judge() -> None:
    """The form, a button that tries what it says, and one that uses it."""
    st.caption(
        "A language model at an endpoint of yours can judge answers (detectors LLM judge and "
        "Cross-examination). Every endpoint that speaks OpenAI's chat completions will do. What "
        "you set here holds for everyone until this server restarts; to keep it, set the "
        "environment variables that the boxes name."
    )
    if problem := missing_client():
        st.warning("The judge cannot be used yet.")
        st.text(problem)
        return
    if told := st.session_state.pop(_TOLD, ""):
        st.success(told)
    for setting, title in _FIELDS.items():
        st.session_state.setdefault(_key(setting.variable), setting.value(os.environ))
        st.text_input(
            title,
            key=_key(setting.variable),
            help=f"{setting.variable}: {setting.meaning}",
            placeholder=setting.default or None,
        )
    is_set = "is set" if KEY.value(os.environ) else "is not set"
    st.text(f"Key: {KEY.variable} {is_set}. It is read from the environment of the server alone.")
    settings = _given()
    if isinstance(settings, ModelError):
        st.text(str(settings))
    else:
        st.caption(what_is_sent(settings))
    with st.container(horizontal=True, gap="small"):
        pressed = st.button(
            "Try it",
            icon=":material/play_arrow:",
            disabled=isinstance(settings, ModelError),
            help=f"Sends one example: “{TRIAL_ANSWER}” against “{TRIAL_CONTEXT}”",
        )
        st.button(
            "Use these settings",
            type="primary",
            on_click=_use,
            disabled=isinstance(settings, ModelError),
        )
    place = run_place("judge_trial")
    if pressed and isinstance(settings, JudgeSettings):
        _try(settings, place)


def _key(variable: str) -> str:
    return f"judge_{variable.lower()}"


def _environment() -> dict[str, str]:
    """The environment as the form would have it."""
    state = st.session_state
    return {**os.environ, **{s.variable: state[_key(s.variable)] for s in _FIELDS}}


def _given() -> JudgeSettings | ModelError:
    try:
        return read_judge_settings(_environment())
    except ModelError as error:
        return error


@allowed(Role.ADMIN, "try the judge")
def _try(settings: JudgeSettings, place: RunPlace) -> None:
    with problems_at(place, "The trial failed."):
        found = wait_with_bar(
            lambda progress: try_judge(settings, progress.stage("Waiting for the judge")),
            "You stopped the trial.",
            place,
        )
        with place.room.container():
            _draw_trial(found)


def _draw_trial(found: JudgeTrial) -> None:
    replies = "reply" if found.attempts == 1 else "replies"
    if found.right:
        st.success(f"It works: the judge found the wrong year, with {found.attempts} {replies}.")
    else:
        st.warning("The endpoint answers, but this model did not find the wrong year.")
    if found.spans:
        st.text(f"Called hallucinated: {', '.join(found.spans)}")
    st.code(found.reply, language=None, wrap_lines=True)


@allowed(Role.ADMIN, "set the judge's endpoint")
def _use() -> None:
    given = _environment()
    for setting in _FIELDS:
        value = given[setting.variable].strip()
        if value:
            os.environ[setting.variable] = value
        else:
            os.environ.pop(setting.variable, None)
    st.session_state[_TOLD] = "Detectors use these settings until the server restarts."
