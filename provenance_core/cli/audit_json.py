"""An audit as the JSON object that ``audit --json`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from provenance_core.audit.mitigation import Suggestion
from provenance_core.audit.serialization import to_plain
from provenance_core.types import Audit
from reports.audit_summary import audit_summary


def audit_object(audit: Audit, suggestions: Sequence[Suggestion] = ()) -> dict[str, Any]:
    """Turn an audit into objects, lists, strings and numbers.

    As :class:`reports.audit_summary.AuditSummary`.
    """
    found: dict[str, Any] = to_plain(audit_summary(audit, suggestions))
    return found
