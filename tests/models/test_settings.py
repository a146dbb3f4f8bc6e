"""The environment variables of the models."""

from __future__ import annotations

from pathlib import Path

import pytest

from provenance_core import ModelError
from provenance_core.models.settings import MODEL_SETTINGS, model_settings_help, read_model_settings


def test_settings_are_read_and_named_in_the_help(monkeypatch):
    found = read_model_settings({})
    assert (found.hub, found.offline) == (None, False)
    assert found.folder.is_absolute()
    given = {"PROVENANCE_MODEL_HUB": "http://host:1/hub/", "PROVENANCE_OFFLINE": "yes"}
    found = read_model_settings({**given, "PROVENANCE_MODELS": "here"})
    assert (found.hub, found.offline) == ("http://host:1/hub", True)
    assert found.folder == Path.cwd() / "here"
    for setting in MODEL_SETTINGS:
        assert f"{setting.variable}: {setting.meaning}" in model_settings_help()


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("PROVENANCE_OFFLINE", "maybe", "must be 1 or 0"),
        ("PROVENANCE_MODEL_HUB", "ftp://host", "not an http or https URL"),
        ("PROVENANCE_MODEL_HUB", "https://me:secret@host", "user name or password"),
    ],
)
def test_a_wrong_setting_is_named(variable, value, said):
    with pytest.raises(ModelError, match=said) as caught:
        read_model_settings({variable: value})
    assert variable in str(caught.value)
    assert "secret" not in str(caught.value)
