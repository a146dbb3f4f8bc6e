"""The first page opens without the libraries that only models and statistics need."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.conftest import APP

# In a process of its own, where no other test has imported them.
OPEN = """
import sys
from streamlit.testing.v1 import AppTest
from dashboard.shared import navigation
heavy = ("torch", "transformers", "sklearn", "scipy", "onnx", "onnxruntime", "openvino")
drawn = []
# Called when the page is drawn, and imports some of these for the pages to come.
navigation.import_ahead = lambda: drawn.append([each for each in heavy if each in sys.modules])
app = AppTest.from_file(sys.argv[1], default_timeout=120).run()
assert not app.exception, app.exception
(names,) = drawn
print(*names)
"""


@pytest.mark.slow
def test_the_first_page_needs_no_torch_scipy_or_engine(url):
    done = subprocess.run(
        [sys.executable, "-c", OPEN, str(APP)],
        cwd=APP.parent,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_no_page_has_an_icon_that_the_browser_fetches_from_another_host():
    source = (APP.parent / "dashboard/shared/navigation.py").read_text(encoding="utf-8")
    pages = re.findall(r"st\.Page\([^()]*\)", source)
    scripts = {path.name for path in (APP.parent / "pages").glob("*.py")}
    # Audit has two addresses.
    assert len(pages) == len(scripts) + 1
    assert {name for page in pages for name in re.findall(r"pages/(\w+\.py)", page)} == scripts
    assert not [page for page in pages if ":material" in page]
