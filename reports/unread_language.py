"""Verdicts on texts in a language that the models of an audit do not read."""

from __future__ import annotations

from provenance_core import DETECTORS, Audit, ModelError
from provenance_core.models.catalogue.profiles import get_profile
from provenance_core.text.languages import NOT_ENGLISH, foreign_language
from storage import Item

# What stands with such a verdict, long and short, and the class of its style.
UNREAD_NOTE = "unreliable: the models do not read this language"
UNREAD_SHORT = "language not read"
UNREAD_SYMBOL = "⚠"
UNREAD = "unread"


def is_unread(audit: Audit) -> bool:
    """Whether answer or context of an audit is in a language that its models do not read."""
    return any(notice.code == NOT_ENGLISH for notice in audit.evidence.notices)


def is_unread_answer(item: Item) -> bool:
    """Whether the answer of a listed audit is in a language that its models do not read."""
    detector = DETECTORS.get(item.detector)
    if detector is None or detector.traits.sends_texts:
        return False
    try:
        reads_english_only = get_profile(item.profile).nli.is_embedded
    except ModelError:
        return False
    return reads_english_only and bool(foreign_language(item.answer))


def state_classes(audit: Audit) -> str:
    """The style classes of an audit's verdict."""
    return f"{audit.state} {UNREAD}" if is_unread(audit) else str(audit.state)
