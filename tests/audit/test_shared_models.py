"""Two profiles in memory at most, the least recently used released."""

from __future__ import annotations

import threading
import weakref

import psutil
import pytest

from provenance_core import ModelError
from provenance_core.audit.shared_models import SharedModels
from provenance_core.models.torch_models.devices import release_memory
from provenance_core.progress import Progress

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from provenance_core import Provenance  # noqa: E402
from provenance_core.models.loading import load_nli  # noqa: E402
from provenance_core.models.torch_models.devices import Device, DeviceKind, Precision  # noqa: E402
from tests import tiny_checkpoints as tiny  # noqa: E402

MEGABYTE = 1e6
SIZE = 100 * MEGABYTE


class Stand:
    """Takes the models' place where only who holds them is tested."""


def used(profiles: SharedModels, *names: str) -> None:
    for name in names:
        with profiles.use(name):
            pass


def test_the_least_recently_used_is_released():
    seen = []

    def load(name):
        seen.append(name)
        return Stand()

    profiles = SharedModels(load)
    used(profiles, "a", "b", "a", "c")
    assert profiles.names == ("a", "c")
    used(profiles, "a", "b")
    assert seen == ["a", "b", "c", "b"]
    assert profiles.names == ("a", "b")
    profiles.release()
    assert profiles.names == ()


def test_a_profile_that_cannot_be_loaded_leaves_its_place():
    def load(name):
        if name == "broken":
            raise ModelError("no such model")
        return Stand()

    profiles = SharedModels(load)
    used(profiles, "a")
    with pytest.raises(ModelError), profiles.use("broken"):
        pass
    assert profiles.names == ("a",)


def test_a_profile_in_use_is_not_released_and_others_wait():
    held = []

    def load(name):
        held.append((name, weakref.ref(stand := Stand())))
        return stand

    profiles = SharedModels(load, capacity=1)
    waits, loaded = threading.Event(), threading.Event()

    def other():
        with profiles.use("b", Progress(lambda stage, share: waits.set())):
            loaded.set()

    with profiles.use("a") as provenance:
        thread = threading.Thread(target=other)
        thread.start()
        assert waits.wait(60)
        assert not loaded.is_set()
        assert [name for name, _ in held] == ["a"]
        del provenance
    thread.join(60)
    assert loaded.is_set()
    assert profiles.names == ("b",)
    assert held[0][1]() is None


def resident() -> float:
    release_memory()
    return float(psutil.Process().memory_info().rss)


@pytest.mark.slow
def test_memory_before_and_after(tmp_path, provenance):
    """A third profile takes the place of the first, by the memory of this process."""
    cpu = Device(DeviceKind.CPU, "", Precision.FLOAT32)
    tiny.bert(tmp_path, spare_words=int(SIZE / 4 / 32))
    # Loaded once, so that the libraries are in memory before it is measured.
    load_nli(tiny.public_model(tmp_path), tmp_path, cpu)

    def load(name):
        nli = load_nli(tiny.public_model(tmp_path), tmp_path, cpu)
        # The file is mapped: what was not read yet is not in memory.
        assert sum(float(weights.sum()) for weights in nli._model.parameters()) != 0
        return Provenance(provenance.relevance, nli, name)

    profiles = SharedModels(load)
    before = resident()
    used(profiles, "a", "b")
    two = resident()
    used(profiles, "c")
    three = resident()
    profiles.release()
    after = resident()
    assert two - before == pytest.approx(2 * SIZE, abs=0.3 * SIZE)
    assert three - before == pytest.approx(2 * SIZE, abs=0.3 * SIZE)
    assert after - before == pytest.approx(0, abs=0.3 * SIZE)
