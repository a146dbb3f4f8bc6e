"""What one request may ask for, each limit a setting."""

from __future__ import annotations

import os
from dataclasses import dataclass

from provenance_core.environment import Setting
from provenance_core.errors import InputError

BODY = Setting("PROVENANCE_API_BODY_MB", "megabytes that the body of one request may have", "32")
AUDITS = Setting("PROVENANCE_API_AUDITS", "answers that one request may have audited", "100")
ROWS = Setting("PROVENANCE_API_ROWS", "rows that one request may start a run with", "10000")
WAITING = Setting(
    "PROVENANCE_API_WAITING",
    "requests that may wait for the models at a time; more are told to come back",
    "16",
)
API_SETTINGS = (BODY, AUDITS, ROWS, WAITING)


@dataclass(frozen=True, slots=True)
class ApiLimits:
    """Limits of one request: ``body`` in bytes, the others as numbers."""

    body: int
    audits: int
    rows: int
    waiting: int


def api_limits() -> ApiLimits:
    """Read the limits of one request. Raises InputError where a setting is no whole number above
    0."""
    return ApiLimits(
        body=1_000_000 * _number(BODY),
        audits=_number(AUDITS),
        rows=_number(ROWS),
        waiting=_number(WAITING),
    )


def _number(setting: Setting) -> int:
    text = setting.value(os.environ)
    if not text.isdecimal() or int(text) < 1:
        raise InputError(f"{setting.variable} is {text!r}, but must be a whole number above 0.")
    return int(text)
