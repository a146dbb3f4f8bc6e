"""What runs a model: chosen by what is installed, checked by reference scores, fixed on request."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from provenance_core import ModelError
from provenance_core.models.catalogue.profiles import (
    EMBEDDED_NLI,
    EMBEDDED_NLI_LARGE,
    EMBEDDED_RELEVANCE,
    embedded_folder,
)
from provenance_core.models.onnx_models import engines
from provenance_core.models.onnx_models.cross_encoder import MODEL_FILE, CrossEncoder
from provenance_core.models.onnx_models.engines import (
    ENGINES,
    ONNX_RUNTIME,
    OPENVINO,
    OnnxRuntimeEngine,
    OpenVinoEngine,
    _cgroup_cores,
    has_bfloat16,
    open_engine,
    usable_cores,
    usable_engines,
)
from provenance_core.models.onnx_models.reference_scores import (
    PAIRS,
    REFERENCE_FILE,
    largest_difference,
    read_reference_scores,
)
from provenance_core.models.onnx_models.relevance_model import RelevanceModel

LARGE = embedded_folder(EMBEDDED_NLI_LARGE)


@pytest.fixture(scope="module")
def large() -> CrossEncoder:
    return CrossEncoder.load(LARGE)


@pytest.fixture
def small_copy(tmp_path) -> Path:
    """The small NLI model's folder, to be changed."""
    return Path(shutil.copytree(embedded_folder(EMBEDDED_NLI), tmp_path / "nli"))


def test_both_engines_give_the_scores_of_float_activations(large):
    pytest.importorskip("openvino")
    exact = large.on(OnnxRuntimeEngine(str(LARGE / MODEL_FILE), exact=True)).predict(PAIRS)
    for name in ENGINES:
        found = large.on(open_engine(LARGE / MODEL_FILE, name)).predict(PAIRS)
        # Rounded to 8 bits in groups: under 0.1. bfloat16, where a processor has it: under 0.3.
        assert np.abs(found - exact).max() < 0.3, name
        assert (found.argmax(axis=1) == exact.argmax(axis=1)).all(), name


def test_openvino_computes_as_the_processor_can_and_rounds_in_the_groups_that_were_chosen(
    monkeypatch,
):
    pytest.importorskip("openvino")
    for half, precision in ((True, "bfloat16"), (False, "float32")):
        monkeypatch.setattr(engines, "has_bfloat16", lambda half=half: half)
        engine = OpenVinoEngine(str(embedded_folder(EMBEDDED_NLI) / MODEL_FILE))
        assert engine.precision == precision
        asked = engine.prepared("logits").get_property("DYNAMIC_QUANTIZATION_GROUP_SIZE")
        assert asked == engines._GROUP
    exact = OpenVinoEngine(str(embedded_folder(EMBEDDED_NLI) / MODEL_FILE), exact=True)
    assert exact.precision == "float32"
    assert exact.prepared("logits").get_property("DYNAMIC_QUANTIZATION_GROUP_SIZE") == 0


def test_onnx_runtime_reads_a_batch_on_each_core_and_openvino_one_on_all(monkeypatch):
    pytest.importorskip("openvino")
    for cores, batches in ((1, 1), (2, 2), (16, 4)):
        monkeypatch.setattr(engines, "usable_cores", lambda cores=cores: cores)
        path = embedded_folder(EMBEDDED_NLI) / MODEL_FILE
        batching = open_engine(path, ONNX_RUNTIME).batching
        assert batching.at_once == batches
        assert (batching.tokens, batching.least) == (1024, 2), "the same with more cores"
        assert open_engine(path, OPENVINO).batching == engines.ON_ALL_CORES


def test_the_flags_of_the_processor_tell_whether_it_has_bfloat16(tmp_path):
    cpu = tmp_path / "cpuinfo"
    assert not has_bfloat16(cpu)
    for flags, expected in (
        ("avx2 avx512f avx512_bf16 avx512_vnni", True),
        ("avx512_bf16 amx_bf16 amx_int8", True),
        ("avx2 avx512f avx512_vnni", False),
    ):
        cpu.write_text(f"processor\t: 0\nflags\t\t: fpu {flags}\n", encoding="utf-8")
        assert has_bfloat16(cpu) is expected


@pytest.mark.parametrize("name", ENGINES)
def test_a_score_does_not_depend_on_its_batch(large, name):
    if name not in usable_engines(LARGE / MODEL_FILE, (name,)):
        pytest.skip(f"no {name}")
    model = large.on(open_engine(LARGE / MODEL_FILE, name))
    alone = np.concatenate([model.predict([pair]) for pair in PAIRS])
    np.testing.assert_allclose(model.predict(PAIRS), alone, atol=0.02)


