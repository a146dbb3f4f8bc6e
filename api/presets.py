"""``/presets``: thresholds that were chosen from labelled audits, and files of them."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Response

from api.audits import Number
from api.bodies import PRESET_FILE, PresetBody
from api.guard import Admin, Viewer, record, refusals
from api.problems import at
from api.request_json import JsonRoute
from storage import Preset, PresetList, PresetStore
from storage.presets import ImportedPreset

router = APIRouter(prefix="/presets", tags=["presets"], route_class=JsonRoute)


@router.get("", responses=refusals())
def list_presets(visitor: Viewer) -> PresetList:
    """List every preset by name, and those that another version wrote."""
    return PresetStore.open().listed()


@router.post(
    "",
    status_code=HTTPStatus.CREATED,
    responses={
        **refusals(HTTPStatus.CONFLICT),
        HTTPStatus.OK.value: {"description": "The same preset is here.", "model": ImportedPreset},
    },
)
def import_a_preset(body: PresetBody, visitor: Admin, response: Response) -> ImportedPreset:
    """Keep the preset of a file, as one that is not the default. No preset is overwritten: one of
    the same name that is the same in everything is not kept twice, another one is a conflict."""
    with at("body.file"):
        kept = PresetStore.open().import_text(json.dumps(body.file), body.name)
    if kept.new:
        record(visitor, "import a preset", [kept.id])
    else:
        response.status_code = HTTPStatus.OK
    return kept


@router.get("/{number}", responses=refusals(HTTPStatus.NOT_FOUND))
def read_a_preset(visitor: Viewer, number: Number) -> Preset:
    """Read a preset: its parameters, and the evidence that they came from."""
    return PresetStore.open().get(number)


@router.get(
    "/{number}/file",
    responses={
        **refusals(HTTPStatus.NOT_FOUND),
        HTTPStatus.OK.value: {"content": {"application/json": {"example": PRESET_FILE}}},
    },
)
def export_a_preset(visitor: Viewer, number: Number) -> dict[str, Any]:
    """Give the file of a preset, which brings it to another database: by ``POST /presets``, the
    Thresholds page or the command ``preset``."""
    found: dict[str, Any] = json.loads(PresetStore.open().export(number))
    return found
