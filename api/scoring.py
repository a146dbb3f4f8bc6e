"""From the body of a request to an audit, by the checks, models and lock of the pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import Any

from fastapi import Request

from api.bodies import AuditBody, AuditSettings, Context
from api.problems import Refused, Wrong, at
from api.settings import ApiLimits
from provenance_core import Audit, ContextItem, InputError, Parameters, default_parameters
from provenance_core.audit.shared_models import shared_models
from provenance_core.detectors import unusable
from provenance_core.models.catalogue.profiles import default_profile, get_profile
from provenance_core.models.hub.cache import require_models
from provenance_core.text.checked_texts import CheckedTexts, WrongTexts, check_texts
from provenance_core.types import current_detector
from storage import Preset, PresetNotFound, PresetStore
from storage.pair_scores import pair_memory

_COME_BACK = 10  # seconds


@dataclass(frozen=True, slots=True)
class Settings:
    """What an audit is made with."""

    profile: str
    parameters: Parameters


@dataclass(frozen=True, slots=True)
class RequestedAudit:
    """An audit that has been asked for, checked. ``where``: its place in the request."""

    where: str
    texts: CheckedTexts
    settings: Settings


class ScoringQueue:
    """Lets a few requests wait for the models at a time; a process shares one."""

    def __init__(self, most: int) -> None:
        self._free = BoundedSemaphore(most)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place in the queue while the block runs. Raises Refused (503, with the seconds to
        wait) where none is free."""
        if not self._free.acquire(blocking=False):
            message = f"Too many requests are waiting for the models. Try again in {_COME_BACK} s."
            raise Refused(
                HTTPStatus.SERVICE_UNAVAILABLE, [Wrong("", message)], retry_after=_COME_BACK
            )
        try:
            yield
        finally:
            self._free.release()


def limits_of(request: Request) -> ApiLimits:
    """The limits of one request, which all requests of a program share."""
    found: ApiLimits = request.app.state.limits
    return found


def queue_of(request: Request) -> ScoringQueue:
    """The one queue of the program."""
    found: ScoringQueue = request.app.state.queue
    return found


def chosen_settings(body: AuditSettings, where: str = "body") -> Settings:
    """Choose profile and parameters: the preset's, else the given ones, else the default preset's.
    Without a default preset, they are the profile's own. Raises Refused (422, with the place) where
    the profile's models are not here or a value cannot be used."""
    given = body.parameters.model_dump(exclude_none=True)
    presets = PresetStore.open()
    preset = None
    if body.preset is not None:
        preset = _preset(presets, body.preset, f"{where}.preset")
        if body.profile not in (None, preset.profile):
            message = (
                f"The preset {preset.name!r} is for the profile {preset.profile}. Leave the "
                "profile out, or the preset."
            )
            wrong = [Wrong(f"{where}.profile", message)]
            raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, wrong)
    elif body.profile is None and "detector" not in given:
        preset = presets.default()
    profile = body.profile or (preset.profile if preset else default_profile())
    with at(f"{where}.profile"):
        require_models(get_profile(profile))
    with at(f"{where}.parameters"):
        parameters = _parameters(profile, preset, given)
    return Settings(profile, parameters)


def _parameters(profile: str, preset: Preset | None, given: Mapping[str, Any]) -> Parameters:
    """Those of the preset, or of the profile where ``given`` names another detector, with the given
    values. InputError when they cannot be used."""
    start = preset.parameters if preset else Parameters()
    asked = current_detector(given.get("detector", start.detector))
    if preset is None or asked != start.detector:
        start = default_parameters(profile, asked)
    try:
        parameters = replace(start, **given)
    except ValueError as error:
        raise InputError(f"{error}. Change it.") from error
    if reason := unusable(parameters):
        raise InputError(reason)
    return parameters


def _preset(presets: PresetStore, number: int, where: str) -> Preset:
    try:
        return presets.get(number)
    except PresetNotFound as error:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, [Wrong(where, str(error))]) from error


def checked_tasks(bodies: Sequence[AuditBody], places: Sequence[str]) -> list[RequestedAudit]:
    """Check what is asked for, and make a task of each body, in their order. Raises Refused (422,
    with every place that is wrong) where some cannot be audited."""
    tasks: list[RequestedAudit] = []
    wrong: list[Wrong] = []
    for body, where in zip(bodies, places, strict=True):
        try:
            texts = check_texts(
                answer=body.answer,
                context=[_item(index, given) for index, given in enumerate(body.context)],
                query=body.query,
            )
        except WrongTexts as error:
            texts = None
            wrong += [Wrong(f"{where}.{name}", said) for name, said in error.problems.items()]
        try:
            settings = chosen_settings(body, where)
        except Refused as error:
            wrong += error.errors
        else:
            if texts is not None:
                tasks.append(RequestedAudit(where, texts, settings))
    if wrong:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, wrong)
    return tasks


def audited(tasks: Sequence[RequestedAudit], queue: ScoringQueue) -> list[Audit]:
    """Audit each task in turn, after those of others; no pair of texts is scored twice. Raises
    Refused where a text is too long together with the others (422), or too many wait (503)."""
    models, memory = shared_models(), pair_memory()
    audits = []
    with queue.place():
        for task in tasks:
            settings = task.settings
            try:
                audit = models.audit(
                    task.texts, settings.profile, settings.parameters, memory=memory
                )
            except InputError as error:
                wrong = [Wrong(task.where, str(error))]
                raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, wrong) from error
            audits.append(audit)
    return audits


def _item(index: int, given: str | Context) -> ContextItem:
    if isinstance(given, str):
        return ContextItem(index, given)
    return ContextItem(index, given.text, given.name)
