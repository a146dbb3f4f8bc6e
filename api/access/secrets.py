"""``[auth]`` and ``[access]`` of Streamlit's file of secrets, read without Streamlit."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provenance_core.errors import InputError

_FILE = Path(".streamlit") / "secrets.toml"


@dataclass(frozen=True, slots=True)
class Secrets:
    """``auth``: how people sign in, empty where nobody does. ``access``: who has which role."""

    auth: Mapping[str, Any]
    access: Mapping[str, Any]


def default_files() -> tuple[Path, ...]:
    """Where Streamlit looks for the secrets: the user's own file, then that of the working folder;
    neither need exist."""
    return (Path.home() / _FILE, Path.cwd() / _FILE)


def read_secrets(files: Iterable[Path]) -> Secrets:
    """Read both sections of all files that exist; a later file wins, section by section. Raises
    InputError where a file cannot be read: without it, sign-in would be off."""
    found: dict[str, Any] = {}
    for file in files:
        if not file.exists():
            continue
        try:
            found |= tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeError, tomllib.TOMLDecodeError) as error:
            raise InputError(
                f"The secrets cannot be read, so nobody can sign in: {error}. Fix {file}."
            ) from error
    return Secrets(_section(found, "auth"), _section(found, "access"))


def place_of(files: Iterable[Path], section: str, key: str) -> str:
    """Where a key stands, as ``.streamlit/secrets.toml, line 9``; "" where it is not found."""
    place = ""
    for file in files:
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeError):
            continue
        within = False
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if text.startswith("["):
                within = text.partition("#")[0].strip(" []\t'\"") == section
            written = text.partition("=")[0].strip(" '\"\t")
            if written == (key if within else f"{section}.{key}"):
                place = f"{file}, line {number}"
    return place


def _section(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = found.get(name, {})
    return section if isinstance(section, Mapping) else {}
