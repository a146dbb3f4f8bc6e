"""The prepared audits: real ones, kept as JSON. ``python -m dashboard.demo.prepare`` makes them."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from pathlib import Path

from provenance_core import Audit
from provenance_core.audit.serialization import audit_from_json

FOLDER = Path(__file__).parent / "audits"


class PreparedAnswer(StrEnum):
    """An answer that its context supports, one with a wrong number, and that one corrected."""

    RIGHT = "right"
    WRONG = "wrong"
    CORRECTED = "corrected"


@cache
def prepared_audit(name: PreparedAnswer) -> Audit:
    """The audit as it was made, assembled without a model."""
    return audit_from_json((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
