"""The models that a person named for a profile of their own, kept beside the downloaded ones.

The name of such a profile is ``custom-`` and a digest of its models. A run or a preset that names
it means the same models for as long as it is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from provenance_core.errors import ModelError
from provenance_core.models.settings import FOLDER, read_model_settings

CUSTOM = "custom"
_FILE = "custom-profiles.json"
_SECONDS_TO_WAIT = 10
_NAME = re.compile(f"{CUSTOM}-[0-9a-f]{{8}}")


@dataclass(frozen=True, slots=True)
class CustomModels:
    """The models that a person named. Each name is OWNER/NAME@REVISION or a folder's absolute path.
    ``relevance`` is "" for the embedded model. ``entailment_label``: index of the class that means
    "supported", or None."""

    nli: str
    relevance: str
    entailment_label: int | None

    @property
    def name(self) -> str:
        """The name of the profile, the same for the same models."""
        text = json.dumps([self.nli, self.relevance, self.entailment_label])
        return f"{CUSTOM}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def is_custom_name(name: str) -> bool:
    """Whether a name is ``custom-`` and eight hexadecimal digits."""
    return bool(_NAME.fullmatch(name))


def kept_models(name: str) -> CustomModels | None:
    """The models of a custom profile; None where none is kept under this name. Raises ModelError
    where the list of custom profiles cannot be read."""
    return all_kept_models().get(name) if is_custom_name(name) else None


def all_kept_models() -> dict[str, CustomModels]:
    """The models of every custom profile that is kept, by its name. Raises ModelError where the
    list cannot be read."""
    path = _path()
    try:
        raw: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        found = [CustomModels(**each) for each in raw]
    except FileNotFoundError:
        return {}
    except (OSError, TypeError, ValueError) as error:
        raise ModelError(
            f"{path}, which lists the custom profiles, cannot be read ({error}). Fix or delete it."
        ) from error
    return {each.name: each for each in found}


def keep_models(given: CustomModels) -> str:
    """Keep what a custom profile is made of. Raises ModelError where the list cannot be read or
    written, or another program holds it for over 10 seconds."""
    with _alone():
        _write({**all_kept_models(), given.name: given})
    return given.name


def forget_models(name: str) -> None:
    """Drop a custom profile from the list. Its models stay on disk. Raises ModelError where the
    list cannot be read or written, or another program holds it for over 10 seconds."""
    with _alone():
        _write({each: models for each, models in all_kept_models().items() if each != name})


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Let one session or program at a time change the file."""
    # Imported here, because the embedded profile does not need it.
    from filelock import FileLock, Timeout

    path = _path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), timeout=_SECONDS_TO_WAIT):
            yield
    except Timeout:
        raise ModelError(
            f"Another program has held {path} for over {_SECONDS_TO_WAIT} seconds. Try again."
        ) from None
    except OSError as error:
        raise ModelError(
            f"{path}, which lists the custom profiles, cannot be written ({error.strerror}). Set "
            f"{FOLDER.variable} to a folder that this program may read and write."
        ) from error


def _write(kept: dict[str, CustomModels]) -> None:
    path = _path()
    half = path.with_suffix(".partial")
    text = json.dumps([asdict(each) for each in kept.values()], indent=1)
    half.write_text(text + "\n", encoding="utf-8")
    half.replace(path)


def _path() -> Path:
    return read_model_settings().folder / _FILE
