"""Pages and REST interface from one process."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.api.conftest import BRIDGE
from tests.browser_app import opened, served

pytestmark = pytest.mark.browser


def test_what_a_program_audits_stands_on_the_page(tmp_path: Path) -> None:
    with served(tmp_path, script="server.py") as base:
        request = Request(
            f"{base}/api/v1/audits",
            json.dumps(BRIDGE).encode(),
            {"Content-Type": "application/json"},
        )
        with urlopen(request, timeout=120) as reply:
            number = json.load(reply)["id"]
        with opened(tmp_path / "profile") as page:
            page.goto(f"{base}/audit?audit={number}")
            page.get_by_text(BRIDGE["answer"]).first.wait_for(timeout=60_000)
