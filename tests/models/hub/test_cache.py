"""The cache of downloaded models: what is kept, listed, checked and removed."""

from __future__ import annotations

import pytest

from provenance_core import ModelError
from provenance_core.models.catalogue.profiles import custom_profile, model_reference
from provenance_core.models.hub.cache import (
    is_ready,
    model_folder,
    remove_stored,
    stored_models,
    verified_folder,
)
from provenance_core.models.hub.download import get_model
from tests.fake_hub import NAME, NEXT, WANTED, WEIGHTS, model_files, named


def test_a_folder_is_used_as_it_is(folder, tmp_path, monkeypatch):
    for name in WANTED:
        (tmp_path / name).write_bytes(model_files()[name])
    profile = custom_profile(str(tmp_path))
    assert get_model(profile.nli) == verified_folder(profile.nli) == tmp_path
    monkeypatch.chdir(tmp_path.parent)
    assert model_reference(f"./{tmp_path.name}") == str(tmp_path)
    (tmp_path / WEIGHTS).rename(tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelError, match="pickle"):
        get_model(profile.nli)
    (tmp_path / "config.json").unlink()
    with pytest.raises(ModelError, match=r"no config\.json"):
        get_model(profile.nli)
    with pytest.raises(ModelError, match="no folder"):
        model_folder(custom_profile(str(tmp_path / "missing")).nli)
    with pytest.raises(ModelError, match="cannot be read"):
        model_folder(custom_profile("/" + "a" * 300).nli)


def test_what_is_kept_is_listed_and_removed(hub, folder):
    assert stored_models() == ()
    path = get_model(named())
    hub.publish(NAME, model_files(), NEXT, "other")
    other = get_model(named("other"))
    kept = stored_models()
    assert [each.folder for each in kept] == [path, other]
    assert [each.belongs_to(named()) for each in kept] == [True, False]
    size = sum(file.stat().st_size for file in path.iterdir())
    assert remove_stored(kept[0]) == kept[0].size == size
    assert not path.exists()
    assert is_ready(named("other"))
    assert remove_stored(kept[0]) == 0
    assert remove_stored(kept[1]) == kept[1].size
    assert not other.parents[1].exists()


def test_a_file_that_is_gone_makes_the_download_unfinished(hub):
    path = get_model(named())
    (path / "config.json").unlink()
    assert [each.whole for each in stored_models()] == [False]
    asked = len(hub.asked)
    assert get_model(named()) == path
    assert not any("large" in each for each in hub.asked[asked:])
