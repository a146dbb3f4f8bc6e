"""The classes that the config.json of a classifier names, read without loading the model."""

from __future__ import annotations

from pathlib import Path

from provenance_core.errors import ModelError
from provenance_core.models.checkpoints.files import read_json
from provenance_core.models.nli_classes import read_classes


def class_labels(folder: Path) -> tuple[str, ...]:
    """Read the names of a classifier's classes. Loads no model. The names by index. Where
    config.json gives none they are LABEL_0, LABEL_1 and so on, as in transformers. Raises
    ModelError where the file is missing or cannot be read."""
    path = folder / "config.json"
    raw = read_json(path)
    try:
        named = raw.get("id2label") or {
            str(index): f"LABEL_{index}" for index in range(int(raw.get("num_labels", 2)))
        }
        return tuple(str(named[index]) for index in sorted(named, key=int))
    except (ValueError, TypeError) as error:
        raise ModelError(f"{path} cannot be read ({error}).") from error


def needs_entailment_label(folder: Path) -> int:
    """Count the classes where a person must say which of them means "supported". 2 or 3 where the
    names do not tell (:func:`read_classes`); 0 where they do, and for a folder that holds no text
    classifier. Raises ModelError where config.json is missing or cannot be read."""
    if is_hhem(folder) or not _may_classify(folder):
        return 0
    labels = class_labels(folder)
    if not 2 <= len(labels) <= 3:
        return 0
    try:
        read_classes(labels, str(folder))
    except ModelError:
        return len(labels)
    return 0


def is_hhem(folder: Path) -> bool:
    """Whether a folder holds HHEM-2, which has its own loader and classes. True where config.json
    names the class of HHEM-2. Raises ModelError where config.json is missing or cannot be read."""
    return "HHEMv2ForSequenceClassification" in _architectures(folder)


def _may_classify(folder: Path) -> bool:
    names = _architectures(folder)
    return not names or any(name.endswith("ForSequenceClassification") for name in names)


def _architectures(folder: Path) -> list[str]:
    return list(map(str, read_json(folder / "config.json").get("architectures") or []))
