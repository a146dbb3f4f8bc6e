"""Settings that are a number of days."""

from __future__ import annotations

from collections.abc import Mapping

from provenance_core.environment import Setting
from storage.errors import StorageError

_MOST_DIGITS = 5


def days_of(setting: Setting, environment: Mapping[str, str], until_then: str = "") -> int:
    """Read a number of days, 0 to 99,999. Raises StorageError where the setting is none."""
    given = setting.value(environment)
    if not given.isdecimal() or len(given) > _MOST_DIGITS:
        raise StorageError(
            f"{setting.variable} is {given!r}, but must be a number of days from 0 to "
            f"{10**_MOST_DIGITS - 1}. {until_then}".rstrip()
        )
    return int(given)
