"""Pages and REST interface from one process."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from provenance_core import Provenance
from storage import AuditStore
from storage.retention import RETENTION_DAYS
from tests.api.conftest import BRIDGE
from tests.api.test_retention import soon
from tests.browser_app import environment, opened, served
from tests.storage.test_retention import aged, an_audit

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
            # The folded form has the answer too, out of sight.
            said = page.get_by_text(BRIDGE["answer"]).and_(page.locator(":visible"))
            said.first.wait_for(timeout=60_000)
            assert page.get_by_text("Page not found").count() == 0


def test_what_is_too_old_goes_before_anybody_opens_a_page(
    tmp_path: Path, provenance: Provenance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(RETENTION_DAYS.variable, "30")
    store = AuditStore.open(environment(tmp_path)["PROVENANCE_DATABASE_URL"])
    store.save(aged(an_audit(provenance), 31))
    with served(tmp_path, script="server.py"):
        soon(store, 0)
