"""Refused rows as a file that a person can fix and give again."""

from __future__ import annotations

import json
from collections.abc import Iterable

from provenance_core.files.types import RejectedRow


def rejects_jsonl(rejected: Iterable[RejectedRow]) -> str:
    """Refused rows as JSON lines: ``line`` (counted from 1), ``unit``, which says what that counts,
    ``reason``, and ``raw``, the row's text."""
    return "".join(
        json.dumps(
            {"line": row.line, "unit": row.unit, "reason": row.reason, "raw": row.raw},
            ensure_ascii=False,
        )
        + "\n"
        for row in rejected
    )
