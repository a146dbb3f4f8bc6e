"""The wheel: built, installed alone with what it declares, and asked to audit."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PACKAGED = (
    "provenance_core", "storage", "reports", "api",
)  # fmt: skip
QUERY = "When was the bridge opened?"
ANSWER = "It was opened in 1932."
CONTEXT = "The Sydney Harbour Bridge was opened on 19 March 1932."

pytestmark = pytest.mark.slow


def call(*command: str | Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """A process that knows nothing of the checkout."""
    known = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PROVENANCE"))}
    done = subprocess.run(
        command, env={**known, **settings}, cwd="/", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from a copy of the sources, so that the build leaves nothing in the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    sources = folder / "sources"
    sources.mkdir()
    for name in PACKAGED:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(REPOSITORY / name, sources / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, sources)
    # Folders of the repository that are no part of the library.
    for name in ("dashboard", "tests"):
        (sources / name).mkdir()
        (sources / name / "__init__.py").touch()
    call(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", folder, sources)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel) -> Path:
    """The folder of the programs of an environment that has the wheel and its dependencies."""
    folder = wheel.parent / "environment"
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    call(
        programs / "python", "-m", "pip", "install", "--quiet",
        "--constraint", REPOSITORY / "requirements.txt", wheel,
    )  # fmt: skip
    return programs


def test_wheel_holds_the_code_the_weights_and_the_migrations(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())
    for name in PACKAGED:
        for path in (REPOSITORY / name).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert path.relative_to(REPOSITORY).as_posix() in held
    assert {name.split("/")[0] for name in held if ".dist-info/" not in name} == set(PACKAGED)


def test_installed_command_audits(installed, tmp_path):
    file = tmp_path / "context.txt"
    file.write_text(CONTEXT, encoding="utf-8")
    done = call(
        installed / "provenance", "audit", "--json",
        "--query", QUERY, "--answer", ANSWER, "--context", file,
    )  # fmt: skip
    audit = json.loads(done.stdout)
    assert audit["verdict"] == "supported"
    assert audit["score"] > audit["parameters"]["threshold"]


def test_installed_library_brings_neither_torch_nor_streamlit(installed):
    done = call(installed / "python", "-m", "pip", "list", "--format=json")
    names = {row["name"].lower() for row in json.loads(done.stdout)}
    assert "provenance" in names
    assert not names & {"torch", "transformers", "streamlit", "openai"}


def test_installed_command_keeps_its_database_in_the_users_data_folder(installed, tmp_path):
    rows = tmp_path / "rows.jsonl"
    row = {"query": QUERY, "answer": ANSWER, "context": [CONTEXT]}
    rows.write_text(json.dumps(row) + "\n", encoding="utf-8")
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
    call(installed / "provenance", "batch", rows, "--run", "rows", **home)
    if sys.platform == "linux":
        assert (tmp_path / "data" / "provenance" / "provenance.db").is_file()
    for kind in ("jsonl", "html"):
        kept = str(tmp_path / f"exported.{kind}")
        call(
            installed / "provenance", "export", "--run", "rows", "--format", kind, "--out", kept,
            **home,
        )  # fmt: skip
    assert "Sydney Harbour Bridge" in (tmp_path / "exported.jsonl").read_text(encoding="utf-8")
    assert "<html" in (tmp_path / "exported.html").read_text(encoding="utf-8")