@pytest.mark.parametrize("model", [EMBEDDED_RELEVANCE, EMBEDDED_NLI, EMBEDDED_NLI_LARGE])
def test_the_reference_scores_are_those_of_the_weights(model):
    """Else run: python -m benchmarks.engines --write"""
    folder = embedded_folder(model)
    loaded = (RelevanceModel if model is EMBEDDED_RELEVANCE else CrossEncoder).load(folder)
    reference = read_reference_scores(folder, loaded.info.sha256)
    assert reference is not None
    assert reference.pairs == PAIRS
    assert largest_difference(loaded.predict, reference) < 0.05
    assert loaded.info.device.split(", ")[1] in ENGINES


def test_an_engine_that_gives_other_scores_is_not_used(small_copy, caplog):
    path = small_copy / REFERENCE_FILE
    raw = json.loads(path.read_text(encoding="utf-8"))
    raw["logits"][0] = raw["logits"][0][::-1]
    path.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(ModelError, match=r"reference scores on this processor: .* onnxruntime"):
        CrossEncoder.load(small_copy)
    assert "event=engine_refused engine=onnxruntime" in caplog.text


def test_other_weights_are_not_checked_by_these_scores_and_a_damaged_file_is_named(small_copy):
    path = small_copy / REFERENCE_FILE
    assert read_reference_scores(small_copy, "0" * 64) is None
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ModelError, match=r"reference_scores[.]json cannot be read"):
        CrossEncoder.load(small_copy)
    path.unlink()
    assert CrossEncoder.load(small_copy).predict(PAIRS).shape == (3, 3)


def test_the_setting_fixes_the_engine_where_there_is_a_choice(monkeypatch):
    path, both = Path(MODEL_FILE), (OPENVINO, ONNX_RUNTIME)
    fixed = {"PROVENANCE_ENGINE": "OnnxRuntime"}
    assert usable_engines(path, both, fixed) == (ONNX_RUNTIME,)
    assert usable_engines(path, (ONNX_RUNTIME,), {"PROVENANCE_ENGINE": OPENVINO}) == (ONNX_RUNTIME,)
    with pytest.raises(ModelError, match="PROVENANCE_ENGINE is 'tensorrt', but must be one of"):
        usable_engines(path, both, {"PROVENANCE_ENGINE": "tensorrt"})
    monkeypatch.setattr(engines, "find_spec", lambda name: name == ONNX_RUNTIME or None)
    assert usable_engines(path, both, {}) == (ONNX_RUNTIME,)
    with pytest.raises(ModelError, match="none of openvino is installed"):
        usable_engines(path, both, {"PROVENANCE_ENGINE": OPENVINO})
    with pytest.raises(ModelError, match="none of another is installed"):
        usable_engines(path, ("another",), {})


@pytest.mark.parametrize(
    ("files", "own", "cores"),
    [
        ({"cpu.max": "150000 100000"}, "0::/", 1.5),
        ({"cpu.max": "max 100000", "app/cpu.max": "400000 100000"}, "0::/app", 4.0),
        ({"cpu.max": "200000 100000", "app/cpu.max": "400000 100000"}, "0::/app", 2.0),
        (
            {"cpu/cpu.cfs_quota_us": "300000", "cpu/cpu.cfs_period_us": "100000"},
            "4:cpu,cpuacct:/host/path\n3:memory:/",
            3.0,
        ),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, "4:cpu:/", np.inf),
        ({"cpu.max": "what"}, "0::/", np.inf),
        ({}, "0::/../..", np.inf),
    ],
)
def test_cores_of_a_control_group(tmp_path, files, own, cores):
    for name, content in files.items():
        path = tmp_path / "groups" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{content}\n", encoding="ascii")
    (tmp_path / "own").write_text(f"{own}\n", encoding="ascii")
    assert _cgroup_cores(tmp_path / "groups", tmp_path / "own") == cores
    assert _cgroup_cores(tmp_path / "groups", tmp_path / "missing") == np.inf


def test_no_more_cores_than_the_process_may_use(monkeypatch):
    assert 1 <= usable_cores() <= len(os.sched_getaffinity(0))
    monkeypatch.setattr(engines, "_cgroup_cores", lambda root, own: 0.5)
    assert usable_cores() == 1
