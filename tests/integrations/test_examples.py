"""The examples of the how-to page run as they stand."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "evaluators.md"
EXAMPLES = dict(
    re.findall(
        r"<!-- runs-with: ([\w.]+) -->\n```python\n(.*?)^```",
        PAGE.read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
)


def test_each_library_has_an_example():
    assert set(EXAMPLES) == {
        "langchain_core",
        "llama_index.core",
        "deepeval",
        "ragas",
        "inspect_ai",
    }


@pytest.mark.parametrize("library", EXAMPLES)
def test_the_example_finds_the_wrong_year(library, capsys, no_network):
    if find_spec(library.split(".")[0]) is None:
        pytest.skip(f"{library} is not installed")
    exec(compile(EXAMPLES[library], f"{PAGE.name}: {library}", "exec"), {"__name__": "example"})
    printed = capsys.readouterr().out.splitlines()[-1]
    assert re.search(r"\b0\.[0-4]\d\b", printed)
    assert "hallucinated" in printed or "“1923” is not in the context" in printed
    assert no_network == []
