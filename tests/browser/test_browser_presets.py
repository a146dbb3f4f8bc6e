"""A default preset in a browser whose address names settings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from provenance_core import default_parameters
from storage import PresetStore
from storage.presets import PresetEvidence
from tests.browser_app import opened, served

pytestmark = pytest.mark.browser
EVIDENCE = PresetEvidence("", "", "reviews", 10, 0.5, "", ())


def test_a_new_default_counts_after_a_reload(tmp_path: Path):
    with served(tmp_path) as address, opened(tmp_path / "profile") as page:
        slider = page.get_by_role("slider", name="Threshold")
        page.goto(address)
        expect(slider).to_be_visible(timeout=60_000)
        presets = PresetStore.open(f"sqlite:///{tmp_path / 'app.db'}")
        number = presets.save(
            "a", "cascade", replace(default_parameters(), threshold=0.25), EVIDENCE
        )
        presets.set_default(number)
        page.reload()
        expect(slider).to_have_value("0.25", timeout=60_000)
        slider.focus()
        page.keyboard.press("Home")
        page.wait_for_url("**threshold=0.000")
        page.reload()
        expect(slider).to_have_value("0", timeout=60_000)
