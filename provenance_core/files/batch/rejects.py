"""Refused rows as a file that a person can fix and give again."""

from __future__ import annotations

import json
from collections.abc import Iterable

from provenance_core.files.types import RejectedRow


def rejects_jsonl(rejected: Iterable[RejectedRow]) -> str:
    """Write refused rows as JSON lines.

    Parameters
    ----------
    rejected : Iterable[RejectedRow]
        The rows.

    Returns
    -------
    str
        A line for each: ``line`` (counted from 1), ``unit``, which says what that counts,
        ``reason``, and ``raw``, the row's text.

    Examples
    --------
    >>> print(rejects_jsonl([RejectedRow(3, "no answer")]), end="")
    {"line": 3, "unit": "line", "reason": "no answer", "raw": ""}
    """
    return "".join(
        json.dumps(
            {"line": row.line, "unit": row.unit, "reason": row.reason, "raw": row.raw},
            ensure_ascii=False,
        )
        + "\n"
        for row in rejected
    )
