"""The code on the library's page and in the README runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from provenance_core.audit.shared_models import shared_models

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("docs/how-to/library.md", ["hallucinated 0.", "“1999” is not in the context", "0 The S"]),
        ("README.md", ["hallucinated The one sentence is not supported: "]),
    ],
)
def test_the_code_of_a_page_runs(page, said, loaded_once, capsys):
    shared_models.cache_clear()
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    shared_models.cache_clear()
    out = capsys.readouterr().out
    assert all(each in out for each in said), out
