"""The classes that a config.json names."""

from __future__ import annotations

import json

import pytest

from provenance_core import ModelError
from provenance_core.models.checkpoints.class_labels import class_labels, needs_entailment_label


def test_classes_without_names_ask_for_the_index(tmp_path):
    def labels(*names: str) -> int:
        config = {"id2label": dict(enumerate(names))}
        (tmp_path / "config.json").write_text(json.dumps(config))
        return needs_entailment_label(tmp_path)

    assert labels("LABEL_0", "LABEL_1", "LABEL_2") == 3
    assert class_labels(tmp_path) == ("LABEL_0", "LABEL_1", "LABEL_2")
    assert labels("LABEL_0") == labels("not_entailment", "entailment") == 0
    # What the loader cannot read is asked for here too.
    assert labels("no", "yes") == 2
    # transformers writes no names where they are its own.
    (tmp_path / "config.json").write_text("{}")
    assert class_labels(tmp_path) == ("LABEL_0", "LABEL_1")
    assert needs_entailment_label(tmp_path) == 2
    for other in ("BertForMaskedLM", "HHEMv2ForSequenceClassification"):
        (tmp_path / "config.json").write_text(json.dumps({"architectures": [other]}))
        assert needs_entailment_label(tmp_path) == 0
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ModelError, match=r"config\.json"):
        class_labels(tmp_path)
