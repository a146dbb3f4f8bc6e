"""An audit as the JSON object that ``audit --json`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from provenance_core.audit.mitigation import Suggestion
from provenance_core.audit.serialization import to_plain
from provenance_core.explain.summary import audit_summary
from provenance_core.types import Audit


def audit_object(audit: Audit, suggestions: Sequence[Suggestion] = ()) -> dict[str, Any]:
    """Turn an audit into objects, lists, strings and numbers.

    As :class:`provenance_core.explain.summary.AuditSummary`.
    """
    found: dict[str, Any] = to_plain(audit_summary(audit, suggestions))
    return found
