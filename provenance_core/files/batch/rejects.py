"""Refused rows as a file that a person can mend and give again."""

from __future__ import annotations

import json
from collections.abc import Iterable

from provenance_core.files.types import RejectedRow


def rejects_jsonl(rejected: Iterable[RejectedRow]) -> str:
    """One JSON object a line: line (counted from 1), reason, and raw, the row's text."""
    return "".join(
        json.dumps({"line": row.line, "reason": row.reason, "raw": row.raw}, ensure_ascii=False)
        + "\n"
        for row in rejected
    )
