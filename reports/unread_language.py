"""How a page marks a verdict on texts in a language that the models of an audit do not read."""

from __future__ import annotations

from provenance_core import Audit
from provenance_core.explain.language import language_note

UNREAD_SHORT = "language not read"  # where there is no room for UNREAD_NOTE
UNREAD_SYMBOL = "⚠"
UNREAD = "unread"  # class of its style


def is_unread(audit: Audit) -> bool:
    """Whether answer or context of an audit is in a language that its models do not read."""
    return bool(language_note(audit.evidence.notices))


def state_classes(audit: Audit) -> str:
    """The style classes of an audit's verdict."""
    return f"{audit.state} {UNREAD}" if is_unread(audit) else str(audit.state)
