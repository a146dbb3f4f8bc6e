"""A hub on this machine and a cache of the test's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fake_hub import NAME, FakeHub, model_files, serving


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The cache of the test's own."""
    for name in ("HF_TOKEN", "PROVENANCE_OFFLINE", "PROVENANCE_MODEL_HUB"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PROVENANCE_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


@pytest.fixture
def hub(folder, monkeypatch) -> Iterator[FakeHub]:
    with serving() as running:
        running.publish(NAME, model_files())
        monkeypatch.setenv("PROVENANCE_MODEL_HUB", running.url)
        monkeypatch.setattr("huggingface_hub.file_download.time.sleep", lambda seconds: None)
        # What has come of a part of this size is kept; the library's own is 10 MB.
        monkeypatch.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", 1000)
        yield running
