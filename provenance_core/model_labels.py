"""What the config.json of a classifier says of its classes."""

from __future__ import annotations

import json
import re
from pathlib import Path

from .errors import ModelError

_UNNAMED = re.compile(r"LABEL_\d+")


def class_labels(folder: Path) -> tuple[str, ...]:
    """The names of the classes by index, () where config.json has none. ModelError for a file
    that cannot be read."""
    path = folder / "config.json"
    try:
        named = json.loads(path.read_text(encoding="utf-8")).get("id2label") or {}
        return tuple(str(named[index]) for index in sorted(named, key=int))
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise ModelError(f"{path} cannot be read ({error}).") from error


def needs_entailment_label(folder: Path) -> int:
    """How many classes there are, if nothing says which of them means "supported": the names are
    LABEL_0, LABEL_1, ...; else 0. One class needs no name."""
    labels = class_labels(folder)
    unnamed = len(labels) > 1 and all(_UNNAMED.fullmatch(label) for label in labels)
    return len(labels) if unnamed else 0
