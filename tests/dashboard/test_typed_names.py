"""What a visitor types or uploads reaches no file of another name, no model and no address."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from dashboard.batch.upload import keep_uploads
from provenance_core import InputError
from provenance_core.errors import ModelError
from provenance_core.models.catalogue.profiles import get_profile
from tests.api.test_typed_names import NAMES, WORD, opened
from tests.app_page import PATIENCE
from tests.conftest import APP
from tests.hostile.reached import reached
from tests.wording import assert_shows


@dataclass
class Uploaded:
    name: str
    file_id: str = "1"

    def getvalue(self) -> bytes:
        return b"{}"


@pytest.mark.parametrize(
    "name",
    [
        *NAMES, "..", ".", "", "../..", "..\\..\\x.jsonl", "/etc/passwd", "a/../../b.jsonl",
        "\x00", "x" * 300,
    ],
)  # fmt: skip
def test_an_upload_stays_in_its_folder(name: str) -> None:
    with reached() as seen:
        try:
            kept = keep_uploads([Uploaded(name)])
        except InputError as error:
            assert_shows(str(error), snapshot("cannot be kept on the server"))
            kept = None
    if kept is not None:
        (path,) = kept.paths
        assert path.resolve().parent == Path(kept.folder).resolve()
        assert path.read_bytes() == b"{}"
    written = [each.split()[1] for each in seen if each.startswith("open ") and WORD in each]
    assert all("/provenance-" in each for each in written), written


@pytest.mark.parametrize("name", NAMES)
def test_a_profile_is_found_by_names_that_are_known(name: str) -> None:
    with reached() as seen, pytest.raises(ModelError, match=r"no profile|not known"):
        get_profile(name)
    assert not opened(seen)


@pytest.mark.parametrize("name", NAMES)
def test_no_address_of_a_page_names_a_file_or_a_model(url: str, name: str) -> None:
    with reached() as seen:
        for page in ("audit", "batch", "history", "models"):
            app = AppTest.from_file(APP, default_timeout=PATIENCE)
            for key in ("audit", "run", "open", "text", "profile", "preset", "detector", "encoder"):
                app.query_params[key] = name.replace("\x00", "")
            app.switch_page(f"pages/{page}.py").run()
            assert not app.exception
    assert not opened(seen)
