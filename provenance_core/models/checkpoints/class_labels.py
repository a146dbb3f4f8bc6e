"""The classes that the config.json of a classifier names, read without loading the model."""

from __future__ import annotations

from pathlib import Path

from provenance_core.errors import ModelError
from provenance_core.models.checkpoints.files import read_json
from provenance_core.models.nli_classes import read_classes


def class_labels(folder: Path) -> tuple[str, ...]:
    """The names of the classes by index. Where config.json names none they are LABEL_0, LABEL_1 and
    so on, as in transformers. ModelError for a file that cannot be read."""
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
    """The number of the NLI model's classes where a person must say which of them means "supported"
    (:func:`read_classes`). 0 where the names tell, and for a folder that holds no text classifier.
    """
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
    """Whether config.json is that of HHEM-2, which has its own loader and classes."""
    return "HHEMv2ForSequenceClassification" in _architectures(folder)


def _may_classify(folder: Path) -> bool:
    names = _architectures(folder)
    return not names or any(name.endswith("ForSequenceClassification") for name in names)


def _architectures(folder: Path) -> list[str]:
    return list(map(str, read_json(folder / "config.json").get("architectures") or []))
