"""The folder that a model is loaded from."""

from __future__ import annotations

from pathlib import Path

from .errors import ModelError
from .profiles import PublicModel, embedded_folder


def model_folder(model: PublicModel) -> Path:
    """Where the files of ``model`` are; ModelError, with the cure, when they are not there."""
    if model.is_embedded:
        return embedded_folder(model)
    given = model.given_folder
    if given is None:
        raise ModelError(f"{model.model_id} has not been downloaded.")
    if not given.is_dir():
        raise ModelError(f"There is no folder {given}. Name the folder that holds config.json.")
    return given
