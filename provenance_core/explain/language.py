"""Verdicts on texts in a language that the models of an audit do not read."""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.detectors import DETECTORS
from provenance_core.errors import ModelError
from provenance_core.models.catalogue.profiles import get_profile
from provenance_core.text.languages import NOT_ENGLISH, foreign_language
from provenance_core.types import Notice

# What stands with such a verdict.
UNREAD_NOTE = "unreliable: the models do not read this language"


def language_note(notices: Sequence[Notice]) -> str:
    """The one of an audit's notices that its models do not read the answer or the context; ""
    without it."""
    return next((each.message for each in notices if each.code == NOT_ENGLISH), "")


def unread_language(answer: str, context: str, detector: str, profile: str) -> str:
    """The language of an answer, else of its context, that the models of the profile do not read;
    "" where they read both, and where the detector or the profile is not known."""
    known = DETECTORS.get(detector)
    if known is None or known.traits.sends_texts:
        return ""
    try:
        reads_english_only = get_profile(profile).nli.is_embedded
    except ModelError:
        return ""
    return (foreign_language(answer) or foreign_language(context)) if reads_english_only else ""
