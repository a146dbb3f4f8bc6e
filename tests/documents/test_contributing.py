"""The worked examples of CONTRIBUTING.md, followed to the letter in a copy of the repository."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents.pages import PAGES, REPOSITORY

STEP = re.compile(r"^<!-- (file|edit): (\S+) -->\n```(?:python|diff)\n(.*?)^```", re.M | re.S)
STEPS = STEP.findall(PAGES["CONTRIBUTING.md"])
COPIED = (
    ".streamlit",
    "api",
    "dashboard",
    "pages",
    "provenance_core",
    "reports",
    "storage",
)
FILES = ("app.py", "pyproject.toml", "tests/__init__.py", "tests/commands.py", "tests/conftest.py")


def link_weights(source: str, target: str) -> object:
    """Copy a file, but only link to weights, which are large."""
    if source.endswith(".onnx"):
        return Path(target).symlink_to(source)
    return shutil.copy2(source, target)


def edited(text: str, diff: str) -> str:
    """``text`` with the lines that ``diff`` adds after the lines that it shows."""
    shown = "".join(line[1:] for line in diff.splitlines(keepends=True) if line[0] == " ")
    added = "".join(line[1:] for line in diff.splitlines(keepends=True) if line[0] == "+")
    assert text.count(shown) == 1, f"not exactly once: {shown}"
    return text.replace(shown, shown + added)


@pytest.fixture(scope="module")
def followed(tmp_path_factory) -> Path:
    """A copy in which every step was taken."""
    copy = tmp_path_factory.mktemp("contributing")
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in COPIED:
        shutil.copytree(
            REPOSITORY / folder, copy / folder, copy_function=link_weights, ignore=ignored
        )
    for file in FILES:
        (copy / file).parent.mkdir(exist_ok=True)
        shutil.copy2(REPOSITORY / file, copy / file)
    for kind, path, text in STEPS:
        target = copy / path
        if kind == "edit":
            target.write_text(edited(target.read_text(encoding="utf-8"), text), encoding="utf-8")
            continue
        assert not target.exists(), f"{path} is there already"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return copy


def test_there_is_an_example_of_each_kind():
    files = [path for kind, path, _ in STEPS if kind == "file"]
    for folder in ("provenance_core/detectors/", "provenance_core/files/formats/", "pages/"):
        assert any(path.startswith(folder) for path in files), folder


@pytest.mark.slow
def test_the_tests_of_the_examples_pass(followed):
    tests = [path for kind, path, _ in STEPS if kind == "file" and "/test_" in path]
    assert len(tests) == 3
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, cwd=followed, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_examples_are_clean(followed):
    files = [path for kind, path, _ in STEPS if kind == "file"]
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", *files]
    done = subprocess.run(command, cwd=followed, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
