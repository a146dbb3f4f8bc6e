"""Public classifiers on OpenVINO: the scores of torch, or torch itself."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from provenance_core import ModelError
from provenance_core.models.catalogue.profiles import ModelRole
from provenance_core.models.loading import load_nli, load_relevance
from provenance_core.models.torch_models import openvino_classifier
from provenance_core.models.torch_models.devices import Device, DeviceKind, Precision
from tests import tiny_checkpoints as tiny

# Conversion traces a forward pass, of which torch and transformers warn.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::torch.jit.TracerWarning")
CPU = Device(DeviceKind.CPU, "", Precision.FLOAT32)
# Lengths differ, so that one of a batch is padded.
PAIRS = [
    ("the sky is blue", "the sky is red ."),
    ("the capital of france is paris . the bridge was opened in 1932", "it was opened in 1933"),
]


@pytest.fixture
def converting(monkeypatch):
    monkeypatch.setenv("PROVENANCE_CONVERT", "1")


@pytest.fixture
def in_this_process(monkeypatch):
    """Converts without a process of its own, which takes seconds to start."""

    def convert(folder, path):
        openvino_classifier.convert(folder, path)
        return ""

    monkeypatch.setattr(openvino_classifier, "_convert", convert)


@pytest.mark.parametrize("make", [tiny.bert, tiny.roberta, tiny.albert, tiny.deberta])
def test_a_converted_classifier_gives_the_scores_of_torch(
    tmp_path, make, converting, in_this_process
):
    make(tmp_path)
    scorer = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    assert scorer.info.device == "cpu, openvino"
    with pytest.MonkeyPatch.context() as unset:
        unset.delenv("PROVENANCE_CONVERT")
        plain = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    assert plain.info.device == "cpu"
    if scorer.info.precision == Precision.FLOAT32:
        assert scorer.predict(PAIRS) == pytest.approx(plain.predict(PAIRS), abs=1e-4)
    assert scorer.pair_tokens(PAIRS) == plain.pair_tokens(PAIRS)
    assert scorer.labels == plain.labels


def test_a_relevance_model_of_two_classes_is_converted(tmp_path, converting, in_this_process):
    tiny.bert(tmp_path, ("not_relevant", "relevant"))
    given = tiny.public_model(tmp_path, ModelRole.RELEVANCE)
    scorer = load_relevance(given, tmp_path, CPU)
    assert scorer.info.device == "cpu, openvino"
    assert scorer.predict(PAIRS).shape == (2, 1)


def test_a_process_converts_once_and_the_file_is_read_again(tmp_path, converting, monkeypatch):
    tiny.bert(tmp_path)
    first = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    assert first.info.device == "cpu, openvino"
    assert {path.suffix for path in (tmp_path / "openvino").iterdir()} == {".xml", ".bin"}
    monkeypatch.setattr(openvino_classifier, "_convert", lambda *_: pytest.fail("converted again"))
    again = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    assert np.array_equal(again.predict(PAIRS), first.predict(PAIRS))


def test_other_scores_are_not_used(tmp_path, converting, in_this_process, monkeypatch, caplog):
    tiny.bert(tmp_path)
    load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    (path,) = (tmp_path / "openvino").glob("*.xml")
    tiny.bert(tmp_path / "other", spare_words=1)
    openvino_classifier.convert(tmp_path / "other", tmp_path / "other.xml")
    for suffix in (".xml", ".bin"):
        (tmp_path / "other").with_suffix(suffix).replace(path.with_suffix(suffix))
    with caplog.at_level(logging.WARNING):
        scorer = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    assert scorer.info.device == "cpu"
    assert "event=engine_refused engine=openvino" in caplog.text


def test_what_cannot_be_converted_stays_on_torch(tmp_path, converting, caplog):
    tiny.bert(tmp_path)
    (tmp_path / "openvino").write_text("a file where the folder should be")
    with caplog.at_level(logging.WARNING):
        scorer = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    assert scorer.info.device == "cpu"
    assert "event=not_converted" in caplog.text
    assert "File exists" in caplog.text


def test_the_setting_is_checked(tmp_path, monkeypatch):
    tiny.bert(tmp_path)
    monkeypatch.setenv("PROVENANCE_CONVERT", "perhaps")
    with pytest.raises(ModelError, match="PROVENANCE_CONVERT is 'perhaps', but must be 1 or 0"):
        load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
