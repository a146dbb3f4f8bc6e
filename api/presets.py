"""``/presets``: thresholds that were chosen from labelled audits."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter

from api.audits import Number
from api.guard import Viewer, refusals
from storage import Preset, PresetList, PresetStore

router = APIRouter(prefix="/presets", tags=["presets"])


@router.get("", responses=refusals())
def list_presets(visitor: Viewer) -> PresetList:
    """List every preset by name, and those that another version wrote."""
    return PresetStore.open().listed()


@router.get("/{number}", responses=refusals(HTTPStatus.NOT_FOUND))
def read_a_preset(visitor: Viewer, number: Number) -> Preset:
    """Read a preset: its parameters, and the evidence that they came from."""
    return PresetStore.open().get(number)
