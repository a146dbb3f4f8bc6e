"""The environment variables that say where downloaded models lie, come from and run.

``MODEL_SETTINGS`` is the one table of them; help texts and documents are written from it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from provenance_core.environment import Setting, settings_help
from provenance_core.errors import ModelError

FOLDER = Setting(
    "PROVENANCE_MODELS", "folder of the downloaded models", "~/.cache/provenance/models"
)
HUB = Setting(
    "PROVENANCE_MODEL_HUB",
    "base URL of the model hub, such as that of a mirror; unset, it is the one that the library "
    "huggingface_hub asks, which reads HF_ENDPOINT",
)
OFFLINE = Setting(
    "PROVENANCE_OFFLINE", "1 to download nothing; what was downloaded before goes on working", "0"
)
DEVICE = Setting(
    "PROVENANCE_DEVICE",
    "where public models run: cuda, mps or cpu; unset, the first of them that is there",
)
ENGINE = Setting(
    "PROVENANCE_ENGINE",
    "what runs the embedded models that more than one engine can run: openvino or onnxruntime; "
    "unset, the fastest that is installed and gives the reference scores",
)
CONVERT = Setting(
    "PROVENANCE_CONVERT",
    "1 to convert each public classifier once for OpenVINO, which runs it faster on a CPU; it is "
    "used where its scores agree",
    "0",
)
PROFILE = Setting("PROVENANCE_PROFILE", "the profile that is used where none is chosen", "cascade")
MODEL_SETTINGS = (FOLDER, HUB, OFFLINE, DEVICE, ENGINE, CONVERT, PROFILE)
_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The settings as read. ``hub``: base URL without a slash at its end; None for the default of
    huggingface_hub."""

    folder: Path
    hub: str | None
    offline: bool
    convert: bool


def model_settings_help() -> str:
    """List the environment variables with their meanings, for the help of a command."""
    return settings_help(MODEL_SETTINGS, "the models")


def read_model_settings(environment: Mapping[str, str] = os.environ) -> ModelSettings:
    """Read the settings of the models; the folder is an absolute path. Raises ModelError, which
    names the variable, where one is wrong."""
    return ModelSettings(
        folder=_folder(FOLDER.value(environment)),
        hub=_hub(HUB.value(environment)),
        offline=_is_on(OFFLINE, environment),
        convert=_is_on(CONVERT, environment),
    )


def _is_on(setting: Setting, environment: Mapping[str, str]) -> bool:
    given = setting.value(environment).lower()
    if given not in (*_YES, *_NO):
        raise ModelError(f"{setting.variable} is {given!r}, but must be 1 or 0.")
    return given in _YES


def _folder(given: str) -> Path:
    try:
        folder = Path(given).expanduser()
    except RuntimeError:  # there is no home directory
        raise ModelError(
            f"There is no home directory to keep models in. Set {FOLDER.variable} to a folder."
        ) from None
    return folder if folder.is_absolute() else Path.cwd() / folder


def _hub(given: str) -> str | None:
    if not given:
        return None
    try:
        parts = urlsplit(given)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        known = False
    if not known or not given.isprintable() or " " in given or parts.query or parts.fragment:
        raise ModelError(
            f"{HUB.variable} is not an http or https URL. Give it a base URL such as "
            "https://mirror.example, or leave it unset."
        )
    if parts.username is not None or parts.password is not None:
        raise ModelError(
            f"{HUB.variable} holds a user name or password. Take it out; an access token goes in "
            "HF_TOKEN."
        )
    return given.rstrip("/")
