"""What sentences and detectors are called."""

from __future__ import annotations

from provenance_core.detectors import DETECTORS


def sentence_name(index: int) -> str:
    """Name a sentence by its index: S1, S2, ..."""
    return f"S{index + 1}"


def detector_title(name: str) -> str:
    """The title of a detector; the name itself of one that this version does not know."""
    return DETECTORS[name].title if name in DETECTORS else name
