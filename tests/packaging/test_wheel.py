"""The wheel: built, installed alone with what it declares, and asked to audit."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
# What the app's folder in the wheel holds.
APP = ("api", "dashboard", "pages", "reports", "storage")
FILES = (
    "app.py", "server.py", ".streamlit/config.toml", "benchmarks/RESULTS.md",
    "benchmarks/results.json", "docs/tutorials/answers.jsonl",
)  # fmt: skip
BUILD = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE")
QUERY = "When was the bridge opened?"
ANSWER = "It was opened in 1932."
CONTEXT = "The Sydney Harbour Bridge was opened on 19 March 1932."

pytestmark = pytest.mark.slow


def call(
    *command: str | Path, folder: Path = Path("/"), status: int = 0, **settings: str
) -> subprocess.CompletedProcess[str]:
    """A process that knows nothing of the checkout."""
    known = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PROVENANCE"))}
    done = subprocess.run(
        command, env={**known, **settings}, cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from a copy of the sources, so that the build leaves nothing in the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    sources = folder / "sources"
    for name in ("provenance_core", *APP):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(REPOSITORY / name, sources / name, ignore=ignored)
    for name in (*FILES, *BUILD):
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, sources / name)
    # A folder of the repository that is no part of the wheel.
    (sources / "tests").mkdir()
    (sources / "tests" / "__init__.py").touch()
    call(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", folder, sources)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def unpacked(wheel) -> dict[str, str]:
    """The variable by which Python finds the wheel's packages without an install."""
    folder = wheel.parent / "unpacked"
    zipfile.ZipFile(wheel).extractall(folder)
    return {"PYTHONPATH": str(folder)}


@pytest.fixture
def crowded(tmp_path) -> Path:
    """A working folder with packages of the app's names, each of which ends who imports it."""
    folder = tmp_path / "project"
    for name in (*APP, "access", "worker"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(f"raise SystemExit('imported {name}')\n")
    (folder / "context.txt").write_text(CONTEXT, encoding="utf-8")
    row = {"query": QUERY, "answer": ANSWER, "context": [CONTEXT]}
    (folder / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return folder


def database(folder: Path) -> dict[str, str]:
    return {"PROVENANCE_DATABASE_URL": f"sqlite:///{folder / 'kept.db'}"}


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


def test_wheel_holds_the_code_the_weights_and_the_app(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())

    def files(name: str) -> set[str]:
        found = (path for path in (REPOSITORY / name).rglob("*") if path.is_file())
        return {
            path.relative_to(REPOSITORY).as_posix()
            for path in found
            if "__pycache__" not in path.parts
        }

    app = {f"provenance_core/_app/{name}" for name in FILES}.union(
        *({f"provenance_core/_app/{file}" for file in files(name)} for name in APP)
    )
    assert {name for name in held if ".dist-info/" not in name} == files("provenance_core") | app


def test_the_source_distribution_builds_the_same_wheel(wheel):
    folder = wheel.parent / "from-source"
    folder.mkdir()
    build = f"import setuptools.build_meta as b; b.build_sdist({str(folder)!r})"
    call(sys.executable, "-c", build, folder=wheel.parent / "sources")
    (archive,) = folder.glob("*.tar.gz")
    call(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", folder, archive)
    (again,) = folder.glob("*.whl")
    assert set(zipfile.ZipFile(again).namelist()) == set(zipfile.ZipFile(wheel).namelist())


@pytest.mark.parametrize(
    "command",
    [
        ["audit", "--json", "--answer", ANSWER, "--context", "context.txt"],
        ["preset", "--list"],
        ["health"],
    ],
    ids=lambda command: command[0],
)
def test_commands_run_where_other_packages_have_the_apps_names(unpacked, crowded, command):
    call(
        sys.executable, "-m", "provenance_core", *command, folder=crowded,
        **unpacked, **database(crowded),
    )  # fmt: skip


def test_a_file_is_imported_where_other_packages_have_the_apps_names(unpacked, crowded):
    """Import reads its lines in a process of their own, which needs the storage too."""
    command = [sys.executable, "-m", "provenance_core"]
    settings = {**unpacked, **database(crowded)}
    call(*command, "batch", "rows.jsonl", "--run", "rows", folder=crowded, **settings)
    call(*command, "export", "--out", "kept.jsonl", folder=crowded, **settings)
    other = {**unpacked, "PROVENANCE_DATABASE_URL": f"sqlite:///{crowded / 'other.db'}"}
    assert "1" in call(*command, "import", "kept.jsonl", folder=crowded, **other).stdout


def test_a_library_of_the_callers_own_name_stays_the_callers(unpacked, crowded):
    for name in ("api", "storage"):
        (crowded / name / "__init__.py").write_text("MINE = True\n")
    script = "import provenance_core, api, storage; assert api.MINE and storage.MINE"
    call(sys.executable, "-c", script, folder=crowded, **unpacked)


APP_TEST = """
from provenance_core.app_folder import app_folder, search_app_first
search_app_first()
from streamlit.testing.v1 import AppTest
page = AppTest.from_file(str(app_folder() / "app.py"), default_timeout=120).run()
assert not page.exception, page.exception
print([each.value for each in page.title])
"""


def test_the_dashboard_opens_its_first_page(unpacked, crowded):
    settings = {**unpacked, **database(crowded), "PROVENANCE_OPEN_TO_NETWORK": "1"}
    assert "Audit" in call(sys.executable, "-c", APP_TEST, folder=crowded, **settings).stdout


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


@pytest.mark.parametrize(
    ("command", "address"),
    [
        (["app", "--headless"], "/_stcore/health"),
        (["app", "--headless", "--rest"], "/api/v1/openapi.json"),
        (["serve"], "/api/v1/openapi.json"),
    ],
    ids=" ".join,
)
def test_servers_answer_where_other_packages_have_the_apps_names(
    unpacked, crowded, command, address
):
    port = free_port()
    started = [sys.executable, "-m", "provenance_core", *command, "--port", str(port)]
    known = {**os.environ, **unpacked, **database(crowded), "HOME": str(crowded)}
    with (crowded / "log.txt").open("wb") as log:
        server = subprocess.Popen(started, env=known, cwd=crowded, stdout=log, stderr=log)
    try:
        end = time.monotonic() + 120
        while True:
            assert server.poll() is None, (crowded / "log.txt").read_text()
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}{address}") as answer:
                    assert answer.status == 200
                    break
            except OSError:
                assert time.monotonic() < end, (crowded / "log.txt").read_text()
                time.sleep(0.5)
    finally:
        server.kill()
        server.wait()


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
    assert "provenance-check" in names
    assert not names & {"torch", "transformers", "streamlit", "openai"}


@pytest.mark.parametrize(("command", "extra"), [("app", "app"), ("serve", "api")])
def test_a_missing_extra_is_named_with_its_install_command(installed, command, extra):
    done = call(installed / "provenance", command, status=1)
    assert f"pip install 'provenance-check[{extra}]'" in done.stderr


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
