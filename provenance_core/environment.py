"""Settings that are environment variables: one row a variable, help written from the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Setting:
    """An environment variable. ``default``: what it is when it is not set, "" for nothing."""

    variable: str
    meaning: str
    default: str = ""

    def value(self, environment: Mapping[str, str]) -> str:
        """What it is set to, without white space around it; else the default."""
        return environment.get(self.variable, "").strip() or self.default


def settings_help(settings: Sequence[Setting], read_by: str) -> str:
    """The variables and their meanings, for the help of a command."""
    each = "; ".join(
        f"{setting.variable}: {setting.meaning}"
        + (f" (default: {setting.default})" if setting.default else "")
        for setting in settings
    )
    return f"Environment variables of {read_by}. {each}."
